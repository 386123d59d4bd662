package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

var (
	// Permeability of the membrane at term and earlier: Hollander and Wolfe, the
	// example of R's wilcox.test, which gives W = 35.
	term    = []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}
	earlier = []float64{1.15, 0.88, 0.90, 0.74, 1.21}
)

// Oracle: every way to deal the pooled values, enumerated in Python with exact
// fractions.
func TestMannWhitneyAgainstEnumeration(t *testing.T) {
	for _, r := range []struct {
		name string
		x, y []float64
		u, p float64
	}{
		{"Hollander and Wolfe", term, earlier, 35, 764.0 / 3003},
		{"wholly above", []float64{1.1, 2.2, 3.3, 4.4}, []float64{0.5, 0.6, 0.7}, 12, 2.0 / 35},
		{"ties across", []float64{1, 2, 2, 3}, []float64{2, 3, 3, 4, 5}, 3, 1.0 / 9},
		{"all tied", []float64{5, 5, 5}, []float64{5, 5, 5, 5}, 6, 1},
		{"ties, larger", []float64{1, 2, 3, 4, 5, 6}, []float64{4, 4, 7, 8, 9, 9}, 5, 19.0 / 462},
	} {
		t.Run(r.name, func(t *testing.T) {
			got := MannWhitney(r.x, r.y)
			assert.Equal(t, r.u, got.U)
			assert.InDelta(t, r.p, got.P, 1e-14)
			assert.True(t, got.Exact)
			back := MannWhitney(r.y, r.x)
			assert.InDelta(t, r.p, back.P, 1e-14)
			assert.Equal(t, float64(len(r.x)*len(r.y)), got.U+back.U)
		})
	}
}

// The chance of the most extreme outcome is 2/C(60,30): only exact adding keeps
// it.
func TestMannWhitneyKeepsTheFarTail(t *testing.T) {
	x, y := make([]float64, 30), make([]float64, 30)
	for i := range x {
		x[i], y[i] = float64(i), float64(100+i)
	}
	relative(t, 2/1.1826458156486142e17, MannWhitney(x, y).P, 1e-12)
}

// By hand from the formula: 40 values against 40 others, shifted.
func TestMannWhitneyApproximation(t *testing.T) {
	x, y := make([]float64, 40), make([]float64, 40)
	for i := range x {
		x[i], y[i] = float64(i), float64(i)+10.5
	}
	got := MannWhitney(x, y)
	u := 0.0 // pairs with i > j+10.5
	for i := range 40 {
		u += float64(max(0, i-10))
	}
	assert.Equal(t, u, got.U)
	assert.False(t, got.Exact)
	z := (800 - u - 0.5) / math.Sqrt(1600.0*81/12)
	relative(t, math.Erfc(z/math.Sqrt2), got.P, 1e-12)

	tied := make([]float64, 40) // one group of 80
	all := MannWhitney(tied, tied)
	assert.Equal(t, 1.0, all.P)

	// Ties: 40 zeros and 40 ones, 10 and 30 of the zeros on the two sides.
	a := append(make([]float64, 10), slices.Repeat([]float64{1}, 30)...)
	b := append(make([]float64, 30), slices.Repeat([]float64{1}, 10)...)
	tie := MannWhitney(a, b)
	assert.Equal(t, 30.0*30+0.5*(10*30+30*10), tie.U)
	sd := math.Sqrt(1600.0 / 12 * (81 - 2*(40.0*40*40-40)/(80*79)))
	relative(t, math.Erfc((tie.U-800-0.5)/sd/math.Sqrt2), tie.P, 1e-12)
}

func TestMannWhitneyApproximationNearExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 20 {
		x, y := make([]float64, 30), make([]float64, 30)
		for i := range x {
			x[i], y[i] = rng.NormFloat64(), rng.NormFloat64()+0.3
		}
		exact := MannWhitney(x, y)
		z := (math.Abs(exact.U-450) - 0.5) / math.Sqrt(900.0*61/12)
		assert.InDelta(t, exact.P, min(1, math.Erfc(z/math.Sqrt2)), 0.003)
	}
}

func TestMannWhitneyEmpty(t *testing.T) {
	assert.Equal(t, RankTest{P: 1, N2: 2}, MannWhitney(nil, []float64{1, 2}))
	assert.Equal(t, RankTest{P: 1, N1: 1}, MannWhitney([]float64{1}, []float64{math.NaN()}))
}

// Oracle: all 50 differences in exact fractions, the order statistics from the
// enumerated distribution of U. R's wilcox.test(conf.int = TRUE) gives the same
// estimate, 0.305, and interval, -0.15 to 0.76.
func TestHodgesLehmannAgainstEnumeration(t *testing.T) {
	for _, r := range []struct{ level, low, high float64 }{
		{0.05, -0.15, 0.76}, {0.01, -0.35, 1.01}, {0.1, -0.08, 0.72},
	} {
		got := HodgesLehmann(term, earlier, r.level)
		assert.InDelta(t, 0.305, got.Value, 1e-12)
		assert.InDelta(t, r.low, got.Low, 1e-12)
		assert.InDelta(t, r.high, got.High, 1e-12)
	}
}

func TestHodgesLehmannAgainstAllDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, size := range [][2]int{{1, 1}, {1, 2}, {3, 4}, {31, 40}, {100, 7}, {57, 57}} {
		x, y := make([]float64, size[0]), make([]float64, size[1])
		for i := range x {
			x[i] = math.Round(rng.NormFloat64()*8) / 4 // ties and zeros
		}
		for i := range y {
			y[i] = math.Round(rng.NormFloat64()*8) / 4
		}
		var all []float64
		for _, a := range x {
			for _, b := range y {
				all = append(all, a-b)
			}
		}
		slices.Sort(all)
		assert.Equal(t, Median(all), HodgesLehmann(x, y, 0.05).Value)
		sx, sy := ordered(x), ordered(y)
		for k := 1; k <= len(all); k++ {
			assert.Equal(t, all[k-1], nthDifference(sx, sy, k), "%v, %d-th", size, k)
		}
	}
}

func TestHodgesLehmannEdges(t *testing.T) {
	assert.False(t, HodgesLehmann(nil, term, 0.05).Bounded())
	assert.Equal(t, 15, HodgesLehmann(term, earlier, 0.05).N)
	few := HodgesLehmann([]float64{1, 2}, []float64{3, 4}, 0.05)
	assert.Equal(t, -2.0, few.Value)
	assert.False(t, few.Bounded(), "two against two cannot reach 5 %")
	assert.False(t, HodgesLehmann(term, earlier, 0).Bounded())
	point := HodgesLehmann(term, earlier, 1)
	assert.LessOrEqual(t, point.Low, point.Value)
	assert.GreaterOrEqual(t, point.High, point.Value)
	big := HodgesLehmann([]float64{math.MaxFloat64, math.MaxFloat64}, []float64{-math.MaxFloat64}, 0.5)
	assert.Equal(t, math.MaxFloat64, big.Value)
}

func BenchmarkHodgesLehmann1000(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	x, y := make([]float64, 1000), make([]float64, 1000)
	for i := range x {
		x[i], y[i] = rng.NormFloat64(), rng.NormFloat64()
	}
	for b.Loop() {
		HodgesLehmann(x, y, 0.05)
	}
}

func BenchmarkMannWhitneyExact30(b *testing.B) {
	x, y := make([]float64, 30), make([]float64, 30)
	for i := range x {
		x[i], y[i] = float64(2*i), float64(3*i)
	}
	for b.Loop() {
		MannWhitney(x, y)
	}
}

func BenchmarkDecide256(b *testing.B) {
	xs := make([]float64, 256)
	normal(rand.New(rand.NewPCG(1, 1)), xs)
	s := Sequential{Margin: 0.01, LookLevel: DefaultLookLevel, Comparisons: 10}
	for b.Loop() {
		s.Decide(xs)
	}
}
