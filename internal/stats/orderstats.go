package stats

import (
	"math"
	"slices"
)

// BinomialCDF is the chance of at most k successes in n independent trials
// that each succeed with chance p: the sum of the terms, each from the one
// before, so that both tails keep their relative precision (about n ulps of
// log Γ(n), 1e-9 at n = 1e6). NaN where n is negative or p is outside of 0..1.
func BinomialCDF(k, n int, p float64) float64 {
	switch {
	case n < 0 || !(p >= 0 && p <= 1):
		return math.NaN()
	case k < 0:
		return 0
	case k >= n:
		return 1
	case p == 0:
		return 1
	case p == 1:
		return 0
	case float64(k) > float64(n)*p:
		return 1 - binomialLow(n-k-1, n, 1-p, p)
	}
	return binomialLow(k, n, p, 1-p)
}

// binomialLow is the lower tail up to k, which is not above the mean; q is 1-p.
func binomialLow(k, n int, p, q float64) float64 {
	term := math.Exp(logChoose(n, k) + float64(k)*math.Log(p) + float64(n-k)*math.Log(q))
	sum := 0.0
	for ; k >= 0 && term > sum*1e-17; k-- {
		sum += term
		term *= float64(k) * q / (float64(n-k+1) * p)
	}
	return min(sum, 1)
}

func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n) + 1)
	b, _ := math.Lgamma(float64(k) + 1)
	c, _ := math.Lgamma(float64(n-k) + 1)
	return a - b - c
}

// QuantileRanks are the ranks, from 1, of the order statistics of n independent
// observations between which the q-quantile of their distribution lies,
// whatever that is: the number of observations below it is binomial, so each
// end misses with a chance of at most level/2. The narrowest such ranks are
// given; ok is false where n observations cannot bound the quantile, see
// [QuantileNeeds].
//
// Source: David and Nagaraja, Order Statistics, 3rd edition (2003), 7.1; Hahn
// and Meeker, Statistical Intervals (1991), 5.2.
func QuantileRanks(n int, q, level float64) (low, high int, ok bool) {
	half := cutLevel(level) / 2
	if n < 1 || !(q > 0 && q < 1) || half == 0 {
		return 0, 0, false
	}
	// P(X(low) > quantile) = P(B <= low-1), P(X(high) < quantile) = P(B >= high).
	low = lastWhere(0, n, func(k int) bool { return k == 0 || BinomialCDF(k-1, n, q) <= half })
	high = n + 1 - lastWhere(0, n, func(k int) bool { return k == 0 || BinomialCDF(k-1, n, 1-q) <= half })
	return low, high, low >= 1 && high <= n
}

// lastWhere is the last k of low..high for which f holds, by bisection; f holds
// at low and, once it fails, for none above.
func lastWhere(low, high int, f func(int) bool) int {
	for low < high {
		mid := low + (high-low+1)/2
		if f(mid) {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low
}

// QuantileNeeds is the least number of independent observations with which
// [QuantileRanks] has an answer: at least one must lie on each side of the
// quantile, but for a chance of level/2. 3,688 for 0.999 at a level of 0.05.
// It is 0 where no number is enough.
func QuantileNeeds(q, level float64) int {
	half := cutLevel(level) / 2
	if !(q > 0 && q < 1) || half == 0 {
		return 0
	}
	n := math.Ceil(math.Log(half)/math.Log(max(q, 1-q)) - 1e-9)
	if n > math.MaxInt32 {
		return 0
	}
	return max(1, int(n))
}

// A QuantileEstimate is a quantile of a sample with its interval. Low and High
// are -Inf and +Inf where the sample cannot carry one.
type QuantileEstimate struct {
	Interval
	Effective int // number of independent observations that the sample counts as for this quantile
}

// TimeQuantile is the q-quantile of the distribution behind a sample in time
// order: the smallest observation that at least a share q of the sample does
// not exceed (type 1 of Hyndman and Fan, 1996), with the interval of
// [QuantileRanks].
//
// Observations that follow each other are often alike, and large ones come in
// bursts; n of them then say less than n independent ones would. How much less
// is estimated from the sample itself: it is cut into up to 32 stretches, and
// the variance of the share of observations up to the quantile, from stretch
// to stretch, is set against that of independent draws (Woodruff, JASA 47,
// 1952, with the design effect of Kish, Survey Sampling, 1965). Where it is
// larger the interval is that of as many fewer observations; it never becomes
// narrower than for independent ones.
func TimeQuantile(xs []float64, q, level float64) QuantileEstimate {
	v := finite(xs)
	sorted := slices.Sorted(slices.Values(v))
	return timeQuantile(v, sorted, q, level)
}

// TimeQuantiles is [TimeQuantile] for several shares at the cost of one sorting.
func TimeQuantiles(xs []float64, level float64, qs ...float64) []QuantileEstimate {
	v := finite(xs)
	sorted := slices.Sorted(slices.Values(v))
	out := make([]QuantileEstimate, len(qs))
	for i, q := range qs {
		out[i] = timeQuantile(v, sorted, q, level)
	}
	return out
}

func timeQuantile(v, sorted []float64, q, level float64) QuantileEstimate {
	n := len(v)
	out := QuantileEstimate{Interval: Interval{Low: math.Inf(-1), High: math.Inf(1), Level: cutLevel(level), N: n}}
	if n == 0 || !(q >= 0 && q <= 1) {
		return out
	}
	at := min(max(int(math.Ceil(float64(n)*q-1e-9)), 1), n) // 1e-9 makes 0.9·10 = 9.000000000000002 the 9 that was meant
	out.Value = sorted[at-1]
	out.Effective = max(1, int(float64(n)/designEffect(v, out.Value)))
	low, high, ok := QuantileRanks(out.Effective, q, level)
	if !ok {
		return out
	}
	scale := float64(n) / float64(out.Effective)
	low = min(max(int(float64(low)*scale), 1), at)
	high = max(min(int(math.Ceil(float64(high)*scale)), n), at)
	out.Low, out.High = sorted[low-1], sorted[high-1]
	return out
}

const (
	mostStretches  = 32
	leastStretches = 8
	leastStretch   = 8 // observations
)

// designEffect is the factor by which the share of observations up to cut
// varies more, from stretch to stretch of the sample, than that of independent
// observations would; at least 1, and 1 where the sample is too small to tell.
func designEffect(v []float64, cut float64) float64 {
	n := len(v)
	k := min(mostStretches, n/leastStretch)
	if k < leastStretches {
		return 1
	}
	shares := make([]float64, k)
	all := 0.0
	for s := range shares {
		from, to := s*n/k, (s+1)*n/k
		for _, x := range v[from:to] {
			if x <= cut {
				shares[s]++
			}
		}
		all += shares[s]
		shares[s] /= float64(to - from)
	}
	p := all / float64(n)
	if p <= 0 || p >= 1 {
		return 1
	}
	independent := p * (1 - p) * float64(k) / float64(n)
	return max(1, squares(shares)/float64(k-1)/independent)
}
