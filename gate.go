package serbench

import (
	"errors"
	"fmt"
	"math"
	"strconv"
)

// Limits are the settings of a Gate. The zero value fails on any growth in
// size or allocations, any loss of fidelity, any cell that is gone or broken,
// and on times that are certainly longer by 10 % or more.
type Limits struct {
	// Time is the relative slowdown from which on a significant one counts;
	// default 0.10. Where code lies in memory alone moves a function by up to
	// 7 %, and two runs are not taken side by side. A change that is no larger
	// than what the run's control loop showed of the machine itself never
	// fails. Negative: times are not judged.
	Time float64
	// Size and Allocs are the relative growths that pass; default 0, none.
	// Negative: not judged. Allocs holds for the count and the bytes.
	Size, Allocs float64
	// AllowMissing lets cells pass that only the old report has.
	AllowMissing bool
	// AllowFidelity lets cells pass that lose more than before.
	AllowFidelity bool
}

const defaultTimeLimit = 0.10

// FindingKind is what a finding is about.
type FindingKind string

// The kinds of findings.
const (
	FindingTime       FindingKind = "time"
	FindingSize       FindingKind = "size"
	FindingAllocs     FindingKind = "allocs"
	FindingAllocBytes FindingKind = "alloc-bytes"
	FindingFidelity   FindingKind = "fidelity"
	FindingStatus     FindingKind = "status"
	FindingMissing    FindingKind = "missing"
	FindingNew        FindingKind = "new"
)

// Finding is one thing that a Gate found.
type Finding struct {
	Kind   FindingKind
	Fails  bool // else it is only told: an improvement, a new cell, what the limits let pass
	Change *Change
	// Message says what changed, with figures and without the cell's name.
	Message string
}

// Gate judges a diff. Findings stand in the order of the changes. The error
// says that there was nothing to compare, which is no pass, or that a limit is
// none.
func Gate(d *ReportDiff, l Limits) ([]Finding, error) {
	if d == nil {
		return nil, errors.New("serbench: gate: there is no diff")
	}
	for _, f := range []struct {
		name  string
		value float64
	}{{"Time", l.Time}, {"Size", l.Size}, {"Allocs", l.Allocs}} {
		if math.IsNaN(f.value) || math.IsInf(f.value, 0) {
			return nil, fmt.Errorf("serbench: gate: Limits.%s: %v is not a share", f.name, f.value)
		}
	}
	if l.Time == 0 {
		l.Time = defaultTimeLimit
	}
	g := gate{limits: l, level: d.Level}
	compared := 0
	for i := range d.Changes {
		c := &d.Changes[i]
		if c.Time != nil || c.Encoded != nil || c.Allocs != nil {
			compared++
		}
		g.judge(c)
	}
	if compared == 0 {
		return g.findings, errors.New("serbench: gate: the reports have no cell with figures in common: there is nothing to compare")
	}
	return g.findings, nil
}

type gate struct {
	limits   Limits
	level    float64
	findings []Finding
}

func (g *gate) add(c *Change, kind FindingKind, fails bool, format string, args ...any) {
	g.findings = append(g.findings, Finding{Kind: kind, Fails: fails, Change: c, Message: fmt.Sprintf(format, args...)})
}

func (g *gate) judge(c *Change) {
	switch c.Presence {
	case Added:
		g.add(c, FindingNew, false, "is new, status %s", c.New.Status)
		return
	case Missing:
		g.add(c, FindingMissing, !g.limits.AllowMissing && c.Old.hasFigures(), "is missing, was %s", c.Old.Status)
		return
	}
	if c.StatusChanged {
		reason := ""
		if c.New.Reason != "" {
			reason = ": " + c.New.Reason
		}
		fails := c.Old.hasFigures() && !c.New.hasFigures()
		if c.New.Status == StatusLossy {
			fails = !g.limits.AllowFidelity && c.Old.Status == StatusOK
		}
		fails = fails || c.New.Status == StatusFailed
		g.add(c, FindingStatus, fails, "status %s, was %s%s", c.New.Status, c.Old.Status, reason)
	}
	if c.FidelityChanged {
		g.add(c, FindingFidelity, c.FidelityWorse && !g.limits.AllowFidelity, "fidelity %s with %d differences, was %s with %d%s",
			c.New.Fidelity.Class, c.New.Fidelity.Total, c.Old.Fidelity.Class, c.Old.Fidelity.Total, firstLoss(c.New.Fidelity))
	}
	g.size(c)
	g.count(c, FindingAllocs, "allocs/op", c.Allocs)
	g.count(c, FindingAllocBytes, "B/op", c.AllocBytes)
	g.time(c)
}

func firstLoss(f *Fidelity) string {
	for _, d := range f.Differences {
		if !d.Normalised {
			return ", such as " + d.Kind + " at " + quoteIfOdd(d.Path)
		}
	}
	return ""
}

func (g *gate) size(c *Change) {
	s := c.Encoded
	if g.limits.Size < 0 || s == nil || !s.Changed {
		return
	}
	beyond := grew(s.Old.Mean, s.New.Mean, g.limits.Size) || grew(float64(s.Old.Max), float64(s.New.Max), g.limits.Size) ||
		grew(float64(s.Old.Min), float64(s.New.Min), g.limits.Size) || grew(float64(s.Old.First), float64(s.New.First), g.limits.Size)
	g.add(c, FindingSize, beyond, "encodes to %s bytes, was %s%s", sizeWords(s.New), sizeWords(s.Old), growth(s.Old.Mean, s.New.Mean))
}

func sizeWords(s FigureSizes) string {
	w := number4(s.Mean)
	if s.Min != s.Max {
		w += fmt.Sprintf(" (%d..%d)", s.Min, s.Max)
	}
	if s.First > 0 {
		w += fmt.Sprintf(", first %d", s.First)
	}
	return w
}

// grew: more than a share above the old value, or from nothing.
func grew(old, new, share float64) bool { return new > old && new-old > share*old }

func (g *gate) count(c *Change, kind FindingKind, unit string, f *FigureChange) {
	if g.limits.Allocs < 0 || f == nil || !f.Changed {
		return
	}
	g.add(c, kind, grew(f.Old, f.New, g.limits.Allocs), "%s %s, was %s%s", number4(f.New), unit, number4(f.Old), growth(f.Old, f.New))
}

func (g *gate) time(c *Change) {
	t := c.Time
	if g.limits.Time < 0 || !t.Significant(g.level) {
		return
	}
	effect := max(t.Ratio, 1/t.Ratio)
	if effect < 1+g.limits.Time {
		return
	}
	words := fmt.Sprintf("takes %s ns/op, was %s%s (p = %.2g)", number4(t.New), number4(t.Old), ratioWords(t), t.P)
	if t.Drift >= effect {
		g.add(c, FindingTime, false, "%s; not certain, since the machine itself changed by a factor of %.3g meanwhile", words, t.Drift)
		return
	}
	g.add(c, FindingTime, t.Ratio > 1, "%s", words)
}

func ratioWords(t *TimeChange) string {
	s := fmt.Sprintf(": %+.1f %%", 100*(t.Ratio-1))
	if t.Low != nil && t.High != nil {
		s += fmt.Sprintf(", between %+.1f and %+.1f %%", 100*(*t.Low-1), 100*(*t.High-1))
	}
	return s
}

func growth(old, new float64) string {
	if q := quotient(new, old); !math.IsNaN(q) {
		return fmt.Sprintf(": %+.1f %%", 100*(q-1))
	}
	return ""
}

// number4 writes whole numbers in full and others with four digits.
func number4(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// Failed reports whether any finding fails.
func Failed(findings []Finding) bool {
	for _, f := range findings {
		if f.Fails {
			return true
		}
	}
	return false
}
