// Command lies measures as one does without serbench, a loop and a clock, and
// shows by how much that errs: the cases of docs/why-your-benchmark-lied.md.
//
//	go run ./internal/study/lies
//
// It takes half a minute and prints a line for each case and figure.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/easyjson"
	"github.com/serbench/serbench/adapters/msgp"
	"github.com/serbench/serbench/adapters/segmentio"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/examples/payloads"
	"github.com/serbench/serbench/internal/hostinfo"
	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/stats"
)

func main() {
	trials := flag.Int("trials", 40, "of the cases noise and order")
	flag.Parse()
	if err := run(*trials); err != nil {
		fmt.Fprintln(os.Stderr, "lies:", err)
		os.Exit(1)
	}
}

func run(trials int) error {
	if trials < 3 {
		return errors.New("-trials: 3 or more are needed")
	}
	order(trials)
	if err := collector(); err != nil {
		return err
	}
	return aliasing()
}

// loop times f for so long, as one does by hand, and returns ns per call.
func loop(f func(), long time.Duration) float64 {
	n, start := 0, time.Now()
	for time.Since(start) < long {
		for range 20 {
			f()
		}
		n += 20
	}
	return float64(time.Since(start)) / float64(n)
}

// order compares a codec with itself: one side after the other, and in turns.
func order(trials int) {
	v, codec := payloads.RepositoryValue(), stdlib.JSON()
	encode := func() { _, _ = codec.Marshal(v) }
	var single, blocks, turns []float64
	for range trials {
		const side, turn = 100 * time.Millisecond, 50 * time.Microsecond
		a, b := loop(encode, side), loop(encode, side)
		single = append(single, a)
		blocks = append(blocks, ratio(a, b))
		var as, bs []float64
		for range side / turn {
			as, bs = append(as, loop(encode, turn)), append(bs, loop(encode, turn))
		}
		turns = append(turns, ratio(stats.Median(as), stats.Median(bs)))
	}
	q := stats.Quantiles(single, 0, 0.5, 1)
	fmt.Printf("noise: the same loop of 100 ms, %d times: %.0f ns at the fastest, %.0f at the median, %.0f at the slowest\n", trials, q[0], q[1], q[2])
	for _, c := range []struct {
		name string
		xs   []float64
	}{{"100 ms of A, then 100 ms of B", blocks}, {"in turns of 50 µs, medians", turns}} {
		q := stats.Quantiles(c.xs, 0.5, 0.9, 1)
		fmt.Printf("order: A against itself, %s: off by %.1f %% at the median, %.1f %% in one of ten, %.1f %% at worst\n", c.name, 100*q[0], 100*q[1], 100*q[2])
	}
}

// ratio is by how much the longer exceeds the shorter.
func ratio(a, b float64) float64 { return max(a, b)/min(a, b) - 1 }

// collector times decoding under three regimes: without collections, with the
// small heap of a benchmark, and with the heap of a service. They take turns.
func collector() error {
	regimes := []struct {
		name string
		gogc int
		live int64
	}{{"no collections (GOGC=off)", -1, 0}, {"the small heap of a benchmark", 100, 0}, {"64 MiB live", 100, 64 << 20}}
	codecs := []serbench.Codec{stdlib.JSON(), easyjson.New(), msgp.New()}
	type cell struct{ wall, cpu, cycles []float64 }
	cells := make([]cell, len(regimes)*len(codecs))
	for range 7 {
		for i, c := range regimes {
			ballast := measure.Ballast(c.live)
			was := debug.SetGCPercent(c.gogc)
			for k, codec := range codecs {
				if err := decoding(codec, func(wall, cpu, cycles float64) {
					x := &cells[i*len(codecs)+k]
					x.wall, x.cpu, x.cycles = append(x.wall, wall), append(x.cpu, cpu), append(x.cycles, cycles)
				}); err != nil {
					return err
				}
			}
			debug.SetGCPercent(was)
			runtime.KeepAlive(ballast)
		}
	}
	for i, c := range regimes {
		for k, codec := range codecs {
			x := cells[i*len(codecs)+k]
			fmt.Printf("collector: %s: %s decodes in %.0f ns, %.0f ns of CPU time, %.0f collections per second\n",
				c.name, codec.Name(), stats.Median(x.wall), stats.Median(x.cpu), stats.Median(x.cycles))
		}
	}
	return nil
}

// decoding takes 150 ms and tells ns per op, wall and CPU, and collections per
// second.
func decoding(codec serbench.Codec, tell func(wall, cpu, cycles float64)) error {
	data, err := codec.Marshal(payloads.RepositoryValue())
	if err != nil {
		return err
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	user, system, _ := hostinfo.CPUTime()
	n, start := 0, time.Now()
	wall := loop(func() { n++; err = errors.Join(err, codec.Unmarshal(data, new(payloads.Document))) }, 150*time.Millisecond)
	seconds := time.Since(start).Seconds()
	user2, system2, _ := hostinfo.CPUTime()
	runtime.ReadMemStats(&after)
	tell(wall, float64(user2-user+system2-system)/float64(n), float64(after.NumGC-before.NumGC)/seconds)
	return err
}

// aliasing shows a decoder that is fast because what it returns points into
// the message.
func aliasing() error {
	v := payloads.RepositoryValue()
	for _, codec := range []serbench.Codec{segmentio.New(), segmentio.ZeroCopy()} {
		data, err := codec.Marshal(v)
		if err != nil {
			return err
		}
		ns := loop(func() { err = errors.Join(err, codec.Unmarshal(data, new(payloads.Document))) }, time.Second)
		got := new(payloads.Document)
		if err := errors.Join(err, codec.Unmarshal(data, got)); err != nil {
			return err
		}
		before := strings.Clone(got.Repository.Name)
		for i := range data { // the next message arrives in the same buffer
			data[i] = 'x'
		}
		fmt.Printf("aliasing: %s decodes in %.0f ns; its name is %q, and %q once the buffer is used again\n", codec.Name(), ns, before, got.Repository.Name)
	}
	p := serbench.NewPayload("repository", v)
	report, err := serbench.Runner{Reps: 1, Ops: []serbench.Op{serbench.OpDecode}}.Run(context.Background(), []serbench.Codec{segmentio.ZeroCopy()}, []serbench.Payload{p})
	if err != nil {
		return err
	}
	for _, t := range report.Results[0].Traits {
		fmt.Printf("aliasing: serbench says %s: %s\n", t.Name, t.Detail)
	}
	return nil
}
