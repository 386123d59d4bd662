package render

import (
	"bytes"
	"strings"

	"github.com/serbench/serbench"
)

// column is a column of a table of text.
type column struct {
	title string
	left  bool // flush left, else right
	cells []string
}

// columns makes the columns of a table; one in which nothing stands is left
// out.
func (p *textPrinter) columns(g *group, rows []*row) []column {
	pick := func(f func(e serbench.Estimates) *serbench.Estimate) []*serbench.Estimate {
		picked := make([]*serbench.Estimate, len(rows))
		for i, r := range rows {
			picked[i] = f(r.res.Estimates)
		}
		return picked
	}
	each := func(f func(r *row) string) []string {
		cells := make([]string, len(rows))
		for i, r := range rows {
			cells[i] = f(r)
		}
		return cells
	}
	first := reference(g)
	nothingKnown := p.comparisons.knowsNothing(g.ranked)
	columns := []column{
		{title: "rank", cells: each(func(r *row) string { return rankText(g, r) })},
		{title: "codec", left: true, cells: each(func(r *row) string { return p.shown[r.label] })},
		{title: "time/op", cells: timeColumn(pick(func(e serbench.Estimates) *serbench.Estimate { return e.NsPerOp }))},
		{title: "", left: true, cells: each(func(r *row) string { return intervalText(r.ns()) })},
		{title: "ratio", cells: alignPoints(each(func(r *row) string { return ratioText(r, first, len(rows)) }))},
		{title: "", left: true, cells: each(ratioIntervalText)},
		{title: "sustained", cells: timeColumn(pick(func(e serbench.Estimates) *serbench.Estimate { return e.SustainedNsPerOp }))},
		{title: "cpu/op", cells: onlyIf(g.key.parallelism > 1, timeColumn(pick(func(e serbench.Estimates) *serbench.Estimate { return e.CPUNsPerOp })))},
		{title: "op/s", cells: onlyIf(g.key.parallelism > 1, alignPoints(each(func(r *row) string { return countText(r.res.Estimates.OpsPerS, false) })))},
		{title: "encoded", cells: each(func(r *row) string { return encodedText(r.res.Encoded) })},
		{title: "B/op", cells: each(func(r *row) string { return countText(r.res.Estimates.AllocBytesPerOp, true) })},
		{title: "allocs/op", cells: each(func(r *row) string { return countText(r.res.Estimates.AllocsPerOp, false) })},
		{title: "note", left: true, cells: each(func(r *row) string { return noteText(r, nothingKnown) })},
	}
	var filled []column
	for _, c := range columns {
		for _, cell := range c.cells {
			if cell != "" && cell != none || c.title == "rank" && nothingKnown {
				filled = append(filled, c)
				break
			}
		}
	}
	return filled
}

func onlyIf(wanted bool, cells []string) []string {
	if wanted {
		return cells
	}
	return nil
}

// reference is the row that the others are compared with.
func reference(g *group) *row {
	for _, rows := range [][]*row{g.ranked, g.lossy} {
		if len(rows) > 0 {
			return rows[0]
		}
	}
	return nil
}

// writeTable writes columns with two spaces between them; no line ends in
// spaces.
func writeTable(b *bytes.Buffer, columns []column) {
	if len(columns) == 0 {
		return
	}
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = width(c.title)
		for _, cell := range c.cells {
			widths[i] = max(widths[i], width(cell))
		}
	}
	line := func(cell func(c column) string) {
		var l strings.Builder
		for i, c := range columns {
			if i > 0 {
				l.WriteString("  ")
			}
			if c.left {
				l.WriteString(padRight(cell(c), widths[i]))
			} else {
				l.WriteString(padLeft(cell(c), widths[i]))
			}
		}
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	line(func(c column) string { return c.title })
	for i := range columns[0].cells {
		line(func(c column) string { return c.cells[i] })
	}
}
