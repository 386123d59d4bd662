package render

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/serbench/serbench"
)

// memoryTable shows what ops cost in memory: of a payload, what its values and
// one large message take, or of a payload and op, what the collector costs
// over live heaps.
type memoryTable struct {
	title   string
	columns []column
	notes   noteLines
	about   string // what the columns mean
}

const (
	aboutWeight = "held: heap that a decoded value keeps, and over its message. The rest is about one op on the large message " +
		"(*: one of the payload's, repeated): peak: the most that was found live while it ran, allocated: in all, which no peak exceeds, " +
		"left: its result. kept: behind it and two collections, in use: while usual messages go on between collections."
	aboutHeaps = "live heap: held beside what the process itself holds. sustained: the collector's work included. " +
		"GC share: of the CPU time. ops/GC: ops whose garbage makes a collection."
)

// memoryTables of the report, in the order of its tables.
func (p *textPrinter) memoryTables() (tables []*memoryTable) {
	for _, g := range p.memoryGroups() {
		for _, t := range []*memoryTable{p.weightTable(g), p.heapsTable(g)} {
			if t != nil {
				tables = append(tables, t)
			}
		}
	}
	explained := map[string]bool{}
	for _, t := range slices.Backward(tables) { // behind the last of each kind
		if explained[t.about] {
			t.about = ""
		}
		explained[t.about] = true
	}
	return tables
}

// memoryGroup is the rows of all ops of one payload.
type memoryGroup struct {
	title string
	rows  []memoryRow
}

type memoryRow struct {
	*row
	name   string
	m      *serbench.MemoryCost
	lossy  bool
	number int // of its op's table
}

func (p *textPrinter) memoryGroups() (out []*memoryGroup) {
	at := map[groupKey]*memoryGroup{}
	for i, g := range p.groups {
		key := g.key
		key.op, key.parallelism = "", 0
		for _, r := range g.rows() {
			if r.res.Memory == nil {
				continue
			}
			m := at[key]
			if m == nil {
				m = &memoryGroup{title: p.titleOf(g, false)}
				at[key] = m
				out = append(out, m)
			}
			name := p.shown[r.label]
			if g.key.parallelism > 1 {
				name += ", parallel " + strconv.Itoa(g.key.parallelism)
			}
			m.rows = append(m.rows, memoryRow{r, name, r.res.Memory, r.res.Status == serbench.StatusLossy, i})
		}
	}
	return out
}

// filled drops columns in which nothing stands.
func filled(columns []column) (out []column) {
	for _, c := range columns {
		if slices.ContainsFunc(c.cells, func(s string) bool { return s != "" && s != none }) {
			out = append(out, c)
		}
	}
	return out
}

func (p *textPrinter) weightTable(g *memoryGroup) *memoryTable {
	t := &memoryTable{title: "memory: " + g.title, about: aboutWeight}
	var rows []memoryRow
	for _, r := range g.rows {
		if r.m.HeldBytes != nil || r.m.Large != nil {
			rows = append(rows, r)
		}
		for _, reason := range r.m.Reasons {
			t.notes.warning(serbench.Warning{Code: "not measured", Message: visibleName(string(r.res.Op)) + ", " + reason}, r.name)
		}
	}
	if len(rows) == 0 && len(t.notes) == 0 {
		return nil
	}
	each := func(f func(r memoryRow) string) []string {
		cells := make([]string, len(rows))
		for i, r := range rows {
			cells[i] = f(r)
		}
		return cells
	}
	large := func(f func(l *serbench.LargeMessage) string) []string {
		return each(func(r memoryRow) string {
			if r.m.Large == nil {
				return none
			}
			return f(r.m.Large)
		})
	}
	t.columns = filled([]column{
		{title: "op", left: true, cells: each(func(r memoryRow) string { return visibleName(string(r.res.Op)) })},
		{title: "codec", left: true, cells: each(memoryRow.shownName)},
		{title: "held", cells: alignPoints(each(func(r memoryRow) string { return bytesText(r.m.HeldBytes) }))},
		{title: "", left: true, cells: each(func(r memoryRow) string { return spreadText(r.m.HeldBytes) })},
		{title: "/msg", cells: alignPoints(each(func(r memoryRow) string {
			if r.m.HeldRatio == nil {
				return none
			}
			return significant(*r.m.HeldRatio, 3)
		}))},
		{title: "large", cells: large(func(l *serbench.LargeMessage) string {
			s := wholeSize(float64(l.EncodedBytes))
			if l.Grown {
				s += "*"
			}
			return s
		})},
		{title: "peak", cells: large(func(l *serbench.LargeMessage) string { return bytesText(l.PeakBytes) })},
		{title: "allocated", cells: large(func(l *serbench.LargeMessage) string { return wholeSize(float64(l.AllocBytes)) })},
		{title: "left", cells: large(func(l *serbench.LargeMessage) string { return wholeSize(float64(l.ResultBytes)) })},
		{title: "kept", cells: each(func(r memoryRow) string { return bytesText(r.m.KeptBytes) })},
		{title: "in use", cells: each(func(r memoryRow) string { return bytesText(r.m.KeptBusyBytes) })},
	})
	return t
}

func (p *textPrinter) heapsTable(g *memoryGroup) *memoryTable {
	type line struct {
		memoryRow
		h *serbench.HeapCost
	}
	var lines []line
	for _, r := range g.rows {
		for i := range r.m.LiveHeaps {
			lines = append(lines, line{r, &r.m.LiveHeaps[i]})
		}
	}
	if len(lines) == 0 {
		return nil
	}
	slices.SortStableFunc(lines, func(a, b line) int { // lossy codecs do less: behind the others
		order := func(e *serbench.Estimate) float64 {
			if e == nil || !finite(e.Value) {
				return math.MaxFloat64
			}
			return e.Value
		}
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.h.LiveHeap, b.h.LiveHeap), later(a.lossy)-later(b.lossy),
			cmp.Compare(order(a.h.SustainedNsPerOp), order(b.h.SustainedNsPerOp)))
	})
	each := func(f func(l line) string) []string {
		cells := make([]string, len(lines))
		for i, l := range lines {
			cells[i] = f(l)
		}
		return cells
	}
	times := func(f func(h *serbench.HeapCost) *serbench.Estimate) []string {
		return alignPoints(each(func(l line) string {
			if e := f(l.h); e != nil {
				return timeText(e.Value)
			}
			return none
		}))
	}
	return &memoryTable{title: "the collector's cost: " + g.title, about: aboutHeaps, columns: filled([]column{
		{title: "op", left: true, cells: each(func(l line) string { return visibleName(string(l.res.Op)) })},
		{title: "live heap", cells: each(func(l line) string {
			if l.h.LiveHeap == 0 {
				return "own"
			}
			return wholeSize(float64(l.h.LiveHeap))
		})},
		{title: "codec", left: true, cells: each(func(l line) string { return l.shownName() })},
		{title: "sustained", cells: times(func(h *serbench.HeapCost) *serbench.Estimate { return h.SustainedNsPerOp })},
		{title: "cpu/op", cells: times(func(h *serbench.HeapCost) *serbench.Estimate { return h.CPUNsPerOp })},
		{title: "GC cpu/op", cells: times(func(h *serbench.HeapCost) *serbench.Estimate { return h.GCCPUNsPerOp })},
		{title: "GC share", cells: alignPoints(each(func(l line) string {
			if l.h.GCShare == nil {
				return none
			}
			return significant(100**l.h.GCShare, 3) + " %"
		}))},
		{title: "ops/GC", cells: each(func(l line) string {
			e := l.h.GCCyclesPerOp
			if e == nil || !finite(e.Value) || e.Value <= 0 {
				return none
			}
			return significant(1/e.Value, 3)
		})},
		{title: "B/op", cells: each(func(l line) string { return countText(l.res.Estimates.AllocBytesPerOp, true) })},
	})}
}

func later(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func (r memoryRow) shownName() string {
	if r.lossy {
		return r.name + " (lossy)"
	}
	return r.name
}

// wholeSize writes a size with three digits.
func wholeSize(bytes float64) string {
	u := fitting(sizeUnits, bytes)
	return significant(bytes/u.size, 3) + " " + u.name
}

func bytesText(e *serbench.Estimate) string {
	if e == nil || !finite(e.Value) {
		return none
	}
	return wholeSize(e.Value)
}

// spreadText is how far repeats that are not alike are from the value.
func spreadText(e *serbench.Estimate) string {
	if e == nil || e.Min == nil || e.Max == nil || !finite(*e.Min) || !finite(*e.Max) || e.Value <= 0 {
		return ""
	}
	off := max(e.Value-*e.Min, *e.Max-e.Value) / e.Value
	if off < 0.005 {
		return ""
	}
	return "±" + significant(100*off, 2) + " %"
}

// memory writes the tables behind those of times.
func (p *textPrinter) memory() {
	for _, t := range p.memoryTables() {
		p.printf("\n%s\n", t.title)
		writeTable(&p.b, t.columns)
		for _, l := range t.notes {
			p.b.WriteString(wrapHanging("  ", "    ", l.String()))
		}
		if t.about != "" {
			p.b.WriteString(wrapHanging("  ", "  ", t.about))
		}
	}
}

func (m *markdownWriter) memory(p *textPrinter) {
	for _, t := range p.memoryTables() {
		heading := "\n## " + markdownText(t.title) + "\n\n"
		if len(t.columns) == 0 {
			m.block(heading)
		} else {
			m.table(heading, t.columns)
		}
		list := ""
		for _, l := range t.notes {
			list += "- " + markdownText(l.String()) + "\n"
		}
		if t.about != "" {
			list += "\n" + markdownText(t.about) + "\n"
		}
		if list != "" {
			m.block("\n" + strings.TrimPrefix(list, "\n"))
		}
	}
}

func (p *htmlPrinter) memory() {
	for _, t := range p.memoryTables() {
		p.raw(`<section class="memory"><h2>`, esc(t.title), "</h2>\n")
		if len(t.columns) > 0 {
			p.raw(`<div class="scroll" tabindex="0" role="region" aria-label="`, esc(t.title), `"><table><thead><tr>`)
			for _, c := range t.columns {
				title := c.title
				if title == "" {
					title = "spread"
				}
				p.raw(`<th scope="col"`, leftClass(c), ">", esc(title), "</th>")
			}
			p.raw("</tr></thead><tbody>\n")
			for i := range t.columns[0].cells {
				p.raw("<tr>")
				for _, c := range t.columns {
					cell := esc(strings.Join(strings.Fields(c.cells[i]), " "))
					if c.title == "codec" {
						p.raw(`<th scope="row" class="l">`, cell, "</th>")
					} else {
						p.raw("<td", leftClass(c), ">", cell, "</td>")
					}
				}
				p.raw("</tr>\n")
			}
			p.raw("</tbody></table></div>\n")
		}
		if len(t.notes) > 0 {
			p.raw("<ul>")
			for _, l := range t.notes {
				p.raw("<li>", esc(l.String()), "</li>\n")
			}
			p.raw("</ul>")
		}
		if t.about != "" {
			p.raw(`<p class="dim">`, esc(t.about), "</p>")
		}
		p.raw("</section>\n")
	}
}

func leftClass(c column) string {
	if c.left {
		return ` class="l"`
	}
	return ""
}
