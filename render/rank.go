package render

import (
	"cmp"
	"slices"

	"github.com/serbench/serbench"
)

// comparisonIndex finds the comparison of two results, from either side.
type comparisonIndex map[string]map[string]*serbench.Comparison

func indexComparisons(comparisons []serbench.Comparison) comparisonIndex {
	index := comparisonIndex{}
	for i := range comparisons {
		c := &comparisons[i]
		for _, pair := range [2][2]string{{c.A, c.B}, {c.B, c.A}} {
			if index[pair[0]] == nil {
				index[pair[0]] = map[string]*serbench.Comparison{}
			}
			index[pair[0]][pair[1]] = c
		}
	}
	return index
}

// of is the comparison of a with b as a ratio of their times; nil if they were
// not compared.
func (index comparisonIndex) of(a, b string) *ratio {
	c := index[a][b]
	if c == nil {
		return nil
	}
	r := &ratio{low: c.Low, high: c.High, verdict: c.Verdict, margin: c.Margin, reason: c.Reason}
	if c.Ratio != nil {
		r.value = *c.Ratio
	}
	if c.A != a {
		return r.inverse()
	}
	return r
}

// inverse is the ratio from the other side.
func (r *ratio) inverse() *ratio {
	over := func(p *float64) *float64 {
		if p == nil || *p == 0 {
			return nil
		}
		v := 1 / *p
		return &v
	}
	inv := *r
	inv.low, inv.high = over(r.high), over(r.low)
	if r.value != 0 {
		inv.value = 1 / r.value
	}
	switch r.verdict {
	case serbench.Faster:
		inv.verdict = serbench.Slower
	case serbench.Slower:
		inv.verdict = serbench.Faster
	}
	return &inv
}

// ratio is that of the times of two results, of the comparison if there is
// one, else of the plain figures; nil if neither is there.
func (index comparisonIndex) ratio(a, b *serbench.Result) *ratio {
	r := index.of(a.ID, b.ID)
	if r != nil && r.value != 0 {
		return r
	}
	var plain ratio
	if r != nil {
		plain = *r
	}
	x, y := a.Estimates.NsPerOp, b.Estimates.NsPerOp
	if x == nil || y == nil || !(y.Value > 0) || !finite(x.Value/y.Value) {
		return nil
	}
	plain.value, plain.low, plain.high = x.Value/y.Value, nil, nil
	return &plain
}

// faster says whether a is certainly faster than b: by their comparison, or,
// where that is undecided or is not there, because a third that was compared
// with both stands between them. The intervals of a group hold together (their level is
// divided by the number of comparisons), so two that share a reference and do
// not touch are decided apart too.
func (index comparisonIndex) faster(a, b string) bool {
	if r := index.of(a, b); r != nil && (r.verdict != serbench.Undecided || r.low != nil && *r.low > 1) {
		return r.verdict == serbench.Faster
	}
	return index.through(a, b) && !index.through(b, a)
}

func (index comparisonIndex) through(a, b string) bool {
	for via := range index[a] {
		if index[b][via] == nil {
			continue
		}
		ra, rb := index.of(a, via), index.of(b, via)
		if ra.verdict == serbench.Faster && rb.verdict == serbench.Slower {
			return true
		}
		if ra.high != nil && rb.low != nil && *ra.high*(1+ra.margin/2) < *rb.low {
			return true
		}
	}
	return false
}

// knowsNothing says that cells were compared, and that no comparison of them
// has so much as an interval.
func (index comparisonIndex) knowsNothing(rows []*row) bool {
	compared := false
	for _, a := range rows {
		is, tells := index.tells(a, rows)
		if tells {
			return false
		}
		compared = compared || is
	}
	return compared
}

// tells says whether a cell was compared with any of others, and whether one of
// these comparisons found out anything.
func (index comparisonIndex) tells(a *row, others []*row) (compared, anything bool) {
	for _, b := range others {
		if c := index[a.res.ID][b.res.ID]; c != nil && a != b {
			compared = true
			anything = anything || c.Low != nil || c.High != nil || c.Verdict != serbench.Undecided
		}
	}
	return compared, anything
}

// rank sorts cells and sets their ranks; it says whether comparisons stand
// behind them. A rank is 1 + the number of cells that are certainly faster, so
// that cells which are not decided apart share it. Where nothing is known of
// any difference, there are no ranks.
//
// Note: "not decided apart" is not transitive: of three cells only the first
// and the last may be. Then the last has rank 2 and the others 1, which claims
// only what is certain.
func rank(rows []*row, index comparisonIndex) (compared bool) {
	has := make(map[*row]bool, len(rows))
	for _, r := range rows {
		var is bool
		is, has[r] = index.tells(r, rows)
		compared = compared || is
	}
	slices.SortStableFunc(rows, compareTimes)
	for i, r := range rows {
		switch {
		case !compared && i > 0 && compareTimes(rows[i-1], r) == 0:
			r.rank = rows[i-1].rank
		case !compared:
			r.rank = i + 1
		case has[r]: // of the others nothing is known, least of all that they are equal
			r.rank = 1
			for _, other := range rows {
				if has[other] && other != r && index.faster(other.res.ID, r.res.ID) {
					r.rank++
				}
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b *row) int {
		if (a.rank == 0) != (b.rank == 0) {
			return cmp.Compare(b.rank, a.rank) // what is not ranked comes last
		}
		return cmp.Compare(a.rank, b.rank)
	})
	return compared
}

func compareTimes(a, b *row) int {
	x, y := a.ns(), b.ns()
	switch {
	case x == nil && y == nil:
		return 0
	case x == nil:
		return 1
	case y == nil:
		return -1
	}
	return cmp.Compare(x.Value, y.Value)
}
