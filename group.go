package serbench

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/stats"
)

// A group is the cells of one payload and op (and form, unless forms are
// joined), which are measured against each other.
type group struct {
	name    string
	op      Op
	cells   []*cell // those that are measured
	pairs   [][2]int
	twins   [][2]int // of the self-check: a cell and its twin
	m       *measure.Group
	outs    []measure.PairOutcome
	slots   [][]measure.Sustained // of each cell over LiveHeap
	wire    *wire
	crews   []*cell // the control loop on several goroutines
	crewsAt int     // where they stand behind the cells
}

// layOut makes a result for every codec, payload and op, proves the ops that
// can be measured, and forms the groups.
func (r *run) layOut() {
	groups := map[string]*group{}
	for pi, p := range r.payloads {
		for _, op := range r.Ops {
			if op.throughTransport() {
				continue
			}
			for ci := range r.codecs {
				s := r.subjects[pi*len(r.codecs)+ci]
				for _, parallelism := range r.Parallelism {
					c := r.newCell(s, op, parallelism)
					if c.result.Status != StatusOK && c.result.Status != StatusLossy {
						continue
					}
					key := p.name + "\x00" + p.form + "\x00" + string(op)
					name := idPart(p.name) + "/" + idPart(p.form) + "/" + string(op)
					if r.JoinForms {
						key = p.name + "\x00" + string(op)
						name = idPart(p.name) + "/" + string(op)
					}
					if r.mode == modeReps { // reps is the total: each takes another plan
						key += "\x00" + strconv.Itoa(parallelism)
						name += parallelPart(parallelism)
					}
					g := groups[key]
					if g == nil {
						g = &group{name: name, op: op}
						groups[key] = g
						r.groups = append(r.groups, g)
					}
					g.cells = append(g.cells, c)
				}
			}
		}
		r.layOutWires(pi)
	}
	// Results stand in one array, whose elements do not move any more.
	r.report.Results = make([]Result, len(r.cells))
	for i, c := range r.cells {
		r.report.Results[i] = *c.result
		c.result = &r.report.Results[i]
	}
	for _, g := range r.groups {
		g.pairs = r.pairsOf(g)
	}
}

// newCell makes the cell and its result, and proves the op's path.
func (r *run) newCell(s *subject, op Op, parallelism int) *cell {
	c := &cell{subject: s, op: op, parallelism: parallelism}
	c.result = &Result{
		ID:      resultID(s.payload.name, s.payload.form, s.codec.Name(), op) + parallelPart(parallelism),
		Payload: s.payload.name, Form: s.payload.form, Codec: s.codec.Name(), Op: op, Parallelism: parallelism,
		Environment: r.report.Environments[0].ID,
		Status:      s.status, Reason: s.reason, Stack: s.stack,
		Encoded: s.sizes, Fidelity: s.fidelity, Traits: s.traits,
		Warnings: slices.Clone(s.warnings),
	}
	r.cells = append(r.cells, c)
	switch {
	case s.status == StatusFailed:
		r.errs = append(r.errs, r.errorAt(c, s.err))
		return c
	case s.status != StatusOK && s.status != StatusLossy:
		return c
	case r.ctx.Err() != nil:
		c.result.Status, c.result.Reason = StatusNotRun, "the run ended before"
		return c
	}
	if err := s.kept.usable(); err != nil {
		r.failCell(c, err)
		return c
	}
	var path string
	var f Fidelity
	var sizes *EncodedSize
	work := &cell{subject: s, op: op}
	err := measure.Guard(r.ctx, r.CallLimit, func() (err error) {
		if parallelism > 1 {
			path, err = (&team{cell: &cell{subject: s, op: op, parallelism: parallelism}}).prove()
			return err
		}
		path, f, sizes, err = work.prove()
		return err
	})
	if changed := s.kept.mend(); changed != nil && err == nil {
		err = fmt.Errorf("%s: %w", op, changed)
	}
	if err != nil {
		r.failCell(c, err)
		return c
	}
	c.result.CallPath = path
	if parallelism == 1 {
		c.result.Estimates.FirstCallNs = s.firstCall(op)
	}
	if parallelism > 1 {
		c.team = &team{cell: c}
	}
	if sizes != nil {
		c.result.Encoded = sizes
	}
	if f.Class == Lossy && s.status == StatusOK {
		c.result.Status, c.result.Fidelity = StatusLossy, &f
	}
	return c
}

// failCell gives a cell's result the status that an error means.
func (r *run) failCell(c *cell, err error) {
	res := c.result
	res.Status, res.Reason, res.Stack = statusOf(err, res.Status)
	if hang := (*measure.HangError)(nil); errors.As(err, &hang) {
		r.runaway = true
	}
	if res.Status == StatusFailed {
		res.Estimates, res.Samples, res.Counters = Estimates{}, nil, nil
		res.Memory, res.Latency, res.Cold = nil, nil, nil
		r.errs = append(r.errs, r.errorAt(c, err))
	}
}

func (r *run) errorAt(c *cell, err error) error {
	p := c.subject.payload
	return &Error{Codec: c.subject.codec.Name(), Payload: p.name, Form: p.form, Op: c.op, Err: err}
}

// resultID is unique in a report as the names in it are.
func resultID(payload, form, codec string, op Op) string {
	return idPart(payload) + "/" + idPart(form) + "/" + idPart(codec) + "/" + string(op)
}

// parallelPart is what a name of a cell of several goroutines has more.
func parallelPart(parallelism int) string {
	if parallelism <= 1 {
		return ""
	}
	return "/parallel=" + strconv.Itoa(parallelism)
}

func idPart(s string) string { return url.PathEscape(s) }

// pairsOf lists the comparisons of a group: all, or each with the baseline.
// Lossy cells are not compared: they do less.
func (r *run) pairsOf(g *group) (pairs [][2]int) {
	var fit []int
	for i, c := range g.cells {
		if c.result.Status == StatusOK {
			fit = append(fit, i)
		}
	}
	for k, a := range fit {
		for _, b := range fit[k+1:] {
			if !g.cells[a].comparable(g.cells[b]) {
				continue
			}
			if r.AllPairs || g.cells[a].result.Codec == r.Baseline || g.cells[b].result.Codec == r.Baseline {
				pairs = append(pairs, [2]int{a, b})
			}
		}
	}
	return pairs
}

// lookLevel is the level of each look of the sequential procedure, before it
// is divided by the number of comparisons.
func (s settings) lookLevel() float64 { return stats.DefaultLookLevel * s.Level / defaultLevel }

func (s settings) judge(comparisons int) stats.Sequential {
	return stats.Sequential{Margin: s.Margin, LookLevel: s.lookLevel(), Comparisons: max(1, comparisons)}
}

// measure runs the groups one after the other, each with its share of what is
// left of the budget.
func (r *run) measure() {
	r.collector = new(measure.Collector)
	if r.Collector != CollectorLeave && len(r.groups) > 0 {
		r.collector.Start()
		defer r.collector.Stop()
	}
	for i, g := range r.groups {
		if r.ctx.Err() != nil {
			break
		}
		left := time.Duration(0)
		if r.Budget > 0 {
			left = r.opBudget() / time.Duration(len(r.groups)-i)
			if left <= 0 {
				left = time.Millisecond
			}
		}
		r.measureGroup(g, i, left)
	}
	for _, c := range r.cells {
		if res := c.result; (res.Status == StatusOK || res.Status == StatusLossy) && res.Reps == 0 {
			res.Status, res.Reason = StatusNotRun, "the run ended before a batch was complete"
			res.Estimates, res.Counters = Estimates{}, nil // a stretch may have been counted
		}
	}
}

// sustainedCell is about what one cell's sustained slots take.
const sustainedCell = sustainedRounds * 80 * time.Millisecond

// opBudget is what is left of the budget for op times.
func (r *run) opBudget() time.Duration {
	left := r.Budget - time.Since(r.started)
	if r.LiveHeap > 0 {
		cells := 0
		for _, g := range r.groups {
			cells += len(g.cells)
		}
		left -= min(left/2, time.Duration(cells)*sustainedCell)
	}
	if later := r.laterTime(); later > 0 {
		left -= min(left/2, later)
	}
	return left
}

func (r *run) measureGroup(g *group, index int, budget time.Duration) {
	if g.wire != nil {
		defer r.closeWire(g)
		if !r.openWire(g) {
			return
		}
	}
	set := measure.Settings{
		Clock: r.clock, Facts: r.facts, Rand: rand.New(rand.NewPCG(r.Seed, uint64(index)+1)),
		Leave: r.Collector == CollectorLeave, CallLimit: r.CallLimit, KeepSamples: r.KeepSamples,
		Collector: r.collector, MemoryLimit: r.MemoryLimit, BatchTime: r.Plan.BatchTime, BatchReps: r.Plan.BatchReps, BlockTime: r.Plan.BlockTime,
		Progress: func(share float64) {
			r.event(Event{Phase: "measure", Payload: g.cells[0].result.Payload, Form: g.cells[0].result.Form, Op: g.op,
				Done: r.measureShare((float64(index) + share) / float64(len(r.groups)))})
		},
	}
	specs := make([]measure.Spec, 0, len(g.cells)+3)
	for _, c := range g.cells {
		specs = append(specs, measure.Spec{Cell: c.timed(), Corpus: len(c.subject.values)})
	}
	defer g.stopTeams()
	g.adjustForTeams(&set)
	if !r.Plan.Declared {
		specs = append(specs, r.controls(g)...)
	}
	if g.wire != nil {
		g.wire.adjust(&set)
	}
	specs = r.controlTeams(g, specs)
	specs = r.addTwins(g, specs)
	g.m = measure.NewGroup(set, specs)
	if inTurns(r.mode) {
		g.outs = g.m.Precision(r.ctx, r.precision(g, budget))
	} else {
		var off measure.Cell
		if r.Plan.SubtractNoop {
			off = r.controls(g)[0].Cell
		}
		g.outs = g.m.Fixed(r.ctx, measure.Fixed{
			Noop: off,
			Reps: r.Reps / g.cells[0].goroutines(), Time: r.Time, CPUTime: r.CPUTime, Warmup: r.Plan.WarmupReps, Declared: r.Plan.Declared,
			Drop: r.Plan.DropSamples, MinSamples: r.Plan.MinSamples, Subtract: r.Plan.SubtractClock,
			Pairs: g.pairs, Budget: budget,
		})
	}
	r.runaway = r.runaway || g.m.Runaway
	r.record(g)
	if g.wire != nil {
		r.latencyThrough(g)
	}
}

func (r *run) precision(g *group, budget time.Duration) measure.Precision {
	judge := r.judge(len(g.pairs))
	p := measure.Precision{
		Pairs: slices.Concat(g.pairs, g.twins), Looks: stats.Looks(), Rounds: r.Rounds, Budget: budget,
		Judge: func(logs []float64) bool { return judge.Decide(logs).Verdict != stats.Undecided },
	}
	if g.wire != nil {
		p.Alone = wireBlocks
		p.Enough = func(blocks []float64) bool { return len(blocks) >= wireBlocks }
	}
	if r.Precision > 0 {
		p.Enough = func(blocks []float64) bool {
			if !slices.Contains(stats.Looks(), len(blocks)) {
				return false
			}
			e, _ := stats.BlockMean(blocks, stats.Trim, r.Level)
			return e.Bounded() && e.High-e.Low <= 2*r.Precision*e.Value
		}
	}
	return p
}
