package lab

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/serbench/serbench/internal/hostinfo"
	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/stats"
)

// Setup is one condition of the study.
type Setup struct {
	Kind    string  `json:"kind"`
	Cells   int     `json:"cells"`
	Effect  float64 `json:"effect"`            // nominal share by which the second cell is slower
	Without string  `json:"without,omitempty"` // part of the method that is switched off
	Busy    int     `json:"busy"`              // neighbours that compute
}

// Trial is the outcome of one comparison under a setup.
type Trial struct {
	Setup
	Seed     uint64         `json:"seed"`
	Seconds  float64        `json:"seconds"`     // until the last verdict of the group, less the calibrating cell's batches
	CPU      float64        `json:"cpu_seconds"` // of the process in that time
	Verdicts map[string]int `json:"verdicts"`    // over all pairs
	Wrong    int            `json:"wrong"`       // pairs of whose verdict the opposite is true
	Found    bool           `json:"found"`       // the first cell was called faster than the second
	Truth    float64        `json:"truth"`       // log-ratio of the second cell to the first
	Log      float64        `json:"log"`         // estimate of it
	Low      float64        `json:"low"`
	High     float64        `json:"high"`
	Blocks   int            `json:"blocks"`
	OpCover  bool           `json:"op_cover"` // the time intervals of the two cells admit the truth
	Ns       float64        `json:"ns"`
	Margin   float64        `json:"margin"`
}

// leverage is how many times the effect the calibrating cell has: what extra
// work costs is measured in the same rounds, at a size where it is plain.
const leverage = 20

// Budget of a group in the trials.
const Budget = 3 * time.Second

const margin = 0.01

// Run carries out one trial.
func (s Setup) Run(seed uint64) (Trial, error) {
	t := Trial{Setup: s, Seed: seed, Verdicts: map[string]int{}, Margin: margin}
	kind, err := KindNamed(s.Kind)
	if err != nil {
		return t, err
	}
	extra := 0
	if s.Effect != 0 {
		if extra, err = TurnsFor(kind, s.Effect); err != nil {
			return t, err
		}
	}
	var specs []measure.Spec
	for i := range s.Cells {
		op := &Op{Kind: kind}
		if i == 1 {
			op.Extra = extra
		}
		specs = append(specs, measure.Spec{Cell: op, Corpus: kind.Every})
	}
	if extra > 0 {
		specs = append(specs, measure.Spec{Cell: &Op{Kind: kind, Extra: leverage * extra}, Corpus: kind.Every, Follow: true})
	}
	var pairs [][2]int
	for a := range s.Cells {
		for b := a + 1; b < s.Cells; b++ {
			pairs = append(pairs, [2]int{a, b})
		}
	}
	set := measure.Settings{Rand: rand.New(rand.NewPCG(seed, 1))}
	method, err := methodWithout(s.Without, &set, len(pairs))
	if err != nil {
		return t, err
	}
	g := measure.NewGroup(set, specs)
	start := time.Now()
	u0, s0, _ := hostinfo.CPUTime()
	outs := g.Precision(context.Background(), measure.Precision{
		Pairs: pairs, Looks: method.looks, Budget: Budget,
		Judge: func(logs []float64) bool { return method.decide(logs).Verdict != stats.Undecided },
	})
	u1, s1, _ := hostinfo.CPUTime()
	t.Seconds, t.CPU = time.Since(start).Seconds(), (u1 - u0 + s1 - s0).Seconds()
	cells := g.Outcomes()
	if extra > 0 { // a user has no such cell
		calibrating := cells[len(cells)-1].Elapsed.Seconds()
		t.Seconds, t.CPU = t.Seconds-calibrating, t.CPU-calibrating
	}
	for _, c := range cells {
		if c.Err != nil {
			return t, c.Err
		}
	}
	t.Truth = truth(cells, extra > 0)
	for i, o := range outs {
		d := method.decide(o.Logs)
		t.Verdicts[d.Verdict.String()]++
		t.Wrong += count(contradicts(d.Verdict, pairs[i], t.Truth))
		if i == 0 { // second against first
			t.Found = d.Verdict == stats.Faster
			t.Log, t.Low, t.High, t.Blocks = -math.Log(d.Ratio), -math.Log(d.High), -math.Log(d.Low), d.Blocks
		}
	}
	a, _ := stats.BlockMean(cells[0].Blocks, stats.Trim, 0.05)
	b, _ := stats.BlockMean(cells[1].Blocks, stats.Trim, 0.05)
	t.Ns = a.Value
	ratio := math.Exp(t.Truth)
	t.OpCover = a.Low*ratio <= b.High && b.Low <= a.High*ratio
	return t, nil
}

// contradicts reports whether a verdict on a pair of cells is not so, given the
// log-ratio by which the second cell of all is slower than the others.
func contradicts(v stats.Verdict, pair [2]int, truth float64) bool {
	log := 0.0 // of the pair's first cell to its second
	switch {
	case pair[0] == 1:
		log = truth
	case pair[1] == 1:
		log = -truth
	}
	switch v {
	case stats.Faster:
		return log >= 0
	case stats.Slower:
		return log <= 0
	case stats.Equivalent:
		return math.Abs(log) > math.Log1p(margin)
	}
	return false
}

// truth is the log-ratio that the extra work makes: from the calibrating
// cell, since cost is linear in the number of turns.
func truth(cells []measure.CellOutcome, effect bool) float64 {
	if !effect {
		return 0
	}
	first, big := cells[0].Blocks, cells[len(cells)-1].Blocks
	var logs []float64
	for i := range min(len(first), len(big)) {
		logs = append(logs, math.Log(big[i]/first[i]))
	}
	return math.Log1p(math.Expm1(stats.TrimmedMean(logs, stats.Trim, 0.05).Value) / leverage)
}

// method is how a pair is judged.
type method struct {
	looks  []int
	decide func([]float64) stats.Decision
}

// Parts lists what can be switched off.
func Parts() []string {
	return []string{"shuffle", "reverse", "fresh", "short-batches", "lead-in", "faster-half", "own-collector", "look-level", "trimming", "correlation"}
}

func methodWithout(part string, set *measure.Settings, comparisons int) (method, error) {
	judge := stats.Sequential{Margin: margin, LookLevel: stats.DefaultLookLevel, Comparisons: comparisons}
	m := method{looks: stats.Looks(), decide: judge.Decide}
	by := func(interval func([]float64) stats.Interval) func([]float64) stats.Decision {
		return func(logs []float64) stats.Decision {
			iv := interval(logs)
			r := iv.Exp()
			d := stats.Decision{Ratio: r.Value, Low: r.Low, High: r.High, Blocks: iv.N}
			if iv.N >= stats.MinBlocks {
				d.Verdict = stats.Judge(iv, margin)
			}
			return d
		}
	}
	switch part {
	case "":
	case "shuffle":
		set.Without.Shuffle = true
	case "reverse":
		set.Without.Reverse = true
	case "fresh":
		set.Without.Fresh = true
	case "faster-half":
		set.Without.Faster = true
	case "short-batches":
		set.Without.Short = true
	case "lead-in":
		set.Without.Lead = true
	case "own-collector":
		set.Leave = true
	case "look-level": // each look as if it were the only one, after every block
		judge.LookLevel = 0.05
		m.decide = judge.Decide
		m.looks = nil
		for n := stats.MinBlocks; n <= 256; n++ {
			m.looks = append(m.looks, n)
		}
	case "trimming":
		m.decide = by(func(x []float64) stats.Interval {
			iv, _ := stats.BlockMean(x, 0, judge.Level())
			return iv
		})
	case "correlation":
		m.decide = by(func(x []float64) stats.Interval { return stats.TrimmedMean(x, stats.Trim, judge.Level()) })
	default:
		return m, fmt.Errorf("no part is named %q; there are %v", part, Parts())
	}
	return m, nil
}
