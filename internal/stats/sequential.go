package stats

import (
	"math"
	"slices"
)

// DefaultLookLevel is the two-sided level of each look, before it is divided by
// the number of comparisons. Ten looks at it err in at most 5 % of equal pairs
// even at margin 0, strong skew (which needs this rather than 0.006) and AR(1)
// blocks with a correlation of 0.5 included. What it does not hold at margin 0,
// by the simulated suite: 6 % where states of the machine favour one side for
// some blocks and then the other, and 7 to 8 % in families of ten comparisons
// with that or with a correlation of 0.5.
const DefaultLookLevel = 0.003

// MinBlocks is the number of blocks below which no verdict is given: with fewer
// a trimmed mean trims nothing, and one wild block decides.
const MinBlocks = 11

var looks = [...]int{MinBlocks, 16, 23, 32, 45, 64, 90, 128, 181, 256}

// Looks returns the numbers of blocks after which verdicts are taken, each
// about √2 times the one before.
func Looks() []int { return slices.Clone(looks[:]) }

// NextLook is the first look after n blocks, and false after the last one.
func NextLook(n int) (int, bool) {
	for _, l := range looks {
		if l > n {
			return l, true
		}
	}
	return 0, false
}

// Verdict is what the blocks say of a ratio A/B of times.
type Verdict int

// The verdicts.
const (
	Undecided  Verdict = iota // go on, or out of budget
	Equivalent                // the whole interval lies within the margin
	Faster                    // A takes less time than B
	Slower                    // A takes more
)

// String returns the word that reports use.
func (v Verdict) String() string {
	switch v {
	case Equivalent:
		return "equivalent"
	case Faster:
		return "faster"
	case Slower:
		return "slower"
	}
	return "undecided"
}

// Reason is why a decision is undecided; empty otherwise.
type Reason string

// The reasons.
const (
	FewBlocks Reason = "too few blocks for a verdict"
	NoLevel   Reason = "a level of 0 allows no verdict"
	TooWide   Reason = "the interval allows more than one verdict"
)

// Sequential is a procedure that looks at growing samples of one comparison and
// stops at the first verdict, with an error rate that survives the looking. Its
// fields are taken as they are: there are no defaults behind a zero.
type Sequential struct {
	// Margin is the difference that does not matter, as a share: 0.01 is 1 %,
	// from 1/1.01 to 1.01. At 0, and if negative or NaN, only blocks that are
	// all exactly equal are equivalent, and any difference that the interval
	// excludes 0 for is a verdict.
	Margin float64
	// LookLevel is the two-sided level of one look, see [DefaultLookLevel]. At
	// 0, and if negative or NaN, nothing is ever decided.
	LookLevel float64
	// Comparisons is the number of comparisons that share the error rate
	// (Bonferroni); below 1 it is 1.
	Comparisons int
}

// Decision is the state of a comparison after a look.
type Decision struct {
	Ratio       float64 // typical time of A / that of B; 1 without blocks
	Low, High   float64 // 0 and +Inf where nothing bounds them
	Level       float64 // chance that this interval misses: the look's, divided by the comparisons
	Blocks      int     // blocks used: those whose ratio is a number
	Verdict     Verdict
	Reason      Reason
	Correlation Correlation // between neighbouring blocks
}

// Bounded reports whether the interval says anything.
func (d Decision) Bounded() bool {
	return d.Blocks > 0 && d.Low > 0 && !math.IsInf(d.High, 1)
}

// Level is the level of one look at one comparison.
func (s Sequential) Level() float64 {
	return cutLevel(s.LookLevel / float64(max(s.Comparisons, 1)))
}

// Decide looks at the block values of a pair in time order: for each block the
// log of the time of A over that of B. The estimate is that of [BlockMean] with
// [Trim], the verdict that of [Judge].
//
// It is meant to be called at the numbers of blocks of [Looks]. One more call
// when the budget ends between two looks takes the place of those that are not
// reached and costs nothing; a call after every block voids the level.
func (s Sequential) Decide(logRatios []float64) Decision {
	level := s.Level()
	iv, c := BlockMean(logRatios, Trim, level)
	r := iv.Exp()
	d := Decision{
		Ratio: r.Value, Low: r.Low, High: r.High,
		Level: level, Blocks: iv.N, Correlation: c,
	}
	switch {
	case iv.N < MinBlocks:
		d.Reason = FewBlocks
	case level == 0:
		d.Reason = NoLevel
	default:
		if d.Verdict = Judge(iv, s.Margin); d.Verdict == Undecided {
			d.Reason = TooWide
		}
	}
	return d
}

// Judge turns an interval of log-ratios into a verdict, in this order:
// equivalent, if it lies within the margin δ, even where it excludes 0; else
// faster or slower, if it lies wholly beyond δ/2 on one side; else undecided.
// The margin is as in [Sequential]. Exchanging A and B exchanges faster and
// slower and changes nothing else. An unbounded interval is undecided.
func Judge(logRatio Interval, margin float64) Verdict {
	if math.IsNaN(margin) || margin < 0 {
		margin = 0
	}
	within, beyond := math.Log1p(margin), math.Log1p(margin/2)
	switch {
	case !logRatio.Bounded():
		return Undecided
	case logRatio.Low >= -within && logRatio.High <= within:
		return Equivalent
	case logRatio.High < -beyond:
		return Faster
	case logRatio.Low > beyond:
		return Slower
	}
	return Undecided
}
