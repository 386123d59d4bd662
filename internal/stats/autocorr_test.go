package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLag1ByHand(t *testing.T) {
	// Deviations -2..2: products 2+0+0+2 over squares 10 give 0.4; the correction
	// adds (1+3·0.4)/5.
	assert.InDelta(t, 0.4+2.2/5, Lag1([]float64{1, 2, 3, 4, 5}, 0), 1e-14)
	// Two up, two down: 1-1+1-1+1-1+1 over 8, and (1+3/8)/8 more.
	assert.InDelta(t, 1.0/8+(1+3.0/8)/8, Lag1([]float64{1, 1, -1, -1, 1, 1, -1, -1}, 0), 1e-14)
	assert.Equal(t, -1.0, Lag1([]float64{1, -1, 1, -1, 1, -1, 1, -1}, 0), "-7/8 and its correction are cut")
	for _, xs := range [][]float64{nil, {1}, {1, 2}, {3, 3, 3, 3}, {math.NaN(), 1, 2}} {
		assert.Zero(t, Lag1(xs, Trim))
	}
}

// The correction takes away most of the bias: without it eleven independent
// blocks would seem to have a correlation of -0.09, and of 0.3 there would seem
// to be 0.13. What remains is of the order of 3(1+3ρ)/n².
func TestLag1IsNearlyUnbiased(t *testing.T) {
	for _, r := range []struct {
		phi       float64
		n         int
		tolerance float64
	}{{0, 11, 0.03}, {0.3, 11, 0.085}, {0, 64, 0.01}, {0.3, 64, 0.015}, {0.5, 64, 0.02}, {0.5, 256, 0.01}} {
		rng := rand.New(rand.NewPCG(11, uint64(r.n)))
		xs := make([]float64, r.n)
		sum := 0.0
		const trials = 3000
		for range trials {
			autoregressive(r.phi, normal)(rng, xs)
			sum += Lag1(xs, 0)
		}
		assert.InDelta(t, r.phi, sum/trials, r.tolerance, "φ %g, n %d", r.phi, r.n)
	}
}

func TestLag1IgnoresOneOutlier(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	xs := make([]float64, 64)
	autoregressive(0.5, normal)(rng, xs)
	clean := Lag1(xs, Trim)
	xs[20] = 1e6
	assert.InDelta(t, clean, Lag1(xs, Trim), 0.15)
	assert.Less(t, Lag1(xs, 0), 0.1, "without Winsorising it hides the correlation")
}

// The closed sum of the inflation against adding up its terms.
func TestInflationAgainstItsSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for _, n := range []int{3, 5, 11, 40, 256} {
		xs := make([]float64, n)
		autoregressive(0.5, normal)(rng, xs)
		_, c := BlockMean(xs, Trim, 0.05)
		want, p := 1.0, 1.0
		for k := 1; k < n; k++ {
			p *= c.Used
			want += 2 * (1 - float64(k)/float64(n)) * p
		}
		assert.InDelta(t, want, c.Inflation, 1e-10, "n %d", n)
	}
}

func TestBlockMeanNeverNarrows(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for range 500 {
		xs := make([]float64, 2+rng.IntN(60))
		autoregressive(rng.Float64()*1.8-0.9, normal)(rng, xs)
		plain := TrimmedMean(xs, Trim, 0.05)
		wide, c := BlockMean(xs, Trim, 0.05)
		assert.Equal(t, plain.Value, wide.Value)
		assert.LessOrEqual(t, wide.Low, plain.Low)
		assert.GreaterOrEqual(t, wide.High, plain.High)
		assert.GreaterOrEqual(t, c.Inflation, 1.0)
	}
	// Strongly alternating blocks leave the interval as it is.
	alternating := []float64{1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1}
	got, c := BlockMean(alternating, Trim, 0.05)
	assert.Equal(t, TrimmedMean(alternating, Trim, 0.05), got)
	assert.Equal(t, 1.0, c.Inflation)
}
