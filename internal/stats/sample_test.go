package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDescriptive(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	rows := []struct {
		name                               string
		xs                                 []float64
		mean, median, stddev, mad, geoMean float64
	}{
		{"nothing is known of no observations", nil, nan, nan, nan, nan, nan},
		{"values that are no observations are left out", []float64{nan, inf, -inf}, nan, nan, nan, nan, nan},
		{"one has no spread but a distance of zero", []float64{3}, 3, 3, nan, 0, 3},
		{"even number: the mean of the middle two", []float64{4, 1, 3, 2}, 2.5, 2.5, math.Sqrt(5.0 / 3), 1, math.Pow(24, 0.25)},
		{"NaN among the values changes nothing", []float64{4, nan, 1, 3, inf, 2}, 2.5, 2.5, math.Sqrt(5.0 / 3), 1, math.Pow(24, 0.25)},
		{"all equal", []float64{7, 7, 7}, 7, 7, 0, 0, 7},
		{"a zero has no logarithm", []float64{0, 1, 2}, 1, 1, 1, 1, nan},
		{"a large offset costs no digits", []float64{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}, 1e9 + 10, 1e9 + 10, math.Sqrt(30), 4.5, 1e9 + 10},
	}
	same := func(t *testing.T, what string, want, got float64) {
		t.Helper()
		if math.IsNaN(want) {
			assert.True(t, math.IsNaN(got), "%s: %g", what, got)
			return
		}
		assert.InDelta(t, want, got, 1e-12*max(1, math.Abs(want)), what)
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			same(t, "mean", r.mean, Mean(r.xs))
			same(t, "median", r.median, Median(r.xs))
			same(t, "stddev", r.stddev, Stddev(r.xs))
			same(t, "MAD", r.mad, MAD(r.xs))
			same(t, "geometric mean", r.geoMean, GeoMean(r.xs))
		})
	}
}

func TestMeanOfValuesWhoseSumOverflows(t *testing.T) {
	assert.InEpsilon(t, 1.5e308, Mean([]float64{1.4e308, 1.6e308}), 1e-12)
	assert.Equal(t, 1.0, Mean([]float64{1e100, 3, -1e100, 1, -1, 1, 2}[:4]), "small values beside large ones are kept")
	assert.Equal(t, math.Inf(1), Stddev([]float64{-1e308, 1e308}))
}

// The definition by hand: of 1..5 the share q lies at 1+4q.
func TestQuantileType7(t *testing.T) {
	xs := []float64{5, 3, 1, 2, 4}
	for q, want := range map[float64]float64{
		0: 1, 0.1: 1.4, 0.25: 2, 0.3: 2.2, 0.5: 3, 0.9: 4.6, 0.99: 4.96, 1: 5, -3: 1, 7: 5,
	} {
		assert.InDelta(t, want, Quantile(xs, q), 1e-12, "q %g", q)
	}
	assert.True(t, math.IsNaN(Quantile(xs, math.NaN())))
	assert.True(t, math.IsNaN(Quantile(nil, 0.5)))
	assert.InDeltaSlice(t, []float64{1, 3, 4.6}, Quantiles(xs, 0, 0.5, 0.9), 1e-12)
	assert.Equal(t, []float64{5, 3, 1, 2, 4}, xs, "the caller's order stays")
}

func TestNormalMAD(t *testing.T) {
	assert.InDelta(t, 1/NormalQuantile(0.75), NormalMAD, 1e-14)
}

func TestFasterHalf(t *testing.T) {
	assert.True(t, math.IsNaN(FasterHalf(nil)))
	assert.True(t, math.IsNaN(FasterHalf([]float64{math.NaN()})))
	assert.Equal(t, 3.0, FasterHalf([]float64{3}))
	assert.Equal(t, 2.0, FasterHalf([]float64{9, 2}))
	assert.Equal(t, 2.0, FasterHalf([]float64{3, 1, math.NaN(), 100}))
}
