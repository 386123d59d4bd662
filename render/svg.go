package render

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"io"
	"math"

	"github.com/serbench/serbench"
)

// SVG writes one picture for a README or a slide: for each payload and op the
// times with their intervals, fastest first, on a scale of their own. It suits
// light and dark pages. For part of a report, use [serbench.Select] first.
func SVG(w io.Writer, r *serbench.Report) error {
	if r == nil {
		return errors.New("render: the report is nil")
	}
	p := textPrinter{report: r}
	p.prepare()
	const names, plot, figures, line, width = 200, 380, 110, 22, 720
	var b bytes.Buffer
	y := 8.0
	for _, g := range p.groups {
		rows := timedRows(g.rows())
		if len(rows) == 0 {
			continue
		}
		low, high := math.Inf(1), 0.0
		cells := make([]*serbench.Estimate, len(rows))
		for i, rw := range rows {
			v, _ := figure(rw.ns())
			low, high = min(low, v), max(high, v)
			cells[i] = rw.ns()
		}
		s := newScale(low, high, names+16, names+plot-8, true)
		texts := timeColumn(cells)
		y += 22
		title := p.title(g)
		if s.log {
			title += " (logarithmic)"
		}
		fmt.Fprintf(&b, `<text class="t" x="10" y="%s">%s</text>`+"\n", px(y), html.EscapeString(title))
		y += 10
		top := y
		for i, rw := range rows {
			v, _ := figure(rw.ns())
			middle := y + line/2
			name, class := p.shown[rw.label], "d"
			if rw.res.Status == serbench.StatusLossy {
				name, class = name+" *", "x"
			}
			fmt.Fprintf(&b, `<text x="%d" y="%s" text-anchor="end">%s</text>`, names, px(middle+4), html.EscapeString(cutMiddle(name, 28, ellipsis)))
			// A length means an amount, which a logarithm has none of.
			if s.log {
				fmt.Fprintf(&b, `<circle class="%s" cx="%s" cy="%s" r="6"/>`, class, px(s.at(v)), px(middle))
			} else {
				fmt.Fprintf(&b, `<path class="%s" d="M%s %sH%s"/>`, class, px(s.at(s.low)), px(middle), px(max(s.at(v), s.at(s.low)+1)))
			}
			if e := rw.ns(); e.Low != nil && e.High != nil && finite(*e.Low) && finite(*e.High) {
				fmt.Fprintf(&b, `<path class="i" d="M%s %sH%s"/>`, px(s.at(*e.Low)), px(middle), px(s.at(*e.High)))
			}
			fmt.Fprintf(&b, `<text x="%d" y="%s" text-anchor="end">%s</text>`+"\n", names+plot+figures, px(middle+4), html.EscapeString(texts[i]))
			y += line
		}
		for _, t := range s.ticks() {
			x := s.at(t)
			label := "0"
			if t > 0 {
				label = tickText(t, timeUnits)
			}
			fmt.Fprintf(&b, `<path class="g" d="M%s %sV%s"/><text class="k" x="%s" y="%s" text-anchor="middle">%s</text>`, px(x), px(top), px(y), px(x), px(y+13), label)
		}
		y += 22
	}
	if y == 8 {
		fmt.Fprintf(&b, `<text x="10" y="28">no times</text>`)
		y = 40
	}
	title := "serbench report"
	if r.Title != "" {
		title = r.Title
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %s" width="%d" height="%s" role="img" aria-label="%s">
<style>.p{fill:#fff}text{font:13px system-ui,sans-serif;fill:#1d2127}.t{font-weight:600;font-size:14px}.k{font-size:11px;fill:#5b6470}path.d,path.x{stroke:#3d84d6;stroke-width:12}path.x{stroke:#c98a2b}circle{fill:#3d84d6}circle.x{fill:#c98a2b}.i{stroke:#0a2c55;stroke-width:3}.g{stroke:#8a94a0;stroke-opacity:.35}@media(prefers-color-scheme:dark){.p{fill:#14171b}text{fill:#e4e8ed}.k{fill:#9aa5b1}.i{stroke:#dbe9fb}}</style>
<rect class="p" width="100%%" height="100%%" rx="6"/>
%s</svg>
`, width, px(y+8), width, px(y+8), html.EscapeString(visible(title)), b.String())
	return err
}

func timedRows(rows []*row) (out []*row) {
	for _, r := range rows {
		if v, ok := figure(r.ns()); ok && v > 0 {
			out = append(out, r)
		}
	}
	return out
}
