// Liveheap shows what an allocation-heavy codec costs in a service with so
// much in memory, and that the fastest codec depends on it: beside the times
// it measures the heap that decoded values and one large message take, what
// pools keep, and sustained times, garbage collection included, over several
// live heaps.
//
//	go run ./examples/liveheap -live 1,16,64,256
//
// Collections get rarer as the heap grows, and dearer; a codec that allocates
// much gains from the first and pays for the second.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/easyjson"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/adapters/ugorji"
	"github.com/serbench/serbench/examples/internal/cli"
	"github.com/serbench/serbench/examples/payloads"
	"github.com/serbench/serbench/render"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout io.Writer, stderr *os.File) int {
	fs := flag.NewFlagSet("liveheap", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var opts cli.Options
	opts.AddTo(fs)
	live := fs.String("live", "1,16,64,256", "live heaps in MiB, a `LIST`; 0 is what the program itself holds")
	budget := fs.Duration("budget", 6*time.Second, "wall time for the op times, before the memory is looked at")
	if code, done := cli.Parse(fs, args); done {
		return code
	}
	if opts.Op == "" {
		opts.Op = "encode,decode"
	}
	runner := serbench.Runner{Title: "codecs over live heaps", Budget: *budget, Memory: true}
	for text := range strings.SplitSeq(*live, ",") {
		mib, err := strconv.ParseInt(strings.TrimSpace(text), 10, 32)
		if err != nil || mib < 0 {
			fmt.Fprintf(stderr, "-live %s: a number of MiB from 0 on is needed\n", text)
			return cli.ExitUsage
		}
		runner.MemoryHeaps = append(runner.MemoryHeaps, mib<<20)
	}
	codecs, inputs, err := opts.Apply(&runner, []serbench.Codec{stdlib.JSON(), easyjson.New(), ugorji.JSON()}, payloads.RepositoryPayloads()[:1])
	if err != nil {
		fmt.Fprintln(stderr, err)
		return cli.ExitUsage
	}
	if runner.Reps > 0 || runner.Time > 0 {
		runner.Budget = 0
	}
	return cli.Run(runner, codecs, inputs, opts.Out, stdout, stderr, write)
}

// write writes the report and the order of the codecs over each heap.
func write(w io.Writer, report *serbench.Report) error {
	if err := render.Text(w, report); err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "\nop\tlive MiB\tleast first, CPU time per op, collections included; ~: their repeats overlap\n")
	for _, op := range report.Config.Ops {
		for _, heap := range report.Config.MemoryHeaps {
			if order := ranking(report, op, heap); order != "" {
				fmt.Fprintf(t, "%s\t%d\t%s\n", op, heap>>20, order)
			}
		}
	}
	return t.Flush()
}

// ranking orders the codecs of an op by their CPU time over a heap, collections
// included; where the system does not tell that, by the sustained wall time.
func ranking(report *serbench.Report, op serbench.Op, heap int64) string {
	type place struct {
		codec string
		at    *serbench.Estimate
	}
	var places []place
	for _, res := range report.Results {
		if res.Op != op || res.Memory == nil || res.Status != serbench.StatusOK || res.Parallelism > 1 {
			continue
		}
		for _, h := range res.Memory.LiveHeaps {
			at := cmp.Or(h.CPUNsPerOp, h.SustainedNsPerOp)
			if h.LiveHeap == heap && at != nil {
				places = append(places, place{res.Codec, at})
			}
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.at.Value, b.at.Value) })
	var b strings.Builder
	for i, p := range places {
		if i > 0 {
			sign := " < "
			if before := places[i-1].at; before.Max != nil && p.at.Min != nil && *before.Max >= *p.at.Min {
				sign = " ~ "
			}
			b.WriteString(sign)
		}
		fmt.Fprintf(&b, "%s %.0f ns", p.codec, p.at.Value)
	}
	return b.String()
}
