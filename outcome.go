package serbench

import (
	"fmt"
	"math"
	"slices"

	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/stats"
)

// record turns what was measured of a group into results and comparisons.
func (r *run) record(g *group) {
	outs := g.m.Outcomes()
	for i, err := range r.blame(g, outs) {
		if outs[i].Err == nil && err != nil {
			outs[i].Err = err
		}
	}
	for i, err := range r.stillRight(g, outs) {
		if err != nil {
			outs[i].Err = err
		}
	}
	for i, c := range g.cells {
		o := outs[i]
		if o.Err != nil && !r.cutShort(g, o.Err) {
			r.failCell(c, o.Err)
			continue
		}
		r.recordCell(c, o)
	}
	r.recordControls(g, outs[len(g.cells):])
	for i, c := range g.cells {
		if outs[i].Err == nil && c.result.Reps > 0 {
			r.diagnose(c, outs[i], r.floorOf(g, outs))
		}
	}
	r.diagnoseModes(g, outs)
	r.recordShares(g, outs)
	r.recordScaling(g, outs)
	r.recordTwins(g, outs)
	for i, pair := range g.pairs {
		a, b := g.cells[pair[0]].result, g.cells[pair[1]].result
		if outs[pair[0]].Err == nil && outs[pair[1]].Err == nil && a.Reps > 0 && b.Reps > 0 {
			r.report.Comparisons = append(r.report.Comparisons, r.comparison(a, b, g.outs[i], len(g.pairs)))
		}
	}
}

func (r *run) recordCell(c *cell, o measure.CellOutcome) {
	res := c.result
	p := int64(c.goroutines())
	res.Reps, res.ElapsedNs = o.Reps*p, o.Elapsed.Nanoseconds()
	res.Thinned = o.Thinned
	for _, s := range o.Samples {
		res.Samples = append(res.Samples, Sample{Block: s.Block, Round: s.Round, Reps: int64(s.Reps) * p, ElapsedNs: s.Elapsed.Nanoseconds()})
	}
	o.Counters = slices.Clone(o.Counters)
	for i := range o.Counters {
		o.Counters[i].Reps *= int(p)
		res.Counters = append(res.Counters, counter(o.Counters[i]))
	}
	if r.ctx.Err() != nil && !o.Done && !enoughBlocks(o, r.mode) {
		res.Status, res.Reason = StatusPartial, "the run was cancelled while this was measured"
	}
	res.Estimates.NsPerOp = timeEstimate(o)
	if e := res.Estimates.NsPerOp; e != nil && e.Value > 0 {
		res.Estimates.OpsPerS = inverse(e, 1e9*float64(p))
	}
	res.Estimates.AllocsPerOp, res.Estimates.AllocBytesPerOp = allocEstimates(o.Counters)
	res.Estimates.CPUNsPerOp = cpuEstimate(o, p)
}

// enoughBlocks reports whether a cell that the plan did not finish still has
// the blocks that its figures need.
func enoughBlocks(o measure.CellOutcome, mode string) bool {
	return mode == modePrecision && len(o.Blocks) >= stats.Looks()[0]
}

func counter(n measure.Counter) Counter {
	wall := n.Wall.Nanoseconds()
	c := Counter{Block: n.Block, Reps: int64(n.Reps), Allocs: n.Allocs, AllocBytes: n.AllocBytes, GCCycles: n.GCCycles, WallNs: &wall}
	if n.HasCPU {
		user, system := n.User.Nanoseconds(), n.Sys.Nanoseconds()
		c.UserNs, c.SystemNs = &user, &system
	}
	return c
}

// timeEstimate is the trimmed mean of the block values; without blocks, the
// mean of what there is.
func timeEstimate(o measure.CellOutcome) *Estimate {
	if o.Reps == 0 {
		return nil
	}
	mean := float64(o.Elapsed) / float64(o.Reps)
	e := &Estimate{Value: mean, Method: "mean of all reps, no interval", N: len(o.Blocks), Mean: finite(mean)}
	if len(o.Blocks) > 0 {
		iv, _ := stats.BlockMean(o.Blocks, stats.Trim, defaultLevel)
		e.Value, e.Method = iv.Value, "10 % trimmed mean of block values, Tukey-McLaughlin interval"
		if iv.Bounded() {
			e.Low, e.High, e.Confidence = finite(max(0, iv.Low)), finite(iv.High), 1-defaultLevel
		}
	}
	perOp := make([]float64, len(o.Samples))
	for i, s := range o.Samples {
		perOp[i] = float64(s.Elapsed) / float64(s.Reps)
	}
	spread(e, perOp)
	if all := o.All; all.N > len(o.Samples) { // some were not kept
		e.Stddev, e.Min, e.Max = finite(all.Stddev()), finite(all.Min), finite(all.Max)
	}
	return e
}

// spread adds what describes the samples (batches) behind an estimate.
func spread(e *Estimate, xs []float64) {
	if len(xs) == 0 {
		return
	}
	qs := []float64{0, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1}
	values := stats.Quantiles(xs, qs...)
	e.Stddev, e.Min, e.Max = finite(stats.Stddev(xs)), finite(values[0]), finite(values[len(qs)-1])
	for i := 1; i < len(qs)-1; i++ {
		e.Quantiles = append(e.Quantiles, Quantile{Q: qs[i], Value: values[i]})
	}
}

// inverse of an estimate: unit per value.
func inverse(e *Estimate, unit float64) *Estimate {
	out := &Estimate{Value: unit / e.Value, Confidence: e.Confidence, Method: "inverse of the time", N: e.N}
	if e.Low != nil && e.High != nil && *e.Low > 0 {
		out.Low, out.High = finite(unit / *e.High), finite(unit / *e.Low)
	} else {
		out.Confidence = 0
	}
	return out
}

// allocEstimates are the medians over the counted stretches: what an op
// always allocates. A stretch can catch strangers' allocations; none can lack
// the op's own, but for ops that share an allocation between them.
func allocEstimates(cs []measure.Counter) (objects, bytes *Estimate) {
	var os, bs []float64
	for _, c := range cs {
		if c.Reps > 0 {
			os = append(os, float64(c.Allocs)/float64(c.Reps))
			bs = append(bs, float64(c.AllocBytes)/float64(c.Reps))
		}
	}
	if len(os) == 0 {
		return nil, nil
	}
	one := func(xs []float64) *Estimate {
		e := &Estimate{Value: stats.Median(xs), Method: "median over counted stretches", N: len(xs)}
		q := stats.Quantiles(xs, 0, 1)
		e.Min, e.Max = finite(q[0]), finite(q[1])
		return e
	}
	return one(os), one(bs)
}

// cpuEstimate is the CPU time of all threads over the counted stretches.
func cpuEstimate(o measure.CellOutcome, goroutines int64) *Estimate {
	if o.CPU > 0 && o.Reps > 0 {
		return &Estimate{Value: float64(o.CPU) / float64(o.Reps*goroutines), Method: "user and system time of the timed batches", N: len(o.Samples)}
	}
	var cpu, reps float64
	n := 0
	for _, c := range o.Counters {
		if c.HasCPU && c.Reps > 0 {
			cpu += float64(c.User + c.Sys)
			reps += float64(c.Reps)
			n++
		}
	}
	if n == 0 || reps == 0 {
		return nil
	}
	return &Estimate{Value: cpu / reps, Method: "user and system time over counted stretches", N: n}
}

// widest interval of a ratio, high / low, that is still worth a number.
const widest = 1e4

func (r *run) comparison(a, b *Result, o measure.PairOutcome, pairs int) Comparison {
	d := r.judge(pairs).Decide(o.Logs)
	c := Comparison{
		A: a.ID, B: b.ID, Level: r.Level, Margin: r.Margin, Blocks: len(o.Logs),
		Ratio: finite(d.Ratio), Low: finite(d.Low), High: finite(d.High), Verdict: Undecided,
		Method: fmt.Sprintf("10 %% trimmed mean of block log-ratios, sequential, %d comparisons in the group", pairs),
	}
	if len(o.Logs) == 0 {
		c.Ratio, c.Low, c.High = nil, nil, nil
	}
	if c.Low == nil || c.High == nil || *c.High > widest**c.Low {
		c.Low, c.High = nil, nil
	}
	if c.Verdict = verdictOf(d.Verdict); c.Verdict == Undecided {
		c.Reason = "the budget ended before the difference was certain"
		if r.mode != modePrecision {
			c.Reason = "the fixed number of samples does not make the difference certain"
		}
	}
	return c
}

// verdictOf is a decision's verdict in the report's words.
func verdictOf(v stats.Verdict) Verdict {
	switch v {
	case stats.Faster:
		return Faster
	case stats.Slower:
		return Slower
	case stats.Equivalent:
		return Equivalent
	}
	return Undecided
}

// floorOf returns what the harness takes in this group, ns per op; NaN if
// unknown.
func (r *run) floorOf(g *group, outs []measure.CellOutcome) float64 {
	if len(outs) == len(g.cells) {
		return math.NaN()
	}
	return stats.Median(outs[len(g.cells)].Blocks)
}
