// Gate compares two saved reports and fails if the new one is certainly worse:
//
//	go run ./examples/gate old.json new.json
//
// It exits with 0 if nothing got worse, 1 if something did, 2 if there was
// nothing to compare or an input is unusable. In GitHub Actions:
//
//   - run: go run ./examples/gate -markdown "$GITHUB_STEP_SUMMARY" old.json new.json
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"unicode"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/examples/internal/cli"
	"github.com/serbench/serbench/render"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("gate", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprintln(stderr, "usage: gate [flags] OLD.json NEW.json")
		fs.PrintDefaults()
	}
	var l serbench.Limits
	fs.Float64Var(&l.Time, "time", 0.10, "smallest certain slowdown that fails, as a `SHARE`; negative: times are not judged")
	fs.Float64Var(&l.Size, "size", 0, "growth of encoded sizes that passes, as a `SHARE`; negative: not judged")
	fs.Float64Var(&l.Allocs, "allocs", 0, "growth of allocations that passes, as a `SHARE`; negative: not judged")
	fs.BoolVar(&l.AllowMissing, "allow-missing", false, "cells that only the old report has pass")
	fs.BoolVar(&l.AllowFidelity, "allow-fidelity", false, "cells that lose more than before pass")
	level := fs.Float64("level", 0.05, "chance of any slowdown found by accident")
	markdown := fs.String("markdown", "", "append the findings as Markdown to `FILE`, such as \"$GITHUB_STEP_SUMMARY\"")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return cli.ExitOK
	case err != nil:
		return cli.ExitUsage
	case fs.NArg() != 2:
		fs.Usage()
		return cli.ExitUsage
	}
	unusable := func(err error) int {
		fmt.Fprintln(stderr, "gate:", err)
		if *markdown != "" {
			if err := appendTo(*markdown, func(w io.Writer) error { return refusal(w, err) }); err != nil {
				fmt.Fprintln(stderr, "gate:", err)
			}
		}
		return cli.ExitUsage
	}
	if input := cli.SameFile(*markdown, fs.Args()); input != "" {
		fmt.Fprintf(stderr, "gate: -markdown %s: it is the input %s\n", *markdown, input)
		return cli.ExitUsage
	}
	if err := check(l, *level); err != nil {
		return unusable(err)
	}
	if l.Time == 0 { // which means the default in Limits
		l.Time = math.SmallestNonzeroFloat64
	}
	old, err := read(fs.Arg(0))
	if err != nil {
		return unusable(err)
	}
	new, err := read(fs.Arg(1))
	if err != nil {
		return unusable(err)
	}
	diff, err := serbench.Diff(old, new, serbench.DiffOptions{Level: *level})
	if err != nil {
		return unusable(err)
	}
	findings, err := serbench.Gate(diff, l)
	if err != nil {
		return unusable(err)
	}
	if err := render.Gate(stdout, diff, findings); err != nil {
		return unusable(err)
	}
	if *markdown != "" {
		err := appendTo(*markdown, func(w io.Writer) error {
			return render.GateMarkdown(w, diff, findings, render.StepSummaryBytes)
		})
		if err != nil {
			fmt.Fprintln(stderr, "gate:", err)
			return cli.ExitUsage
		}
	}
	if serbench.Failed(findings) {
		return cli.ExitFailed
	}
	return cli.ExitOK
}

func check(l serbench.Limits, level float64) error {
	for _, f := range []struct {
		flag  string
		value float64
	}{{"time", l.Time}, {"size", l.Size}, {"allocs", l.Allocs}} {
		if math.IsNaN(f.value) || math.IsInf(f.value, 0) {
			return fmt.Errorf("-%s %v: a share is needed, such as 0.05, or a negative number", f.flag, f.value)
		}
	}
	if !(level > 0 && level < 1) {
		return fmt.Errorf("-level %v: a share between 0 and 1 is needed, such as 0.05", level)
	}
	return nil
}

// refusal says as Markdown why there is no verdict. Lines that are indented
// mean themselves.
func refusal(w io.Writer, why error) error {
	text := strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, why.Error())
	_, err := fmt.Fprintf(w, "\n## The gate could not compare\n\n    %s\n", strings.ReplaceAll(text, "\n", "\n    "))
	return err
}

func read(name string) (*serbench.Report, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := serbench.ReadReport(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// appendTo appends, as GitHub collects what the steps of a job write.
func appendTo(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
