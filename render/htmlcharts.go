package render

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"github.com/serbench/serbench"
)

// scale maps figures to pixels; logarithmic where they spread over 20 times.
type scale struct {
	low, high float64 // of the figures, or of their logs
	log       bool
	from, to  float64 // pixels
}

const logSpread = 20

func newScale(low, high, from, to float64, zero bool) scale {
	s := scale{low: low, high: high, from: from, to: to}
	if low > 0 && high/low > logSpread {
		s.log = true
		s.low, s.high = math.Log(low), math.Log(high)
	} else if zero && low > 0 {
		s.low = 0 // lengths and places mean amounts
	}
	if !(s.high > s.low) {
		s.low, s.high = s.low-1, s.high+1
	}
	return s
}

func (s scale) at(v float64) float64 {
	if s.log {
		v = math.Log(max(v, math.SmallestNonzeroFloat64))
	}
	share := (v - s.low) / (s.high - s.low)
	if math.IsNaN(share) {
		share = 0
	}
	return s.from + min(max(share, 0), 1)*(s.to-s.from)
}

// ticks are round figures within the scale, few.
func (s scale) ticks() []float64 {
	var out []float64
	if s.log {
		from, to := int(math.Ceil(s.low/math.Ln10-1e-9)), int(math.Floor(s.high/math.Ln10+1e-9))
		if to-from < 3 {
			for e := from - 1; e <= to; e++ {
				for _, m := range []float64{1, 3} {
					if t := m * math.Pow(10, float64(e)); math.Log(t) >= s.low && math.Log(t) <= s.high {
						out = append(out, t)
					}
				}
			}
			return out
		}
		step := max(1, (to-from+3)/4)
		for e := from; e <= to && len(out) < 6; e += step {
			out = append(out, math.Pow(10, float64(e)))
		}
		return out
	}
	span := s.high - s.low
	if !(span > 0) || !finite(span) {
		return nil
	}
	step := math.Pow(10, math.Floor(math.Log10(span/2)))
	for span/step > 4 {
		step *= 2
		if span/step > 4 {
			step *= 2.5
		}
	}
	for k := math.Ceil(s.low / step); k*step <= s.high && len(out) < 6; k++ {
		out = append(out, k*step)
	}
	return out
}

// px writes a place on the page.
func px(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

const plotWidth = 240

// timePlot is the chart of estimates with intervals, one strip per row, so
// that it is sorted and filtered with the table; the axis is its title.
func timePlot(rows []*row) (c htmlColumn, ok bool) {
	low, high, n := math.Inf(1), 0.0, 0
	for _, r := range rows {
		if v, has := figure(r.ns()); has && v > 0 {
			n++
			low, high = min(low, v), max(high, v)
			if e := r.ns(); e.Low != nil && e.High != nil && *e.Low > 0 && finite(*e.High) {
				low, high = min(low, *e.Low), max(high, *e.High)
			}
		}
	}
	if n == 0 {
		return c, false
	}
	s := newScale(low, high, 6, plotWidth-6, true)
	var axis strings.Builder
	word := "time per op"
	if s.log {
		word += ", logarithmic"
	}
	fmt.Fprintf(&axis, `<svg width="%d" height="16" role="img" aria-label="axis: %s">`, plotWidth, word)
	for _, t := range s.ticks() {
		x := s.at(t)
		anchor := "middle"
		switch {
		case x < 24:
			anchor = "start"
		case x > plotWidth-24:
			anchor = "end"
		}
		label := "0"
		if t > 0 {
			label = tickText(t, timeUnits)
		}
		fmt.Fprintf(&axis, `<text x="%s" y="12" text-anchor="%s">%s</text>`, px(x), anchor, label)
	}
	axis.WriteString("</svg>")
	c = htmlColumn{title: axis.String(), markup: true}
	for _, r := range rows {
		v, has := figure(r.ns())
		if !has || !(v > 0) {
			c.cells = append(c.cells, "")
			continue
		}
		var b strings.Builder
		class := ""
		if r.res.Status == serbench.StatusLossy {
			class = ` class="L"`
		}
		// The figures stand in the row; the picture is for eyes only.
		fmt.Fprintf(&b, `<svg width="%d" height="14" aria-hidden="true"%s>`, plotWidth, class)
		if e := r.ns(); e.Low != nil && e.High != nil && finite(*e.Low) && finite(*e.High) {
			x1, x2 := s.at(*e.Low), s.at(*e.High)
			if x2-x1 > 1 {
				fmt.Fprintf(&b, `<path class="b" d="M%s 7H%s"/>`, px(x1), px(x2))
			}
		}
		fmt.Fprintf(&b, `<circle class="d" cx="%s" cy="7" r="3"/></svg>`, px(s.at(v)))
		c.cells = append(c.cells, b.String())
	}
	return c, true
}

// tickText writes a round figure without needless decimals, as markup.
func tickText(v float64, units []unit) string {
	u := fitting(units, v)
	return html.EscapeString(plainNumber(v/u.size) + " " + u.name)
}

// scatter is speed against size. The front is marked by shape as well as by
// colour.
func (p *htmlPrinter) scatter(rows []*row) {
	type dot struct {
		r    *row
		x, y float64
	}
	var dots []dot
	lowX, highX, lowY, highY := math.Inf(1), 0.0, math.Inf(1), 0.0
	for _, r := range rows {
		v, ok := figure(r.ns())
		if !ok || !(v > 0) || r.res.Encoded == nil || !finite(r.res.Encoded.Mean) {
			continue
		}
		size := r.res.Encoded.Mean
		dots = append(dots, dot{r, size, v})
		lowX, highX = min(lowX, size), max(highX, size)
		lowY, highY = min(lowY, v), max(highY, v)
	}
	if len(dots) < 2 {
		return
	}
	const w, h, left, bottom = 640, 300, 62, 34
	x, y := newScale(lowX, highX, left+10, w-110, false), newScale(lowY, highY, h-bottom-10, 14, false)
	fmt.Fprintf(&p.out, `<details><summary>Speed against size</summary><svg viewBox="0 0 %d %d" width="%d" role="img" aria-label="Time per op, upwards, against encoded size, to the right, of %d codecs; the figures are in the table."><path class="g" d="M%d 8V%dH%d"/>`,
		w, h, w, len(dots), left, h-bottom, w-10)
	for _, t := range x.ticks() {
		fmt.Fprintf(&p.out, `<text x="%s" y="%d" text-anchor="middle">%s</text>`, px(x.at(t)), h-bottom+14, tickText(t, sizeUnits))
	}
	for _, t := range y.ticks() {
		fmt.Fprintf(&p.out, `<text x="%d" y="%s" text-anchor="end">%s</text>`, left-5, px(y.at(t)+4), tickText(t, timeUnits))
	}
	fmt.Fprintf(&p.out, `<text x="%d" y="%d" text-anchor="end">encoded size</text><text x="%d" y="10">time per op</text>`, w-10, h-4, left+6)
	front := map[*row]bool{}
	for _, a := range dots {
		front[a.r] = true
		for _, b := range dots {
			if b.r != a.r && b.x <= a.x && b.y <= a.y && (b.x < a.x || b.y < a.y) {
				front[a.r] = false
			}
		}
	}
	// Labels that would lie on one another are left out; each dot has its
	// name as a title all the same.
	var placed [][2]float64
	for _, d := range dots {
		cx, cy := x.at(d.x), y.at(d.y)
		name := html.EscapeString(p.shown[d.r.label])
		class, radius := "d", "3.5"
		if front[d.r] {
			class, radius = "f", "5"
		}
		if d.r.res.Status == serbench.StatusLossy {
			p.raw(`<g class="L">`)
			class, radius = "d", "3.5"
		} else {
			p.raw("<g>")
		}
		p.raw(`<circle class="`, class, `" cx="`, px(cx), `" cy="`, px(cy), `" r="`, radius, `"><title>`, name, "</title></circle>")
		free := true
		for _, q := range placed {
			free = free && !(math.Abs(q[0]-cx) < 110 && math.Abs(q[1]-cy) < 12)
		}
		if free {
			placed = append(placed, [2]float64{cx, cy})
			p.raw(`<text x="`, px(cx+7), `" y="`, px(cy+4), `">`, html.EscapeString(cutMiddle(p.shown[d.r.label], 18, ellipsis)), "</text>")
		}
		p.raw("</g>")
	}
	p.raw("</svg></details>\n")
}

// mostPoints of a row's line over time; beyond it neighbours are joined to
// their lowest and highest.
const mostPoints = 240

// drift shows the raw samples over time, a line per codec, all on one scale
// relative to the codec's own estimate.
func (p *htmlPrinter) drift(rows []*row) {
	const w, h = 560, 34
	opened := false
	for _, r := range rows {
		var ys []float64
		for _, s := range r.res.Samples {
			if s.Reps > 0 {
				ys = append(ys, float64(s.ElapsedNs)/float64(s.Reps))
			}
		}
		v, ok := figure(r.ns())
		if len(ys) < 2 || !ok || !(v > 0) {
			continue
		}
		if !opened {
			opened = true
			p.raw(`<details><summary>Samples over time</summary><p class="dim">Each batch in the order in which it was timed; the height is from half to twice the estimate, what lies beyond is at the edge.</p><table><tbody>`, "\n")
		}
		p.raw(`<tr><th scope="row" class="l">`, html.EscapeString(p.shown[r.label]), `</th><td><svg width="`, strconv.Itoa(w), `" height="`, strconv.Itoa(h),
			`" role="img" aria-label="`, strconv.Itoa(len(ys)), ` samples, from `, html.EscapeString(timeText(lowest(ys))), ` to `, html.EscapeString(timeText(highest(ys))), `"><path class="g" d="M0 17H`, strconv.Itoa(w), `"/><path class="s" d="`)
		p.line(ys, v, w, h)
		p.raw(`"/></svg></td></tr>`, "\n")
	}
	if opened {
		p.raw("</tbody></table></details>\n")
	}
}

func (p *htmlPrinter) line(ys []float64, centre, w, h float64) {
	place := func(v float64) string {
		octave := min(max(math.Log2(max(v, 1e-300)/centre), -1), 1)
		return strconv.Itoa(int(math.Round(h/2 - octave*(h/2-1))))
	}
	step := max(1, (len(ys)+mostPoints-1)/mostPoints)
	command := "M"
	for i := 0; i < len(ys); i += step {
		part := ys[i:min(len(ys), i+step)]
		x := strconv.Itoa(int(w * float64(i) / float64(max(1, len(ys)-1))))
		p.raw(command, x, " ", place(lowest(part)))
		command = "L"
		if step > 1 {
			p.raw("V", place(highest(part)))
		}
	}
}

func lowest(xs []float64) float64 {
	m := xs[0]
	for _, x := range xs {
		m = min(m, x)
	}
	return m
}

func highest(xs []float64) float64 {
	m := xs[0]
	for _, x := range xs {
		m = max(m, x)
	}
	return m
}
