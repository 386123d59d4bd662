// Yourdata compares codecs on your own recorded messages. It takes files of
// JSON (a document, an array of objects, or NDJSON), MessagePack or CBOR,
// plain or compressed with gzip or Zstandard; "-" is standard input:
//
//	go run ./examples/yourdata orders.ndjson
//	zcat old.json.gz | go run ./examples/yourdata -format ndjson -
//
// Messages are loaded in generic form (map[string]any, []any), which is slower
// for every codec than a struct: it answers which format and library suits the
// data, examples/yourtype answers for a type. Of a large file a random sample
// is measured; the table says so.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/examples/internal/cli"
	"github.com/serbench/serbench/render"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// options are the flags of this program.
type options struct {
	cli.Options
	inputs   []string
	format   string
	numbers  string
	values   int
	bytes    int64
	seed     uint64
	derive   string
	budget   time.Duration
	pairs    bool
	variants bool
}

func run(args []string, stdin io.Reader, stdout io.Writer, stderr *os.File) int {
	fs := flag.NewFlagSet("yourdata", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprintln(stderr, "usage: yourdata [flags] FILE...\n\nCompares codecs on the messages in each FILE; - is standard input.")
		fs.PrintDefaults()
	}
	var o options
	o.AddTo(fs)
	fs.StringVar(&o.format, "format", "", "the files' `FORMAT`: json, document, array, ndjson, msgpack or cbor; default: by name and content")
	fs.StringVar(&o.numbers, "numbers", "int64", "what whole JSON numbers are loaded as: int64 or float64; others are float64")
	fs.IntVar(&o.values, "values", 300, "measure a sample of at most `N` messages of a file; -1: no bound")
	fs.Int64Var(&o.bytes, "bytes", 1<<20, "measure a sample of at most `N` bytes of messages of a file; -1: no bound")
	fs.Uint64Var(&o.seed, "seed", 1, "of the sample")
	fs.StringVar(&o.derive, "derive", "", "measure derived payloads too, a comma-separated `LIST` of flatten and pack")
	fs.DurationVar(&o.budget, "budget", 7*time.Second, "wall time for the measuring of each file, beside the checks before it; with -reps or -time there is no bound")
	fs.BoolVar(&o.pairs, "all-pairs", false, "compare every codec with every other, not only with the first that loses nothing")
	fs.BoolVar(&o.variants, "variants", false, "all variants of each library too, such as sonic's default settings beside its lossless ones")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return cli.ExitOK
	case err != nil:
		return cli.ExitUsage
	case fs.NArg() == 0:
		fmt.Fprintln(stderr, "yourdata: no file is named; - is standard input")
		return cli.ExitUsage
	}
	if err := o.check(); err != nil {
		fmt.Fprintln(stderr, "yourdata:", err)
		return cli.ExitUsage
	}
	o.inputs = fs.Args()
	worst := cli.ExitOK
	names := map[string]bool{}
	for _, file := range fs.Args() {
		code := o.file(file, unique(names, file), len(fs.Args()) > 1, stdin, stdout, stderr)
		if code == cli.ExitInterrupted {
			return code
		}
		worst = max(worst, code)
	}
	return worst
}

func (o options) check() error {
	if _, known := formats[o.format]; !known && o.format != "" {
		return fmt.Errorf("-format %q: there are json, document, array, ndjson, msgpack and cbor", o.format)
	}
	if o.numbers != "int64" && o.numbers != "float64" {
		return fmt.Errorf("-numbers %q: there are int64 and float64", o.numbers)
	}
	if o.values == 0 || o.bytes == 0 {
		return errors.New("-values and -bytes: 1 or more, or -1 for no bound")
	}
	for how := range strings.SplitSeq(o.derive, ",") {
		if how != "" && how != "flatten" && how != "pack" {
			return fmt.Errorf("-derive %q: there are flatten and pack", how)
		}
	}
	return nil
}

// file loads, measures and prints one file.
func (o options) file(file, name string, several bool, stdin io.Reader, stdout io.Writer, stderr *os.File) int {
	out := o.Out
	if out != "" && several {
		ext := filepath.Ext(out)
		out = strings.TrimSuffix(out, ext) + "-" + name + ext
	}
	if err := cli.CheckOut(out, o.inputs...); err != nil {
		fmt.Fprintln(stderr, "yourdata:", err)
		return cli.ExitUsage
	}
	payload, err := o.load(file, name, stdin)
	if err != nil {
		fmt.Fprintln(stderr, "yourdata:", err)
		return cli.ExitUsage
	}
	payloads := []serbench.Payload{payload}
	for how := range strings.SplitSeq(o.derive, ",") {
		var next serbench.Payload
		switch how {
		case "flatten":
			next, err = serbench.Flatten(payload)
		case "pack":
			next, err = serbench.Pack(payload)
		default:
			continue
		}
		if err != nil {
			fmt.Fprintln(stderr, "yourdata:", err)
			return cli.ExitUsage
		}
		payloads = append(payloads, next)
	}
	runner := serbench.Runner{
		Title:    file + " in generic form",
		Ops:      []serbench.Op{serbench.OpEncode, serbench.OpDecode},
		AllPairs: o.pairs, Budget: o.budget,
	}
	picked, payloads, err := o.Apply(&runner, codecs(o.variants), payloads)
	if err != nil {
		fmt.Fprintln(stderr, "yourdata:", err)
		return cli.ExitUsage
	}
	var checks time.Duration
	runner.Baseline, checks = rehearse(picked, payloads)
	if runner.Reps > 0 || runner.Time > 0 {
		runner.Budget = 0
	} else {
		runner.Budget += checks
	}
	return cli.Run(runner, picked, payloads, out, stdout, stderr, render.Text)
}

// unique makes a payload's name of a file's.
func unique(names map[string]bool, file string) string {
	base := "stdin"
	if file != "-" {
		base = filepath.Base(file)
		for _, ext := range []string{".gz", ".zst"} {
			base = strings.TrimSuffix(base, ext)
		}
		if ext := filepath.Ext(base); formats[byExtension[strings.ToLower(ext)]] != nil && base != ext {
			base = strings.TrimSuffix(base, ext)
		}
	}
	name := base
	for i := 2; names[name]; i++ {
		name = fmt.Sprintf("%s-%d", base, i)
	}
	names[name] = true
	return name
}
