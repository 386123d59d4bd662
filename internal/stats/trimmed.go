package stats

import "math"

// Trim is the share that serbench trims from each end of a sample.
const Trim = 0.10

// Interval is an estimate and the interval around it.
type Interval struct {
	Value float64 // 0 if N is 0
	Low   float64 // -Inf where nothing bounds it
	High  float64 // +Inf where nothing bounds it
	Level float64 // chance that the interval misses, 0 to 1
	N     int     // observations used
}

// Bounded reports whether the interval says anything: both ends are finite.
func (i Interval) Bounded() bool {
	return i.N > 0 && !math.IsInf(i.Low, 0) && !math.IsInf(i.High, 0)
}

// Exp turns an interval of logarithms into one of ratios. An unbounded one
// becomes 0 to +Inf; the value of an empty one becomes 1.
func (i Interval) Exp() Interval {
	i.Value, i.Low, i.High = math.Exp(i.Value), math.Exp(i.Low), math.Exp(i.High)
	return i
}

// around builds the interval of half-width t(df)·se, or the whole line where
// level, df or se cannot carry one.
func around(value, se, df, level float64, n int) Interval {
	out := Interval{Value: value, Low: math.Inf(-1), High: math.Inf(1), Level: cutLevel(level), N: n}
	if n == 0 || out.Level == 0 || !(df > 0) || math.IsNaN(se) || math.IsInf(se, 0) {
		return out
	}
	half := -StudentQuantile(out.Level/2, df) * se
	if se == 0 {
		half = 0
	}
	out.Low, out.High = value-half, value+half
	return out
}

func cutLevel(level float64) float64 {
	if math.IsNaN(level) {
		return 0
	}
	return min(max(level, 0), 1)
}

// TrimmedMean is the mean of the sample without its g = ⌊trim·n⌋ lowest and
// highest values, with the interval of Tukey and McLaughlin (Sankhyā A 25,
// 1963): the standard error is √(SSD/(h(h-1))), where SSD is the sum of squared
// deviations of the Winsorised sample and h = n-2g, and t has h-1 degrees of
// freedom. The estimand is the trimmed mean of the distribution, which is its
// centre if it is symmetric. It takes the observations as independent; for
// blocks in time order use [BlockMean].
//
// trim is cut to 0..1/2; at 1/2 the value is the median and there is no
// interval. One observation gives its value and the whole line, none gives 0
// and the whole line. If all values between the trimmed ends are equal the
// interval is a point.
func TrimmedMean(xs []float64, trim, level float64) Interval {
	e := trimmedEstimate(xs, trim)
	return around(e.mean, e.se(), e.df, level, e.n)
}

// estimate is a mean with what its interval is made of.
type estimate struct {
	mean, variance, df float64
	n                  int
}

func (e estimate) se() float64 { return math.Sqrt(e.variance) }

func (t trimmedSample) estimate() estimate {
	return estimate{mean: t.mean, variance: t.ssd / (t.h * (t.h - 1)), df: t.h - 1, n: t.n}
}

// trimmedSample is what the intervals of trimmed means are made of.
type trimmedSample struct {
	n    int
	mean float64 // of the values kept, 0 if none
	ssd  float64 // of the Winsorised sample
	h    float64 // number of the values kept
	low  float64 // the values that the ends are Winsorised to
	high float64
}

// trimmed takes sorted observations and leaves them Winsorised.
func trimmed(sorted []float64, trim float64) trimmedSample {
	n := len(sorted)
	if n == 0 {
		return trimmedSample{}
	}
	if math.IsNaN(trim) {
		trim = 0
	}
	// 1e-9 makes 0.29·100 = 28.999999999999996 the 29 that was meant.
	g := min(int(min(max(trim, 0), 0.5)*float64(n)+1e-9), (n-1)/2)
	t := trimmedSample{
		n:    n,
		mean: mean(sorted[g : n-g]),
		h:    float64(n - 2*g),
		low:  sorted[g],
		high: sorted[n-1-g],
	}
	for i := range g {
		sorted[i], sorted[n-1-i] = t.low, t.high
	}
	t.ssd = squares(sorted)
	return t
}
