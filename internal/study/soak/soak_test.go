// Package soak runs the default suite again and again, beside codecs that do
// all that a codec can do wrong, and looks for what a run leaves behind.
package soak

import (
	"bytes"
	"context"
	"encoding/gob"
	"flag"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/examples/payloads"
	"github.com/serbench/serbench/render"
)

var soak = flag.Duration("soak", 3*time.Second, "how long to run; 10m for the real thing, with -timeout 15m")

const (
	// callLimit is long enough for a sound call on a machine that is busy
	// otherwise.
	callLimit   = time.Second
	memoryLimit = 96 << 20
	// fewest runs from which on the heap is judged, in thirds.
	fewest = 12
)

func TestRunsLeaveNothingBehind(t *testing.T) {
	gob.Register(map[string]any{})
	startMany()
	sound := goleak.IgnoreCurrent()
	began, seed := time.Now(), uint64(1)
	var heaps []uint64
	count := map[string]int{}
	for ; time.Since(began) < *soak || seed < 4; seed++ {
		each := min(3*time.Second, *soak/12)
		one(t, seed, each, count)
		require.NoError(t, goleak.Find(sound), "goroutines that run %d left", seed)
		heaps = append(heaps, heapInUse())
		if t.Failed() {
			t.Fatalf("run %d is the first that fails", seed)
		}
	}
	t.Logf("%d runs in %.0f s: %v", len(heaps), time.Since(began).Seconds(), count)
	third := len(heaps) / 3
	first, last := medianOf(heaps[:third]), medianOf(heaps[len(heaps)-third:])
	t.Logf("heap behind collections: %.2f MiB at first, %.2f MiB at last (medians of a third of the runs), %.2f to %.2f in all",
		mib(first), mib(last), mib(slices.Min(heaps)), mib(slices.Max(heaps)))
	if len(heaps) >= fewest {
		assert.LessOrEqual(t, mib(last), 1.05*mib(first)+0.5, "the heap grows from run to run")
	}
}

// startMany has as many goroutines at once as the codecs ever will: the runtime
// keeps what describes one for the next.
func startMany() {
	over := make(chan struct{})
	var all sync.WaitGroup
	for range 2 * mostWaiting {
		all.Go(func() { <-over })
	}
	close(over)
	all.Wait()
}

// one makes a run with settings and harm by its seed.
func one(t *testing.T, seed uint64, budget time.Duration, count map[string]int) {
	rng := rand.New(rand.NewPCG(seed, 1))
	h := newHarm(seed)
	defer h.end()
	codecs := suite()
	for range 1 + rng.IntN(3) {
		kind := kinds[rng.IntN(len(kinds))]
		if !slices.ContainsFunc(codecs, func(c serbench.Codec) bool { return c.Name() == kind }) {
			codecs = append(codecs, h.codec(kind))
			count[kind]++
		}
	}
	rng.Shuffle(len(codecs), func(a, b int) { codecs[a], codecs[b] = codecs[b], codecs[a] })
	r := serbench.Runner{Seed: seed, CallLimit: callLimit, MemoryLimit: memoryLimit, Budget: budget}
	chance := func(oneIn int, what string, do func()) {
		if rng.IntN(oneIn) == 0 {
			do()
			count[what]++
		}
	}
	chance(3, "reps", func() { r.Reps = 200 })
	chance(3, "all pairs", func() { r.AllPairs = true })
	chance(4, "live heap", func() { r.LiveHeap = 8 << 20 })
	chance(4, "parallel", func() { r.Parallelism = []int{2} })
	chance(4, "latency", func() { r.Latency = 200 })
	chance(4, "cold", func() { r.Cold = true })
	chance(6, "traits", func() { r.Traits = true })
	chance(5, "transports", func() { r.Transports = []serbench.Transport{serbench.Memory(), serbench.Loopback()} })
	chance(8, "collector left", func() { r.Collector = serbench.CollectorLeave })
	if r.Reps == 0 {
		chance(4, "self-check", func() { r.SelfCheck = true })
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cancelled := false
	chance(3, "cancelled by time", func() {
		cancelled = true
		ctx, cancel = context.WithTimeout(ctx, time.Duration(rng.Int64N(int64(budget))))
	})
	defer cancel()
	chance(5, "cancelled by event", func() {
		cancelled = true
		left := rng.IntN(200)
		r.OnEvent = func(serbench.Event) {
			if left--; left == 0 {
				cancel()
			}
		}
	})
	report, err := r.Run(ctx, codecs, payloads.RepositoryPayloads())
	require.NotNil(t, report, "run %d: %v", seed, err)
	if !cancelled {
		assert.False(t, report.Interrupted, "run %d", seed)
	}
	for i := range report.Results {
		judge(t, seed, &report.Results[i], count)
	}
	readable(t, seed, report)
}

// judge looks whether a cell has figures that it must not have, and whether
// a sound codec was hit by what another did.
func judge(t *testing.T, seed uint64, res *serbench.Result, count map[string]int) {
	count["cells "+string(res.Status)]++
	switch res.Status {
	case serbench.StatusFailed, serbench.StatusSkipped, serbench.StatusNotRun:
		assert.True(t, withoutFirstCall(res.Estimates) == serbench.Estimates{}, "run %d: %s is %s and has figures", seed, res.ID, res.Status)
		assert.Empty(t, res.Samples, "run %d: %s", seed, res.ID)
		assert.Nil(t, res.Latency, "run %d: %s", seed, res.ID)
		assert.Nil(t, res.Cold, "run %d: %s", seed, res.ID)
	}
	if res.Status != serbench.StatusFailed || slices.Contains(kinds, res.Codec) {
		return
	}
	switch { // what a machine that stands still for a second does, or the values that another codec changed for good
	case strings.Contains(res.Reason, "did not return within"):
		count["sound cells taken for hanging"]++
	case strings.Contains(res.Reason, "values were changed by a codec before"):
		count["sound cells without values"]++
	default:
		assert.Failf(t, "a sound codec failed", "run %d: %s: %s\n%s", seed, res.ID, res.Reason, res.Stack)
	}
}

// withoutFirstCall: that was taken before the cell failed or was not come to.
func withoutFirstCall(e serbench.Estimates) serbench.Estimates {
	e.FirstCallNs = nil
	return e
}

// readable writes the report in every format, and reads it again.
func readable(t *testing.T, seed uint64, r *serbench.Report) {
	var first, second bytes.Buffer
	require.NoError(t, r.WriteJSON(&first), "run %d", seed)
	again, err := serbench.ReadReport(bytes.NewReader(first.Bytes()))
	require.NoError(t, err, "run %d", seed)
	require.NoError(t, again.WriteJSON(&second), "run %d", seed)
	assert.Equal(t, first.String(), second.String(), "run %d", seed)
	for name, format := range map[string]func(io.Writer, *serbench.Report) error{
		"text":     render.Text,
		"html":     render.HTML,
		"bench":    render.Bench,
		"markdown": func(w io.Writer, r *serbench.Report) error { return render.Markdown(w, r, render.Options{}) },
		"csv":      func(w io.Writer, r *serbench.Report) error { return render.CSV(w, r, render.Options{}) },
	} {
		assert.NoError(t, format(io.Discard, again), "run %d: %s", seed, name)
	}
}

// heapInUse is the size of the live objects.
func heapInUse() uint64 {
	for range 3 { // pools keep what they have through one collection, finalizers through another
		runtime.GC()
	}
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

func medianOf(xs []uint64) uint64 {
	if len(xs) == 0 {
		return 0
	}
	xs = slices.Sorted(slices.Values(xs))
	return xs[len(xs)/2]
}

func mib(n uint64) float64 { return float64(n) / (1 << 20) }
