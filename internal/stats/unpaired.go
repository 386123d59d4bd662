package stats

import "math"

// Difference compares two samples by what they are centred on.
type Difference struct {
	Interval         // of x's trimmed mean less y's; N counts both samples
	P        float64 // two-sided; 1 where a sample is too small
	DF       float64 // degrees of freedom of the interval, 0 where there is none
}

// YuenWelch compares the trimmed means of two independent samples that need
// not be equally spread: Yuen, Biometrika 61 (1974), with Winsorised variances
// and the degrees of freedom of Welch. At trim 0 it is Welch's t-test.
//
// With fewer than two values kept in a sample the interval is the whole line
// and P is 1. If neither sample varies the interval is a point, and P is 1 if
// it is 0 and 0 if it is not.
func YuenWelch(x, y []float64, trim, level float64) Difference {
	return welch(trimmedEstimate(x, trim), trimmedEstimate(y, trim), level)
}

// BlockDifference is [YuenWelch] for blocks in time order, each sample with the
// allowance for correlation of [BlockMean]. This is for op times that were not
// taken side by side, which follow the state of the machine.
func BlockDifference(x, y []float64, trim, level float64) Difference {
	a, _ := blockEstimate(x, trim)
	b, _ := blockEstimate(y, trim)
	return welch(a, b, level)
}

func welch(a, b estimate, level float64) Difference {
	n := a.n + b.n
	if a.n == 0 || b.n == 0 {
		return Difference{Interval: around(0, 0, 0, level, 0), P: 1}
	}
	out := Difference{P: 1}
	diff := min(max(a.mean-b.mean, -math.MaxFloat64), math.MaxFloat64)
	if !(a.df > 0) || !(b.df > 0) {
		out.Interval = around(diff, 0, 0, level, n)
		return out
	}
	v := a.variance + b.variance
	df := a.df + b.df
	if v > 0 && !math.IsInf(v, 1) {
		pa, pb := a.variance/v, b.variance/v
		df = 1 / (pa*pa/a.df + pb*pb/b.df)
	}
	out.DF = df
	out.Interval = around(diff, math.Sqrt(v), df, level, n)
	switch {
	case v > 0:
		out.P = min(1, 2*StudentCDF(-math.Abs(diff)/math.Sqrt(v), df))
	case diff != 0:
		out.P = 0
	}
	return out
}
