// Package cli is what the example programs share: the flags that choose what
// runs, the progress line, and the end by Ctrl-C.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/serbench/serbench"
)

// Exit codes of the programs.
const (
	ExitOK          = 0
	ExitFailed      = 1 // a cell failed, or a gate found a regression
	ExitUsage       = 2 // unusable flags or input
	ExitInterrupted = 130
)

// Options are the flags that choose what runs.
type Options struct {
	Reps     int
	Time     time.Duration
	Out      string
	Codec    string
	Payload  string
	Op       string
	Parallel string
	Profiles string
	Latency  int
	Cold     bool

	flags *flag.FlagSet // that AddTo defined them on
}

// AddTo defines the flags on fs.
func (o *Options) AddTo(fs *flag.FlagSet) {
	o.flags = fs
	fs.IntVar(&o.Reps, "reps", 0, "time exactly `N` ops per cell, instead of going on until the comparisons are decided")
	fs.DurationVar(&o.Time, "time", 0, "time each cell for this `duration`, such as 1s")
	fs.StringVar(&o.Out, "o", "", "write the report as JSON to `FILE` too")
	fs.StringVar(&o.Codec, "codec", "", "only codecs whose name matches this `REGEXP`")
	fs.StringVar(&o.Payload, "payload", "", "only payloads whose name or name/form matches this `REGEXP`")
	fs.StringVar(&o.Parallel, "parallel", "", "do each op on so many goroutines too, a comma-separated `LIST` such as 2,4")
	fs.StringVar(&o.Profiles, "profiles", "", "write CPU and allocation profiles of each cell into `FOLDER`, after the measuring")
	fs.IntVar(&o.Latency, "latency", 0, "time `N` ops of each cell one by one too, for quantiles; 10000 are enough for p99.9")
	fs.BoolVar(&o.Cold, "cold", false, "decode messages that are not in the processor's caches too")
	fs.StringVar(&o.Op, "op", "", "only these ops, a comma-separated `LIST`")
}

// Apply sets what the flags ask for in runner and picks codecs and payloads.
func (o Options) Apply(runner *serbench.Runner, codecs []serbench.Codec, payloads []serbench.Payload) ([]serbench.Codec, []serbench.Payload, error) {
	switch {
	case o.Reps < 0 || o.Reps == 0 && o.given("reps"):
		return nil, nil, fmt.Errorf("-reps %d: a number of 1 or more is needed", o.Reps)
	case o.Time < 0 || o.Time == 0 && o.given("time"):
		return nil, nil, fmt.Errorf("-time %v: a positive duration is needed", o.Time)
	case o.Reps > 0 && o.Time > 0:
		return nil, nil, errors.New("-reps and -time: only one of them can say how long a cell is timed")
	case o.Latency < 0 || o.Latency == 0 && o.given("latency"):
		return nil, nil, fmt.Errorf("-latency %d: a number of 1 or more is needed", o.Latency)
	case o.Op == "" && o.given("op"):
		return nil, nil, fmt.Errorf("-op: no op is named; there are %s", opNames())
	}
	runner.Reps, runner.Time = o.Reps, o.Time
	runner.ProfileDir = o.Profiles
	runner.Latency, runner.Cold = o.Latency, o.Cold
	if o.Parallel != "" {
		for text := range strings.SplitSeq(o.Parallel, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(text))
			if err != nil || n < 1 {
				return nil, nil, fmt.Errorf("-parallel %q: numbers of goroutines are needed, such as 2,4", o.Parallel)
			}
			runner.Parallelism = append(runner.Parallelism, n)
		}
	}
	if o.Op != "" {
		runner.Ops = nil
		for name := range strings.SplitSeq(o.Op, ",") {
			op := serbench.Op(strings.TrimSpace(name))
			if !slices.Contains(serbench.Ops(), op) {
				return nil, nil, fmt.Errorf("-op: unknown op %q; there are %s", op, opNames())
			}
			runner.Ops = append(runner.Ops, op)
		}
	}
	codecs, err := pick("-codec", o.Codec, codecs, func(c serbench.Codec) []string { return []string{c.Name()} })
	if err != nil {
		return nil, nil, err
	}
	payloads, err = pick("-payload", o.Payload, payloads, func(p serbench.Payload) []string {
		return []string{p.Name(), p.Name() + "/" + p.FormName()}
	})
	return codecs, payloads, err
}

// given says that a flag stands on the command line, with whatever value.
func (o Options) given(name string) (given bool) {
	if o.flags != nil {
		o.flags.Visit(func(f *flag.Flag) { given = given || f.Name == name })
	}
	return given
}

func opNames() string {
	var names []string
	for _, op := range serbench.Ops() {
		names = append(names, string(op))
	}
	return strings.Join(names, ", ")
}

func pick[T any](flag, expr string, all []T, names func(T) []string) ([]T, error) {
	if expr == "" {
		return all, nil
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	var out []T
	var known []string
	for _, x := range all {
		for _, name := range names(x) {
			if !slices.Contains(known, name) {
				known = append(known, name)
			}
		}
		if slices.ContainsFunc(names(x), re.MatchString) {
			out = append(out, x)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s %q matches none of %s", flag, expr, strings.Join(known, ", "))
	}
	return out, nil
}

// Parse parses args; done is set when the program has nothing more to do, and
// code is then its exit code.
func Parse(fs *flag.FlagSet, args []string) (code int, done bool) {
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return ExitOK, true
	case err != nil:
		return ExitUsage, true
	}
	if fs.NArg() > 0 {
		fmt.Fprintf(fs.Output(), "unexpected argument %q\n", fs.Arg(0))
		return ExitUsage, true
	}
	return 0, false
}

// Context is done at Ctrl-C. A second Ctrl-C ends the program at once.
func Context() (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// Progress returns an OnEvent function that keeps one line on w up to date,
// and a function that clears the line; both do nothing if w is no terminal.
func Progress(w *os.File) (on func(serbench.Event), clear func()) {
	info, err := w.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil, func() {}
	}
	var last time.Time
	on = func(e serbench.Event) {
		if time.Since(last) < 100*time.Millisecond {
			return
		}
		last = time.Now()
		what := []string{e.Phase, e.Payload, e.Form, string(e.Op), e.Codec}
		what = slices.DeleteFunc(what, func(s string) bool { return s == "" })
		line := fmt.Sprintf("%3.0f %%  %v left  %q", 100*e.Done, e.Left.Round(time.Second), strings.Join(what, " "))
		fmt.Fprintf(w, "\r\x1b[K%.78s", line)
	}
	return on, func() { fmt.Fprint(w, "\r\x1b[K") }
}

// CheckOut finds out before a long run whether its report can be saved, other
// than over one of the files that it reads; "-" is standard input.
func CheckOut(name string, inputs ...string) error {
	if name == "" {
		return nil
	}
	if input := SameFile(name, inputs); input != "" {
		return fmt.Errorf("-o %s: it is the input %s", name, input)
	}
	info, err := os.Stat(filepath.Dir(name))
	switch {
	case err != nil:
		return fmt.Errorf("-o %s: %w", name, err)
	case !info.IsDir():
		return fmt.Errorf("-o %s: %s is not a folder", name, filepath.Dir(name))
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return fmt.Errorf("-o %s: it is a folder", name)
	}
	return nil
}

// SameFile returns the input that is the named file, by whatever path, or "".
func SameFile(name string, inputs []string) string {
	file, err := os.Stat(name)
	if err != nil || !file.Mode().IsRegular() {
		return ""
	}
	for _, input := range inputs {
		path := input
		if path == "-" {
			path = "/dev/stdin" // on systems that have it
		}
		if info, err := os.Stat(path); err == nil && os.SameFile(file, info) {
			return input
		}
	}
	return ""
}

// Exit gives the exit code for what Run returned and says on w what failed.
// Failed cells stand in the report that was printed.
func Exit(w io.Writer, report *serbench.Report, err error) int {
	switch {
	case report.Interrupted:
		fmt.Fprintln(w, "interrupted: what was measured until then is above")
		return ExitInterrupted
	case err == nil:
		return ExitOK
	case len(report.Results) == 0:
		fmt.Fprintln(w, err)
		return ExitUsage
	}
	fmt.Fprintln(w, err)
	return ExitFailed
}

// Run runs, prints the report with show, saves it if out is a file's name,
// and returns the exit code.
func Run(runner serbench.Runner, codecs []serbench.Codec, payloads []serbench.Payload, out string,
	stdout io.Writer, stderr *os.File, show func(io.Writer, *serbench.Report) error) int {
	if err := CheckOut(out); err != nil {
		fmt.Fprintln(stderr, err)
		return ExitUsage
	}
	ctx, stop := Context()
	defer stop()
	on, clear := Progress(stderr)
	runner.OnEvent = on
	report, err := runner.Run(ctx, codecs, payloads)
	clear()
	if err != nil && len(report.Results) == 0 && !report.Interrupted {
		return Exit(stderr, report, err) // refused: there is nothing to show or to save
	}
	if err := show(stdout, report); err != nil {
		fmt.Fprintln(stderr, err)
		return ExitFailed
	}
	if err := Save(report, out); err != nil {
		fmt.Fprintln(stderr, err)
		return ExitUsage
	}
	return Exit(stderr, report, err)
}
