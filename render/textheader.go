package render

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/serbench/serbench"
)

// header says what the report is, and where and how it came about.
func (p *textPrinter) header() {
	r := p.report
	if r.Title != "" {
		p.b.WriteString(p.wrap("", visible(r.Title)))
	}
	var facts []string
	if !r.Started.IsZero() {
		facts = append(facts, r.Started.Format("2006-01-02 15:04:05 -07:00"))
	}
	if r.ElapsedNs > 0 {
		facts = append(facts, "took "+time.Duration(r.ElapsedNs).Round(100*time.Millisecond).String())
	}
	if r.Config.Mode != "" {
		facts = append(facts, "mode "+visibleName(r.Config.Mode))
	}
	if len(facts) > 0 {
		p.b.WriteString(strings.Join(append(facts, fmt.Sprintf("seed %d", r.Config.Seed)), ", ") + "\n")
	}
	for i := range r.Environments {
		p.environment(&r.Environments[i])
	}
	if r.Interrupted {
		p.b.WriteString("interrupted: the run ended before everything was measured\n")
	}
	for _, w := range r.Warnings {
		p.warning("", w)
	}
	for _, pl := range r.Payloads {
		for _, w := range pl.Warnings {
			p.warning(p.shown[pl.Name]+" ("+p.shown[pl.Form]+")", w)
		}
	}
}

func (p *textPrinter) warning(about string, w serbench.Warning) {
	text := warningText(w)
	if about != "" {
		text = about + ": " + text
	}
	p.b.WriteString(p.wrap("warning: ", text))
}

// warningText is the message, and the advice if there is one.
func warningText(w serbench.Warning) string {
	s := visible(w.Message)
	if s == "" {
		s = visible(w.Code)
	}
	if w.Advice != "" {
		s += "; " + visible(w.Advice)
	}
	return s
}

func (p *textPrinter) environment(e *serbench.Environment) {
	first := ""
	if len(p.report.Environments) > 1 {
		first = visibleName(e.ID) + ": "
	}
	var facts []string
	add := func(format string, args ...any) { facts = append(facts, visible(fmt.Sprintf(format, args...))) }
	if e.GoVersion != "" {
		add("%s", strings.TrimSpace(e.GoVersion+" "+strings.Trim(e.GOOS+"/"+e.GOARCH, "/")+" "+e.GOAMD64))
	}
	if e.GOEXPERIMENT != "" {
		add("GOEXPERIMENT %s", e.GOEXPERIMENT)
	}
	if e.CPUModel != "" {
		add("%s", e.CPUModel)
	}
	if e.CPUs > 0 {
		add("%d CPUs", e.CPUs)
	}
	if e.ContainerCPUs > 0 {
		add("limited to %s", plainNumber(e.ContainerCPUs))
	}
	if e.GOMAXPROCS > 0 && e.GOMAXPROCS != e.CPUs {
		add("GOMAXPROCS %d", e.GOMAXPROCS)
	}
	if e.GOGC != "" && e.GOGC != "100" {
		add("GOGC %s", e.GOGC)
	}
	if e.OS != "" {
		add("%s", e.OS)
	}
	if e.RaceDetector {
		add("race detector on")
	}
	if len(facts) > 0 {
		p.b.WriteString(p.wrap(first, strings.Join(facts, ", ")))
	}
	if len(e.FloorNs) > 0 {
		var floors []string
		for op := range e.FloorNs {
			floors = append(floors, string(op))
		}
		slices.SortFunc(floors, func(a, b string) int { return compareOps(serbench.Op(a), serbench.Op(b)) })
		for i, op := range floors {
			floors[i] = visibleName(op) + " " + plainNumber(e.FloorNs[serbench.Op(op)]) + " ns"
		}
		p.b.WriteString(p.wrap(first+"harness floor, held by every figure: ", strings.Join(floors, ", ")))
	}
}

// compareOps sorts ops as reports list them, unknown ones behind by name.
func compareOps(a, b serbench.Op) int {
	order := serbench.Ops()
	i, j := slices.Index(order, a), slices.Index(order, b)
	switch {
	case i < 0 && j < 0:
		return strings.Compare(string(a), string(b))
	case i < 0:
		return 1
	case j < 0:
		return -1
	}
	return i - j
}

func (p *textPrinter) wrap(first, text string) string {
	if p.unwrapped {
		return first + text + "\n"
	}
	return wrap(first, text)
}
