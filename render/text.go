// Package render turns a report into something to read or to feed to other
// tools. Each format is one pure function of a writer and a report: no clock,
// no environment, no colours unless asked; the same report gives the same
// bytes.
//
// Names and messages in a report are data: whatever they hold, they cannot
// break the layout or hide from the reader.
package render

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/serbench/serbench"
)

// Text writes a report for a person at a terminal of about 100 columns: a
// table for each payload and op, the fastest codec first, with a sentence
// that says what is certain; below it, what was lost, what failed and why.
//
// It only reads r; concurrent calls are safe. The error is that of w.
func Text(w io.Writer, r *serbench.Report) error { return TextWith(w, r, Options{}) }

// TextWith is [Text] with chosen columns or another order.
func TextWith(w io.Writer, r *serbench.Report, o Options) error {
	if err := o.check(r, tableColumns); err != nil {
		return err
	}
	p := textPrinter{report: r, options: o}
	p.prepare()
	p.header()
	var notRun []*group
	for _, g := range p.groups {
		if g.notRun() {
			notRun = append(notRun, g)
			continue
		}
		p.group(g)
	}
	if len(r.Results) == 0 {
		p.b.WriteString("\nno results\n")
	}
	p.notRun(notRun)
	p.memory()
	p.legend()
	_, err := w.Write(p.b.Bytes())
	return err
}

type textPrinter struct {
	b           bytes.Buffer
	report      *serbench.Report
	options     Options
	unwrapped   bool // the header's lines are not broken
	groups      []*group
	comparisons comparisonIndex
	shown       map[string]string // of labels, payloads, forms and the like
	// payloadValues is the number of values by name and form.
	payloadValues map[[2]string]int
	several       struct{ transports, parallelisms, environments, builds bool }
}

// prepare looks over the whole report once.
func (p *textPrinter) prepare() {
	p.comparisons = indexComparisons(p.report.Comparisons)
	p.groups = groupsOf(p.report, p.comparisons)
	p.payloadValues = map[[2]string]int{}
	for _, pl := range p.report.Payloads {
		p.payloadValues[[2]string{pl.Name, pl.Form}] = pl.Values
	}
	for _, g := range p.groups {
		first := p.groups[0].key
		p.several.transports = p.several.transports || g.key.transport != first.transport
		p.several.parallelisms = p.several.parallelisms || g.key.parallelism != first.parallelism
		p.several.environments = p.several.environments || g.key.environment != first.environment
		p.several.builds = p.several.builds || g.key.build != first.build
	}
	p.nameAll()
}

func (p *textPrinter) nameAll() {
	var names []string
	for _, g := range p.groups {
		names = append(names, g.key.payload, g.key.transport, g.key.environment, g.key.build)
		names = append(names, g.forms...)
		for _, r := range slices.Concat(g.rows(), g.without) {
			names = append(names, r.label)
		}
	}
	for _, pl := range p.report.Payloads {
		names = append(names, pl.Name, pl.Form)
	}
	p.shown = shownNames(names)
}

func (p *textPrinter) printf(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

// group writes one table and what belongs to it.
func (p *textPrinter) group(g *group) {
	p.printf("\n%s\n", p.title(g))
	if s := g.headline(p.comparisons, p.shown); s != "" {
		p.b.WriteString(wrap("", s))
	}
	for _, s := range p.shares(g) {
		p.b.WriteString(wrap("", visible(s)))
	}
	if rows := p.options.sorted(g.rows()); len(rows) > 0 {
		writeTable(&p.b, p.options.pick(p.columns(g, rows)))
		if !g.compared && len(g.ranked)+len(g.lossy) > 1 {
			p.b.WriteString("  not compared: the order is that of the figures\n")
		}
	}
	p.b.WriteString(p.notes(g))
	p.writeExtras(g)
}

// title names a table; what all tables share is left out.
func (p *textPrinter) title(g *group) string { return p.titleOf(g, true) }

// titleOf is title, with or without op and goroutines.
func (p *textPrinter) titleOf(g *group, op bool) string {
	title := p.shown[g.key.payload]
	forms := make([]string, len(g.forms))
	for i, f := range g.forms {
		forms[i] = p.shown[f]
	}
	if s := strings.Join(forms, ", "); s != `""` {
		title += " (" + s + ")"
	}
	if op {
		title += ", " + visibleName(string(g.key.op))
	}
	if n := p.values(g); n > 1 {
		title += fmt.Sprintf(", %d values", n)
	}
	if g.key.transport != "" && (p.several.transports || g.key.transport != "memory") {
		title += ", through " + p.shown[g.key.transport]
	}
	switch g.key.role {
	case serbench.RoleWhole:
	case serbench.RoleTransport:
		title += ": the transport alone"
	case serbench.RoleCodec:
		title += ": the codec alone"
	default:
		title += ": " + visibleName(string(g.key.role))
	}
	if op && (g.key.parallelism > 1 || p.several.parallelisms) {
		title += fmt.Sprintf(", parallel %d", g.key.parallelism)
	}
	if p.several.environments {
		title += ", on " + p.shown[g.key.environment]
	}
	if p.several.builds && g.key.build != "" {
		title += ", build " + p.shown[g.key.build]
	}
	return title
}

// shares are the sentences on how much of the group's ops is the codec, on
// what its goroutines gain over one, and on how its self-check ended.
func (p *textPrinter) shares(g *group) (words []string) {
	for i := range p.report.Shares {
		s := &p.report.Shares[i]
		if slices.ContainsFunc(g.all, func(res *serbench.Result) bool { return res.ID == s.Whole }) && s.Words != "" {
			words = append(words, s.Words)
		}
	}
	for i := range p.report.Scalings {
		s := &p.report.Scalings[i]
		if slices.ContainsFunc(g.all, func(res *serbench.Result) bool { return res.ID == s.Result }) && s.Words != "" {
			words = append(words, s.Words)
		}
	}
	return append(words, p.selfChecks(g)...)
}

// selfChecks says in a line for each cell that has twins how they were judged.
func (p *textPrinter) selfChecks(g *group) (lines []string) {
	for _, r := range slices.Concat(g.rows(), g.without) {
		var words []string
		passed := true
		for i := range p.report.SelfChecks {
			if c := &p.report.SelfChecks[i]; c.Result == r.res.ID {
				words = append(words, twinText(c))
				passed = passed && c.Passed
			}
		}
		if len(words) == 0 {
			continue
		}
		line := "self-check"
		if !passed {
			line += " FAILED"
		}
		if len(g.forms) > 1 {
			line += " with " + p.shown[r.label]
		}
		lines = append(lines, line+": "+strings.Join(words, "; "))
	}
	return lines
}

func twinText(c *serbench.SelfCheck) string {
	twin, verdict := "equal twin", "found "+string(c.Verdict)
	if c.Extra > 0 {
		twin = percent(c.Extra) + " twin"
	}
	switch told := c.Verdict == serbench.Faster || c.Verdict == serbench.Slower; {
	case !told && c.Passed:
		verdict = "not told apart"
	case !told:
		verdict = "not found slower"
	}
	r := ratio{low: c.Low, high: c.High}
	if c.Ratio != nil {
		r.value = *c.Ratio
	}
	return twin + " " + verdict + interval(&r)
}

// values is the number of values of a payload, 0 if the report does not say.
func (p *textPrinter) values(g *group) int {
	return p.payloadValues[[2]string{g.key.payload, g.forms[0]}]
}

func (g *group) notRun() bool {
	return !slices.ContainsFunc(g.all, func(res *serbench.Result) bool { return res.Status != serbench.StatusNotRun })
}

// notRun lists the tables that an interrupted run did not come to.
func (p *textPrinter) notRun(groups []*group) {
	if len(groups) == 0 {
		return
	}
	titles := make([]string, len(groups))
	for i, g := range groups {
		titles[i] = p.title(g)
	}
	p.b.WriteString("\n" + wrap("not run: ", strings.Join(titles, "; ")))
}

// legend explains the columns of the tables above it.
func (p *textPrinter) legend() {
	var timed, sustained, lossy, compared bool
	for _, g := range p.groups {
		compared = compared || g.compared
		lossy = lossy || len(g.lossy) > 0
		for _, r := range g.rows() {
			timed = timed || r.ns() != nil
			sustained = sustained || r.res.Estimates.SustainedNsPerOp != nil
		}
	}
	if !timed {
		return
	}
	s := "time/op: of a typical op, without the garbage collector; its interval speaks of this run on this machine."
	if sustained {
		s += " sustained: with the collector at work"
		if heap := p.report.Config.LiveHeap; heap > 0 {
			s += " over a live heap of " + sizeText(float64(heap))
		}
		s += "."
	}
	if compared {
		s += " rank: 1 + the number of codecs that are certainly faster, in this build; ratio: of the times, to the first row."
	}
	if lossy {
		s += " L: loses information, ranked apart."
	}
	s += p.extrasLegend()
	p.b.WriteString("\n" + wrap("", s))
}
