package serbench

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Four launches of 10, 11, 12 and 13 ns: mean 11.5, standard deviation
// √(5/3), standard error √(5/12); t with 3 degrees of freedom at 95 % is
// 3.182446, so the half-width is 2.054257.
func TestTheIntervalBetweenLaunches(t *testing.T) {
	e := betweenLaunches([]float64{11, 13, 10, 12})
	assert.InDelta(t, 11.5, e.Value, 1e-12)
	assert.InDelta(t, 11.5-2.054257, *e.Low, 1e-5)
	assert.InDelta(t, 11.5+2.054257, *e.High, 1e-5)
	assert.Equal(t, 4, e.N)
	assert.Equal(t, 10.0, *e.Min)
	assert.Equal(t, 13.0, *e.Max)
	assert.Nil(t, betweenLaunches(nil))
	assert.Nil(t, betweenLaunches([]float64{1}).Low, "one launch has no interval")
}

func launched(ns ...float64) *Result {
	r := &Result{ID: "x"}
	for i, v := range ns {
		r.Launches = append(r.Launches, Launch{Launch: i + 1, NsPerOp: &v})
	}
	return r
}

func TestComparingLaunches(t *testing.T) {
	r := &run{settings: settings{Runner: Runner{Level: 0.05, Margin: 0.01}}}
	for _, c := range []struct {
		name    string
		a, b    []float64
		verdict Verdict
		ratio   float64
	}{
		{"twice as long in every turn, whatever the turn", []float64{200, 402, 100, 798}, []float64{100, 200, 50, 400}, Slower, 2},
		{"the other way round", []float64{100, 200, 50, 400}, []float64{200, 402, 100, 798}, Faster, 0.5},
		{"the same to a thousandth", []float64{100, 200, 300, 400}, []float64{100.1, 199.9, 300.2, 399.9}, Equivalent, 1},
		{"launches that differ more than the codecs", []float64{100, 150, 90, 120}, []float64{120, 90, 150, 100}, Undecided, 1},
		{"two launches are too few", []float64{100, 100}, []float64{200, 200}, Undecided, 0.5},
		{"the last turn was cut off", []float64{200, 400, 100, 800}, []float64{100, 200, 50}, Slower, 2},
	} {
		a, b := launched(c.a...), launched(c.b...)
		got := r.launchComparison(a, b, launchRatios(a.Launches, b.Launches), 1)
		assert.Equal(t, c.verdict, got.Verdict, "%s: %+v", c.name, got)
		require.NotNil(t, got.Ratio, c.name)
		assert.InDelta(t, 0, math.Log(*got.Ratio/c.ratio), 0.02, c.name)
		if c.verdict == Undecided {
			assert.NotEmpty(t, got.Reason, c.name)
		}
	}
	assert.Empty(t, launchRatios(nil, launched(1).Launches))
}

// Blocks that both cells have; what is not a time is left out.
func TestThePartOfAWhole(t *testing.T) {
	e := partOf([]float64{1, 2, 3, 4, 0, 9}, []float64{10, 20, 30, 40, 50})
	assert.InDelta(t, 0.1, e.Value, 1e-12)
	assert.InDelta(t, 0.1, *e.Low, 1e-12)
	assert.InDelta(t, 0.1, *e.High, 1e-12)
	assert.Equal(t, 4, e.N)
	assert.Nil(t, partOf(nil, []float64{1}))
}

func TestTheWordsOfAShare(t *testing.T) {
	share := func(v, low, high float64) *Estimate { return &Estimate{Value: v, Low: &low, High: &high} }
	whole := &Result{Op: OpSend, Transport: "redis", Codec: "json"}
	for _, c := range []struct {
		s    Share
		want string
	}{
		{Share{OfCodec: share(0.03, 0.02, 0.04), Left: share(0.96, 0.9, 1.02)},
			"send through redis with json: the codec takes 3 % (2 to 4 %) of the time, so no other codec can make it noticeably faster except by smaller messages; without any codec it would take 96 % (90 to 102 %) of the time"},
		{Share{OfCodec: share(0.7, 0.6, 0.8)}, "send through redis with json: the codec takes 70 % (60 to 80 %) of the time, so the choice of the codec decides"},
		{Share{OfCodec: share(0.3, 0.04, 0.6)}, "send through redis with json: the codec takes 30 % (4 to 60 %) of the time"},
		{Share{Left: &Estimate{Value: 0.5}}, "send through redis with json: without any codec it would take 50 % of the time"},
	} {
		assert.Equal(t, c.want, c.s.words(whole))
	}
}
