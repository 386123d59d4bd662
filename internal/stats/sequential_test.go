package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLooks(t *testing.T) {
	assert.Equal(t, []int{11, 16, 23, 32, 45, 64, 90, 128, 181, 256}, Looks())
	Looks()[0] = 0
	assert.Equal(t, 11, Looks()[0], "each caller has a copy")
	for _, r := range []struct {
		n, next int
		more    bool
	}{{0, 11, true}, {10, 11, true}, {11, 16, true}, {200, 256, true}, {256, 0, false}, {-5, 11, true}} {
		next, more := NextLook(r.n)
		assert.Equal(t, r.next, next)
		assert.Equal(t, r.more, more)
	}
}

func TestJudge(t *testing.T) {
	log := math.Log
	for _, r := range []struct {
		name      string
		low, high float64 // of the ratio
		margin    float64
		want      Verdict
	}{
		{"within the margin", 0.995, 1.005, 0.01, Equivalent},
		{"within, even where it excludes 1", 1.006, 1.009, 0.01, Equivalent},
		{"within on the other side", 1 / 1.009, 1 / 1.006, 0.01, Equivalent},
		{"up to the margin is within", 1, 1.00999, 0.01, Equivalent},
		{"beyond half the margin and past the margin", 1.006, 1.02, 0.01, Slower},
		{"the same exchanged", 1 / 1.02, 1 / 1.006, 0.01, Faster},
		{"excludes 1 but not half the margin", 1.002, 1.02, 0.01, Undecided},
		{"reaches past both", 0.9, 1.1, 0.01, Undecided},
		{"far away", 2.2, 2.4, 0.01, Slower},
		{"margin 0: any interval that excludes 1", 1.0001, 1.1, 0, Slower},
		{"margin 0: below", 0.9, 0.9999, 0, Faster},
		{"margin 0: includes 1", 0.9999, 1.1, 0, Undecided},
		{"margin 0: exactly equal blocks", 1, 1, 0, Equivalent},
		{"negative margin is 0", 1.0001, 1.1, -1, Slower},
		{"NaN margin is 0", 1.0001, 1.1, math.NaN(), Slower},
		{"infinite margin: everything bounded is equivalent", 0.1, 10, math.Inf(1), Equivalent},
		{"an unbounded interval is undecided at any margin", 0, math.Inf(1), math.Inf(1), Undecided},
		{"half a line is undecided", 1.5, math.Inf(1), 0.01, Undecided},
	} {
		t.Run(r.name, func(t *testing.T) {
			iv := Interval{Low: log(r.low), High: log(r.high), N: 11}
			assert.Equal(t, r.want, Judge(iv, r.margin))
		})
	}
	assert.Equal(t, Undecided, Judge(Interval{Low: 1, High: 2}, 0.01), "no observations")
}

// steps returns n log-ratios evenly spread around centre.
func steps(n int, centre, width float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i*7%n] = centre + width*(float64(i)/float64(n-1)-0.5)
	}
	return out
}

func TestDecide(t *testing.T) {
	s := Sequential{Margin: 0.01, LookLevel: DefaultLookLevel}
	for _, r := range []struct {
		name   string
		s      Sequential
		blocks []float64
		want   Verdict
		reason Reason
	}{
		{"clearly slower at the first look", s, steps(11, 0.05, 0.004), Slower, ""},
		{"clearly faster", s, steps(11, -0.05, 0.004), Faster, ""},
		{"clearly the same", s, steps(11, 0, 0.004), Equivalent, ""},
		{"too noisy to tell", s, steps(11, 0, 0.4), Undecided, TooWide},
		{"ten blocks, however clear", s, steps(10, 0.5, 0.001), Undecided, FewBlocks},
		{"a NaN is no block", s, append(steps(10, 0.5, 0.001), math.NaN()), Undecided, FewBlocks},
		{"no blocks", s, nil, Undecided, FewBlocks},
		{"level 0", Sequential{Margin: 0.01}, steps(11, 0.5, 0.001), Undecided, NoLevel},
		{"negative level", Sequential{Margin: 0.01, LookLevel: -1}, steps(11, 0.5, 0.001), Undecided, NoLevel},
		{"NaN level", Sequential{LookLevel: math.NaN()}, steps(11, 0.5, 0.001), Undecided, NoLevel},
		{"margin 0 with equal blocks", Sequential{LookLevel: 0.003}, make([]float64, 11), Equivalent, ""},
		{"margin 0 with a difference", Sequential{LookLevel: 0.003}, steps(11, 0.05, 0.004), Slower, ""},
		{"a level above 1 is 1: a point", Sequential{Margin: 0.01, LookLevel: 5}, steps(11, 0.05, 0.4), Slower, ""},
	} {
		t.Run(r.name, func(t *testing.T) {
			d := r.s.Decide(r.blocks)
			assert.Equal(t, r.want, d.Verdict)
			assert.Equal(t, r.reason, d.Reason)
			assert.False(t, math.IsNaN(d.Ratio+d.Level+d.Correlation.Lag1+d.Correlation.Inflation))
			assert.False(t, math.IsNaN(d.Low) || math.IsNaN(d.High))
			assert.LessOrEqual(t, d.Low, d.Ratio)
			assert.LessOrEqual(t, d.Ratio, d.High)
		})
	}
}

func TestDecisionStatesWhatItUsed(t *testing.T) {
	s := Sequential{Margin: 0.01, LookLevel: 0.006, Comparisons: 45}
	d := s.Decide(steps(16, math.Log(2), 0.01))
	assert.InDelta(t, 2, d.Ratio, 1e-9)
	assert.Equal(t, 16, d.Blocks)
	assert.Equal(t, 0.006/45, d.Level)
	assert.True(t, d.Bounded())
	empty := s.Decide(nil)
	assert.Equal(t, 1.0, empty.Ratio)
	assert.Zero(t, empty.Low)
	assert.False(t, empty.Bounded())
	assert.Equal(t, 0.006, Sequential{LookLevel: 0.006, Comparisons: -3}.Level(), "fewer than one comparison is one")
	assert.Equal(t, "undecided equivalent faster slower", Undecided.String()+" "+Equivalent.String()+" "+Faster.String()+" "+Slower.String())
}

func TestExchangingTheSidesExchangesTheVerdict(t *testing.T) {
	mirror := map[Verdict]Verdict{Faster: Slower, Slower: Faster, Equivalent: Equivalent, Undecided: Undecided}
	s := Sequential{Margin: 0.01, LookLevel: DefaultLookLevel, Comparisons: 3}
	for _, centre := range []float64{0, 0.004, 0.006, 0.008, 0.012, 0.02} {
		for _, width := range []float64{0.001, 0.01, 0.03} {
			xs := steps(16, centre, width)
			ys := make([]float64, len(xs))
			for i, x := range xs {
				ys[i] = -x
			}
			a, b := s.Decide(xs), s.Decide(ys)
			assert.Equal(t, mirror[a.Verdict], b.Verdict)
			assert.InDelta(t, 1/a.High, b.Low, 1e-12)
		}
	}
}
