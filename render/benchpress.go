package render

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/serbench/serbench"
)

// BenchPress writes the report as Ruby's bench_press does: a heading that
// names the winner, and the cases by their total time, each with the share of
// its own time that the fastest would save. Environments beyond the first
// stand in sections of their own, those that could not run with the reason.
// Source of the layout and the percentage: bench_press 0.3.1.
//
// What loses information stands below the others, unranked.
func BenchPress(w io.Writer, r *serbench.Report) error {
	if r == nil {
		return errors.New("render: the report is nil")
	}
	p := benchPress{report: r}
	p.header()
	for i := range r.Environments {
		p.section(&r.Environments[i], len(r.Environments) > 1)
	}
	p.legend()
	_, err := w.Write(p.b.Bytes())
	return err
}

type benchPress struct {
	b      bytes.Buffer
	report *serbench.Report
}

func (p *benchPress) printf(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

// lineBreak at the end of a line is Markdown's.
const lineBreak = "  \n"

func (p *benchPress) header() {
	r := p.report
	p.b.WriteString(underlined(visible(cmp.Or(r.Title, "Benchmark")), "="))
	if r.Author != "" {
		p.b.WriteString("Author: " + visible(r.Author) + lineBreak)
	}
	if !r.Started.IsZero() {
		p.b.WriteString("Date: " + r.Started.Format("January 2, 2006") + lineBreak)
	}
	if r.Summary != "" {
		p.b.WriteString("Summary: " + visible(r.Summary) + lineBreak)
	}
}

// section is one environment's: the machine, and a table for each payload and
// op.
func (p *benchPress) section(e *serbench.Environment, several bool) {
	if several {
		p.printf("\n%s\n%s: %s\n", strings.Repeat("-", 80), visibleName(e.ID), runtimeLine(e))
	}
	p.b.WriteString("\n" + underlined("System Information", "-"))
	p.fact("Operating System", e.OS)
	p.fact("CPU", e.CPUModel)
	if e.CPUs > 0 {
		p.fact("Processor Count", strconv.Itoa(e.CPUs))
	}
	if e.MemoryBytes > 0 {
		p.fact("Memory", sizeText(float64(e.MemoryBytes)))
	}
	p.versions(e)
	p.printf("\n    %s\n", runtimeLine(e))

	var tables []*seedTable
	ran := false
	for _, t := range seedTables(p.report) {
		if t.environment == e.ID {
			tables = append(tables, t)
			ran = ran || slices.ContainsFunc(t.rows, timed)
		}
	}
	if !ran {
		reason := "did not run: no results"
		if len(tables) > 0 {
			reason = didNotRun(tables[0].rows[0])
		}
		p.printf("\n%s\n", reason)
		return
	}
	for _, t := range tables {
		p.table(t)
	}
}

func (p *benchPress) fact(key, value string) {
	if value != "" {
		p.printf("    %-21s%s\n", key+":", visible(value))
	}
}

// versions lists what was measured: the seed's author wrote it in by hand.
func (p *benchPress) versions(e *serbench.Environment) {
	key := "Codecs"
	for _, c := range p.report.Codecs {
		version := c.Version
		if v := e.Modules[c.Library]; v != "" {
			version = v
		}
		text := visibleName(c.Name)
		if what := strings.TrimSpace(c.Library + " " + version); what != "" {
			text += ": " + visible(what)
		}
		if key != "" {
			p.fact(key, text)
			key = ""
			continue
		}
		p.printf("    %-21s%s\n", "", text)
	}
}

func (p *benchPress) table(t *seedTable) {
	p.printf("\n%s\n", t.title())
	var ranked, unranked []*serbench.Result
	reps := int64(0)
	for _, res := range t.rows {
		if timed(res) && res.Status != serbench.StatusPartial {
			reps = max(reps, res.Reps)
		}
	}
	for _, res := range t.rows {
		switch {
		case timed(res) && !lossy(res) && res.Reps == reps:
			ranked = append(ranked, res)
		default:
			unranked = append(unranked, res)
		}
	}
	slices.SortStableFunc(ranked, func(a, b *serbench.Result) int { return cmp.Compare(a.ElapsedNs, b.ElapsedNs) })
	if len(ranked) > 0 {
		fastest, slowest := ranked[0], ranked[len(ranked)-1]
		p.b.WriteString("\n" + underlined(fmt.Sprintf("%q is up to %d%% faster over %s repetitions",
			visible(fastest.Codec), slower(slowest, fastest), thousands(reps)), "-"))
	}
	p.b.WriteByte('\n')
	names, seconds := 0, 0
	for _, res := range t.rows {
		names = max(names, width(visibleName(res.Codec)))
		if timed(res) {
			seconds = max(seconds, len(rubyFloat(float64(res.ElapsedNs)/1e9)))
		}
	}
	line := func(res *serbench.Result, summary string) {
		p.printf("    %s%s secs    %s\n", padRight(visibleName(res.Codec), names+4),
			padRight(rubyFloat(float64(res.ElapsedNs)/1e9), seconds), summary)
	}
	for i, res := range ranked {
		if i == 0 {
			line(res, "Fastest")
			continue
		}
		line(res, strconv.Itoa(slower(res, ranked[0]))+"% Slower")
	}
	for _, res := range unranked {
		switch {
		case timed(res) && res.Reps == reps:
			line(res, lost(res))
		case timed(res):
			line(res, fmt.Sprintf("over %s repetitions only, so it is not ranked", thousands(res.Reps)))
		default:
			p.printf("    %s%s\n", padRight(visibleName(res.Codec), names+4), didNotRun(res))
		}
	}
}

// slower is bench_press's percentage: the share of the slower one's own time
// that the fastest saves, cut to a whole number.
func slower(res, fastest *serbench.Result) int {
	t, f := float64(res.ElapsedNs), float64(fastest.ElapsedNs)
	if t <= 0 {
		return 0
	}
	return int((t - f) / t * 100)
}

func (p *benchPress) legend() {
	p.printf("\n%s", wrap("", "% slower: bench_press's percentage, (t - fastest) / t: the share of its own time that a case would save with the fastest. "+
		"The headline's \"faster\" is that of the slowest."))
	isolation := "All cases ran in one process; bench_press starts one for each."
	if n := p.report.Config.Launches; n == 1 {
		isolation = "Each case ran in a process of its own, as in the original."
	} else if n > 1 {
		isolation = fmt.Sprintf("Each case ran in %d processes of its own; the times are their sum.", n)
	}
	p.b.WriteString(wrap("", isolation))
}

// rubyFloat writes x as Ruby does: the shortest decimal form that is x, with a
// point always, and an exponent below 0.0001 and from 1e16 on.
func rubyFloat(x float64) string {
	if a := math.Abs(x); a != 0 && (a < 1e-4 || a >= 1e16) {
		s := strconv.FormatFloat(x, 'e', -1, 64)
		mantissa, exponent, _ := strings.Cut(s, "e")
		if !strings.Contains(mantissa, ".") {
			mantissa += ".0"
		}
		return mantissa + "e" + exponent
	}
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
