package serbench

import (
	"fmt"
	"math"

	"github.com/serbench/serbench/internal/stats"
)

// mergeLaunches makes the cell's result of what its children measured.
func (r *run) mergeLaunches(c *launchCell) {
	res := c.result
	if len(c.launches) == 0 {
		if res.Status == StatusOK {
			res.Status, res.Reason = StatusNotRun, "the run ended before"
		}
		return
	}
	first := &c.launches[0].Results[0]
	res.Status, res.CallPath, res.Encoded, res.Fidelity, res.Traits, res.LiveHeap =
		first.Status, first.CallPath, first.Encoded, first.Fidelity, first.Traits, first.LiveHeap
	var of launchValues
	block := 0
	for i, report := range c.launches {
		one := &report.Results[0]
		if one.Status == StatusLossy { // not every process need lose the same
			res.Status, res.Fidelity = StatusLossy, one.Fidelity
		}
		l := Launch{Launch: i + 1, Reps: one.Reps, ElapsedNs: one.ElapsedNs, ProcessNs: c.process[i].Nanoseconds(), FirstBlock: block}
		if e := one.Estimates.NsPerOp; e != nil {
			l.NsPerOp = finite(e.Value)
		}
		res.Launches = append(res.Launches, l)
		next := block
		for _, s := range one.Samples {
			s.Block += block
			next = max(next, s.Block+1)
			res.Samples = append(res.Samples, s)
		}
		for _, n := range one.Counters {
			if n.Block >= 0 {
				n.Block += block
				next = max(next, n.Block+1)
			}
			res.Counters = append(res.Counters, n)
		}
		block = next
		res.Reps += one.Reps
		res.ElapsedNs += one.ElapsedNs
		res.Thinned = res.Thinned || one.Thinned
		of.add(one.Estimates)
		r.keepChildFacts(report)
	}
	res.Warnings = launchWarnings(c.launches)
	of.estimate(res)
	res.Memory = mergeMemory(c.launches)
	if n := len(c.launches); n < 2 {
		res.Warnings = append(res.Warnings, Warning{Code: "one-launch",
			Message: "one process: what differs from launch to launch is not in the interval", Advice: "raise Launches"})
	} else if n < r.Launches && r.ctx.Err() == nil {
		res.Warnings = append(res.Warnings, Warning{Code: "few-launches",
			Message: fmt.Sprintf("%d of %d launches fitted into the budget", n, r.Launches), Advice: "raise Budget"})
	}
	if len(c.launches) < r.Launches && r.ctx.Err() != nil {
		res.Status, res.Reason = StatusPartial, fmt.Sprintf("the run was cancelled after %d of %d launches", len(c.launches), r.Launches)
	}
}

// keepChildFacts takes over what the child found out about the machine.
func (r *run) keepChildFacts(report *Report) {
	for _, env := range report.Environments {
		for op, f := range env.FloorNs {
			r.floors[op] = append(r.floors[op], f)
		}
		for name, d := range env.GroupDrift {
			r.drifts[name] = max(r.drifts[name], d)
		}
	}
}

// launchWarnings lists each warning of the launches once.
func launchWarnings(launches []*Report) (out []Warning) {
	at, count := map[string]int{}, map[string]int{}
	for _, report := range launches {
		for _, w := range report.Results[0].Warnings {
			if _, seen := at[w.Code]; !seen {
				at[w.Code] = len(out)
				out = append(out, w)
			}
			count[w.Code]++
		}
	}
	for i := range out {
		if n := count[out[i].Code]; len(launches) > 1 {
			out[i].Message = fmt.Sprintf("in %d of %d launches: %s", n, len(launches), out[i].Message)
		}
	}
	return out
}

// launchValues gathers the estimates of the launches.
type launchValues struct{ ns, sustained, cpu, allocs, bytes, first []float64 }

func (v *launchValues) add(e Estimates) {
	for _, x := range []struct {
		to *[]float64
		e  *Estimate
	}{{&v.ns, e.NsPerOp}, {&v.sustained, e.SustainedNsPerOp}, {&v.cpu, e.CPUNsPerOp}, {&v.allocs, e.AllocsPerOp}, {&v.bytes, e.AllocBytesPerOp}, {&v.first, e.FirstCallNs}} {
		if x.e != nil {
			*x.to = append(*x.to, x.e.Value)
		}
	}
}

func (v *launchValues) estimate(res *Result) {
	res.Estimates.NsPerOp = betweenLaunches(v.ns)
	if e := res.Estimates.NsPerOp; e != nil {
		if res.Reps > 0 {
			e.Mean = finite(float64(res.ElapsedNs) / float64(res.Reps))
		}
		perOp := make([]float64, len(res.Samples))
		for i, s := range res.Samples {
			perOp[i] = float64(s.ElapsedNs) / float64(s.Reps)
		}
		spread(e, perOp)
		if e.Value > 0 {
			res.Estimates.OpsPerS = inverse(e, 1e9)
		}
	}
	if len(v.first) > 0 {
		q := stats.Quantiles(v.first, 0, 0.5, 1)
		res.Estimates.FirstCallNs = &Estimate{Value: q[1], Min: finite(q[0]), Max: finite(q[2]), N: len(v.first),
			Method: "median of the first calls of the processes"}
	}
	res.Estimates.SustainedNsPerOp = betweenLaunches(v.sustained)
	res.Estimates.CPUNsPerOp = betweenLaunches(v.cpu)
	for _, x := range []struct {
		to **Estimate
		xs []float64
	}{{&res.Estimates.AllocsPerOp, v.allocs}, {&res.Estimates.AllocBytesPerOp, v.bytes}} {
		if len(x.xs) > 0 {
			q := stats.Quantiles(x.xs, 0, 1)
			*x.to = &Estimate{Value: stats.Median(x.xs), Method: "median over launches", N: len(x.xs), Min: finite(q[0]), Max: finite(q[1])}
		}
	}
}

// betweenLaunches is the estimate whose unit is the launch.
func betweenLaunches(xs []float64) *Estimate {
	if len(xs) == 0 {
		return nil
	}
	iv := stats.TrimmedMean(xs, stats.Trim, defaultLevel)
	e := &Estimate{Value: iv.Value, N: iv.N, Method: "10 % trimmed mean of the launches' values, Tukey-McLaughlin interval between launches"}
	q := stats.Quantiles(xs, 0, 1)
	e.Min, e.Max = finite(q[0]), finite(q[1])
	if iv.Bounded() {
		e.Low, e.High, e.Confidence = finite(max(0, iv.Low)), finite(iv.High), 1-defaultLevel
	}
	return e
}

// fewestLaunches that a verdict is given on.
const fewestLaunches = 3

// compareLaunches compares cells by the ratios of the launches of one turn.
func (r *run) compareLaunches(cells []*launchCell) {
	of := make(map[*cell]*launchCell, len(cells))
	for _, c := range cells {
		of[c.cell] = c
	}
	for _, g := range r.groups {
		g.pairs = r.pairsOf(g)
		for _, pair := range g.pairs {
			a, b := of[g.cells[pair[0]]], of[g.cells[pair[1]]]
			if logs := launchRatios(a.result.Launches, b.result.Launches); len(logs) > 0 {
				r.report.Comparisons = append(r.report.Comparisons, r.launchComparison(a.result, b.result, logs, len(g.pairs)))
			}
		}
	}
}

func launchRatios(a, b []Launch) (logs []float64) {
	for i := range min(len(a), len(b)) {
		if x, y := a[i].NsPerOp, b[i].NsPerOp; x != nil && y != nil && *x > 0 && *y > 0 {
			logs = append(logs, math.Log(*x / *y))
		}
	}
	return logs
}

func (r *run) launchComparison(a, b *Result, logs []float64, pairs int) Comparison {
	iv := stats.TrimmedMean(logs, stats.Trim, r.Level/float64(pairs))
	c := Comparison{
		A: a.ID, B: b.ID, Level: r.Level, Margin: r.Margin, Blocks: len(logs), Verdict: Undecided,
		Method: fmt.Sprintf("10 %% trimmed mean of the log-ratios of %d launches, fixed number, %d comparisons in the group", len(logs), pairs),
	}
	ratio := iv.Exp()
	c.Ratio = finite(ratio.Value)
	if iv.Bounded() {
		c.Low, c.High = finite(ratio.Low), finite(ratio.High)
	}
	if len(logs) < fewestLaunches {
		c.Reason = fmt.Sprintf("%d of at least %d launches", len(logs), fewestLaunches)
		return c
	}
	switch stats.Judge(iv, r.Margin) {
	case stats.Faster:
		c.Verdict = Faster
	case stats.Slower:
		c.Verdict = Slower
	case stats.Equivalent:
		c.Verdict = Equivalent
	default:
		c.Reason = fmt.Sprintf("%d launches do not make the difference certain", len(logs))
	}
	return c
}
