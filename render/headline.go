package render

import (
	"slices"
	"strconv"
	"strings"

	"github.com/serbench/serbench"
)

// headline says in words what the comparisons of a table found: how much
// faster the first is than the next, and who cannot be told apart. It is
// empty if nothing was compared.
func (g *group) headline(index comparisonIndex, shown map[string]string) string {
	var sentences []string
	for _, rows := range [][]*row{g.ranked, g.lossy} {
		if s := headlineOf(g.key.op, rows, index, shown); s != "" && !slices.Contains(sentences, s) {
			sentences = append(sentences, s)
		}
	}
	return strings.Join(sentences, "; ")
}

func headlineOf(op serbench.Op, rows []*row, index comparisonIndex, shown map[string]string) string {
	if index.knowsNothing(rows) {
		return "nothing is known of the differences: " + whyNothing(rows, index)
	}
	var parts []string
	if s := lead(op, rows, index, shown); s != "" {
		parts = append(parts, s)
	}
	return strings.Join(append(parts, ties(rows, index, shown)...), "; ")
}

func whyNothing(rows []*row, index comparisonIndex) string {
	several := false
	for i, a := range rows {
		several = several || a.ns() != nil && a.ns().N > 1
		for _, b := range rows[i+1:] {
			if c := index[a.res.ID][b.res.ID]; c != nil && c.Reason != "" {
				return visible(c.Reason)
			}
		}
	}
	if several {
		return "no intervals"
	}
	return "one sample each"
}

// lead compares the first row with the nearest one that is certainly slower.
func lead(op serbench.Op, rows []*row, index comparisonIndex, shown map[string]string) string {
	if len(rows) == 0 {
		return ""
	}
	first := rows[0]
	for _, other := range rows[1:] {
		r := index.of(other.res.ID, first.res.ID)
		if r == nil || r.verdict != serbench.Slower || r.value == 0 {
			continue
		}
		return shown[first.label] + " " + verb(op) + " " + timesAsFast(r) + " as " + shown[other.label] + interval(r)
	}
	return ""
}

func timesAsFast(r *ratio) string { return ratioTexts(r.value)[0] + " times as fast" }

// interval writes " (2.28 to 2.34)".
func interval(r *ratio) string {
	if r.low == nil || r.high == nil {
		return ""
	}
	t := ratioTexts(r.value, *r.low, *r.high)
	return " (" + t[1] + " to " + t[2] + ")"
}

// ties tells of neighbours that were compared and share a rank.
func ties(rows []*row, index comparisonIndex, shown map[string]string) []string {
	var parts []string
	for i := 0; i < len(rows); {
		// A run of neighbours with the same verdict makes one clause.
		j, verdict, margin := i, serbench.Verdict(""), 0.0
		for j+1 < len(rows) {
			r := index.of(rows[j+1].res.ID, rows[j].res.ID)
			if r == nil || index.faster(rows[j].res.ID, rows[j+1].res.ID) || r.verdict != serbench.Equivalent && r.verdict != serbench.Undecided || j > i && (r.verdict != verdict || r.margin != margin) {
				break
			}
			verdict, margin = r.verdict, r.margin
			j++
		}
		if j == i {
			i++
			continue
		}
		var names []string
		for _, r := range rows[i : j+1] {
			names = append(names, shown[r.label])
		}
		clause := listOf(names) + ": " + string(verdict) + " within " + percent(margin)
		if j == i+1 {
			r := index.of(rows[j].res.ID, rows[i].res.ID)
			clause += interval(r)
			if r.reason != "" && !r.holdsOne() {
				clause += " (" + visible(r.reason) + ")"
			}
		}
		parts = append(parts, clause)
		i = j
	}
	return parts
}

// holdsOne says that the interval itself shows why nothing was decided.
func (r *ratio) holdsOne() bool {
	return r.low != nil && r.high != nil && *r.low <= 1+r.margin && *r.high >= 1-r.margin
}

// percent writes a share: 0.01 is "1 %".
func percent(share float64) string {
	if !finite(share) {
		return none
	}
	return strconv.FormatFloat(100*share, 'g', 3, 64) + " %"
}

// listOf joins names as a sentence does.
func listOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// verb says what a codec does in an op.
func verb(op serbench.Op) string {
	switch op {
	case serbench.OpEncode:
		return "encodes"
	case serbench.OpDecode:
		return "decodes"
	case serbench.OpRoundtrip:
		return "makes the round trip"
	case serbench.OpAppend:
		return "appends"
	case serbench.OpReuse:
		return "decodes into a used value"
	case serbench.OpSend:
		return "encodes and sends"
	case serbench.OpReceive:
		return "receives and decodes"
	case serbench.OpStreamEncode:
		return "encodes a stream"
	case serbench.OpStreamDecode:
		return "decodes a stream"
	}
	return "does " + visibleName(string(op))
}
