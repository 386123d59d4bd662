package measure

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench/internal/stats"
)

func TestKeptBlocksAreSpreadEvenlyOverTheRun(t *testing.T) {
	f := &fakeTime{}
	set := fakeSettings(f)
	set.KeepSamples, set.BlockTime = 1000, 1 // eight rounds to a block
	g := NewGroup(set, []Spec{{Cell: &fakeCell{time: f, ns: 100}}})
	p := plan(1)
	p.Looks, p.Alone = []int{3000}, 3000
	g.Precision(context.Background(), p)
	c := g.Outcomes()[0]
	require.Len(t, c.Blocks, 3000)
	assert.True(t, c.Thinned)
	assert.LessOrEqual(t, len(c.Samples), 1000)
	assert.Greater(t, len(c.Samples), 250)
	last, gap := c.Samples[0].Block, 0
	require.Less(t, last, 128)
	for _, s := range c.Samples {
		if s.Block == last {
			continue
		}
		if gap == 0 {
			gap = s.Block - last
		}
		require.Equal(t, gap, s.Block-last, "early blocks are kept as densely as late ones")
		last = s.Block
	}
	assert.Greater(t, last, 3000-128)
}

// Every second sample of an op over two values in turn would be one value's.
func TestThinnedSamplesAreOfAllValues(t *testing.T) {
	for _, period := range []int{2, 3, 4, 8} {
		f := &fakeTime{}
		corpus := make([]float64, period)
		for i := range corpus {
			corpus[i] = float64(1 + i)
		}
		g := fakeGroup(f, &fakeCell{ns: 1000, corpus: corpus})
		g.set.BatchReps, g.set.KeepSamples = 1, 1000
		g.Fixed(context.Background(), Fixed{Reps: 64_000, Declared: true, Warmup: -1})
		c := g.Outcomes()[0]
		require.NoError(t, c.Err)
		require.True(t, c.Thinned)
		seen := map[int]int{}
		xs := make([]float64, len(c.Samples))
		for i, s := range c.Samples {
			seen[int(s.Elapsed/1000)]++
			xs[i] = float64(s.Elapsed)
		}
		for v := 1; v <= period; v++ {
			assert.InDelta(t, 1/float64(period), float64(seen[v])/float64(len(xs)), 0.08, "value %d of %d: %v", v, period, seen)
		}
		assert.InEpsilon(t, c.All.Mean, stats.Mean(xs), 0.05)
	}
}
