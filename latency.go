package serbench

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/stats"
)

// Latency is how long single ops of a cell took, each timed for itself: what
// the slow ones among many calls cost. Op times of batches have no tail: a
// batch is the sum of many calls.
//
// The calls follow each other on one goroutine, warm, with inputs in cache;
// nothing waits in a queue. So the figures are service times of a closed loop,
// not what the callers of a loaded server would see: there, calls that arrive
// while a slow one is under way wait too (coordinated omission, Tene, "How NOT
// to Measure Latency", 2013). They bound that from below.
//
// The collector is the process's own, see Environment.GOGC; its cycles, and
// what they make an op do for them, are in the figures of the op that they
// meet, and all of them are of the cell's own garbage.
type Latency struct {
	Calls     int64             `json:"calls"` // timed one by one; 0: none, see Reason
	Quantiles []LatencyQuantile `json:"quantiles,omitempty"`
	MinNs     int64             `json:"min_ns,omitempty"`
	MeanNs    float64           `json:"mean_ns,omitempty"`
	MaxNs     int64             `json:"max_ns,omitempty"` // of these calls; more of them would have a longer one
	GCCycles  uint64            `json:"gc_cycles"`        // collections that ended while the calls were made
	// CallsPerGC is the number of calls from one collection to the next, by what
	// an op allocates; 0: it allocates nothing, or the collector is off. Where
	// it is more than Calls the figures hold no collection.
	CallsPerGC float64 `json:"calls_per_gc,omitempty"`
	LiveHeap   int64   `json:"live_heap_bytes,omitempty"` // held meanwhile
	ClockNs    float64 `json:"clock_ns,omitempty"`        // a clock reading, which each figure contains
	Reason     string  `json:"reason,omitempty"`          // why there are no figures
}

// LatencyQuantile is the time that a share Q of calls does not exceed. The
// interval is that of the order statistics, which holds whatever the
// distribution is; see docs/method.md.
type LatencyQuantile struct {
	Q          float64  `json:"q"`
	Ns         *float64 `json:"ns,omitempty"`
	LowNs      *float64 `json:"low_ns,omitempty"`
	HighNs     *float64 `json:"high_ns,omitempty"`
	Confidence float64  `json:"confidence,omitempty"` // of the interval
	// EffectiveCalls is the number of independent calls that these calls count
	// as, less than Calls where slow ones come together.
	EffectiveCalls int    `json:"effective_calls,omitempty"`
	Reason         string `json:"reason,omitempty"` // why there is no figure
}

// latencyQuantiles are those that are reported.
var latencyQuantiles = []float64{0.5, 0.9, 0.99, 0.999}

const (
	latencyRounds = 8 // slices of a cell
	mostLatency   = 1_000_000
	// latencyTime of the budget is kept free for each cell.
	latencyTime = 150 * time.Millisecond
)

// latency times single ops of the groups, each with its share of what is left
// of the budget. Groups of a transport were timed while it was open.
func (r *run) latency() {
	if r.Latency <= 0 || r.ctx.Err() != nil {
		return
	}
	ballast := r.latencyBallast()
	defer runtime.KeepAlive(ballast)
	for i, g := range r.groups {
		if r.ctx.Err() != nil {
			return
		}
		if g.m == nil || g.wire != nil {
			continue
		}
		var until time.Time
		if r.Budget > 0 {
			left := r.Budget - time.Since(r.started) - r.coldTime()
			until = time.Now().Add(max(0, left) / time.Duration(len(r.groups)-i))
		}
		r.latencyOf(g, until)
		r.event(Event{Phase: "latency", Payload: g.cells[0].result.Payload, Form: g.cells[0].result.Form, Op: g.op,
			Done: r.phaseShare("latency", float64(i+1)/float64(len(r.groups)))})
	}
}

func (r *run) latencyBallast() any {
	if r.LiveHeap <= 0 {
		return nil
	}
	return measure.Ballast(r.LiveHeap)
}

// latencyThrough times the single ops of a group through a transport, which is
// open, and between whose batches the engine had the collector to itself.
func (r *run) latencyThrough(g *group) {
	if r.Latency <= 0 || r.ctx.Err() != nil {
		return
	}
	if r.Collector != CollectorLeave {
		r.collector.Stop()
		defer r.collector.Start()
	}
	ballast := r.latencyBallast()
	defer runtime.KeepAlive(ballast)
	var until time.Time
	if r.Budget > 0 {
		until = time.Now().Add(time.Duration(len(g.cells)) * latencyTime)
	}
	r.latencyOf(g, until)
}

// latencyOf times single ops of a group that was measured.
func (r *run) latencyOf(g *group, until time.Time) {
	ops := make([]int, len(g.cells))
	for i, c := range g.cells {
		e := c.result.Estimates.NsPerOp
		if c.team != nil || c.result.Role != RoleWhole || !c.result.hasFigures() || e == nil {
			continue
		}
		if err := r.facts.SingleOp(e.Value); err != nil {
			c.result.Latency = &Latency{Reason: err.Error()}
			continue
		}
		ops[i] = r.Latency
	}
	if slices.Max(ops) == 0 {
		return
	}
	singles := g.m.Singles(r.ctx, measure.SinglePlan{Ops: ops, Rounds: latencyRounds, Until: until})
	r.runaway = r.runaway || g.m.Runaway
	outs := g.m.Outcomes()
	for i, c := range g.cells {
		switch {
		case ops[i] == 0:
		case outs[i].Err == nil:
			c.result.Latency = r.latencyFigures(singles[i], c.result.Estimates.AllocBytesPerOp)
		case c.result.hasFigures() && !r.cutShort(g, outs[i].Err):
			r.failCell(c, fmt.Errorf("timed one by one: %w", outs[i].Err))
		}
	}
}

func (r *run) latencyFigures(s measure.Single, bytesPerOp *Estimate) *Latency {
	l := &Latency{Calls: int64(len(s.Times)), GCCycles: s.Cycles, LiveHeap: r.LiveHeap, ClockNs: r.facts.Cost}
	if bytesPerOp != nil && bytesPerOp.Value > 0 {
		l.CallsPerGC = float64(s.Room) / bytesPerOp.Value
	}
	why := "the budget ended"
	if r.ctx.Err() != nil {
		why = "the run was cancelled"
	}
	if l.Calls == 0 {
		l.Reason = why + " before"
		return l
	}
	ns := make([]float64, len(s.Times))
	for i, d := range s.Times {
		ns[i] = float64(d)
	}
	l.MinNs, l.MaxNs, l.MeanNs = int64(slices.Min(s.Times)), int64(slices.Max(s.Times)), stats.Mean(ns)
	for _, e := range quantilesOf(ns) {
		switch {
		case e.Ns != nil:
		case len(ns) < r.Latency:
			e.Reason += ": " + why
		default:
			e.Reason += ": raise Runner.Latency"
		}
		l.Quantiles = append(l.Quantiles, e)
	}
	return l
}

// quantilesOf are those of single times in ns, in time order. One that the
// calls cannot bound has a reason instead.
func quantilesOf(ns []float64) []LatencyQuantile {
	out := make([]LatencyQuantile, len(latencyQuantiles))
	for i, e := range stats.TimeQuantiles(ns, defaultLevel, latencyQuantiles...) {
		out[i] = LatencyQuantile{Q: latencyQuantiles[i], EffectiveCalls: e.Effective}
		if !e.Bounded() {
			out[i].Reason = fmt.Sprintf("an interval needs %d independent calls; these count as %d", stats.QuantileNeeds(out[i].Q, defaultLevel), e.Effective)
			continue
		}
		out[i].Ns, out[i].LowNs, out[i].HighNs, out[i].Confidence = finite(e.Value), finite(e.Low), finite(e.High), 1-defaultLevel
	}
	return out
}

// laterTime is the part of the budget that is kept free for single ops and for
// cold messages.
func (r *run) laterTime() time.Duration {
	d := r.coldTime()
	if r.Latency > 0 {
		for _, g := range r.groups {
			d += time.Duration(len(g.cells)) * latencyTime
		}
	}
	return d
}

// check returns the key below latency that is wrong.
func (l *Latency) check() (key string, err error) {
	if l == nil {
		return "", nil
	}
	if l.Calls < 0 {
		return "calls", fmt.Errorf("below zero: %d", l.Calls)
	}
	for i, q := range l.Quantiles {
		if !(q.Q >= 0 && q.Q <= 1) {
			return fmt.Sprintf("quantiles[%d].q", i), fmt.Errorf("%v is not a share", q.Q)
		}
		low, value, high := orInf(q.LowNs, -1), q.Ns, orInf(q.HighNs, 1)
		if low > high || value != nil && (*value < low || *value > high) {
			return fmt.Sprintf("quantiles[%d].ns", i), fmt.Errorf("not within %v and %v", low, high)
		}
	}
	return "", nil
}

func orInf(x *float64, sign int) float64 {
	if x == nil {
		return math.Inf(sign)
	}
	return *x
}
