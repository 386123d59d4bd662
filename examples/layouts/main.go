// Layouts builds a program several times with its functions laid out in
// memory in another order each time, runs every build, and tells which
// differences between codecs hold whatever the layout:
//
//	go run ./examples/layouts -builds 12 ./examples/quickstart -budget 5s -codec 'json'
//
// One and the same function at another address can differ by several percent,
// and a single build shows none of that. What follows the package is passed
// on to the program; any program will do that writes a report of serbench with
// -o FILE. Needs the go command.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/examples/internal/cli"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("layouts", flag.ContinueOnError)
	fs.SetOutput(stderr)
	builds := fs.Int("builds", 12, "number of layouts; the more, the narrower the intervals")
	out := fs.String("o", "", "write the merged report as JSON to `FILE`")
	keep := fs.String("keep", "", "keep programs and reports in this `FOLDER`, and take finished ones from there")
	fs.Usage = func() {
		fmt.Fprintln(stderr, "usage: layouts [flags] PACKAGE [arguments of the program]")
		fs.PrintDefaults()
	}
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return cli.ExitOK
	case err != nil:
		return cli.ExitUsage
	case fs.NArg() == 0:
		fs.Usage()
		return cli.ExitUsage
	case *builds < 2:
		fmt.Fprintf(stderr, "-builds %d: 2 at least, or nothing is known of the layout\n", *builds)
		return cli.ExitUsage
	}
	if err := cli.CheckOut(*out); err != nil {
		fmt.Fprintln(stderr, err)
		return cli.ExitUsage
	}
	ctx, stop := cli.Context()
	defer stop()
	folder, remove, err := workFolder(*keep)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return cli.ExitUsage
	}
	defer remove()

	var reports []*serbench.Report
	for seed := 1; seed <= *builds && ctx.Err() == nil; seed++ {
		fmt.Fprintf(stderr, "layout %d of %d\n", seed, *builds)
		r, err := one(ctx, folder, seed, fs.Arg(0), fs.Args()[1:])
		if ctx.Err() != nil && err != nil {
			fmt.Fprintln(stderr, "layouts: interrupted")
			break
		}
		if err != nil {
			fmt.Fprintln(stderr, "layouts:", err)
			if len(reports) < 2 {
				return cli.ExitFailed
			}
			break // what there is still tells something
		}
		reports = append(reports, r)
	}
	if len(reports) < 2 {
		fmt.Fprintln(stderr, "layouts: fewer than two builds were run")
		return cli.ExitInterrupted
	}
	sum := summarise(reports)
	if err := sum.write(stdout); err != nil {
		fmt.Fprintln(stderr, err)
		return cli.ExitFailed
	}
	if err := cli.Save(merged(reports), *out); err != nil {
		fmt.Fprintln(stderr, err)
		return cli.ExitFailed
	}
	if len(reports) < *builds {
		return cli.ExitInterrupted
	}
	return cli.ExitOK
}

func workFolder(keep string) (folder string, remove func(), err error) {
	if keep != "" {
		return keep, func() {}, os.MkdirAll(keep, 0o755)
	}
	if folder, err = os.MkdirTemp("", "layouts-*"); err != nil {
		return "", nil, err
	}
	return folder, func() { os.RemoveAll(folder) }, nil
}

// one builds and runs the program with one layout. A report that is there
// already is taken as it is.
func one(ctx context.Context, folder string, seed int, pkg string, args []string) (*serbench.Report, error) {
	name := filepath.Join(folder, fmt.Sprintf("layout%d.json", seed))
	if r, err := read(name); err == nil {
		return r, nil
	}
	goCommand, err := exec.LookPath("go")
	if err != nil {
		return nil, fmt.Errorf("the go command is needed to build %s: %w", pkg, err)
	}
	program, err := filepath.Abs(filepath.Join(folder, fmt.Sprintf("layout%d.exe", seed)))
	if err != nil {
		return nil, err
	}
	if err := command(ctx, goCommand, "build", fmt.Sprintf("-ldflags=-randlayout=%d", seed), "-o", program, pkg); err != nil {
		return nil, fmt.Errorf("building %s: %w", pkg, err)
	}
	defer os.Remove(program)
	part := name + ".part"
	defer os.Remove(part)
	if err := command(ctx, program, append(args, "-o", part)...); err != nil {
		if _, missing := os.Stat(part); missing != nil {
			return nil, fmt.Errorf("running %s: %w", pkg, err)
		} // else some cells failed, which the report says
	}
	r, err := read(part)
	if err != nil {
		return nil, fmt.Errorf("%s does not write a report with -o: %w", pkg, err)
	}
	return r, os.Rename(part, name)
}

// command runs a program; its error holds the last lines that it wrote.
func command(ctx context.Context, name string, args ...string) error {
	var tail strings.Builder
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stderr = &tail
	if err := cmd.Run(); err != nil {
		text := strings.TrimSpace(tail.String())
		if most := 2000; len(text) > most {
			text = "..." + text[len(text)-most:]
		}
		return fmt.Errorf("%w\n%s", err, text)
	}
	return nil
}

func read(name string) (*serbench.Report, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return serbench.ReadReport(f)
}
