package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Efron's spatial test data A (n = 26): Efron and Tibshirani, An Introduction to the
// Bootstrap, table 14.2, give the 90 % BCa interval of the variance with n
// below as 115.8 to 259.6, where plain percentiles give 100.8 to 233.9.
func TestBootstrapAgainstEfron(t *testing.T) {
	a := []float64{48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6, 0, 33, 28, 34, 4, 32, 24, 47, 41, 24, 26, 30, 41}
	variance := func(xs []float64) float64 { return squares(xs) / float64(len(xs)) }
	got := Bootstrap(a, variance, 20_000, 0.10, 1)
	assert.InDelta(t, 171.5, got.Value, 0.05)
	assert.InDelta(t, 115.8, got.Low, 2.5)
	assert.InDelta(t, 259.6, got.High, 4)
}

func TestBootstrapOfAMeanIsNearTheNormalInterval(t *testing.T) {
	xs := make([]float64, 200)
	normal(rand.New(rand.NewPCG(1, 2)), xs)
	got := Bootstrap(xs, Mean, 4000, 0.05, 7)
	half := 1.96 * Stddev(xs) / math.Sqrt(200)
	assert.InDelta(t, Mean(xs)-half, got.Low, half*0.1)
	assert.InDelta(t, Mean(xs)+half, got.High, half*0.1)
}

func TestBootstrapIsRepeatable(t *testing.T) {
	a, b := Bootstrap(wilcox, Median, 500, 0.05, 3), Bootstrap(wilcox, Median, 500, 0.05, 3)
	assert.Equal(t, a, b)
	assert.NotEqual(t, Bootstrap(wilcox, Mean, 500, 0.05, 3), Bootstrap(wilcox, Mean, 500, 0.05, 4), "another seed, another interval")
	reorder := func(xs []float64) float64 { slices.Sort(xs); return Median(xs) }
	assert.Equal(t, a, Bootstrap(wilcox, reorder, 500, 0.05, 3), "a statistic may reorder its sample")
}

func TestBootstrapEdges(t *testing.T) {
	nan := func([]float64) float64 { return math.NaN() }
	for name, iv := range map[string]Interval{
		"no observations":  Bootstrap(nil, Mean, 100, 0.05, 1),
		"one":              Bootstrap([]float64{2}, Mean, 100, 0.05, 1),
		"no resamples":     Bootstrap(wilcox, Mean, 0, 0.05, 1),
		"negative":         Bootstrap(wilcox, Mean, -5, 0.05, 1),
		"level 0":          Bootstrap(wilcox, Mean, 100, 0, 1),
		"no such quantity": Bootstrap(wilcox, nan, 100, 0.05, 1),
	} {
		assert.False(t, iv.Bounded(), name)
		assert.False(t, math.IsNaN(iv.Value), name)
	}
	point := Bootstrap([]float64{2, 2, 2}, Mean, 100, 0.05, 1)
	assert.Equal(t, Interval{Value: 2, Low: 2, High: 2, Level: 0.05, N: 3}, point)
	largest := Bootstrap(wilcox, slices.Max[[]float64], 200, 0.05, 1)
	assert.True(t, largest.Bounded(), "all results on one side: percentiles")
	one := Bootstrap(wilcox, Mean, 200, 1, 1)
	assert.LessOrEqual(t, one.Low, one.High)
}
