package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/serbench/serbench"
)

// rankText is the rank, with an L before that of a cell that loses something.
func rankText(g *group, r *row) string {
	switch {
	case r.rank == 0:
		return none
	case slices.Contains(g.lossy, r):
		return "L" + strconv.Itoa(r.rank)
	default:
		return strconv.Itoa(r.rank)
	}
}

// ratioText is the ratio of the time to that of the first row.
func ratioText(r, first *row, rows int) string {
	switch {
	case rows < 2:
		return ""
	case r == first:
		return "1"
	case r.toFastest == nil:
		return none
	default:
		return ratioTexts(r.toFastest.value)[0]
	}
}

func ratioIntervalText(r *row) string {
	f := r.toFastest
	if f == nil || f.low == nil || f.high == nil {
		return ""
	}
	t := ratioTexts(f.value, *f.low, *f.high)
	return t[1] + ".." + t[2]
}

// noteText marks a row with what qualifies its figures; the lines below the
// table explain.
func noteText(r *row) string {
	var marks []string
	if r.res.Status != serbench.StatusOK {
		marks = append(marks, visible(string(r.res.Status)))
	}
	if f := r.res.Fidelity; f != nil && f.Class != serbench.Exact && string(f.Class) != string(r.res.Status) && f.Class != "" {
		marks = append(marks, visible(string(f.Class)))
	}
	if r.rank == 0 && r.res.Status == serbench.StatusOK && r.ns() != nil {
		marks = append(marks, "not compared")
	}
	for _, w := range r.res.Warnings {
		if m := visible(w.Code); m != "" && !slices.Contains(marks, m) {
			marks = append(marks, m)
		}
	}
	return cutMiddle(strings.Join(marks, ", "), 40, ellipsis)
}

// notes are the lines below a table. What several codecs share stands on one
// line.
func (p *textPrinter) notes(g *group) string {
	var b strings.Builder
	for _, l := range p.noteLines(g) {
		b.WriteString(wrapHanging("  ", "    ", l.kind+": "+strings.Join(l.who, ", ")+": "+l.text))
	}
	return b.String()
}

func (p *textPrinter) noteLines(g *group) noteLines {
	var lines noteLines
	for _, r := range g.rows() {
		if r.res.Reason != "" {
			lines.add(visible(string(r.res.Status)), visible(r.res.Reason), p.shown[r.label])
		}
		if s := lossText(r.res.Fidelity); s != "" {
			lines.add("lossy", s, p.shown[r.label])
		}
		for _, w := range r.res.Warnings {
			lines.add(visible(w.Code), warningText(w), p.shown[r.label])
		}
		if e := r.res.Encoded; e != nil && e.FirstBytes > 0 && float64(e.FirstBytes) != e.Mean {
			lines.add("first message", sizeText(float64(e.FirstBytes)), p.shown[r.label])
		}
	}
	for _, r := range g.without {
		res := r.res
		reason := visible(res.Reason)
		if reason == "" {
			reason = "no reason given"
		}
		status := strings.ReplaceAll(visible(string(res.Status)), "_", " ")
		if res.Status == serbench.StatusOK || res.Status == serbench.StatusLossy {
			reason = "no figures"
		}
		lines.add(status, reason, p.shown[r.label])
		for _, w := range res.Warnings {
			lines.add(visible(w.Code), warningText(w), p.shown[r.label])
		}
	}
	return lines
}

type noteLine struct {
	kind, text string
	who        []string
}

type noteLines []noteLine

// add appends a note, or a name to a note that says the same.
func (lines *noteLines) add(kind, text, who string) {
	if kind == "" {
		kind = "note"
	}
	for i := range *lines {
		if l := &(*lines)[i]; l.kind == kind && l.text == text {
			if !slices.Contains(l.who, who) {
				l.who = append(l.who, who)
			}
			return
		}
	}
	*lines = append(*lines, noteLine{kind, text, []string{who}})
}

// shownLosses is how many differences a note spells out.
const shownLosses = 3

// lossText lists the first places where something was lost; what is merely
// represented otherwise does not count.
func lossText(f *serbench.Fidelity) string {
	if f == nil || f.Class != serbench.Lossy {
		return ""
	}
	var parts []string
	lost, normalised := 0, 0
	for _, d := range f.Differences {
		if d.Normalised {
			normalised++
			continue
		}
		if lost++; lost > shownLosses {
			continue
		}
		s := fmt.Sprintf("value %d, %s: %s", d.Value, cutMiddle(visibleName(d.Path), 60, ellipsis), visible(d.Kind))
		if d.Want != "" || d.Got != "" {
			s += " (" + cutMiddle(visible(d.Want), nameWidth, ellipsis) + " became " + cutMiddle(visible(d.Got), nameWidth, ellipsis) + ")"
		}
		parts = append(parts, s)
	}
	if more := max(f.Total, len(f.Differences)) - normalised - min(lost, shownLosses); more > 0 {
		if len(parts) == 0 {
			parts = append(parts, fmt.Sprintf("%d differences", more))
		} else {
			parts = append(parts, fmt.Sprintf("%d more", more))
		}
	}
	return strings.Join(parts, "; ")
}
