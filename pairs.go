package serbench

import (
	"math"

	"github.com/serbench/serbench/internal/stats"
)

// Ratio is the op time of one cell over that of another, with what is known
// of its certainty.
type Ratio struct {
	Value     float64
	Low, High *float64 // nil without an interval
	Verdict   Verdict  // "" where the interval is none of the run's own
	Basis     Basis
}

// Basis says where the interval of a ratio comes from.
type Basis string

// The bases, the surest first.
const (
	Paired     Basis = "paired"   // a comparison of the run: block by block
	Through    Basis = "through"  // of two comparisons with a third cell, whose intervals hold together
	Separate   Basis = "separate" // the cells' own intervals, end to end: wider than need be
	FigureOnly Basis = "figures"  // the two figures, without an interval
	Identity   Basis = "itself"   // the cell over itself
)

// pairIndex finds what a report knows of two of its cells.
type pairIndex struct {
	direct map[string]map[string]*Comparison
	margin float64
}

func indexPairs(r *Report) *pairIndex {
	x := &pairIndex{direct: map[string]map[string]*Comparison{}, margin: max(0, r.Config.Margin)}
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		for _, id := range [2][2]string{{c.A, c.B}, {c.B, c.A}} {
			m := x.direct[id[0]]
			if m == nil {
				m = map[string]*Comparison{}
				x.direct[id[0]] = m
			}
			m[id[1]] = c
		}
	}
	return x
}

// from returns a comparison as seen from a: ratio of a to the other.
func from(c *Comparison, a string) (value, low, high float64, v Verdict) {
	value, low, high, v = 0, 0, math.Inf(1), c.Verdict
	if c.Ratio != nil {
		value = *c.Ratio
	}
	if c.Low != nil && c.High != nil {
		low, high = *c.Low, *c.High
	}
	if c.A == a {
		return value, low, high, v
	}
	switch v {
	case Faster:
		v = Slower
	case Slower:
		v = Faster
	}
	low, high = 1/high, 1/low
	if value > 0 {
		value = 1 / value
	}
	return value, low, high, v
}

// apart says whether comparisons of the run tell of a and b at all, and which
// is certainly faster: below 0 a, above 0 b, 0 neither.
func (x *pairIndex) apart(a, b *Result) (compared bool, faster int) {
	if c := x.direct[a.ID][b.ID]; c != nil {
		_, dl, dh, v := from(c, a.ID)
		if v != Undecided {
			return true, sign(v)
		}
		// What the pair itself does not tell, a third cell may: but not if
		// the two contradict each other.
		low, high, v, ok := x.through(a, b)
		switch {
		case !ok || low > dh || high < dl:
			return true, 0
		case v != "":
			return true, sign(v)
		}
		return true, sign(x.judge(low, high))
	}
	if low, high, v, ok := x.through(a, b); ok {
		if v != "" {
			return true, sign(v)
		}
		return true, sign(x.judge(low, high))
	}
	p, q := x.ends(a), x.ends(b)
	if p.compared || q.compared {
		return false, 0 // one of them was left out of the comparisons
	}
	return false, p.against(q, x.margin)
}

// logEnds are the logs of the ends of a cell's own interval; NaN if it has
// none. compared: the run compared the cell with others.
type logEnds struct {
	low, high float64
	compared  bool
}

func (x *pairIndex) ends(res *Result) logEnds {
	e := logEnds{math.NaN(), math.NaN(), len(x.direct[res.ID]) > 0}
	if t := res.Estimates.NsPerOp; t != nil && t.Low != nil && t.High != nil && *t.Low > 0 {
		e.low, e.high = math.Log(*t.Low), math.Log(*t.High)
	}
	return e
}

// against says which is certainly faster, as apart does.
func (e logEnds) against(o logEnds, margin float64) int {
	iv := stats.Interval{Low: e.low - o.high, High: e.high - o.low, N: 1}
	if math.IsNaN(iv.Low) || math.IsNaN(iv.High) || !iv.Bounded() {
		return 0
	}
	switch stats.Judge(iv, margin) {
	case stats.Faster:
		return -1
	case stats.Slower:
		return 1
	}
	return 0
}

func sign(v Verdict) int {
	switch v {
	case Faster:
		return -1
	case Slower:
		return 1
	}
	return 0
}

// judge is the rule of verdicts, on a ratio.
func (x *pairIndex) judge(low, high float64) Verdict {
	iv := stats.Interval{Low: math.Log(low), High: math.Log(high), N: 1}
	if !iv.Bounded() {
		return Undecided
	}
	switch stats.Judge(iv, x.margin) {
	case stats.Faster:
		return Faster
	case stats.Slower:
		return Slower
	case stats.Equivalent:
		return Equivalent
	}
	return Undecided
}

// through finds the narrowest interval of a/b by a third cell that both were
// compared with. The intervals of a group hold together, so that what follows
// from two of them holds too; so does that what is faster than a third is
// faster than what is slower than it, which is the verdict returned.
func (x *pairIndex) through(a, b *Result) (low, high float64, v Verdict, ok bool) {
	low, high = 0, math.Inf(1)
	one, other := false, false // a is certainly faster, or slower, than b
	for via, ca := range x.direct[a.ID] {
		cb := x.direct[b.ID][via]
		if cb == nil {
			continue
		}
		ok = true
		_, al, ah, av := from(ca, a.ID)
		_, bl, bh, bv := from(cb, b.ID)
		switch {
		case av == Faster && bv == Slower:
			one = true
		case av == Slower && bv == Faster:
			other = true
		}
		if l := al / bh; l > low { // also not of Inf/Inf
			low = l
		}
		if h := ah / bl; h < high {
			high = h
		}
	}
	if low > high || one && other { // two ways that contradict each other say nothing
		return 0, math.Inf(1), "", ok
	}
	switch {
	case one:
		v = Faster
	case other:
		v = Slower
	}
	return low, high, v, ok
}

// ends is the interval of a/b from the intervals of both, end to end.
func ends(a, b *Estimate) (low, high float64, ok bool) {
	if a == nil || b == nil || a.Low == nil || a.High == nil || b.Low == nil || b.High == nil || *b.Low <= 0 || *a.Low <= 0 {
		return 0, math.Inf(1), false
	}
	return *a.Low / *b.High, *a.High / *b.Low, true
}

// ratio is a/b with the surest interval there is; nil without op times.
func (x *pairIndex) ratio(a, b *Result) *Ratio {
	ea, eb := a.Estimates.NsPerOp, b.Estimates.NsPerOp
	if a == b {
		one := 1.0
		return &Ratio{Value: 1, Low: &one, High: &one, Basis: Identity}
	}
	if ea == nil || eb == nil || !(eb.Value > 0) || finite(ea.Value/eb.Value) == nil {
		return nil
	}
	out := &Ratio{Value: ea.Value / eb.Value, Basis: FigureOnly}
	set := func(low, high float64, basis Basis) {
		if low > 0 && !math.IsInf(high, 1) && low <= high {
			out.Low, out.High, out.Basis = finite(low), finite(high), basis
		}
	}
	if c := x.direct[a.ID][b.ID]; c != nil {
		value, low, high, v := from(c, a.ID)
		if value > 0 && finite(value) != nil {
			out.Value = value
		}
		out.Verdict, out.Basis = v, Paired
		set(low, high, Paired)
		return out
	}
	if low, high, _, ok := x.through(a, b); ok {
		// The plain ratio of the figures can lie beside the interval: it is
		// of other blocks. The middle of the interval is what was found.
		set(low, high, Through)
		if out.Low != nil && (out.Value < low || out.Value > high) {
			out.Value = math.Sqrt(low) * math.Sqrt(high)
		}
		return out
	}
	if low, high, ok := ends(ea, eb); ok {
		set(low, high, Separate)
	}
	return out
}
