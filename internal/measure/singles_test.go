package measure

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// measured measures the cells in a short plan, as they are before single ops.
func measured(t *testing.T, g *Group) {
	t.Helper()
	g.Fixed(context.Background(), Fixed{Reps: 10, Warmup: -1})
	for i, o := range g.Outcomes() {
		require.NoError(t, o.Err, "cell %d", i)
	}
}

func TestSinglesTakeWhatTheOpsTake(t *testing.T) {
	f := &fakeTime{}
	steady := &fakeCell{ns: 5000}
	uneven := &fakeCell{ns: 1000, corpus: []float64{1, 1, 1, 20}}
	g := fakeGroup(f, steady, uneven)
	measured(t, g)
	out := g.Singles(context.Background(), SinglePlan{Ops: []int{1000, 400}, Rounds: 8})
	require.Len(t, out[0].Times, 1000)
	require.Len(t, out[1].Times, 400)
	assert.Equal(t, []time.Duration{5000}, slices.Compact(slices.Clone(out[0].Times)))
	count := map[time.Duration]int{}
	for _, d := range out[1].Times {
		count[d]++
	}
	assert.Equal(t, map[time.Duration]int{1000: 300, 20_000: 100}, count)
}

func TestSinglesGoThroughTheCorpusFromSliceToSlice(t *testing.T) {
	for _, ns := range []float64{1e3, 1e6} { // cheap to begin anew, and not
		f := &fakeTime{}
		c := &fakeCell{ns: ns}
		for k := range 64 {
			c.corpus = append(c.corpus, float64(k+1))
		}
		g := fakeGroup(f, c)
		measured(t, g)
		out := g.Singles(context.Background(), SinglePlan{Ops: []int{64 * 4}, Rounds: 16})
		count := map[time.Duration]int{}
		for _, d := range out[0].Times {
			count[d]++
		}
		if ns < 1e5 {
			require.Len(t, count, 64)
			for d, n := range count {
				assert.Equal(t, 4, n, "%v", d)
			}
		}
		assert.Greater(t, len(count), 32, "slices of a quarter of the corpus do not begin with the same value")
	}
}

func TestSinglesAreTimedOneByOneWithNewInstancesInEachSlice(t *testing.T) {
	f := &fakeTime{}
	c := &fakeCell{ns: 5000}
	g := fakeGroup(f, c)
	measured(t, g)
	fresh, prepared := c.fresh, c.prepared
	g.Singles(context.Background(), SinglePlan{Ops: []int{100}, Rounds: 5})
	assert.Equal(t, 5, c.fresh-fresh)
	assert.Equal(t, 100+5*g.warmSingles(g.cells[0]), c.prepared-prepared)
}

func TestSinglesLeaveOutWhatIsNotAskedFor(t *testing.T) {
	f := &fakeTime{}
	a, b := &fakeCell{ns: 5000}, &fakeCell{ns: 5000}
	g := fakeGroup(f, a, b)
	measured(t, g)
	ops := b.ops
	out := g.Singles(context.Background(), SinglePlan{Ops: []int{10, 0}, Rounds: 2})
	assert.Len(t, out[0].Times, 10)
	assert.Empty(t, out[1].Times)
	assert.Equal(t, ops, b.ops)
}

func TestSinglesOfACellThatFailsEndAndOthersGoOn(t *testing.T) {
	f := &fakeTime{}
	broken := errors.New("out of ink")
	started := false
	singles := 0
	fails := &fakeCell{ns: 5000, onOp: func(int) error {
		if started {
			if singles++; singles > 40 {
				return broken
			}
		}
		return nil
	}}
	panics := &fakeCell{ns: 5000, onOp: func(int) error {
		if started {
			panic("ouch")
		}
		return nil
	}}
	sound := &fakeCell{ns: 5000}
	g := fakeGroup(f, fails, panics, sound)
	measured(t, g)
	started = true
	out := g.Singles(context.Background(), SinglePlan{Ops: []int{500, 500, 500}, Rounds: 4})
	o := g.Outcomes()
	assert.ErrorIs(t, o[0].Err, broken)
	assert.ErrorContains(t, o[1].Err, "panic: ouch")
	assert.NoError(t, o[2].Err)
	assert.Len(t, out[2].Times, 500)
	assert.Less(t, len(out[0].Times), 500)
}

func TestSinglesEndWithTheTimeAndTheContext(t *testing.T) {
	f := &fakeTime{}
	slow := &fakeCell{ns: 2e6, onOp: func(int) error { time.Sleep(200 * time.Microsecond); return nil }}
	g := fakeGroup(f, slow)
	measured(t, g)
	out := g.Singles(context.Background(), SinglePlan{Ops: []int{1_000_000}, Rounds: 2, Until: time.Now().Add(300 * time.Millisecond)})
	assert.NotEmpty(t, out[0].Times)
	assert.Less(t, len(out[0].Times), 10_000)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	out = g.Singles(ctx, SinglePlan{Ops: []int{100}, Rounds: 2})
	assert.Empty(t, out[0].Times)
}

// allocating makes garbage.
type allocating struct {
	fakeCell
	size int
	sink []byte
}

func (c *allocating) Run(n int) (int, error) {
	for range n {
		c.sink = make([]byte, c.size)
	}
	return c.fakeCell.Run(n)
}

func TestSinglesMeetTheCollectionsOfTheirOwnGarbage(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	f := &fakeTime{}
	heavy := &allocating{fakeCell: fakeCell{ns: 5000, time: f}, size: 64 << 10}
	light := &fakeCell{ns: 5000, time: f}
	g := NewGroup(fakeSettings(f), []Spec{{Cell: heavy}, {Cell: light}})
	measured(t, g)
	const ops = 2000
	out := g.Singles(context.Background(), SinglePlan{Ops: []int{ops, ops}, Rounds: 8})
	require.Positive(t, out[0].Room)
	owed := float64(ops*heavy.size) / float64(out[0].Room)
	t.Logf("%d collections of %.1f owed; %d beside the other cell", out[0].Cycles, owed, out[1].Cycles)
	assert.Greater(t, float64(out[0].Cycles), owed/3, "slices are shorter than from one collection to the next")
	assert.Less(t, float64(out[0].Cycles), owed*3)
	assert.LessOrEqual(t, out[1].Cycles, uint64(4), "the garbage of one cell is not collected in the slices of another")
}

func TestSingleOpsTooShortForTheClockAreRefused(t *testing.T) {
	fine := ClockFacts{Resolution: 31, Cost: 30}
	coarse := ClockFacts{Resolution: 100, Cost: 20}
	for _, tc := range []struct {
		name  string
		facts ClockFacts
		ns    float64
		says  string
	}{
		{"far too short", fine, 48, "an op of 48 ns is 1.6 times what reading the clock costs, 30 ns: a single call cannot be timed; 20 times, 600 ns, are needed"},
		{"just too short", fine, 599, "600 ns, are needed"},
		{"just long enough", fine, 600, ""},
		{"steps of a coarse clock", coarse, 5000, "an op of 5000 ns is 50 steps of the clock, which has one every 100 ns: a single call cannot be timed; 100 steps, 10000 ns, are needed"},
		{"long enough for a coarse clock", coarse, 10_000, ""},
		{"a clock that only its ops move", ClockFacts{}, 1, ""},
	} {
		err := tc.facts.SingleOp(tc.ns)
		if tc.says == "" {
			assert.NoError(t, err, tc.name)
			continue
		}
		assert.ErrorContains(t, err, tc.says, tc.name)
		var short *ShortOpError
		assert.ErrorAs(t, err, &short, tc.name)
	}
}
