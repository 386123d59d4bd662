package serbench

import (
	"math"

	"github.com/serbench/serbench/internal/stats"
)

// typical sums the batches of a block up.
type typical struct {
	name string
	of   func([]float64) float64
}

var blockMedian = typical{"block medians", stats.Median}

// typicalOf returns how to value a payload's blocks: as the engine did, where
// both reports were measured for precision. Over the unlike batches of a corpus
// the faster half would be those with the cheaper values.
func typicalOf(old, new *Report) func(payload, form string) typical {
	type key struct{ payload, form string }
	corpus := map[key]bool{}
	for _, r := range []*Report{old, new} {
		for _, p := range r.Payloads {
			k := key{p.Name, p.Form}
			corpus[k] = corpus[k] || p.Values > 1
		}
	}
	precise := inTurns(old.Config.Mode) && inTurns(new.Config.Mode)
	return func(payload, form string) typical {
		if !precise || corpus[key{payload, form}] {
			return blockMedian
		}
		return typical{"the faster halves of blocks", stats.FasterHalf}
	}
}

// testTimes tests every time change and corrects for their number.
func (d *ReportDiff) testTimes(level float64, value func(payload, form string) typical) {
	var tests []*TimeChange
	for i := range d.Changes {
		c := &d.Changes[i]
		if c.Time == nil {
			continue
		}
		c.Time.test(c.Old, c.New, level, value(c.Payload, c.Form))
		tests = append(tests, c.Time)
	}
	ps := make([]float64, len(tests))
	for i, t := range tests {
		ps[i] = t.P
	}
	for i, p := range stats.Holm(ps) {
		tests[i].P = p
	}
	d.Tests = len(tests)
}

// test compares the logs of launches or of block values, or where the samples
// are gone the estimates with their intervals.
func (t *TimeChange) test(old, new *Result, level float64, value typical) {
	a, b := logLaunches(old), logLaunches(new)
	if len(a) >= fewestLaunches && len(b) >= fewestLaunches {
		t.N = [2]int{len(a), len(b)}
		t.Method = "Welch's test of the logs of the launches' times"
		t.take(stats.YuenWelch(b, a, 0, level))
		return
	}
	a, b = logBlocks(old, value.of), logBlocks(new, value.of)
	t.N = [2]int{len(a), len(b)}
	if len(a) < 3 || len(b) < 3 {
		t.fromEstimates(old.Estimates.NsPerOp, new.Estimates.NsPerOp, level)
		return
	}
	t.Method = "Yuen-Welch test of the logs of " + value.name + ", 10 % trimmed, allowing for correlation of neighbours"
	t.take(stats.BlockDifference(b, a, stats.Trim, level))
}

func (t *TimeChange) take(q stats.Difference) {
	if q.Bounded() {
		iv := q.Exp()
		t.Low, t.High = finite(iv.Low), finite(iv.High)
		if finite(iv.Value) != nil && iv.Value > 0 {
			t.Ratio = iv.Value
		}
	}
	t.P = q.P
}

// logLaunches is the log of the time per op of each launch.
func logLaunches(res *Result) (out []float64) {
	for _, l := range res.Launches {
		if l.NsPerOp != nil && *l.NsPerOp > 0 && finite(*l.NsPerOp) != nil {
			out = append(out, math.Log(*l.NsPerOp))
		}
	}
	return out
}

// logBlocks is the log of the typical time per op of each block, in order.
func logBlocks(res *Result, typical func([]float64) float64) []float64 {
	var out, block []float64
	flush := func() {
		if m := math.Log(typical(block)); finite(m) != nil {
			out = append(out, m)
		}
		block = block[:0]
	}
	for i, s := range res.Samples {
		if i > 0 && s.Block != res.Samples[i-1].Block {
			flush()
		}
		if s.Reps > 0 && s.ElapsedNs > 0 {
			block = append(block, float64(s.ElapsedNs)/float64(s.Reps))
		}
	}
	if len(block) > 0 {
		flush()
	}
	return out
}

// fromEstimates is Welch's test on the logs, with standard errors taken back
// out of the intervals.
func (t *TimeChange) fromEstimates(old, new *Estimate, level float64) {
	seA, dfA := logError(old)
	seB, dfB := logError(new)
	t.N = [2]int{old.N, new.N}
	t.Method = "figures only"
	v := seA*seA + seB*seB
	if !(v > 0) || math.IsInf(v, 1) {
		return
	}
	t.Method = "Welch's test, standard errors from the intervals of the estimates"
	pa, pb := seA*seA/v, seB*seB/v
	df := 1 / (pa*pa/dfA + pb*pb/dfB)
	diff, se := math.Log(t.Ratio), math.Sqrt(v)
	t.P = min(1, 2*stats.StudentCDF(-math.Abs(diff)/se, df))
	half := -stats.StudentQuantile(level/2, df) * se
	t.Low, t.High = finite(math.Exp(diff-half)), finite(math.Exp(diff+half))
	if t.Low == nil || t.High == nil {
		t.Low, t.High = nil, nil
	}
}

// logError is the standard error of the log of an estimate, and its degrees
// of freedom; NaN if its interval does not tell.
func logError(e *Estimate) (se, df float64) {
	df = float64(e.N - 1)
	if e.Low == nil || e.High == nil || *e.Low <= 0 || *e.High < *e.Low || df < 1 || !(e.Confidence > 0 && e.Confidence < 1) {
		return math.NaN(), math.NaN()
	}
	width := math.Log(*e.High / *e.Low) / 2
	return width / -stats.StudentQuantile((1-e.Confidence)/2, df), df
}
