// Command ruby sets serbench's codecs beside the first seed's own stack, Ruby
// with its json and msgpack (Debian: apt-get install ruby ruby-msgpack), on
// the seed's document and on this machine. The two sides take turns, so that a
// busy minute hits both:
//
//	go run ./internal/study/ruby
//
// Each turn is the seed's plan: 10,000 reps after as many that are thrown
// away. Ratios are of CPU time, user and system of all threads: on a machine
// with neighbours wall time says how often one was interrupted. A ratio is that
// of one turn; the table shows the median of the turns with their smallest and
// largest, and the least wall time.
package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/easyjson"
	"github.com/serbench/serbench/adapters/msgp"
	"github.com/serbench/serbench/adapters/sonic"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/examples/payloads"
)

//go:embed original.rb
var original string

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("ruby", flag.ContinueOnError)
	fs.SetOutput(stderr)
	turns := fs.Int("turns", 9, "`N` turns of each side")
	reps := fs.Int("reps", 10_000, "`N` timed reps per case and turn")
	ruby := fs.String("ruby", "ruby", "the `PROGRAM` that runs Ruby")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case *turns < 1 || *reps < 1 || fs.NArg() > 0:
		fmt.Fprintln(stderr, "-turns and -reps are 1 or more, and there are no other arguments")
		return 2
	}
	if err := study(context.Background(), stdout, *ruby, *turns, *reps); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

// figure is a case: what it took in each turn, in ns per op.
type figure struct {
	name, op  string
	bytes     int
	wall, cpu []float64
}

func study(ctx context.Context, w io.Writer, ruby string, turns, reps int) error {
	document, err := json.Marshal(payloads.RepositoryValue())
	if err != nil {
		return err
	}
	var theirs, ours []*figure
	version := ""
	for range turns {
		if version, err = runRuby(ctx, ruby, document, reps, &theirs); err != nil {
			return err
		}
		if err := runOurs(ctx, reps, &ours); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%s; %d turns of %d reps\n\n", version, turns, reps)
	write(w, theirs, ours)
	return nil
}

// add appends one turn's figure to those of the same case.
func add(all *[]*figure, name, op string, wall, cpu float64, bytes int) {
	for _, f := range *all {
		if f.name == name && f.op == op {
			f.wall, f.cpu = append(f.wall, wall), append(f.cpu, cpu)
			return
		}
	}
	*all = append(*all, &figure{name, op, bytes, []float64{wall}, []float64{cpu}})
}

func runRuby(ctx context.Context, ruby string, document []byte, reps int, all *[]*figure) (version string, err error) {
	cmd := exec.CommandContext(ctx, ruby, "-e", original, strconv.Itoa(reps))
	cmd.Stdin = bytes.NewReader(document)
	var errText strings.Builder
	cmd.Stderr = &errText
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s (Debian: apt-get install ruby ruby-msgpack)", ruby, err, strings.TrimSpace(errText.String()))
	}
	for line := range strings.Lines(string(out)) {
		if v, ok := strings.CutPrefix(line, "version "); ok {
			version = strings.TrimSpace(v)
			continue
		}
		var name, op string
		var wall, cpu float64
		var size int
		if _, err := fmt.Sscan(line, &name, &op, &wall, &cpu, &size); err != nil || wall <= 0 || cpu <= 0 {
			return "", fmt.Errorf("%s printed %q instead of name, op, two times and bytes", ruby, line)
		}
		add(all, name, op, wall, cpu, size)
	}
	return version, nil
}

// runOurs is a turn of the same plan in this process.
func runOurs(ctx context.Context, reps int, all *[]*figure) error {
	report, err := serbench.Runner{
		Ops: []serbench.Op{serbench.OpEncode, serbench.OpAppend, serbench.OpDecode}, Reps: reps,
		Collector: serbench.CollectorLeave, Plan: serbench.Plan{Declared: true},
	}.Run(ctx, []serbench.Codec{stdlib.JSON(), easyjson.New(), sonic.New(), msgp.New(), msgp.Tree()}, payloads.RepositoryPayloads())
	if err != nil {
		return err
	}
	for i := range report.Results {
		res := &report.Results[i]
		if res.Status != serbench.StatusOK {
			continue
		}
		// In declared order the one counter is of the timed ops.
		c := res.Counters[0]
		if c.UserNs == nil || c.SystemNs == nil {
			return errors.New("this system does not tell CPU times")
		}
		add(all, res.Codec+" ("+res.Form+")", string(res.Op), float64(res.ElapsedNs)/float64(res.Reps),
			float64(*c.UserNs+*c.SystemNs)/float64(c.Reps), res.Encoded.Max)
	}
	return nil
}

// write sets each of ours beside msgpack and json of theirs.
func write(w io.Writer, theirs, ours []*figure) {
	fmt.Fprintln(w, "| codec | op | CPU ns per op | least wall ns | bytes | times as fast as ruby-msgpack | as ruby-json |")
	fmt.Fprintln(w, "| --- | --- | ---: | ---: | ---: | ---: | ---: |")
	for _, f := range theirs {
		fmt.Fprintf(w, "| %s | %s | %.0f | %.0f | %d | | |\n", f.name, f.op, median(f.cpu), slices.Min(f.wall), f.bytes)
	}
	for _, f := range ours {
		op := cmp.Or(map[string]string{"append": "encode"}[f.op], f.op)
		fmt.Fprintf(w, "| %s | %s | %.0f | %.0f | %d | %s | %s |\n", f.name, f.op, median(f.cpu), slices.Min(f.wall), f.bytes,
			times(theirs, "ruby-msgpack", op, f), times(theirs, "ruby-json", op, f))
	}
}

// times is the median over the turns of theirs over ours, and the ends.
func times(theirs []*figure, name, op string, f *figure) string {
	i := slices.IndexFunc(theirs, func(t *figure) bool { return t.name == name && t.op == op })
	if i < 0 {
		return "-"
	}
	var ratios []float64
	for k := range f.cpu {
		ratios = append(ratios, theirs[i].cpu[k]/f.cpu[k])
	}
	return fmt.Sprintf("%.1f (%.1f to %.1f)", median(ratios), slices.Min(ratios), slices.Max(ratios))
}

func median(xs []float64) float64 {
	s := slices.Sorted(slices.Values(xs))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
