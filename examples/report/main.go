// Report turns a saved report into another format:
//
//	go run ./examples/report -format html -o report.html report.json
//
// Several files are merged first, with the environment as a dimension: that is
// how a suite runs on many machines. Without a file it reads standard input.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/examples/internal/cli"
	"github.com/serbench/serbench/render"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// formats are the values of -format.
var formats = map[string]func(io.Writer, *serbench.Report, render.Options) error{
	"text":           render.TextWith,
	"markdown":       render.Markdown,
	"csv":            render.CSV,
	"html":           whole(render.HTML),
	"bench":          whole(render.Bench),
	"svg":            whole(render.SVG),
	"json":           whole(func(w io.Writer, r *serbench.Report) error { return r.WriteJSON(w) }),
	"action-smaller": whole(render.ActionSmaller),
	"action-bigger":  whole(render.ActionBigger),
	"bencher":        whole(render.Bencher),
}

// whole is for the formats that have no columns to choose.
func whole(f func(io.Writer, *serbench.Report) error) func(io.Writer, *serbench.Report, render.Options) error {
	return func(w io.Writer, r *serbench.Report, o render.Options) error {
		if len(o.Columns) > 0 || o.Sort != "" || o.Safe {
			return errors.New("-columns, -sort and -safe are for tables: text, markdown (not -safe) and csv")
		}
		return f(w, r)
	}
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("report", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprintln(stderr, "usage: report [flags] [FILE.json ...]")
		fs.PrintDefaults()
	}
	names := slices.Sorted(maps.Keys(formats))
	format := fs.String("format", "text", "one of "+strings.Join(names, ", "))
	out := fs.String("o", "", "write to `FILE` instead of standard output")
	codec := fs.String("codec", "", "only codecs whose name matches this `REGEXP`")
	payload := fs.String("payload", "", "only payloads whose name or name/form matches this `REGEXP`")
	op := fs.String("op", "", "only these ops, a comma-separated `LIST`")
	columns := fs.String("columns", "", "only these columns, a comma-separated `LIST`")
	var o render.Options
	fs.StringVar(&o.Sort, "sort", "", "order rows by `KEY`: rank, codec, time, sustained, size, allocs or bytes")
	fs.BoolVar(&o.Safe, "safe", false, "csv: nothing that a spreadsheet could take for a formula")
	fs.IntVar(&o.MaxBytes, "max-bytes", 0, "markdown: cut below `N` bytes, at a row's edge; 1048576 for a GitHub step summary")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return cli.ExitOK
	case err != nil:
		return cli.ExitUsage
	}
	write, known := formats[*format]
	if !known {
		fmt.Fprintf(stderr, "report: -format %q: there are %s\n", *format, strings.Join(names, ", "))
		return cli.ExitUsage
	}
	if *columns != "" {
		o.Columns = strings.Split(*columns, ",")
	}
	inputs := fs.Args()
	if len(inputs) == 0 {
		inputs = []string{"-"}
	}
	if err := cli.CheckOut(*out, inputs...); err != nil {
		fmt.Fprintln(stderr, "report:", err)
		return cli.ExitUsage
	}
	report, err := read(stdin, fs.Args())
	if err == nil {
		report, err = choose(report, *codec, *payload, *op)
	}
	if err == nil {
		err = save(*out, stdout, func(w io.Writer) error { return write(w, report, o) })
	}
	if err != nil {
		fmt.Fprintln(stderr, "report:", err)
		return cli.ExitUsage
	}
	return cli.ExitOK
}

// read reads and merges the files.
func read(stdin io.Reader, names []string) (*serbench.Report, error) {
	if len(names) == 0 {
		return serbench.ReadReport(stdin)
	}
	reports := make([]*serbench.Report, len(names))
	for i, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		reports[i], err = serbench.ReadReport(f)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if len(reports) == 1 {
		return reports[0], nil
	}
	return serbench.Merge(reports...)
}

// choose keeps what the flags name; a choice of nothing is an error.
func choose(r *serbench.Report, codec, payload, ops string) (*serbench.Report, error) {
	if codec == "" && payload == "" && ops == "" {
		return r, nil
	}
	codecs, err := regexp.Compile(codec)
	if err != nil {
		return nil, fmt.Errorf("-codec: %w", err)
	}
	payloads, err := regexp.Compile(payload)
	if err != nil {
		return nil, fmt.Errorf("-payload: %w", err)
	}
	list := strings.Split(ops, ",")
	out := serbench.Select(r, func(res *serbench.Result) bool {
		return codecs.MatchString(res.Codec) &&
			(payloads.MatchString(res.Payload) || payloads.MatchString(res.Payload+"/"+res.Form)) &&
			(ops == "" || slices.Contains(list, string(res.Op)))
	})
	if len(out.Results) == 0 {
		return nil, errors.New("-codec, -payload and -op leave nothing of the report")
	}
	return out, nil
}

// save writes to a file, whole or not at all, or to standard output.
func save(name string, stdout io.Writer, write func(io.Writer) error) error {
	if name == "" {
		b := bufio.NewWriter(stdout)
		if err := write(b); err != nil {
			return err
		}
		return b.Flush()
	}
	return cli.WriteFile(name, write)
}
