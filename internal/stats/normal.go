package stats

import "math"

// NormalCDF is the chance that a standard normal variable is at most z. Both
// tails keep their relative precision.
func NormalCDF(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// NormalQuantile is the inverse of [NormalCDF]: -Inf at 0, +Inf at 1, NaN
// outside of 0..1. For the upper tail use the symmetry, -NormalQuantile(p),
// where 1-p would lose digits. Below 1e-307,
// where p itself has few digits, so has the result.
//
// Note: math.Erfcinv is not used, as it goes through 1-x and so knows no tail
// below 1e-16.
func NormalQuantile(p float64) float64 {
	switch {
	case math.IsNaN(p) || p < 0 || p > 1:
		return math.NaN()
	case p == 0:
		return math.Inf(-1)
	case p > 0.5:
		return -NormalQuantile(1 - p)
	case p > 0.05:
		return math.Sqrt2 * math.Erfinv((p-0.5)*2)
	}
	// Newton on log Φ, which is nearly a parabola in the tail, from its leading
	// term; log Φ is concave, so the steps converge from one side.
	want := math.Log(p)
	z := -math.Sqrt(-2 * want)
	for range 50 {
		c := NormalCDF(z)
		if c == 0 { // below the smallest float64
			return z
		}
		step := (math.Log(c) - want) * c / normalDensity(z)
		z -= step
		if math.Abs(step) <= 1e-15*math.Abs(z) {
			break
		}
	}
	return z
}

func normalDensity(z float64) float64 { return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) }
