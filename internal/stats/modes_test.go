package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Published values: the regression tests of the R package diptest by Maechler.
func TestDipAgainstPublishedValues(t *testing.T) {
	hartigan := []float64{
		30, 33, 35, 36, 37, 37, 39, 39, 39, 39, 39, 40, 40, 40, 40, 41, 42, 43, 43, 43, 44, 44, 45, 45, 46, 46,
		47, 47, 48, 48, 48, 49, 50, 50, 51, 52, 52, 53, 53, 53, 53, 53, 54, 54, 57, 57, 59, 60, 60, 60, 61, 61,
		61, 61, 62, 62, 62, 62, 63, 66, 70, 72, 72,
	}
	for _, r := range []struct {
		name string
		xs   []float64
		want float64
	}{
		{"two atoms: the greatest dip there is", []float64{1, 1, 2, 2}, 0.25},
		{"one mode: half a step", []float64{0, 1, 3, 6}, 0.125},
		{"the mirror image that early code got wrong", []float64{0, 2, 3, 5, 6}, 2.0 / 15},
		{"and its mirror", []float64{0, 1, 3, 4, 6}, 2.0 / 15},
		{"an atom is allowed at the mode", []float64{1, 2, 2, 2, 2, 2, 2, 2, 2, 2}, 0.05},
		{"Hartigan's faculty ratings, n = 63", hartigan, 0.05952381},
	} {
		assert.InDelta(t, r.want, dip(r.xs), 1e-8, r.name)
	}
	assert.Zero(t, dip([]float64{3, 3}))
}

// The percentage points of uniform samples in Maechler's table, a million
// samples each: an independent check of dip over whole distributions.
func TestDipOfUniformSamplesAgainstPublishedPoints(t *testing.T) {
	for _, r := range []struct {
		n        int
		p95, p99 float64
	}{{20, 0.105130, 0.120624}, {50, 0.0702738, 0.0811998}, {200, 0.0368418, 0.0426865}} {
		rng := rand.New(rand.NewPCG(uint64(r.n), 1))
		dips, xs := make([]float64, 1500), make([]float64, r.n)
		for i := range dips {
			for j := range xs {
				xs[j] = rng.Float64()
			}
			slices.Sort(xs)
			dips[i] = dip(xs)
		}
		relative(t, r.p95, Quantile(dips, 0.95), 0.03, "n %d", r.n)
		relative(t, r.p99, Quantile(dips, 0.99), 0.05, "n %d", r.n)
	}
}

func TestDipLimitFollowsThePublishedPoints(t *testing.T) {
	for n, want := range map[float64]float64{
		20: 0.105130, 30: 0.0881689, 50: 0.0702738, 100: 0.0511279, 200: 0.0368418, 500: 0.0237295,
		1000: 0.0169344, 2000: 0.0120381, 5000: 0.00765064, 20000: 0.00384330, 72000: 0.00203178,
	} {
		assert.InDelta(t, want*math.Sqrt(n), dipLimit(n), 0.002, "n %g", n)
	}
}

// severalShare is how often a second mode is reported.
func severalShare(seed uint64, trials, n int, draw func(*rand.Rand) float64) (hits int) {
	rng := rand.New(rand.NewPCG(seed, 99))
	xs := make([]float64, n)
	for range trials {
		for i := range xs {
			xs[i] = draw(rng)
		}
		if TwoModes(xs).Several {
			hits++
		}
	}
	return hits
}

func TestTwoModesFalseAlarms(t *testing.T) {
	for name, draw := range map[string]func(*rand.Rand) float64{
		"uniform, the hardest": func(r *rand.Rand) float64 { return r.Float64() },
		"normal":               func(r *rand.Rand) float64 { return 1000 + r.NormFloat64() },
		"strongly skewed":      func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64()) },
		"exponential":          func(r *rand.Rand) float64 { return r.ExpFloat64() },
		"Cauchy":               func(r *rand.Rand) float64 { return r.NormFloat64() / r.NormFloat64() },
		"in ticks of a clock":  func(r *rand.Rand) float64 { return math.Round(1000 + 3*r.NormFloat64()) },
		"in 5 ns of a tick of 100, with an offset": func(r *rand.Rand) float64 { return 37 + 100*math.Round(5*r.ExpFloat64()) },
		"with outliers": func(r *rand.Rand) float64 {
			if r.IntN(50) == 0 {
				return 1000 + 200*r.Float64()
			}
			return 100 + r.NormFloat64()
		},
	} {
		for _, n := range []int{20, 100, 400} {
			const trials = 300
			hits := severalShare(uint64(n), trials, n, draw)
			low, _ := rateBounds(hits, trials)
			most := 0.01
			if strings.HasPrefix(name, "uniform") {
				most = 0.05
			}
			assert.LessOrEqual(t, low, most, "%s, n %d: %d of %d", name, n, hits, trials)
		}
	}
}

func TestTwoModesFindsTwoStates(t *testing.T) {
	states := func(share, apart float64) func(*rand.Rand) float64 {
		return func(r *rand.Rand) float64 {
			if r.Float64() < share {
				return 100 + apart + r.NormFloat64()
			}
			return 100 + r.NormFloat64()
		}
	}
	for _, r := range []struct {
		name         string
		share, apart float64
		n, atLeast   int // of 100
	}{
		{"half and half, 5 σ apart", 0.5, 5, 100, 95},
		{"30 %, 6 σ apart", 0.3, 6, 200, 95},
		{"15 %, 8 σ apart", 0.15, 8, 400, 95},
		{"half and half, 4 σ apart", 0.5, 4, 300, 95},
	} {
		hits := severalShare(uint64(r.n), 100, r.n, states(r.share, r.apart))
		assert.GreaterOrEqual(t, hits, r.atLeast, r.name)
	}
	hits := severalShare(1, 100, 300, states(0.5, 1))
	assert.LessOrEqual(t, hits, 3, "1 σ apart is one mode")
}

func TestTwoModesDescribesTheSplit(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	xs := make([]float64, 500)
	for i := range xs {
		xs[i] = 800 + 5*rng.NormFloat64()
		if i%10 < 3 {
			xs[i] = 1000 + 8*rng.NormFloat64()
		}
	}
	xs[0] = 1e6 // an outlier is not the second mode
	got := TwoModes(xs)
	assert.True(t, got.Several)
	assert.InDelta(t, 800, got.Low, 2)
	assert.InDelta(t, 1000, got.High, 3)
	assert.InDelta(t, 0.3, got.Share, 0.01)
}

func TestTwoModesEdges(t *testing.T) {
	assert.Equal(t, Modes{}, TwoModes(nil))
	assert.Equal(t, Modes{N: 19}, TwoModes(append(make([]float64, 10), slices.Repeat([]float64{1}, 9)...)), "too few")
	assert.Equal(t, Modes{N: 40}, TwoModes(slices.Repeat([]float64{4}, 40)), "all equal")
	huge := TwoModes(slices.Repeat([]float64{-math.MaxFloat64, math.MaxFloat64}, 20))
	assert.False(t, math.IsNaN(huge.Dip+huge.Low+huge.High+huge.Share))
}
