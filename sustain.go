package serbench

import (
	"runtime"
	"time"

	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/stats"
)

// sustainedRounds is how often each cell gets a sustained slot.
const sustainedRounds = 2

// sustain measures op times under the normal collector over a live heap.
func (r *run) sustain() {
	if r.LiveHeap <= 0 || r.ctx.Err() != nil {
		return
	}
	if r.report.Environments[0].GOGC == "off" {
		r.report.Warnings = append(r.report.Warnings, Warning{Code: "collector-off",
			Message: "GOGC is off: there is no sustained time to measure", Advice: "unset GOGC, or LiveHeap"})
		return
	}
	ballast := measure.Ballast(r.LiveHeap)
	defer runtime.KeepAlive(ballast)
	var until time.Time
	if r.Budget > 0 {
		until = r.started.Add(r.Budget)
	}
	for i, g := range r.groups {
		if r.ctx.Err() != nil {
			return
		}
		if g.m == nil || g.wire != nil {
			continue
		}
		g.slots = g.m.Sustained(r.ctx, sustainedRounds, until)
		r.recordSustained(g, g.slots)
		g.stopTeams()
		r.event(Event{Phase: "sustained", Payload: g.cells[0].result.Payload, Form: g.cells[0].result.Form, Op: g.op,
			Done: r.phaseShare("sustained", float64(i+1)/float64(len(r.groups)))})
	}
}

func (r *run) recordSustained(g *group, slots [][]measure.Sustained) {
	outs := g.m.Outcomes()
	for i, c := range g.cells {
		if c.result.Status == StatusFailed || c.result.Status == StatusNotRun {
			continue
		}
		if outs[i].Err != nil {
			if c.result.Status == StatusOK || c.result.Status == StatusLossy {
				r.failCell(c, outs[i].Err)
			}
			continue
		}
		if len(slots[i]) == 0 {
			if c.result.Reps > 0 {
				c.result.Warnings = append(c.result.Warnings, Warning{Code: "no-sustained",
					Message: "the budget ended before the sustained time was measured", Advice: "raise Budget"})
			}
			continue
		}
		res := c.result
		res.LiveHeap = r.LiveHeap
		var wall, cpu []float64
		for _, s := range slots[i] {
			wall = append(wall, s.Wall)
			if s.HasCPU {
				cpu = append(cpu, s.CPU/float64(c.goroutines()))
			}
			s.Counter.Reps *= c.goroutines()
			res.Counters = append(res.Counters, counter(s.Counter))
		}
		res.Estimates.SustainedNsPerOp = sustainedEstimate(wall, "wall time under the normal collector")
		if len(cpu) > 0 {
			res.Estimates.CPUNsPerOp = sustainedEstimate(cpu, "user and system time under the normal collector, all threads")
		}
	}
}

func sustainedEstimate(xs []float64, method string) *Estimate {
	e := &Estimate{Value: stats.Mean(xs), Method: method + ", collections charged by the bytes allocated", N: len(xs)}
	q := stats.Quantiles(xs, 0, 1)
	e.Min, e.Max = finite(q[0]), finite(q[1])
	return e
}

// measureShare is the share of the run's work that is done when so much of
// the measuring is.
func (r *run) measureShare(done float64) float64 { return r.phaseShare("measure", done) }

// phaseShare is the share of the run's work that is done when so much of the
// phase is.
func (r *run) phaseShare(phase string, done float64) float64 {
	before, all := 0.0, 0.0
	for _, p := range []struct {
		name   string
		on     bool
		weight float64
	}{
		{"verify", true, 0.05}, {"measure", true, 0.65}, {"sustained", r.LiveHeap > 0, 0.3},
		{"latency", r.Latency > 0, 0.2}, {"cold", r.Cold, 0.2}, {"memory", r.Memory, 0.5},
	} {
		switch {
		case !p.on:
		case p.name == phase:
			before = all + p.weight*done
			all += p.weight
		default:
			all += p.weight
		}
	}
	return before / all
}

// event tells the caller how far the run is.
func (r *run) event(e Event) {
	if r.OnEvent == nil {
		return
	}
	e.Elapsed = time.Since(r.started)
	if e.Done > 0 {
		e.Left = time.Duration(float64(e.Elapsed) * (1 - e.Done) / e.Done)
	}
	r.OnEvent(e)
}
