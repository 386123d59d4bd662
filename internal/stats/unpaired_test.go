package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Samples after the pattern of Welch (1947); oracle: sums in exact fractions in
// Python, t and its distribution by mpmath.
func TestYuenWelchAgainstExactArithmetic(t *testing.T) {
	x := []float64{27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4}
	y := []float64{27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 30.0, 23.9}
	for _, r := range []struct{ trim, value, df, p, low, high float64 }{
		{0, -2.76666666666667, 27.7136259681188, 0.00845273243744342, -4.76644503921835, -0.766888294114981},
		{0.2, -2.41111111111111, 14.9413350977859, 0.013113754114599, -4.23778351690072, -0.584438705321499},
	} {
		got := YuenWelch(x, y, r.trim, 0.05)
		relative(t, r.value, got.Value, 1e-12)
		relative(t, r.df, got.DF, 1e-12)
		relative(t, r.p, got.P, 1e-10)
		relative(t, r.low, got.Low, 1e-11)
		relative(t, r.high, got.High, 1e-10)
		assert.Equal(t, 30, got.N)
	}
}

func TestYuenWelchEdges(t *testing.T) {
	for _, pair := range [][2][]float64{{nil, nil}, {{1}, nil}, {nil, {1, 2}}, {{1}, {2}}, {{1, 2, 3}, {2}}} {
		got := YuenWelch(pair[0], pair[1], Trim, 0.05)
		assert.Equal(t, 1.0, got.P)
		assert.False(t, got.Bounded())
		assert.Zero(t, got.DF)
	}
	same := YuenWelch([]float64{2, 2, 2}, []float64{2, 2}, Trim, 0.05)
	assert.Equal(t, 1.0, same.P)
	assert.Equal(t, 0.0, same.Low)
	assert.Equal(t, 0.0, same.High)
	apart := YuenWelch([]float64{2, 2, 2}, []float64{3, 3}, Trim, 0.05)
	assert.Zero(t, apart.P)
	assert.Equal(t, -1.0, apart.High)
	half := YuenWelch([]float64{2, 2, 2}, []float64{3, 4, 5}, Trim, 0.05)
	assert.Equal(t, 2.0, half.DF, "a sample that does not vary adds nothing")
	huge := YuenWelch([]float64{1e308, -1e308, 1e308}, []float64{-1e308, 1e308}, 0, 0.05)
	assert.Equal(t, 1.0, huge.P)
	assert.False(t, math.IsNaN(huge.Value+huge.DF))
}

func TestBlockDifferenceAllowsForCorrelation(t *testing.T) {
	slow := func(offset float64) []float64 {
		out := make([]float64, 32)
		for i := range out {
			out[i] = offset + math.Sin(float64(i)/5)
		}
		return out
	}
	plain, wide := YuenWelch(slow(0), slow(1), Trim, 0.05), BlockDifference(slow(0), slow(1), Trim, 0.05)
	assert.Equal(t, plain.Value, wide.Value)
	assert.Less(t, plain.P, 0.01)
	assert.Greater(t, wide.P, 0.05)
	assert.Less(t, wide.DF, plain.DF)
}
