// Liveheap shows that the fastest codec depends on what else the process keeps
// in memory: it measures sustained times, garbage collection included, over
// several live heaps, and ranks the codecs under each.
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
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout io.Writer, stderr *os.File) int {
	fs := flag.NewFlagSet("liveheap", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var opts cli.Options
	opts.AddTo(fs)
	live := fs.String("live", "1,16,64,256", "live heaps in MiB, a `LIST`")
	budget := fs.Duration("budget", 6*time.Second, "wall time for each heap")
	if code, done := cli.Parse(fs, args); done {
		return code
	}
	if opts.Op == "" {
		opts.Op = "encode,decode"
	}
	if opts.Out != "" {
		fmt.Fprintln(stderr, "-o: there is a report per heap; leave it out")
		return cli.ExitUsage
	}
	ctx, stop := cli.Context()
	defer stop()
	for _, text := range strings.Split(*live, ",") {
		mib, err := strconv.ParseInt(strings.TrimSpace(text), 10, 32)
		if err != nil || mib < 1 {
			fmt.Fprintf(stderr, "-live %s: a number of MiB from 1 on is needed\n", text)
			return cli.ExitUsage
		}
		runner := serbench.Runner{Budget: *budget, LiveHeap: mib << 20}
		codecs, inputs, err := opts.Apply(&runner, []serbench.Codec{stdlib.JSON(), easyjson.New(), ugorji.JSON()}, payloads.RepositoryPayloads()[:1])
		if err != nil {
			fmt.Fprintln(stderr, err)
			return cli.ExitUsage
		}
		report, err := runner.Run(ctx, codecs, inputs)
		if code := cli.Exit(stderr, report, err); code != cli.ExitOK {
			return code
		}
		if err := write(stdout, report, mib); err != nil {
			fmt.Fprintln(stderr, err)
			return cli.ExitFailed
		}
	}
	return cli.ExitOK
}

// write ranks the results of each op by their sustained time.
func write(w io.Writer, report *serbench.Report, mib int64) error {
	results := slices.DeleteFunc(slices.Clone(report.Results), func(r serbench.Result) bool { return r.Estimates.SustainedNsPerOp == nil })
	slices.SortStableFunc(results, func(a, b serbench.Result) int {
		return cmp.Or(cmp.Compare(a.Op, b.Op), cmp.Compare(a.Estimates.SustainedNsPerOp.Value, b.Estimates.SustainedNsPerOp.Value))
	})
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%d MiB live\top\tcodec\tsustained ns/op\tCPU ns/op\tns/op, collector apart\tallocated bytes/op\n", mib)
	value := func(e *serbench.Estimate) string {
		if e == nil {
			return "-"
		}
		return fmt.Sprintf("%.0f", e.Value)
	}
	for _, r := range results {
		e := r.Estimates
		fmt.Fprintf(t, "\t%s\t%s\t%s\t%s\t%s\t%s\n", r.Op, r.Codec, value(e.SustainedNsPerOp), value(e.CPUNsPerOp), value(e.NsPerOp), value(e.AllocBytesPerOp))
	}
	fmt.Fprintln(t)
	return t.Flush()
}
