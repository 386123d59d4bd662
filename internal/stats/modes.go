package stats

import "math"

// MinModes is the number of observations below which [TwoModes] stays silent.
const MinModes = 20

// Modes says whether a sample looks like one heap or like more.
type Modes struct {
	Several bool    // the dip is larger than one mode gives in 95 of 100 samples even if it is flat
	Dip     float64 // 0 to 1/4
	Low     float64 // median of the lower part
	High    float64 // median of the upper part
	Share   float64 // of the observations that are in the upper part, 0 to 1
	N       int
}

// TwoModes looks for a second mode by the dip test of Hartigan and Hartigan
// (Ann. Statist. 13, 1985) at a level of 5 %, which is reached by a flat
// distribution only: with a peak, as times have, false alarms are rarer than
// 1 %. The dip is the greatest distance between the sample's distribution and
// the nearest distribution with one mode; skew, heavy tails and outliers do not
// raise it. It finds 95 of 100 mixtures of two equal states 5 standard
// deviations apart from 100 values, and of 30 % in a state 6 apart from 200. Where Several is set, Low,
// High and Share describe the split into two parts with the least variance
// within them (Otsu, IEEE Trans. SMC 9, 1979); how far apart they are matters
// to the caller, since a second mode can be real and harmless. Otherwise they
// are 0.
//
// Values that a coarse clock has rounded are spread over the smallest step
// between them, or every tick would be a mode. The observations are taken as
// independent; fewer than [MinModes] never have several modes.
func TwoModes(xs []float64) Modes {
	v := ordered(xs)
	out := Modes{N: len(v)}
	if len(v) < MinModes || v[0] == v[len(v)-1] {
		return out
	}
	u := unit(v)
	out.Dip = dip(spread(u))
	if n := float64(len(v)); out.Dip*math.Sqrt(n) > dipLimit(n) {
		out.Several = true
		at := split(u)
		out.Low, out.High = quantile(v[:at], 0.5), quantile(v[at:], 0.5)
		out.Share = float64(len(v)-at) / n
	}
	return out
}

// dipLimit is the 95 % point of √n times the dip of n uniform values, the
// hardest of the distributions with one mode: a curve through the percentage
// points that Maechler's table gives (R package diptest, a million samples
// each), within 0.002 of it from n = 20 to 72,000.
func dipLimit(n float64) float64 { return 0.548 - 0.0778*math.Pow(20/n, 0.45) }

// unit moves and stretches sorted values, which are not all equal, to 0..1, in
// steps of 2⁻⁵⁰, so that no difference between them is lost in what follows.
func unit(sorted []float64) []float64 {
	low, high, scale := sorted[0], sorted[len(sorted)-1], 1.0
	if math.IsInf(high-low, 1) {
		scale = 0.5
	}
	out := make([]float64, len(sorted))
	for i, x := range sorted {
		out[i] = math.Ldexp(math.Round(math.Ldexp((scale*x-scale*low)/(scale*high-scale*low), 50)), -50)
	}
	return out
}

// spread puts each group of equal values evenly over the smallest step between
// different values, around where the group is.
func spread(sorted []float64) []float64 {
	step := math.Inf(1)
	for i := 1; i < len(sorted); i++ {
		if d := sorted[i] - sorted[i-1]; d > 0 {
			step = min(step, d)
		}
	}
	out := make([]float64, 0, len(sorted))
	for i := 0; i < len(sorted); {
		j := i
		for j < len(sorted) && sorted[j] == sorted[i] {
			j++
		}
		for k := range j - i {
			out = append(out, sorted[i]+step*((float64(k)+0.5)/float64(j-i)-0.5))
		}
		i = j
	}
	return out
}

// split returns where the upper part of sorted values begins. The outer 2 % on
// either side are no parts of their own and pull no further than their
// neighbours.
func split(sorted []float64) int {
	n := len(sorted)
	edge := max(1, n/50)
	value := func(i int) float64 {
		return min(max(sorted[i], sorted[edge]), sorted[n-1-edge])
	}
	var all, left float64
	for i := range sorted {
		all += value(i)
	}
	best, at := -1.0, n/2
	for i := 1; i < n; i++ {
		left += value(i - 1)
		k, m := float64(i), float64(n-i)
		gap := left/k - (all-left)/m
		if between := k * m * gap * gap; i >= edge && i <= n-edge && between > best {
			best, at = between, i
		}
	}
	return at
}
