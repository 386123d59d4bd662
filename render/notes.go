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
func noteText(r *row, nothingKnown bool) string {
	var marks []string
	if r.res.Status != serbench.StatusOK {
		marks = append(marks, visible(string(r.res.Status)))
	}
	if f := r.res.Fidelity; f != nil && f.Class != serbench.Exact && string(f.Class) != string(r.res.Status) && f.Class != "" {
		marks = append(marks, visible(string(f.Class)))
	}
	if r.rank == 0 && !nothingKnown && r.res.Status == serbench.StatusOK && r.ns() != nil {
		marks = append(marks, "not ranked")
	}
	for _, w := range r.res.Warnings {
		if m := visible(w.Code); m != "" && !slices.Contains(marks, m) {
			marks = append(marks, m)
		}
	}
	for _, t := range r.res.Traits {
		if m := visible(t.Name); m != "" && !slices.Contains(marks, m) {
			marks = append(marks, m)
		}
	}
	return listed(marks, noteWidth)
}

// noteWidth is how wide the column of notes may be.
const noteWidth = 40

// listed joins as many words as fit, and counts the others: "a, b +2".
func listed(words []string, to int) string {
	for n := len(words); n > 1; n-- {
		s := strings.Join(words[:n], ", ")
		if n < len(words) {
			s += fmt.Sprintf(" +%d", len(words)-n)
		}
		if width(s) <= to {
			return s
		}
	}
	if len(words) == 0 {
		return ""
	}
	more := ""
	if len(words) > 1 {
		more = fmt.Sprintf(" +%d", len(words)-1)
	}
	return cutMiddle(words[0], to-len(more), ellipsis) + more
}

// notes are the lines below a table. What several codecs share stands on one
// line.
func (p *textPrinter) notes(g *group) string {
	var b strings.Builder
	for _, l := range p.noteLines(g) {
		b.WriteString(wrapHanging("  ", "    ", l.String()))
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
			lines.warning(w, p.shown[r.label])
		}
		lines.traits(r.res, p.shown[r.label])
		if e := r.res.Estimates.FirstCallNs; e != nil && finite(e.Value) {
			lines.part("first call", timeText(e.Value), p.shown[r.label])
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
			lines.warning(w, p.shown[r.label])
		}
		lines.traits(res, p.shown[r.label])
	}
	return lines
}

// noteLine is what is said of some cells, or, of a trait, in one line of all
// that have it.
type noteLine struct {
	kind  string
	parts []notePart
}

type notePart struct {
	text figuredText
	who  []string
}

func (l noteLine) String() string {
	parts := make([]string, len(l.parts))
	for i, p := range l.parts {
		parts[i] = strings.Join(p.who, ", ")
		if text := p.text.String(); text != "" {
			parts[i] += ": " + text
		}
	}
	return l.kind + ": " + strings.Join(parts, "; ")
}

type noteLines []noteLine

// add appends a note, or a name to a note that says the same.
func (lines *noteLines) add(kind, text, who string) {
	for i := range *lines {
		if l := &(*lines)[i]; l.kind == kindOr(kind) && l.parts[0].text.String() == text {
			l.parts[0].add(who)
			return
		}
	}
	lines.begin(kind, text, who)
}

// part appends to the one note of its kind.
func (lines *noteLines) part(kind, text, who string) {
	for i := range *lines {
		if l := &(*lines)[i]; l.kind == kind {
			l.parts = append(l.parts, notePart{figured(text), []string{who}})
			return
		}
	}
	lines.begin(kind, text, who)
}

// warning is add, and takes warnings for the same that differ in figures only.
func (lines *noteLines) warning(w serbench.Warning, who string) {
	kind, text := visible(w.Code), warningText(w)
	for i := range *lines {
		if l := &(*lines)[i]; l.kind == kindOr(kind) && l.parts[0].text.merge(text) {
			l.parts[0].add(who)
			return
		}
	}
	lines.begin(kind, text, who)
}

// traits adds those of a cell that no warning tells of.
func (lines *noteLines) traits(res *serbench.Result, who string) {
next:
	for _, t := range res.Traits {
		if slices.ContainsFunc(res.Warnings, func(w serbench.Warning) bool { return w.Code == t.Name }) {
			continue
		}
		kind, text := "trait "+visible(t.Name), visible(t.Detail)
		for i := range *lines {
			l := &(*lines)[i]
			if l.kind != kind {
				continue
			}
			for k := range l.parts {
				if l.parts[k].text.merge(text) {
					l.parts[k].add(who)
					continue next
				}
			}
			l.parts = append(l.parts, notePart{figured(text), []string{who}})
			continue next
		}
		lines.begin(kind, text, who)
	}
}

func (lines *noteLines) begin(kind, text, who string) {
	*lines = append(*lines, noteLine{kindOr(kind), []notePart{{figured(text), []string{who}}}})
}

func (p *notePart) add(who string) {
	if !slices.Contains(p.who, who) {
		p.who = append(p.who, who)
	}
}

func kindOr(kind string) string {
	if kind == "" {
		return "note"
	}
	return kind
}

// figuredText is a text of words, of which figures may be ranges.
type figuredText []figuredWord

type figuredWord struct{ low, high string }

func figured(text string) figuredText {
	var t figuredText
	for word := range strings.SplitSeq(text, " ") {
		t = append(t, figuredWord{word, word})
	}
	return t
}

func (t figuredText) String() string {
	words := make([]string, len(t))
	for i, w := range t {
		words[i] = w.low
		if w.low != w.high {
			low, _ := cutFigure(w.low)
			words[i] = low + " to " + w.high
		}
	}
	return strings.Join(words, " ")
}

// merge widens the ranges to those of a text that differs in nothing else.
func (t figuredText) merge(text string) bool {
	words := strings.Split(text, " ")
	if len(words) != len(t) {
		return false
	}
	merged := slices.Clone(t)
	for i, word := range words {
		w := &merged[i]
		if word == w.low || word == w.high {
			continue
		}
		number, behind := cutFigure(word)
		low, behindLow := cutFigure(w.low)
		high, _ := cutFigure(w.high)
		v, err := strconv.ParseFloat(number, 64)
		l, errLow := strconv.ParseFloat(low, 64)
		h, errHigh := strconv.ParseFloat(high, 64)
		if err != nil || errLow != nil || errHigh != nil || behind != behindLow {
			return false
		}
		if v < l {
			w.low = word
		}
		if v > h {
			w.high = word
		}
	}
	copy(t, merged)
	return true
}

// cutFigure cuts the punctuation off a word.
func cutFigure(word string) (figure, behind string) {
	figure = strings.TrimRight(word, ",;:.")
	return figure, word[len(figure):]
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
