package render

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/serbench/serbench"
)

// extra is a further table of a group, of what was measured on request.
type extra struct {
	title   string
	columns []column
	notes   noteLines
}

// extras are the group's, those with something in them.
func (p *textPrinter) extras(g *group) (out []extra) {
	for _, x := range []extra{p.latencies(g), p.colds(g)} {
		if len(x.columns) > 0 || len(x.notes) > 0 {
			out = append(out, x)
		}
	}
	return out
}

// latencies is the table of single calls.
func (p *textPrinter) latencies(g *group) extra {
	var x extra
	var rows []*row
	calls := map[int64]bool{}
	heap := int64(0)
	for _, r := range g.rows() {
		l := r.res.Latency
		if l == nil {
			continue
		}
		heap = max(heap, l.LiveHeap)
		if l.Reason != "" {
			x.notes.warning(serbench.Warning{Code: "no figures", Message: l.Reason}, p.shown[r.label])
		}
		if l.Calls <= 0 {
			continue
		}
		rows, calls[l.Calls] = append(rows, r), true
		if l.GCCycles == 0 && l.CallsPerGC > 0 {
			x.notes.warning(serbench.Warning{Code: "no collection", Message: "one is due every " + roundText(l.CallsPerGC) + " calls and is in none of the figures"}, p.shown[r.label])
		}
		for _, q := range l.Quantiles {
			if q.Ns == nil && q.Reason != "" {
				x.notes.warning(serbench.Warning{Code: "no " + quantileName(q.Q), Message: q.Reason}, p.shown[r.label])
			}
		}
	}
	x.title = "single calls"
	if gogc := p.gogc(g.key.environment); gogc != "" {
		x.title += ", under the process's own collector, GOGC=" + visibleName(gogc)
	}
	if heap > 0 {
		x.title += ", over a live heap of " + sizeText(float64(heap))
	}
	if len(rows) == 0 {
		return x
	}
	each := func(f func(l *serbench.Latency) string) []string {
		cells := make([]string, len(rows))
		for i, r := range rows {
			cells[i] = f(r.res.Latency)
		}
		return cells
	}
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = p.shown[r.label]
	}
	x.columns = []column{{title: "codec", left: true, cells: names}}
	count := func(l *serbench.Latency) string { return strconv.FormatInt(l.Calls, 10) }
	if len(calls) == 1 {
		x.title = count(rows[0].res.Latency) + " " + x.title
	} else {
		x.columns = append(x.columns, column{title: "calls", cells: each(count)})
	}
	for _, q := range quantilesIn(rows) {
		of := make([]*serbench.Estimate, len(rows))
		intervals := make([]string, len(rows))
		for i, r := range rows {
			of[i] = quantileEstimate(r.res.Latency, q)
			intervals[i] = intervalText(of[i])
		}
		x.columns = append(x.columns, column{title: quantileName(q), cells: timeColumn(of)})
		if q > 0.9 || p.unwrapped { // the others are narrow, and a terminal is too
			x.columns = append(x.columns, column{left: true, cells: intervals})
		}
	}
	longest := make([]*serbench.Estimate, len(rows))
	for i, r := range rows {
		longest[i] = &serbench.Estimate{Value: float64(r.res.Latency.MaxNs)}
	}
	x.columns = append(x.columns,
		column{title: "max", cells: timeColumn(longest)},
		column{title: "GC cycles", cells: each(func(l *serbench.Latency) string { return strconv.FormatUint(l.GCCycles, 10) })})
	return x
}

// quantilesIn are the shares that any row has a quantile of.
func quantilesIn(rows []*row) (qs []float64) {
	for _, r := range rows {
		for _, q := range r.res.Latency.Quantiles {
			if q.Ns != nil && !slices.Contains(qs, q.Q) {
				qs = append(qs, q.Q)
			}
		}
	}
	slices.Sort(qs)
	return qs
}

func quantileEstimate(l *serbench.Latency, share float64) *serbench.Estimate {
	if l == nil {
		return nil
	}
	for _, q := range l.Quantiles {
		if q.Q == share && q.Ns != nil {
			return &serbench.Estimate{Value: *q.Ns, Low: q.LowNs, High: q.HighNs, Confidence: q.Confidence}
		}
	}
	return nil
}

// quantileName is p99.9 for 0.999.
func quantileName(q float64) string {
	return "p" + strconv.FormatFloat(math.Round(1e6*q)/1e4, 'g', -1, 64)
}

// roundText is a large number with three digits that count.
func roundText(v float64) string {
	if unit := math.Pow(10, math.Floor(math.Log10(v))-2); v >= 1000 && finite(v) {
		v = math.Round(v/unit) * unit
	}
	return significant(v, 3)
}

func (p *textPrinter) gogc(environment string) string {
	for i := range p.report.Environments {
		if e := &p.report.Environments[i]; e.ID == environment {
			return e.GOGC
		}
	}
	return ""
}

// colds is the table of decode out of cache.
func (p *textPrinter) colds(g *group) extra {
	x := extra{title: "messages out of cache"}
	var rows []*row
	sizes := map[string]bool{}
	for _, r := range g.rows() {
		c := r.res.Cold
		if c == nil {
			continue
		}
		if c.Reason != "" {
			x.notes.warning(serbench.Warning{Code: "no figures", Message: c.Reason}, p.shown[r.label])
		}
		if c.Ratio == nil {
			continue
		}
		rows = append(rows, r)
		sizes[sizeText(float64(c.CorpusBytes))] = true
		caches := fmt.Sprintf("second-level cache %s, last-level cache %s", sizeText(float64(c.L2Bytes)), sizeText(float64(c.CacheBytes)))
		if c.Assumed {
			caches += ", both assumed: the system does not tell"
		}
		if c.CorpusBytes < 2*c.CacheBytes {
			caches += "; the last-level cache may hold part of the messages"
		}
		x.notes.add("caches", caches, p.shown[r.label])
	}
	if len(rows) == 0 {
		return x
	}
	if len(sizes) == 1 {
		for s := range sizes {
			x.title += ", from " + s + " of copies"
		}
	}
	names, intervals, ratios := make([]string, len(rows)), make([]string, len(rows)), make([]string, len(rows))
	warm, cold := make([]*serbench.Estimate, len(rows)), make([]*serbench.Estimate, len(rows))
	for i, r := range rows {
		c := r.res.Cold
		names[i], warm[i], cold[i] = p.shown[r.label], c.WarmNsPerOp, c.ColdNsPerOp
		t := ratioTexts(c.Ratio.Value)
		if c.Ratio.Low != nil && c.Ratio.High != nil {
			t = ratioTexts(c.Ratio.Value, *c.Ratio.Low, *c.Ratio.High)
			intervals[i] = t[1] + ".." + t[2]
		}
		ratios[i] = t[0]
	}
	x.columns = []column{
		{title: "codec", left: true, cells: names},
		{title: "warm", cells: timeColumn(warm)},
		{title: "cold", cells: timeColumn(cold)},
		{title: "cold/warm", cells: alignPoints(ratios)},
		{left: true, cells: intervals},
	}
	return x
}

// extrasLegend explains the tables of extras.
func (p *textPrinter) extrasLegend() (s string) {
	var single, cold bool
	for _, g := range p.groups {
		for _, r := range g.rows() {
			single = single || r.res.Latency != nil && r.res.Latency.Calls > 0
			cold = cold || r.res.Cold != nil && r.res.Cold.Ratio != nil
		}
	}
	if single {
		s += " single calls: one behind the other, each between two readings of the clock, whose cost is in them; the share of calls that took no longer. Callers who queue behind a slow call wait longer than this."
	}
	if cold {
		s += " cold: each message at an address of its own, in random order; warm: the same messages in cache."
	}
	return s
}

func (p *textPrinter) writeExtras(g *group) {
	for _, x := range p.extras(g) {
		p.printf("%s\n", x.title)
		writeTable(&p.b, x.columns)
		for _, l := range x.notes {
			p.b.WriteString(wrapHanging("  ", "    ", l.String()))
		}
	}
}

func (m *markdownWriter) extras(p *textPrinter, g *group) {
	for _, x := range p.extras(g) {
		var b strings.Builder
		b.WriteString("\n### " + markdownText(x.title) + "\n")
		if len(x.columns) > 0 {
			var head, rule strings.Builder
			for _, c := range x.columns {
				head.WriteString("| " + markdownText(columnTitle(c)) + " ")
				if c.left {
					rule.WriteString("| --- ")
				} else {
					rule.WriteString("| ---: ")
				}
			}
			b.WriteString("\n" + head.String() + "|\n" + rule.String() + "|\n")
			for i := range x.columns[0].cells {
				for _, c := range x.columns {
					b.WriteString("| " + markdownText(cellText(c, i)) + " ")
				}
				b.WriteString("|\n")
			}
		}
		for i, l := range x.notes {
			if i == 0 {
				b.WriteString("\n")
			}
			b.WriteString("- " + markdownText(l.String()) + "\n")
		}
		m.block(b.String())
	}
}

func (p *htmlPrinter) extras(g *group) {
	for _, x := range p.textPrinter.extras(g) {
		p.raw("<h3>", html.EscapeString(x.title), "</h3>\n")
		if len(x.columns) > 0 {
			p.raw(`<div class="scroll" tabindex="0" role="region" aria-label="`, html.EscapeString(x.title), `"><table><thead><tr>`)
			for _, c := range x.columns {
				p.raw(`<th scope="col"`, extraClass(c), ">", html.EscapeString(columnTitle(c)), "</th>")
			}
			p.raw("</tr></thead><tbody>\n")
			for i := range x.columns[0].cells {
				p.raw("<tr>")
				for k, c := range x.columns {
					if k == 0 {
						p.raw(`<th scope="row" class="l">`, html.EscapeString(c.cells[i]), "</th>")
						continue
					}
					p.raw("<td", extraClass(c), ">", html.EscapeString(cellText(c, i)), "</td>")
				}
				p.raw("</tr>\n")
			}
			p.raw("</tbody></table></div>\n")
		}
		for _, l := range x.notes {
			p.raw(`<p class="dim">`, html.EscapeString(l.String()), "</p>\n")
		}
	}
}

func extraClass(c column) string {
	switch {
	case c.title == "":
		return ` class="l i"`
	case c.left:
		return ` class="l"`
	}
	return ""
}

func columnTitle(c column) string {
	if c.title == "" {
		return "interval"
	}
	return c.title
}

// cellText is a cell without what lines it up.
func cellText(c column, i int) string {
	if c.title == "codec" {
		return c.cells[i]
	}
	return strings.Join(strings.Fields(c.cells[i]), " ")
}
