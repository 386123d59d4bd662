// Benchpress repeats the seed "ruby-bench-press": JSON and MessagePack on one
// small document, as bench_press 0.3.1 measures and prints it: 10,000 reps
// after as many that are thrown away, each case in a process of its own. Then
// it says what the original could not.
//
//	go run ./examples/seeds/benchpress
//	go run ./examples/seeds/benchpress -form struct
//	go run ./examples/seeds/benchpress -merge a.json -merge b.json   # saved with -o, of several environments
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/easyjson"
	"github.com/serbench/serbench/adapters/msgp"
	"github.com/serbench/serbench/adapters/sonic"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/examples/internal/cli"
	"github.com/serbench/serbench/examples/payloads"
	"github.com/serbench/serbench/examples/seeds/internal/seed"
	"github.com/serbench/serbench/render"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout io.Writer, stderr *os.File) int {
	isolate, form, author := true, "map", ""
	var merge []string
	p := seed.Program{
		Name:  "benchpress",
		Study: 3 * time.Second,
		Serve: true,
		Runner: serbench.Runner{
			Title: "JSON and MessagePack on the repository document", Summary: "Which serializer is the fastest on one small document?",
			Ops: []serbench.Op{serbench.OpEncode, serbench.OpDecode}, Reps: 10_000, Collector: serbench.CollectorLeave,
			Plan: serbench.Plan{Declared: true},
		},
		Flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&isolate, "isolate", true, "measure each case in a process of its own, as the original does")
			fs.StringVar(&form, "form", "map", "the document as the original's generic `map`, or as a struct with generated methods")
			fs.StringVar(&author, "author", "", "`NAME` for the report")
			fs.Func("merge", "show this saved report, a `FILE`, as one of several environments, and run nothing; repeatable", func(s string) error {
				merge = append(merge, s)
				return nil
			})
		},
		Input: func(r *serbench.Runner) ([]serbench.Codec, []serbench.Payload, error) {
			r.Author = author
			if isolate {
				r.Launches = 1
			}
			all, err := seed.Form(form, payloads.RepositoryPayloads())
			return codecs(form), all, err
		},
		Layout: render.BenchPress,
		Instead: func(out string, stdout, stderr io.Writer) (int, bool) {
			if len(merge) == 0 {
				return 0, false
			}
			return show(merge, out, stdout, stderr), true
		},
	}
	return p.Run(args, stdout, stderr)
}

// codecs are the original's three: the standard library's JSON, a faster one,
// MessagePack.
func codecs(form string) []serbench.Codec {
	if form == "map" {
		return []serbench.Codec{stdlib.JSON(), sonic.New(), msgp.Tree()}
	}
	return []serbench.Codec{stdlib.JSON(), easyjson.New(), msgp.New()}
}

// show writes saved reports as one.
func show(files []string, out string, stdout, stderr io.Writer) int {
	var reports []*serbench.Report
	var errs []error
	for _, name := range files {
		r, err := read(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		reports = append(reports, r)
	}
	merged, err := (*serbench.Report)(nil), errors.Join(errs...)
	if err == nil {
		merged, err = serbench.Merge(reports...)
	}
	if err == nil {
		err = errors.Join(render.BenchPress(stdout, merged), cli.Save(merged, out))
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return cli.ExitUsage
	}
	return cli.ExitOK
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
