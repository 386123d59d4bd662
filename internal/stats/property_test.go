package stats

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hostile draws samples of the kinds that break formulas.
func hostile(rng *rand.Rand) []float64 {
	odd := []float64{0, math.Copysign(0, -1), 1, -1, 5e-324, 1e-308, 1e308, -1e308, math.MaxFloat64, math.NaN(), math.Inf(1), math.Inf(-1), 1e-9, 700, -800}
	xs := make([]float64, rng.IntN(40))
	kind := rng.IntN(5)
	for i := range xs {
		switch kind {
		case 0:
			xs[i] = rng.NormFloat64()
		case 1:
			xs[i] = odd[rng.IntN(len(odd))]
		case 2:
			xs[i] = float64(rng.IntN(3))
		case 3:
			xs[i] = math.Ldexp(rng.NormFloat64(), rng.IntN(2000)-1000)
		case 4:
			xs[i] = 1
		}
	}
	return xs
}

// checkAll runs every function on x and y and asserts the rules of the package
// comment.
func checkAll(t require.TestingT, x, y []float64, trim, level, margin float64) {
	keptX, keptY := slices.Clone(x), slices.Clone(y)
	n, m := len(finite(x)), len(finite(y))
	interval := func(name string, iv Interval, n int) {
		require.False(t, math.IsNaN(iv.Value) || math.IsNaN(iv.Low) || math.IsNaN(iv.High) || math.IsNaN(iv.Level), "%s: %+v of %v, %v", name, iv, x, y)
		require.LessOrEqual(t, iv.Low, iv.High, "%s of %v, %v", name, x, y)
		require.True(t, iv.Level >= 0 && iv.Level <= 1, name)
		require.Equal(t, n, iv.N, name)
	}
	p := func(name string, v float64) {
		require.True(t, v >= 0 && v <= 1, "%s: %g of %v, %v", name, v, x, y)
	}
	interval("TrimmedMean", TrimmedMean(x, trim, level), n)
	block, c := BlockMean(x, trim, level)
	interval("BlockMean", block, n)
	require.False(t, math.IsNaN(c.Lag1+c.Used+c.Inflation))
	require.True(t, c.Lag1 >= -1 && c.Lag1 <= 1 && c.Inflation >= 1)
	d := Sequential{Margin: margin, LookLevel: level, Comparisons: n}.Decide(x)
	require.False(t, math.IsNaN(d.Ratio) || math.IsNaN(d.Low) || math.IsNaN(d.High) || math.IsNaN(d.Level), "%+v", d)
	require.Equal(t, d.Verdict == Undecided, d.Reason != "")
	interval("HodgesLehmann", HodgesLehmann(x, y, level), n+m)
	for _, diff := range []Difference{YuenWelch(x, y, trim, level), BlockDifference(x, y, trim, level)} {
		both := n + m
		if n == 0 || m == 0 {
			both = 0
		}
		interval("YuenWelch", diff.Interval, both)
		p("YuenWelch", diff.P)
		require.False(t, math.IsNaN(diff.DF))
	}
	rank := MannWhitney(x, y)
	p("MannWhitney", rank.P)
	require.True(t, rank.U >= 0 && rank.U <= float64(n*m))
	interval("Bootstrap", Bootstrap(x, Median, 20, level, 1), n)
	for _, v := range append(Holm(x), Bonferroni(x)...) {
		p("adjusted", v)
	}
	modes := TwoModes(x)
	require.False(t, math.IsNaN(modes.Dip+modes.Low+modes.High+modes.Share))
	require.True(t, modes.Dip >= 0 && modes.Dip <= 0.25, "%g of %v", modes.Dip, x)
	if n > 0 {
		require.False(t, math.IsNaN(Mean(x)) || math.IsNaN(Median(x)) || math.IsNaN(Quantile(x, 0.3)) || math.IsNaN(MAD(x)))
		v := ordered(x)
		for _, s := range []float64{Mean(x), Median(x), Quantile(x, 0.9), TrimmedMean(x, trim, level).Value} {
			slack := 1e-12 * max(math.Abs(v[0]), math.Abs(v[n-1]))
			require.True(t, s >= v[0]-slack && s <= v[n-1]+slack, "%g of %v", s, v)
		}
	}
	Stddev(x)
	GeoMean(x)
	Lag1(x, trim)
	same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }
	require.True(t, slices.EqualFunc(keptX, x, same) && slices.EqualFunc(keptY, y, same), "a caller's slice was changed")
}

func TestNothingIsNaNAndNothingIsChanged(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 12))
	pick := func(vs ...float64) float64 { return vs[rng.IntN(len(vs))] }
	nan, inf := math.NaN(), math.Inf(1)
	for range 400 {
		checkAll(t, hostile(rng), hostile(rng),
			pick(0, 0.1, 0.25, 0.5, 0.7, -1, nan, inf),
			pick(0, 0.05, 0.003, 1e-300, 1, 2, -1, nan, inf),
			pick(0, 0.01, 1, -1, nan, inf, 1e300))
	}
}

func FuzzNothingIsNaN(f *testing.F) {
	f.Add([]byte("0123456789abcdef"), 3, 0.1, 0.05, 0.01)
	f.Add([]byte{}, 0, 0.0, 0.0, 0.0)
	f.Fuzz(func(t *testing.T, data []byte, cut int, trim, level, margin float64) {
		var xs []float64
		for ; len(data) >= 8 && len(xs) < 80; data = data[8:] {
			xs = append(xs, math.Float64frombits(binary.LittleEndian.Uint64(data)))
		}
		cut = min(max(cut, 0), len(xs))
		checkAll(t, xs[:cut], xs[cut:], trim, level, margin)
	})
}

func TestShiftAndScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 13))
	for range 100 {
		x, y := make([]float64, 5+rng.IntN(20)), make([]float64, 5+rng.IntN(20))
		normal(rng, x)
		normal(rng, y)
		shift, scale := 10*rng.NormFloat64(), 0.1+rng.Float64()
		move := func(xs []float64) []float64 {
			out := make([]float64, len(xs))
			for i, v := range xs {
				out[i] = shift + scale*v
			}
			return out
		}
		for name, estimator := range map[string]func([]float64) Interval{
			"TrimmedMean": func(xs []float64) Interval { return TrimmedMean(xs, Trim, 0.05) },
			"BlockMean":   func(xs []float64) Interval { iv, _ := BlockMean(xs, Trim, 0.05); return iv },
		} {
			a, b := estimator(x), estimator(move(x))
			assert.InDelta(t, shift+scale*a.Value, b.Value, 1e-9, name)
			assert.InDelta(t, shift+scale*a.Low, b.Low, 1e-9, name)
			assert.InDelta(t, shift+scale*a.High, b.High, 1e-9, name)
		}
		assert.InDelta(t, TwoModes(x).Dip, TwoModes(move(x)).Dip, 1e-9)
		a, b := HodgesLehmann(x, y, 0.05), HodgesLehmann(move(x), move(y), 0.05)
		assert.InDelta(t, scale*a.Low, b.Low, 1e-9)
		assert.InDelta(t, YuenWelch(x, y, Trim, 0.05).P, YuenWelch(move(x), move(y), Trim, 0.05).P, 1e-9)
		assert.Equal(t, MannWhitney(x, y).P, MannWhitney(move(x), move(y)).P)
	}
}
