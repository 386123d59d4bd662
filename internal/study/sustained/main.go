// Command sustained holds the model of sustained times against the truth: what
// an op takes in slots of 25 ms, with the collections charged by the bytes
// allocated, beside a run of seconds under the normal collector, which
// contains its collections whole.
//
//	go run ./internal/study/sustained -live 0,16,64 -seconds 3 -rounds 3
//
// It takes about ops x heaps x rounds x (seconds + 1) and prints a table.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/serbench/serbench/internal/hostinfo"
	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/stats"
	"github.com/serbench/serbench/internal/study/lab"
)

func main() {
	live := flag.String("live", "0,16,64", "live heaps in MiB, a `LIST`")
	ops := flag.String("op", "80ns-alloc,5us-alloc,json-encode,json-decode", "a `LIST` of ops")
	seconds := flag.Float64("seconds", 3, "length of the long run")
	rounds := flag.Int("rounds", 3, "how often model and long run take turns")
	flag.Parse()
	fmt.Println("| op | live MiB | model ns (lowest, highest) | long run ns (lowest, highest) | model / long | model CPU ns | long CPU ns | collections per s | without the charge ns |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	for _, name := range strings.Split(*ops, ",") {
		for _, mib := range strings.Split(*live, ",") {
			n, err := strconv.Atoi(mib)
			if err == nil {
				err = compare(name, n, *seconds, *rounds)
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, "sustained:", err)
				os.Exit(1)
			}
		}
	}
}

func compare(name string, mib int, seconds float64, rounds int) error {
	kind, err := lab.KindNamed(name)
	if err != nil {
		return err
	}
	ballast := measure.Ballast(int64(mib) << 20)
	var model, modelCPU, long, longCPU, bare, rate []float64
	for range rounds {
		slots, err := modelOf(kind)
		if err != nil {
			return err
		}
		for _, s := range slots {
			model = append(model, s.Wall)
			modelCPU = append(modelCPU, s.CPU)
			bare = append(bare, float64(s.Counter.Wall)/float64(s.Counter.Reps))
		}
		wall, cpu, cycles, err := longRun(kind, seconds)
		if err != nil {
			return err
		}
		long, longCPU, rate = append(long, wall), append(longCPU, cpu), append(rate, cycles)
	}
	runtime.KeepAlive(ballast)
	span := func(xs []float64) string {
		q := stats.Quantiles(xs, 0, 1)
		return fmt.Sprintf("%.1f (%.1f, %.1f)", stats.Mean(xs), q[0], q[1])
	}
	fmt.Printf("| %s | %d | %s | %s | %.3f | %.1f | %.1f | %.0f | %.1f |\n", name, mib, span(model), span(long),
		stats.Mean(model)/stats.Mean(long), stats.Mean(modelCPU), stats.Mean(longCPU), stats.Mean(rate), stats.Mean(bare))
	return nil
}

func modelOf(kind lab.Kind) ([]measure.Sustained, error) {
	g := measure.NewGroup(measure.Settings{Rand: rand.New(rand.NewPCG(rand.Uint64(), 1))},
		[]measure.Spec{{Cell: &lab.Op{Kind: kind}, Corpus: kind.Every}})
	g.Precision(context.Background(), measure.Precision{Looks: []int{3}, Alone: 3})
	slots := g.Sustained(context.Background(), 6, time.Time{})[0]
	return slots, g.Outcomes()[0].Err
}

// longRun returns wall and CPU ns per op, and collections per second.
func longRun(kind lab.Kind, seconds float64) (wall, cpu, cycles float64, err error) {
	op := &lab.Op{Kind: kind}
	if err := op.Fresh(); err != nil {
		return 0, 0, 0, err
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	u0, s0, _ := hostinfo.CPUTime()
	start, ops := time.Now(), 0
	for time.Since(start).Seconds() < seconds {
		n, err := op.Run(1000)
		if err != nil {
			return 0, 0, 0, err
		}
		ops += n
	}
	elapsed := float64(time.Since(start))
	u1, s1, _ := hostinfo.CPUTime()
	runtime.ReadMemStats(&after)
	return elapsed / float64(ops), float64(u1-u0+s1-s0) / float64(ops), float64(after.NumGC-before.NumGC) / (elapsed / 1e9), nil
}
