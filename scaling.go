package serbench

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/stats"
)

// checkParallelism returns the numbers of goroutines with 1 first.
func (r Runner) checkParallelism(bad func(string, ...any)) []int {
	out := []int{1}
	const most = 4096
	for i, p := range r.Parallelism {
		switch {
		case p < 1 || p > most:
			bad("Runner.Parallelism: %d goroutines are not between 1 and %d", p, most)
		case slices.Index(r.Parallelism, p) < i:
			bad("Runner.Parallelism: %d is named twice", p)
		case r.Reps%p != 0:
			bad("Runner.Reps: %d is not a multiple of Runner.Parallelism %d", r.Reps, p)
		case p > 1:
			out = append(out, p)
		}
	}
	if len(out) > 1 && r.Launches > 0 {
		bad("Runner.Parallelism: cannot be combined with Launches")
	}
	slices.Sort(out)
	return out
}

// parallel reports whether a cell of the group is done by several goroutines.
func (g *group) parallel() bool {
	return slices.ContainsFunc(g.cells, func(c *cell) bool { return c.team != nil })
}

func (g *group) adjustForTeams(set *measure.Settings) {
	if !g.parallel() {
		return
	}
	if set.BatchTime == 0 {
		set.BatchTime = parallelBatchTime
	}
	if set.BlockTime == 0 {
		set.BlockTime = parallelBlockTime
	}
}

func (g *group) stopTeams() {
	for _, c := range append(slices.Clone(g.cells), g.crews...) {
		if c.team != nil {
			c.team.stop()
		}
	}
}

// opControl is the op of the control loop on several goroutines.
const opControl Op = "control"

// controlTeams are the control loop on each number of goroutines in the group:
// what the machine itself gains from them.
func (r *run) controlTeams(g *group, specs []measure.Spec) []measure.Spec {
	if !g.parallel() || r.Plan.Declared {
		return specs
	}
	g.crewsAt = len(specs)
	s := g.cells[0].subject
	for _, p := range r.Parallelism {
		if p == 1 || !slices.ContainsFunc(g.cells, func(c *cell) bool { return c.parallelism == p }) {
			continue
		}
		c := &cell{op: opControl, parallelism: p, subject: &subject{codec: noop{}, payload: s.payload, values: s.values}}
		c.team = &team{cell: c}
		g.crews = append(g.crews, c)
		specs = append(specs, measure.Spec{Cell: c.team, Sparse: true})
	}
	return specs
}

// recordScaling says what the goroutines gain over one.
func (r *run) recordScaling(g *group, outs []measure.CellOutcome) {
	for i, c := range g.cells {
		if c.team == nil || outs[i].Err != nil || len(outs[i].Blocks) == 0 {
			continue
		}
		s := Scaling{Result: c.result.ID, Parallelism: c.parallelism, Processors: min(c.parallelism, runtime.GOMAXPROCS(0))}
		for k, one := range g.cells {
			if one.team == nil && one.op == c.op && one.subject == c.subject && outs[k].Err == nil {
				s.Alone = one.result.ID
				if e := partOf(outs[k].Blocks, outs[i].Blocks); e != nil {
					s.Speedup = e.times(float64(c.parallelism))
					s.Efficiency = s.Speedup.times(1 / float64(s.Processors))
				}
			}
		}
		for k, crew := range g.crews {
			alone := outs[len(g.cells)+1].Blocks // the control loop
			if crew.parallelism == c.parallelism {
				if e := partOf(alone, outs[g.crewsAt+k].Blocks); e != nil {
					s.MachineSpeedup = e.times(float64(c.parallelism))
				}
			}
		}
		s.HarnessShare = r.harnessShare(c, outs[i])
		s.Words = s.words(c.result)
		r.report.Scalings = append(r.report.Scalings, s)
		if h := s.HarnessShare; h != nil && *h > mostHarnessShare {
			c.result.Warnings = append(c.result.Warnings, Warning{Code: "harness-share",
				Message: fmt.Sprintf("letting %d goroutines go and waiting for them takes %.2g %% of a batch", c.parallelism, 100**h),
				Advice:  "raise Reps, or Plan.BatchTime"})
		}
	}
}

// mostHarnessShare of a batch that a parallel figure may hold unsaid.
const mostHarnessShare = 0.03

// harnessShare is the time of a batch without ops over that of a typical one.
func (r *run) harnessShare(c *cell, o measure.CellOutcome) *float64 {
	if len(o.Samples) == 0 {
		return nil
	}
	var batches, empty []float64
	for _, s := range o.Samples {
		batches = append(batches, float64(s.Elapsed))
	}
	err := measure.Guard(r.ctx, r.CallLimit, func() error {
		t := &team{cell: c}
		defer t.stop()
		if _, err := t.build(); err != nil {
			return err
		}
		for range 50 {
			if err := t.Prepare(0); err != nil {
				return err
			}
			begin := r.clock()
			if _, err := t.Run(0); err != nil {
				return err
			}
			empty = append(empty, float64(r.clock()-begin))
			time.Sleep(20 * time.Microsecond) // the goroutines fall asleep, as between batches
		}
		return nil
	})
	if err != nil {
		return nil
	}
	return finite(min(1, stats.Median(empty)/stats.Median(batches)))
}

// times scales an estimate.
func (e *Estimate) times(x float64) *Estimate {
	if e == nil {
		return nil
	}
	out := *e
	out.Value *= x
	if e.Low != nil && e.High != nil {
		out.Low, out.High = finite(*e.Low*x), finite(*e.High*x)
	}
	return &out
}

// words is the verdict for people.
func (s Scaling) words(res *Result) string {
	text := fmt.Sprintf("%s with %s on %d goroutines", res.Op, quoteIfOdd(res.Codec), s.Parallelism)
	if s.Speedup == nil {
		return text + ": nothing to compare with"
	}
	text += fmt.Sprintf(": %.3g times the throughput of one", s.Speedup.Value)
	if s.Speedup.Low != nil && s.Speedup.High != nil {
		text += fmt.Sprintf(" (%.3g to %.3g)", *s.Speedup.Low, *s.Speedup.High)
	}
	text += fmt.Sprintf(", %.3g %% of %d processors", 100*s.Efficiency.Value, s.Processors)
	m := s.MachineSpeedup
	if m == nil {
		return text
	}
	text += fmt.Sprintf("; arithmetic that shares nothing gains %.3g times", m.Value)
	high, low := s.Speedup.High, m.Low
	switch {
	case high == nil || low == nil:
	case *high < 0.9**low:
		text += ": it contends for something, such as a pool, a lock, the allocator or memory"
	}
	return text
}
