// Package seed is what the programs of examples/seeds share: the original's
// plan and layout first, then what serbench finds out about the same cells.
package seed

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/examples/internal/cli"
	"github.com/serbench/serbench/render"
)

// Program is one of the originals.
type Program struct {
	Name   string
	Flags  func(*flag.FlagSet) // beyond the common ones; nil: none
	Runner serbench.Runner     // the original's plan
	Study  time.Duration       // default of -study

	// Input returns what is measured, once the flags are parsed. Its error is
	// about the flags or the files that they name.
	Input func(*serbench.Runner) ([]serbench.Codec, []serbench.Payload, error)
	// Serve is set if the codecs are measured in child processes.
	Serve bool
	// Layout writes the report of the plan as the original did.
	Layout func(io.Writer, *serbench.Report) error
	// Instead, if set, runs after the flags are parsed; done is set if there is
	// nothing else to do.
	Instead func(out string, stdout, stderr io.Writer) (code int, done bool)
}

// options are the common flags.
type options struct {
	cli.Options
	study time.Duration
}

// Run is the program.
func (p Program) Run(args []string, stdout io.Writer, stderr *os.File) int {
	fs := flag.NewFlagSet(p.Name, flag.ContinueOnError)
	fs.SetOutput(stderr)
	var o options
	fs.IntVar(&o.Reps, "reps", p.Runner.Reps, "time exactly `N` ops per case")
	fs.DurationVar(&o.Time, "time", cmp.Or(p.Runner.Time, p.Runner.CPUTime), "time each case for this `duration`"+p.timeKind())
	fs.DurationVar(&o.study, "study", p.Study, "`TIME` for serbench's own run behind the original's; 0: none")
	fs.StringVar(&o.Out, "o", "", "write the reports as JSON to `FILE` (the original's plan) and FILE.study (serbench's) too")
	fs.StringVar(&o.Codec, "codec", "", "only codecs whose name matches this `REGEXP`")
	fs.StringVar(&o.Op, "op", "", "only these ops, a comma-separated `LIST`")
	if p.Flags != nil {
		p.Flags(fs)
	}
	if code, done := cli.Parse(fs, args); done {
		return code
	}
	usage := func(err error) int {
		fmt.Fprintln(stderr, err)
		return cli.ExitUsage
	}
	if err := errors.Join(cli.CheckOut(o.Out), checkStudyOut(o.Out)); err != nil {
		return usage(err)
	}
	if p.Instead != nil {
		if code, done := p.Instead(o.Out, stdout, stderr); done {
			return code
		}
	}
	runner := p.Runner
	if err := o.length(fs, &runner); err != nil {
		return usage(err)
	}
	codecs, payloads, err := p.Input(&runner)
	if err != nil {
		return usage(err)
	}
	plan := runner
	if codecs, payloads, err = (cli.Options{Codec: o.Codec, Op: o.Op}).Apply(&runner, codecs, payloads); err != nil {
		return usage(err)
	}
	runner.Reps, runner.Time = plan.Reps, plan.Time

	ctx, stop := cli.Context()
	defer stop()
	if p.Serve {
		if served, err := serbench.ServeChild(ctx, codecs, payloads); err != nil {
			return usage(err)
		} else if served {
			return cli.ExitOK
		}
	}
	return p.measure(ctx, runner, o, codecs, payloads, stdout, stderr)
}

func (p Program) timeKind() string {
	if p.Runner.CPUTime > 0 {
		return " of CPU time"
	}
	return ""
}

func checkStudyOut(out string) error {
	if out == "" {
		return nil
	}
	return cli.CheckOut(out + ".study")
}

// length takes over -reps and -time, of which one replaces what the original
// had.
func (o options) length(fs *flag.FlagSet, r *serbench.Runner) error {
	given := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	switch {
	case given["reps"] && given["time"]:
		return errors.New("-reps and -time exclude each other")
	case given["reps"] && o.Reps < 1:
		return fmt.Errorf("-reps %d: a number of 1 or more is needed", o.Reps)
	case given["time"] && o.Time <= 0:
		return fmt.Errorf("-time %v: a positive duration is needed", o.Time)
	case o.study < 0:
		return fmt.Errorf("-study %v: not below 0", o.study)
	case given["reps"]:
		r.Reps, r.Time, r.CPUTime, r.Plan.MinSamples = o.Reps, 0, 0, 0
		if r.Plan.BatchReps == 0 && r.Plan.SubtractNoop {
			r.Plan.SubtractNoop = false // there is nothing to calibrate against
		}
	case given["time"] && r.CPUTime > 0:
		r.CPUTime = o.Time
	case given["time"]:
		r.Reps, r.Time = 0, o.Time
	}
	return nil
}

func (p Program) measure(ctx context.Context, runner serbench.Runner, o options, codecs []serbench.Codec, payloads []serbench.Payload,
	stdout io.Writer, stderr *os.File) int {
	on, clear := cli.Progress(stderr)
	runner.OnEvent = on
	report, err := runner.Run(ctx, codecs, payloads)
	clear()
	if len(report.Results) == 0 {
		return cli.Exit(stderr, report, err)
	}
	err = errors.Join(err, p.Layout(stdout, report), cli.Save(report, o.Out))
	fmt.Fprintf(stdout, "\nThe original's plan took %.1f s.\n", float64(report.ElapsedNs)/1e9)
	if o.study == 0 || report.Interrupted {
		return cli.Exit(stderr, report, err)
	}
	study := serbench.Runner{
		Title: runner.Title + ": serbench's own run", Ops: runner.Ops, AllPairs: true, Budget: o.study, OnEvent: on, Seed: runner.Seed,
	}
	found, studyErr := study.Run(ctx, codecs, payloads)
	clear()
	fmt.Fprintf(stdout, "\n%s\n", strings.Repeat("=", 80))
	studyErr = errors.Join(studyErr, render.Text(stdout, found))
	if o.Out != "" {
		studyErr = errors.Join(studyErr, cli.Save(found, o.Out+".study"))
	}
	if found.Interrupted || err == nil {
		return cli.Exit(stderr, found, studyErr)
	}
	return cli.Exit(stderr, report, err)
}

// Form picks the payloads of one form.
func Form(form string, all []serbench.Payload) ([]serbench.Payload, error) {
	var out []serbench.Payload
	var known []string
	for _, p := range all {
		if p.FormName() == form {
			out = append(out, p)
		}
		known = append(known, p.FormName())
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("-form %q: there are %s", form, strings.Join(known, ", "))
	}
	return out, nil
}
