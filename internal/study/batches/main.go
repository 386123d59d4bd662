// Command batches shows what the length of a batch and the lead-in before it
// do: two equal cells of each op, and a different op between them, are measured
// under every setting in turn.
//
//	go run ./internal/study/batches -minutes 5
//
// It prints, per op and length of batch, the time per op with and without the
// lead-in, and how wide the interval of the ratio of the equal cells is after
// half a second of both.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/stats"
	"github.com/serbench/serbench/internal/study/lab"
)

type setting struct {
	op    string
	batch time.Duration
	lead  bool
}

type figures struct{ ns, half []float64 }

func main() {
	minutes := flag.Float64("minutes", 5, "stop after so many `MINUTES`")
	ops := flag.String("op", "50ns,80ns-alloc,5us-alloc,json-encode,json-decode", "a `LIST` of ops")
	flag.Parse()
	if err := run(strings.Split(*ops, ","), time.Duration(*minutes*float64(time.Minute))); err != nil {
		fmt.Fprintln(os.Stderr, "batches:", err)
		os.Exit(1)
	}
}

func run(ops []string, limit time.Duration) error {
	batches := []time.Duration{5 * time.Microsecond, 10 * time.Microsecond, 20 * time.Microsecond, 50 * time.Microsecond, 200 * time.Microsecond}
	var settings []setting
	for _, op := range ops {
		for _, batch := range batches {
			settings = append(settings, setting{op, batch, true}, setting{op, batch, false})
		}
	}
	all := map[setting]*figures{}
	for seed, start := uint64(0), time.Now(); seed == 0 || time.Since(start) < limit; seed++ {
		for _, i := range rand.Perm(len(settings)) {
			s := settings[i]
			ns, half, err := s.measure(seed)
			if err != nil {
				return err
			}
			f := all[s]
			if f == nil {
				f = &figures{}
				all[s] = f
			}
			f.ns, f.half = append(f.ns, ns), append(f.half, half)
		}
	}
	fmt.Println("| op | batch µs | runs | ns per op | without the lead-in | half-width after 0.5 s | without the lead-in |")
	fmt.Println("|---|---|---|---|---|---|---|")
	for _, op := range ops {
		for _, b := range batches {
			with, without := all[setting{op, b, true}], all[setting{op, b, false}]
			fmt.Printf("| %s | %d | %d | %.1f | %.1f | %.3f %% | %.3f %% |\n", op, b.Microseconds(), len(with.ns),
				stats.Median(with.ns), stats.Median(without.ns), 100*stats.Median(with.half), 100*stats.Median(without.half))
		}
	}
	return nil
}

// measure returns the time of the op and the half-width of the interval of the
// two equal cells' log-ratio, scaled to half a second of their share of the
// time.
func (s setting) measure(seed uint64) (ns, half float64, err error) {
	kind, err := lab.KindNamed(s.op)
	if err != nil {
		return 0, 0, err
	}
	between := lab.Kind{Name: "between", Codec: "decode", Every: 2}
	if kind.Codec == "decode" {
		between.Codec = "encode"
	}
	set := measure.Settings{Rand: rand.New(rand.NewPCG(seed, 1)), BatchTime: s.batch}
	set.Without.Lead = !s.lead
	g := measure.NewGroup(set, []measure.Spec{
		{Cell: &lab.Op{Kind: kind}, Corpus: kind.Every},
		{Cell: &lab.Op{Kind: kind}, Corpus: kind.Every},
		{Cell: &lab.Op{Kind: between}, Corpus: between.Every, Follow: true},
	})
	start := time.Now()
	out := g.Precision(context.Background(), measure.Precision{
		Pairs: [][2]int{{0, 1}}, Looks: []int{4096}, Budget: 600 * time.Millisecond,
		Judge: func([]float64) bool { return false },
	})[0]
	took := time.Since(start).Seconds() * 2 / 3
	cells := g.Outcomes()
	for _, c := range cells {
		if c.Err != nil {
			return 0, 0, c.Err
		}
	}
	iv, _ := stats.BlockMean(out.Logs, stats.Trim, stats.DefaultLookLevel)
	op, _ := stats.BlockMean(cells[0].Blocks, stats.Trim, 0.05)
	return op.Value, (iv.High - iv.Low) / 2 * math.Sqrt(took/0.5), nil
}
