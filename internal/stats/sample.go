package stats

import (
	"math"
	"slices"
)

// NormalMAD is the factor that turns the [MAD] of normally distributed values
// into their standard deviation: 1/Φ⁻¹(3/4).
const NormalMAD = 1.4826022185056018

// finite returns a copy of the observations in xs, in their order.
func finite(xs []float64) []float64 {
	out := make([]float64, 0, len(xs))
	for _, x := range xs {
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			out = append(out, x)
		}
	}
	return out
}

// ordered returns a sorted copy of the observations in xs.
func ordered(xs []float64) []float64 {
	out := finite(xs)
	slices.Sort(out)
	return out
}

// Mean is the arithmetic mean; NaN if there are no observations.
func Mean(xs []float64) float64 { return mean(finite(xs)) }

// mean adds with Neumaier's compensation (ZAMM 54, 1974), so that the rest of
// a large sample is not lost beside one large value. It needs finite values.
func mean(xs []float64) float64 {
	n := float64(len(xs))
	if n == 0 {
		return math.NaN()
	}
	var sum, lost float64
	for _, x := range xs {
		t := sum + x
		if math.Abs(sum) >= math.Abs(x) {
			lost += (sum - t) + x
		} else {
			lost += (x - t) + sum
		}
		sum = t
	}
	if m := (sum + lost) / n; !math.IsNaN(m) && !math.IsInf(m, 0) {
		return m
	}
	var scaled float64 // the sum is beyond float64, the mean is not
	for _, x := range xs {
		scaled += x / n
	}
	return scaled
}

// FasterHalf is the mean of the smaller half of the observations, the middle one
// included; NaN if there are none. What disturbs a timing makes it longer, so
// the faster half says the same as all of them with far less noise.
func FasterHalf(xs []float64) float64 {
	xs = ordered(xs)
	return mean(xs[:(len(xs)+1)/2])
}

// squares is the sum of the squared deviations from the mean.
func squares(xs []float64) float64 {
	m := mean(xs)
	var sum, rest float64
	for _, x := range xs {
		d := x - m
		sum += d * d
		rest += d
	}
	if len(xs) == 0 || math.IsInf(sum, 0) {
		return sum
	}
	// The second term takes back the rounding of the mean: Chan, Golub and
	// LeVeque, The American Statistician 37 (1983), the corrected two-pass form.
	return max(0, sum-rest*rest/float64(len(xs)))
}

// Stddev is the sample standard deviation, with n-1 below; NaN for fewer than
// two observations, +Inf where the squares are beyond float64.
func Stddev(xs []float64) float64 {
	v := finite(xs)
	if len(v) < 2 {
		return math.NaN()
	}
	return math.Sqrt(squares(v) / float64(len(v)-1))
}

// GeoMean is the geometric mean; NaN if there are no observations or if one of
// them is zero or negative, since leaving it out would flatter the rest.
func GeoMean(xs []float64) float64 {
	v := finite(xs)
	for i, x := range v {
		if x <= 0 {
			return math.NaN()
		}
		v[i] = math.Log(x)
	}
	return math.Exp(mean(v))
}

// Median is the middle value, or the mean of the two middle ones; NaN if there
// are no observations.
func Median(xs []float64) float64 { return quantile(ordered(xs), 0.5) }

// Quantile is the value below which a share q of the sample lies, by linear
// interpolation between the order statistics at (n-1)q: type 7 of Hyndman and
// Fan, The American Statistician 50 (1996), the default of R and NumPy. q is
// cut to 0..1. NaN if there are no observations or q is NaN.
func Quantile(xs []float64, q float64) float64 { return quantile(ordered(xs), q) }

// Quantiles is [Quantile] for several shares at the cost of one sorting.
func Quantiles(xs []float64, qs ...float64) []float64 {
	v := ordered(xs)
	out := make([]float64, len(qs))
	for i, q := range qs {
		out[i] = quantile(v, q)
	}
	return out
}

// quantile is Quantile over sorted observations.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 || math.IsNaN(q) {
		return math.NaN()
	}
	at := min(max(q, 0), 1) * float64(len(sorted)-1)
	i := int(at)
	lo := sorted[i]
	if i+1 == len(sorted) {
		return lo
	}
	hi, f := sorted[i+1], at-float64(i)
	return min(max(lo*(1-f)+hi*f, lo), hi)
}

// MAD is the median distance from the median, not scaled (see [NormalMAD]);
// NaN if there are no observations. It is +Inf only where a distance is beyond
// float64.
func MAD(xs []float64) float64 {
	v := ordered(xs)
	m := quantile(v, 0.5)
	for i, x := range v {
		v[i] = math.Abs(x - m)
	}
	slices.Sort(v)
	return medianSorted(v)
}

// medianSorted allows +Inf at the end, which interpolation would turn to NaN.
func medianSorted(v []float64) float64 {
	n := len(v)
	switch {
	case n == 0:
		return math.NaN()
	case n%2 == 1:
		return v[n/2]
	}
	return v[n/2-1]/2 + v[n/2]/2
}
