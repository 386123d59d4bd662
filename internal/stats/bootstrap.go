package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Bootstrap is the BCa interval (bias-corrected and accelerated) of a statistic
// of independent observations: Efron, J. Amer. Statist. Assoc. 82 (1987), with
// the acceleration from the jackknife. The same seed gives the same interval.
//
// statistic is called resamples + n + 1 times with a sample of its own that it
// may reorder; results that are not finite are left out. Fewer than two
// observations, no resamples or a statistic that is not finite on the sample
// itself give the whole line. The ends are results of the statistic, so levels
// below 2/resamples say less than they seem to. Where the correction does not
// exist, as all results lie on one side of the value, the interval is that of
// plain percentiles.
func Bootstrap(xs []float64, statistic func([]float64) float64, resamples int, level float64, seed uint64) Interval {
	v := finite(xs)
	out := Interval{Low: math.Inf(-1), High: math.Inf(1), Level: cutLevel(level), N: len(v)}
	if len(v) == 0 {
		return out
	}
	scratch := slices.Clone(v)
	value := statistic(scratch)
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return out
	}
	out.Value = value
	if len(v) < 2 || resamples < 1 || out.Level == 0 {
		return out
	}
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	results := make([]float64, resamples)
	for i := range results {
		for j := range scratch {
			scratch[j] = v[rng.IntN(len(v))]
		}
		results[i] = statistic(scratch)
	}
	results = ordered(results)
	if len(results) == 0 {
		return out
	}
	below := 0.0
	for _, r := range results {
		switch {
		case r < value:
			below++
		case r == value:
			below += 0.5
		}
	}
	bias := NormalQuantile(below / float64(len(results)))
	speed := acceleration(v, scratch, statistic)
	end := func(q float64) float64 {
		if !math.IsInf(bias, 0) && q > 0 && q < 1 {
			z := bias + NormalQuantile(q)
			if w := 1 - speed*z; w > 0 {
				q = NormalCDF(bias + z/w)
			}
		}
		return quantile(results, q)
	}
	out.Low, out.High = end(out.Level/2), end(1-out.Level/2)
	return out
}

// acceleration is the skewness of the jackknife values over six.
func acceleration(v, scratch []float64, statistic func([]float64) float64) float64 {
	leave := make([]float64, 0, len(v))
	for i := range v {
		s := append(append(scratch[:0], v[:i]...), v[i+1:]...)
		leave = append(leave, statistic(s))
	}
	leave = finite(leave)
	if len(leave) == 0 {
		return 0
	}
	m := mean(leave)
	var two, three float64
	for _, x := range leave {
		d := m - x
		two += d * d
		three += d * d * d
	}
	if a := three / (6 * math.Pow(two, 1.5)); !math.IsNaN(a) && !math.IsInf(a, 0) {
		return a
	}
	return 0
}
