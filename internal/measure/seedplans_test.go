package measure

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench/internal/stats"
)

// cpuOf is a CPU clock that runs at a share of the fake clock.
func cpuOf(f *fakeTime, share float64) func() (time.Duration, bool) {
	return func() (time.Duration, bool) { return time.Duration(float64(f.now) * share), true }
}

func TestCPUTimePlanStopsByTheCPUClock(t *testing.T) {
	for _, share := range []float64{1, 0.5} {
		f := &fakeTime{}
		g := fakeGroup(f, &fakeCell{ns: 10_000})
		g.Fixed(context.Background(), Fixed{CPUTime: time.Second, Declared: true, CPU: cpuOf(f, share)})
		out := g.Outcomes()[0]
		require.NoError(t, out.Err)
		assert.GreaterOrEqual(t, out.CPU, time.Second, "at least what was asked")
		assert.Less(t, out.CPU, time.Second+cpuBatch, "and no more than a batch beyond")
		assert.InDelta(t, share, float64(out.CPU)/float64(out.Elapsed), 1e-6)
		assert.InDelta(t, 10_000*share, float64(out.CPU)/float64(out.Reps), 1e-3, "CPU ns per op")
		assert.GreaterOrEqual(t, float64(out.Batch)*10_000, float64(cpuBatch), "batches are long against the CPU clock's microsecond")
	}
}

func TestCPUTimePlanNeedsACPUClock(t *testing.T) {
	f := &fakeTime{}
	cell := &fakeCell{ns: 100}
	g := fakeGroup(f, cell)
	g.Fixed(context.Background(), Fixed{CPUTime: time.Second, CPU: func() (time.Duration, bool) { return 0, false }})
	assert.ErrorIs(t, g.Outcomes()[0].Err, errors.ErrUnsupported)
	assert.Zero(t, cell.ops, "nothing was measured by another clock instead")
}

// Benchmark.pm's formula: the time of as many empty calls is taken off, by the
// wall clock and by the CPU clock.
func TestNoopIsTakenOff(t *testing.T) {
	f := &fakeTime{}
	g := fakeGroup(f, &fakeCell{ns: 1000})
	noop := &fakeCell{ns: 250, time: f}
	g.Fixed(context.Background(), Fixed{CPUTime: 100 * time.Millisecond, Declared: true, Noop: noop, CPU: cpuOf(f, 0.5)})
	out := g.Outcomes()[0]
	require.NoError(t, out.Err)
	assert.InDelta(t, 750, float64(out.Elapsed)/float64(out.Reps), 0.01)
	assert.InDelta(t, 375, float64(out.CPU)/float64(out.Reps), 0.01)
	assert.GreaterOrEqual(t, out.CPU, 100*time.Millisecond, "the time asked for is what is left")

	g = fakeGroup(f, &fakeCell{ns: 1000})
	broken := &fakeCell{time: f, onFresh: func() error { return errors.New("no target") }}
	g.Fixed(context.Background(), Fixed{Reps: 10, Noop: broken})
	assert.ErrorContains(t, g.Outcomes()[0].Err, "the no-op: no target")
}

// Nodemark's plan: one sample per call, the first five dropped, the cost of a
// reading of the clock taken off each, at least ten samples.
func TestPerCallPlan(t *testing.T) {
	f := &fakeTime{}
	g := fakeGroup(f, &fakeCell{ns: 1000, onOp: nil})
	cell := g.cells[0].Cell.(*fakeCell)
	calls := 0
	cell.noise = func() float64 {
		calls++
		if calls <= 5 {
			return 100 // before everything is warm
		}
		return 1
	}
	set := fakeSettings(f)
	set.BatchReps = 1
	set.Clock = func() time.Duration { f.now += 30; return f.now } // a reading costs 30 ns
	g.set = set
	g.Fixed(context.Background(), Fixed{Time: 10 * time.Microsecond, Declared: true, Warmup: -1, Drop: 5, MinSamples: 10, Subtract: true})
	out := g.Outcomes()[0]
	require.NoError(t, out.Err)
	require.NotEmpty(t, out.Samples)
	assert.GreaterOrEqual(t, out.All.N, 10)
	for _, s := range out.Samples {
		assert.Equal(t, 1, s.Reps)
		assert.Equal(t, 1000*time.Nanosecond, s.Elapsed, "the call alone")
	}
	assert.Equal(t, int64(len(out.Samples)), out.Reps, "dropped samples are no reps")
	require.Len(t, out.Counters, 1)
	assert.Equal(t, int(out.Reps), out.Counters[0].Reps)
	assert.Less(t, out.Counters[0].Wall, 200*time.Duration(out.Reps)*time.Microsecond, "the stretch begins behind the dropped samples")
	assert.Less(t, out.Counters[0].Wall, 100*time.Microsecond)
}

func TestPerCallSamplesAreThinnedWithinBoundsAndTheirMomentsAreOfAll(t *testing.T) {
	f := &fakeTime{}
	g := fakeGroup(f, &fakeCell{ns: 1000})
	var all []float64
	cell := g.cells[0].Cell.(*fakeCell)
	cell.noise = func() float64 {
		x := 1 + float64(len(all)%7)
		all = append(all, 1000*x)
		return x
	}
	g.set.BatchReps, g.set.KeepSamples = 1, 100
	g.Fixed(context.Background(), Fixed{Reps: 5000, Declared: true, Warmup: -1})
	out := g.Outcomes()[0]
	require.NoError(t, out.Err)
	assert.True(t, out.Thinned)
	assert.LessOrEqual(t, len(out.Samples), 100)
	assert.Greater(t, len(out.Samples), 25)
	assert.Equal(t, int64(5000), out.Reps)
	assert.Equal(t, 5000, out.All.N)
	assert.InDelta(t, stats.Stddev(all), out.All.Stddev(), 1e-6)
	assert.InDelta(t, float64(out.Elapsed)/5000, out.All.Mean, 1e-6)
	assert.Equal(t, []float64{1000, 7000}, []float64{out.All.Min, out.All.Max})
	assert.True(t, math.IsNaN(Moments{N: 1}.Stddev()))
}

// Benchmark.bm's plan: each row once, in the order given, without a warm-up,
// CPU and wall time over its whole stretch.
func TestDeclaredPlanWithoutWarmUp(t *testing.T) {
	f := &fakeTime{}
	a, b := &fakeCell{ns: 100}, &fakeCell{ns: 300}
	g := fakeGroup(f, a, b)
	var order []*fakeCell
	for _, c := range []*fakeCell{a, b} {
		c.onFresh = func() error { order = append(order, c); return nil }
	}
	g.Fixed(context.Background(), Fixed{Reps: 100_000, Declared: true, Warmup: -1})
	assert.Equal(t, []*fakeCell{a, b}, order)
	for i, c := range []*fakeCell{a, b} {
		out := g.Outcomes()[i]
		assert.Equal(t, 100_000, c.ops, "no op beside the timed ones")
		assert.Equal(t, int64(100_000), out.Reps)
		require.Len(t, out.Counters, 1)
		assert.Equal(t, 100_000, out.Counters[0].Reps)
		assert.Equal(t, out.Elapsed, out.Counters[0].Wall, "the stretch is the timed ops")
	}
}
