package render

import (
	"encoding/json"
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/serbench/serbench"
)

// section is the table of one group with its charts and notes.
func (p *htmlPrinter) section(i int, g *group) {
	id := strconv.Itoa(i)
	p.raw(`<section class="group" id="g`, id, `" data-payload="`, attribute(g.key.payload), `" data-op="`, attribute(string(g.key.op)), `"><h2>`,
		html.EscapeString(p.title(g)), "</h2>\n")
	if s := g.headline(p.comparisons, p.shown); s != "" {
		p.raw("<p>", html.EscapeString(s), "</p>\n")
	}
	for _, s := range p.shares(g) {
		p.raw("<p>", esc(s), "</p>\n")
	}
	rows := g.rows()
	if len(rows) > 0 {
		p.table(g, rows)
		if !g.compared && len(g.ranked)+len(g.lossy) > 1 {
			p.raw(`<p class="dim">Not compared: the order is that of the figures.</p>`, "\n")
		}
		p.scatter(rows)
		p.drift(rows)
	}
	if lines := p.noteLines(g); len(lines) > 0 {
		p.raw("<details><summary>Notes</summary><ul>")
		for _, l := range lines {
			p.raw("<li>", html.EscapeString(l.String()), "</li>\n")
		}
		p.raw("</ul></details>")
	}
	p.extras(g)
	p.raw("</section>\n")
}

// htmlColumn is a column of the table of cells.
type htmlColumn struct {
	title, key, class string
	cells             []string
	markup            bool // cells are markup already
}

// keys of the columns that can be sorted by, in the script's data attributes.
var htmlKeys = map[string]string{"rank": "rank", "codec": "name", "time/op": "ns", "ratio": "ns", "sustained": "gc", "cpu/op": "cpu", "op/s": "rate0", "encoded": "size", "B/op": "bytes", "allocs/op": "allocs"}

func (p *htmlPrinter) table(g *group, rows []*row) {
	var columns []htmlColumn
	for _, c := range p.columns(g, rows) {
		h := htmlColumn{title: c.title, key: htmlKeys[c.title], cells: c.cells}
		switch {
		case c.title == "":
			h.class = "l i"
		case c.title == "note":
			h.class = "l note"
		case c.title == "encoded":
			h.class = "size"
		case c.left:
			h.class = "l"
		}
		columns = append(columns, h)
		if c.title == "codec" {
			if plot, ok := timePlot(rows); ok {
				columns = append(columns, plot)
			}
		}
	}
	rates := make([]string, len(rows))
	for i, r := range rows {
		if t, ok := serbench.MessagesPerSecond(r.res, serbench.Link{BitsPerSecond: 1e9}); ok {
			rates[i] = significant(t.PerSecond, 3) + " " + string(t.Bottleneck)
		} else {
			rates[i] = none
		}
	}
	rate := htmlColumn{title: "msg/s", key: "rate", class: "rate", cells: rates}
	if last := len(columns) - 1; last >= 0 && columns[last].title == "note" {
		columns = slices.Insert(columns, last, rate)
	} else {
		columns = append(columns, rate)
	}
	front := frontOf(g)
	p.raw(`<div class="scroll" tabindex="0" role="region" aria-label="`, html.EscapeString(p.title(g)), `"><table class="cells"><thead><tr>`)
	for _, c := range columns {
		p.raw(`<th scope="col"`)
		if c.key != "" {
			p.raw(` data-k="`, c.key, `"`)
		}
		switch {
		case c.title == "note", c.title == "codec":
			p.raw(` class="l">`)
		case c.markup:
			p.raw(` class="p l">`)
		default:
			p.raw(">")
		}
		switch {
		case c.markup:
			p.raw(c.title)
		case c.title == "":
			p.raw(`<span class="dim">interval</span>`)
		default:
			p.raw(html.EscapeString(c.title))
		}
		p.raw("</th>")
	}
	p.raw("</tr></thead><tbody>\n")
	for i, r := range rows {
		p.rowStart(r, front[r.res])
		for _, c := range columns {
			cell := c.cells[i]
			if !c.markup {
				if c.title != "codec" {
					cell = strings.Join(strings.Fields(cell), " ")
				}
				cell = html.EscapeString(cell)
			}
			switch {
			case c.title == "codec":
				p.raw(`<th scope="row" class="l">`, cell, "</th>")
			case c.markup:
				p.raw(`<td class="p">`, cell, "</td>")
			case c.class != "":
				p.raw(`<td class="`, c.class, `">`, cell, "</td>")
			default:
				p.raw("<td>", cell, "</td>")
			}
		}
		p.raw("</tr>\n")
	}
	p.raw("</tbody></table></div>\n")
}

// rowStart writes the figures that the script sorts and calculates by.
func (p *htmlPrinter) rowStart(r *row, front bool) {
	var class []string
	if r.res.Status == serbench.StatusLossy {
		class = append(class, "lossy")
	}
	if front {
		class = append(class, "front")
	}
	p.raw("<tr")
	if len(class) > 0 {
		p.raw(` class="`, strings.Join(class, " "), `"`)
	}
	data := func(key string, v float64, ok bool) {
		if ok && finite(v) {
			p.raw(" data-", key, `="`, strconv.FormatFloat(v, 'g', 8, 64), `"`)
		}
	}
	estimate := func(key string, e *serbench.Estimate) {
		v, ok := figure(e)
		data(key, v, ok)
	}
	data("rank", float64(r.rank), r.rank > 0)
	estimate("ns", r.ns())
	estimate("gc", r.res.Estimates.SustainedNsPerOp)
	if t, ok := serbench.MessagesPerSecond(r.res, serbench.Link{}); ok {
		data("cpu", t.NsPerMessage, true)
	}
	if e := r.res.Encoded; e != nil {
		data("size", e.Mean, true)
		pack := map[string][2]float64{}
		for _, c := range e.Compressions {
			with, ok := serbench.MessagesPerSecond(r.res, serbench.Link{Compression: c.Algorithm})
			plain, _ := serbench.MessagesPerSecond(r.res, serbench.Link{})
			if ok && c.Reason == "" {
				pack[c.Algorithm] = [2]float64{with.BytesPerMessage, with.NsPerMessage - plain.NsPerMessage}
			}
		}
		if len(pack) > 0 {
			if b, err := json.Marshal(pack); err == nil {
				p.raw(` data-pack="`, attribute(string(b)), `"`)
			}
		}
	}
	estimate("bytes", r.res.Estimates.AllocBytesPerOp)
	estimate("allocs", r.res.Estimates.AllocsPerOp)
	p.raw(">")
}

// frontOf marks the cells that no other beats in both speed and size.
func frontOf(g *group) map[*serbench.Result]bool {
	out := map[*serbench.Result]bool{}
	if len(g.ranked) < 2 {
		return out
	}
	for _, a := range g.ranked {
		x, okX := figure(a.ns())
		if a.res.Encoded == nil || !okX {
			continue
		}
		beaten := false
		for _, b := range g.ranked {
			y, okY := figure(b.ns())
			if b == a || b.res.Encoded == nil || !okY || b.res.Encoded.Mean > a.res.Encoded.Mean {
				continue
			}
			smaller := b.res.Encoded.Mean < a.res.Encoded.Mean && y <= x
			faster := y < x && b.rank > 0 && b.rank < a.rank
			if smaller || faster {
				beaten = true
				break
			}
		}
		out[a.res] = !beaten
	}
	return out
}
