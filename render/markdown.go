package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/serbench/serbench"
)

// Markdown writes a report as GitHub-flavoured Markdown: headings, a table
// for each payload and op, and lists of what was lost and what failed. Names
// cannot break out of their cell.
//
// With Options.MaxBytes it is cut at a row's edge, with a note on how many
// rows are missing; for a step summary use [StepSummaryBytes]. It only reads
// r; concurrent calls are safe.
func Markdown(w io.Writer, r *serbench.Report, o Options) error {
	if err := o.check(r, tableColumns); err != nil {
		return err
	}
	p := textPrinter{report: r, options: o}
	p.prepare()
	m := markdownWriter{limit: o.MaxBytes}
	m.header(&p)
	for _, g := range p.groups {
		m.group(&p, g)
	}
	if len(r.Results) == 0 {
		m.block("\nno results\n")
	}
	m.memory(&p)
	p.legend()
	if s := strings.TrimSpace(strings.ReplaceAll(p.b.String(), "\n", " ")); s != "" {
		m.block("\n" + markdownText(s) + "\n")
	}
	_, err := io.WriteString(w, m.finish())
	return err
}

// markdownWriter stops at its limit, between blocks.
type markdownWriter struct {
	b       strings.Builder
	limit   int
	full    bool
	rows    int // of tables, all
	written int
}

// noteRoom is kept free for the note about what was cut off.
const noteRoom = 160

// block writes all of s or, from the first one that has no room on, nothing.
func (m *markdownWriter) block(s string) bool {
	if m.limit > 0 && m.b.Len()+len(s) > m.limit-1-noteRoom {
		m.full = true
	}
	if !m.full {
		m.b.WriteString(s)
	}
	return !m.full
}

func (m *markdownWriter) finish() string {
	if m.full {
		note := fmt.Sprintf("\n> Cut to fit: %d of %d rows are shown. The report's JSON has all of them.\n", m.written, m.rows)
		if m.limit-1 < len(note) {
			return note[:max(0, m.limit-1)]
		}
		return m.b.String() + note
	}
	return m.b.String()
}

func (m *markdownWriter) header(p *textPrinter) {
	r := p.report
	title := "serbench report"
	if r.Title != "" {
		title = visible(r.Title)
	}
	m.block("# " + markdownText(title) + "\n")
	// The text's header without its title, one paragraph with line breaks.
	withoutTitle := *r
	withoutTitle.Title = ""
	q := textPrinter{report: &withoutTitle, shown: p.shown, unwrapped: true}
	q.header()
	separator := "\n"
	for line := range strings.Lines(q.b.String()) {
		m.block(separator + "- " + markdownText(strings.TrimSpace(line)) + "\n")
		separator = ""
	}
}

func (m *markdownWriter) group(p *textPrinter, g *group) {
	heading := "\n## " + markdownText(p.title(g)) + "\n\n"
	if s := g.headline(p.comparisons, p.shown); s != "" {
		heading += markdownText(s) + "\n\n"
	}
	for _, s := range p.shares(g) {
		heading += markdownText(visible(s)) + "\n\n"
	}
	rows := p.options.sorted(g.rows())
	if len(rows) > 0 {
		m.table(heading, p.options.pick(p.columns(g, rows)))
		if !g.compared && len(g.ranked)+len(g.lossy) > 1 {
			m.block("\nNot compared: the order is that of the figures.\n")
		}
	} else {
		m.block(heading)
	}
	list := ""
	for _, l := range p.noteLines(g) {
		list += "- " + markdownText(l.String()) + "\n"
	}
	if list != "" {
		m.block("\n" + list)
	}
	m.extras(p, g)
}

// table writes a table under its heading, as many rows as fit.
func (m *markdownWriter) table(heading string, columns []column) {
	var head, rule strings.Builder
	for _, c := range columns {
		title := markdownText(c.title)
		if title == "" {
			title = "interval"
		}
		head.WriteString("| " + title + " ")
		if c.left {
			rule.WriteString("| --- ")
		} else {
			rule.WriteString("| ---: ")
		}
	}
	table := head.String() + "|\n" + rule.String() + "|\n"
	for i := range columns[0].cells {
		var line strings.Builder
		for _, c := range columns {
			cell := c.cells[i]
			if c.title != "codec" && c.title != "note" {
				cell = strings.Join(strings.Fields(cell), " ")
			}
			line.WriteString("| " + markdownText(cell) + " ")
		}
		line.WriteString("|\n")
		m.rows++
		s := line.String()
		if i == 0 {
			s = heading + table + s // a table begins with a row or not at all
		}
		if m.block(s) {
			m.written++
		}
	}
}

// markdownText makes a line of text that means itself: everything that
// Markdown or HTML would read otherwise is escaped.
func markdownText(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch r {
		case '&':
			b.WriteString("&amp;")
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '@': // no mention
			b.WriteString("&#64;")
		case '\n', '\r':
			b.WriteByte(' ')
		case '\\', '`', '*', '_', '{', '}', '[', ']', '|', '~', '$', '^':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '#', '!':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '+', '-', '=':
			if i == 0 && len(s) > 1 { // no list, no underline of a heading
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
