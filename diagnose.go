package serbench

import (
	"fmt"
	"strconv"

	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/stats"
)

// diagnose puts on a result what a reader of its figures should know.
func (r *run) diagnose(c *cell, o measure.CellOutcome, floor float64) {
	res := c.result
	warn := func(code, advice, format string, args ...any) {
		res.Warnings = append(res.Warnings, Warning{Code: code, Message: fmt.Sprintf(format, args...), Advice: advice})
	}
	e := res.Estimates.NsPerOp
	if e != nil && e.Value < 2*floor {
		warn("near-floor", "the difference to other fast codecs is partly the harness's own time",
			"takes %.3g ns per op, of which the harness alone takes about %.3g", e.Value, floor)
	}
	if o.Short {
		warn("short-batches", "raise Reps, or Plan.BatchReps",
			"the timed batches are too short for a clock that takes %.3g ns to read", r.facts.Cost)
	}
	if o.Odd > 0 {
		warn("clock-backwards", "", "%d batches were left out because the clock went backwards", o.Odd)
	}
	if o.Idle {
		warn("idle", "use Time instead of CPUTime", "waits instead of computing: it was ended before it had used the CPU time asked for")
	}
	if n := len(o.Blocks); r.mode == modePrecision && n < stats.Looks()[0] && res.Status != StatusPartial {
		warn("few-blocks", "raise Budget", "only %d of at least %d blocks fitted into the budget", n, stats.Looks()[0])
	}
	if !inTurns(r.mode) && len(o.Samples) < 2 {
		warn("one-sample", "raise Reps, or lower Plan.BatchReps", "there is one sample: nothing is known of its spread")
	}
	for _, t := range res.Traits {
		if t.Name == TraitAliasesInput {
			warn(t.Name, "a program that reuses its read buffer must copy first", "%s", t.Detail)
		}
	}
}

// diagnoseModes says which cells have samples that gather around two values:
// of most of a group at once it says that the machine has two states.
func (r *run) diagnoseModes(g *group, outs []measure.CellOutcome) {
	modes := map[*cell]stats.Modes{}
	measured := 0
	for i, c := range g.cells {
		if outs[i].Err != nil || c.result.Reps == 0 || len(outs[i].Samples) < leastModeSamples || !c.subject.corpusInBatch(outs[i].Batch) {
			continue
		}
		measured++
		perOp := make([]float64, len(outs[i].Samples))
		for k, s := range outs[i].Samples {
			perOp[k] = float64(s.Elapsed) / float64(s.Reps)
		}
		if m := stats.TwoModes(perOp); m.Several && m.High > (1+leastModeGap)*m.Low && min(m.Share, 1-m.Share) > 0.1 {
			modes[c] = m
		}
	}
	if n := len(modes); n >= 3 && 2*n > measured {
		var apart []float64
		for _, m := range modes {
			apart = append(apart, m.High/m.Low)
		}
		r.report.Warnings = append(r.report.Warnings, Warning{Code: "machine-modes",
			Message: fmt.Sprintf("%s: the samples of %d of %d codecs gather around two values, %.2g times apart at the median", g.name, n, measured, stats.Median(apart)),
			Advice:  "the machine went to and fro between two speeds; ratios are paired and hold, times per op are this run's only"})
		return
	}
	for c, m := range modes {
		c.result.Warnings = append(c.result.Warnings, Warning{Code: "second-mode",
			Message: fmt.Sprintf("the samples gather around two values, %s and %s ns", plain4(m.Low), plain4(m.High)),
			Advice:  "the op, or the machine, has two states; look at the samples over time"})
	}
}

// leastModeSamples are as many as it takes to tell two values from one.
const leastModeSamples = 64

// leastModeGap is the relative distance of two modes that is worth a warning.
const leastModeGap = 0.05

// corpusInBatch reports whether each batch covers the whole corpus, so that
// differences between values are no spread.
func (s *subject) corpusInBatch(batch int) bool { return batch%len(s.values) == 0 }

// plain4 writes four digits and never an exponent: 14050, not 1.405e+04.
func plain4(x float64) string {
	if x >= 1000 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}
