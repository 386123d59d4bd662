package stats

import (
	"math"
	"slices"
)

// exactPairs is the greatest product of sample sizes (30 by 30) for which the
// distribution of U is counted out; beyond it the normal approximation of a
// p-value is within 0.003.
const exactPairs = 900

// RankTest is the outcome of [MannWhitney].
type RankTest struct {
	U      float64 // pairs in which x is the greater, ties counting half
	P      float64 // two-sided; 1 if a sample is empty
	Exact  bool    // counted out and not approximated
	N1, N2 int
}

// MannWhitney tests whether values of x and of y come from one distribution
// (Mann and Whitney, Ann. Math. Statist. 18, 1947). Up to 900 pairs, such as 30
// by 30, P is exact, given the ties: the share of all ways to deal the pooled
// values to the two samples whose U lies at least as far from its mean (Klotz,
// J. Amer. Statist. Assoc. 61, 1966). Beyond, it is the normal approximation
// with the variance corrected for ties and a continuity correction of 1/2.
func MannWhitney(x, y []float64) RankTest {
	a, b := ordered(x), ordered(y)
	out := RankTest{P: 1, N1: len(a), N2: len(b)}
	if len(a) == 0 || len(b) == 0 {
		return out
	}
	ties := make([]int, 0, len(a)+len(b)) // sizes of the groups of equal values
	for i, j := 0, 0; i < len(a) || j < len(b); {
		v := math.Inf(1)
		if i < len(a) {
			v = a[i]
		}
		if j < len(b) {
			v = min(v, b[j])
		}
		i0, j0 := i, j
		for i < len(a) && a[i] == v {
			i++
		}
		for j < len(b) && b[j] == v {
			j++
		}
		out.U += float64(i-i0) * (float64(j0) + float64(j-j0)/2)
		ties = append(ties, i-i0+j-j0)
	}
	pairs := float64(len(a)) * float64(len(b))
	away := math.Abs(out.U - pairs/2)
	if pairs <= exactPairs {
		out.Exact = true
		out.P = 0
		for twiceU, p := range uDistribution(len(a), len(b), ties) {
			if math.Abs(float64(twiceU)/2-pairs/2) >= away {
				out.P += p
			}
		}
		out.P = min(out.P, 1)
		return out
	}
	n, tied := float64(len(a)+len(b)), 0.0
	for _, t := range ties {
		tied += float64(t) * (float64(t)*float64(t) - 1)
	}
	sd := math.Sqrt(pairs / 12 * (n + 1 - tied/(n*(n-1))))
	if z := (away - 0.5) / sd; sd > 0 && z > 0 {
		out.P = min(1, 2*NormalCDF(-z))
	}
	return out
}

// uDistribution returns the chance of each value of 2U under chance alone, for
// samples of n1 and n2 values that form groups of equal values of the given
// sizes, in ascending order. It only adds, so that small chances stay exact.
func uDistribution(n1, n2 int, ties []int) []float64 {
	top := 2 * n1 * n2
	// ways[k][u]: deals of the groups seen so far that give k values to the
	// first sample and u to 2U.
	ways := make([][]float64, n1+1)
	for k := range ways {
		ways[k] = make([]float64, top+1)
	}
	ways[0][0] = 1
	seen := 0
	for _, t := range ties {
		for k := min(n1, seen+t); k >= 0; k-- {
			// Downwards in k, the rows below still describe the groups before
			// this one, and the row itself is what taking none of it leaves.
			if seen-k+t > n2 {
				clear(ways[k])
			}
			for take := max(1, k-seen); take <= min(t, k); take++ {
				from := k - take
				below := seen - from // of the second sample, under this group
				if below+t-take > n2 {
					continue
				}
				step := take * (2*below + t - take)
				c := choose(t, take)
				row := ways[k][step:]
				for u, w := range ways[from][:2*from*below+1] {
					row[u] += c * w
				}
			}
		}
		seen += t
	}
	out, all := ways[n1], choose(n1+n2, n1)
	for u := range out {
		out[u] /= all
	}
	return out
}

func choose(n, k int) float64 {
	c := 1.0
	for i := 1; i <= min(k, n-k); i++ {
		c = c * float64(n-min(k, n-k)+i) / float64(i)
	}
	return math.Round(c)
}

// HodgesLehmann estimates by how much values of x exceed values of y: the
// median of all differences x-y, with the interval between those differences
// that [MannWhitney] at the given level would not reject (Hodges and Lehmann,
// Ann. Math. Statist. 34, 1963; Moses' interval in Hollander and Wolfe,
// Nonparametric Statistical Methods, 4.3). Of logarithms it estimates the log
// of a ratio. The order statistic is exact up to 900 pairs and normal beyond;
// with ties it errs to the wide side. Where no pair of differences reaches the
// level the interval is the whole line.
//
// The differences are never listed: each order statistic is found in O((m+n)
// steps) by bisection, so samples of any size serve as they are.
func HodgesLehmann(x, y []float64, level float64) Interval {
	a, b := ordered(x), ordered(y)
	out := Interval{Low: math.Inf(-1), High: math.Inf(1), Level: cutLevel(level), N: len(a) + len(b)}
	pairs := len(a) * len(b)
	if pairs == 0 {
		return out
	}
	lo, hi := nthDifference(a, b, (pairs+1)/2), nthDifference(a, b, pairs/2+1)
	out.Value = lo/2 + hi/2
	if lo == hi {
		out.Value = lo
	}
	if c := criticalU(len(a), len(b), out.Level); c > 0 {
		out.Low, out.High = nthDifference(a, b, c), nthDifference(a, b, pairs+1-c)
	}
	return out
}

// criticalU is the greatest c with P(U <= c-1) <= level/2, 0 if there is none.
func criticalU(n1, n2 int, level float64) int {
	pairs := n1 * n2
	if level <= 0 {
		return 0
	}
	if pairs > exactPairs {
		sd := math.Sqrt(float64(pairs) * float64(n1+n2+1) / 12)
		c := math.Floor(float64(pairs)/2 + NormalQuantile(level/2)*sd)
		return min(max(int(c), 0), (pairs+1)/2)
	}
	p, c := 0.0, 0
	for u, q := range uDistribution(n1, n2, slices.Repeat([]int{1}, n1+n2)) {
		if p += q; p > level/2 || c >= (pairs+1)/2 {
			break
		}
		c = u/2 + 1
	}
	return c
}

// nthDifference is the k-th smallest (from 1) of all a-b, of sorted samples.
func nthDifference(a, b []float64, k int) float64 {
	minus := func(x, y float64) float64 {
		return min(max(x-y, -math.MaxFloat64), math.MaxFloat64)
	}
	atMost := func(v float64) int {
		count, j := 0, len(b)
		for i := len(a) - 1; i >= 0; i-- { // as a falls, more of b can be taken off
			for j > 0 && minus(a[i], b[j-1]) <= v {
				j--
			}
			count += len(b) - j
		}
		return count
	}
	// Bisection over the floating-point numbers themselves, in order, ends at
	// the one that is the difference.
	lo := place(minus(a[0], b[len(b)-1]))
	hi := place(minus(a[len(a)-1], b[0]))
	for lo < hi {
		mid := lo + int64(uint64(hi-lo)/2)
		if atMost(unplace(mid)) >= k {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return unplace(lo)
}

// place numbers the finite floating-point values in ascending order, with 0
// and -0 at one place.
func place(v float64) int64 {
	b := int64(math.Float64bits(v))
	if b < 0 {
		return math.MinInt64 - b
	}
	return b
}

func unplace(p int64) float64 {
	if p < 0 {
		return math.Float64frombits(uint64(math.MinInt64 - p))
	}
	return math.Float64frombits(uint64(p))
}
