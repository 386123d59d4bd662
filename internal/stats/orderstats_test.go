package stats

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// exactBinomial is P(B <= k) in 300 bits, term by term from big integers: an
// oracle that shares no step with BinomialCDF.
func exactBinomial(k, n int, p float64) float64 {
	const bits = 300
	bp := new(big.Float).SetPrec(bits).SetFloat64(p)
	bq := new(big.Float).SetPrec(bits).Sub(big.NewFloat(1).SetPrec(bits), bp)
	power := func(x *big.Float, m int) *big.Float {
		out := big.NewFloat(1).SetPrec(bits)
		for range m {
			out.Mul(out, x)
		}
		return out
	}
	sum := new(big.Float).SetPrec(bits)
	for i := 0; i <= k; i++ {
		term := new(big.Float).SetPrec(bits).SetInt(new(big.Int).Binomial(int64(n), int64(i)))
		term.Mul(term, power(bp, i)).Mul(term, power(bq, n-i))
		sum.Add(sum, term)
	}
	f, _ := sum.Float64()
	return f
}

func TestBinomialCDFAgainstExactArithmetic(t *testing.T) {
	for _, n := range []int{1, 2, 7, 40, 250} {
		for _, p := range []float64{0.001, 0.1, 0.5, 0.9, 0.99} {
			for _, k := range []int{0, 1, n / 3, int(float64(n) * p), n - 2, n - 1, n} {
				if k < 0 || k > n {
					continue
				}
				want := exactBinomial(k, n, p)
				got := BinomialCDF(k, n, p)
				if want == 0 { // below the smallest float64
					assert.Zero(t, got, "k=%d n=%d p=%v", k, n, p)
					continue
				}
				assert.InEpsilon(t, want, got, 1e-11, "k=%d n=%d p=%v", k, n, p)
			}
		}
	}
	assert.Zero(t, BinomialCDF(-1, 5, 0.5))
	assert.Equal(t, 1.0, BinomialCDF(5, 5, 0.5))
	assert.Equal(t, 1.0, BinomialCDF(0, 5, 0))
	assert.Zero(t, BinomialCDF(4, 5, 1))
	assert.True(t, math.IsNaN(BinomialCDF(1, 5, 1.5)))
	assert.InDelta(t, NormalCDF(0.5/math.Sqrt(250_000*0.999)), BinomialCDF(999_000, 1_000_000, 0.999), 0.01, "large n")
}

// The ranks by trying all of them, on exact probabilities.
func TestQuantileRanksAgainstTryingAllRanks(t *testing.T) {
	for _, n := range []int{1, 5, 6, 10, 36, 60} {
		for _, q := range []float64{0.1, 0.5, 0.9, 0.95} {
			for _, level := range []float64{0.05, 0.2} {
				wantLow, wantHigh := 0, n+1
				for l := 1; l <= n && exactBinomial(l-1, n, q) <= level/2; l++ {
					wantLow = l
				}
				for u := n; u >= 1 && 1-exactBinomial(u-1, n, q) <= level/2; u-- {
					wantHigh = u
				}
				low, high, ok := QuantileRanks(n, q, level)
				name := fmt.Sprintf("n=%d q=%v level=%v", n, q, level)
				assert.Equal(t, wantLow, low, name)
				assert.Equal(t, wantHigh, high, name)
				assert.Equal(t, wantLow >= 1 && wantHigh <= n, ok, name)
			}
		}
	}
	// As the usual tables of ranks around the median have them.
	for n, want := range map[int][2]int{6: {1, 6}, 9: {2, 8}, 20: {6, 15}, 50: {18, 33}, 100: {40, 61}} {
		low, high, ok := QuantileRanks(n, 0.5, 0.05)
		require.True(t, ok)
		assert.Equal(t, want, [2]int{low, high}, "n=%d", n)
	}
}

func TestQuantileNeedsIsTheLeastNumber(t *testing.T) {
	for q, want := range map[float64]int{0.5: 6, 0.9: 36, 0.99: 368, 0.999: 3688, 0.1: 36} {
		assert.Equal(t, want, QuantileNeeds(q, 0.05), "%v", q)
		_, _, enough := QuantileRanks(want, q, 0.05)
		_, _, fewer := QuantileRanks(want-1, q, 0.05)
		assert.True(t, enough, "%v", q)
		assert.False(t, fewer, "%v", q)
	}
	assert.Zero(t, QuantileNeeds(1, 0.05))
	assert.Zero(t, QuantileNeeds(0.5, 0))
}

func TestTimeQuantileOfKnownSamples(t *testing.T) {
	xs := make([]float64, 1000)
	for i := range xs {
		xs[(i*317)%1000] = float64(i + 1) // a permutation of 1..1000
	}
	es := TimeQuantiles(xs, 0.05, 0.5, 0.9, 0.99, 0.999)
	for i, want := range []float64{500, 900, 990, 999} {
		assert.Equal(t, want, es[i].Value)
	}
	low, high, _ := QuantileRanks(1000, 0.5, 0.05)
	require.Equal(t, 1000, es[0].Effective, "an even spread is no worse than independence")
	assert.Equal(t, [2]float64{float64(low), float64(high)}, [2]float64{es[0].Low, es[0].High})
	assert.False(t, es[3].Bounded(), "1,000 observations do not bound the 0.999 quantile")

	assert.Equal(t, 9.0, TimeQuantile([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0.9, 0.05).Value)
	empty := TimeQuantile([]float64{math.NaN()}, 0.5, 0.05)
	assert.Zero(t, empty.N)
	assert.False(t, empty.Bounded())
	same := TimeQuantile(make([]float64, 100), 0.5, 0.05)
	assert.Equal(t, [3]float64{0, 0, 0}, [3]float64{same.Low, same.Value, same.High})
}

// The share of intervals that hold the true quantile, of draws that are
// independent and of draws that come in bursts.
func TestTimeQuantileCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 2000
	trials := 400
	if few() {
		trials = 100
	}
	independent := func(xs []float64) {
		for i := range xs {
			xs[i] = math.Exp(rng.NormFloat64())
		}
	}
	// Each value stays for 20 draws on average.
	bursts := func(xs []float64) {
		x := math.Exp(rng.NormFloat64())
		for i := range xs {
			if rng.IntN(20) == 0 {
				x = math.Exp(rng.NormFloat64())
			}
			xs[i] = x
		}
	}
	for _, c := range []struct {
		name  string
		draw  func([]float64)
		q     float64
		truth float64
		least float64
	}{
		{"independent, median", independent, 0.5, 1, 0.93},
		{"independent, p99", independent, 0.99, math.Exp(NormalQuantile(0.99)), 0.93},
		{"bursts, median", bursts, 0.5, 1, 0.88},
		{"bursts, p90", bursts, 0.9, math.Exp(NormalQuantile(0.9)), 0.85},
	} {
		held, plain := 0, 0
		xs := make([]float64, n)
		for range trials {
			c.draw(xs)
			if e := TimeQuantile(xs, c.q, 0.05); e.Low <= c.truth && c.truth <= e.High {
				held++
			}
			sorted := ordered(xs)
			low, high, _ := QuantileRanks(n, c.q, 0.05)
			if sorted[low-1] <= c.truth && c.truth <= sorted[high-1] {
				plain++
			}
		}
		t.Logf("%s: %.1f %%, taken as independent %.1f %%", c.name, 100*float64(held)/float64(trials), 100*float64(plain)/float64(trials))
		assert.GreaterOrEqual(t, float64(held)/float64(trials), c.least, c.name)
	}
}
