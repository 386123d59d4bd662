package measure

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/serbench/serbench/internal/stats"
)

// fakeTime is a clock that only its cells move: the engine's answers become
// exact, and tests take no time.
type fakeTime struct{ now time.Duration }

func (f *fakeTime) clock() time.Duration { return f.now }

// fakeCell takes ns per op of a fake clock. Its hooks see every call.
type fakeCell struct {
	time   *fakeTime
	ns     float64
	rest   float64
	corpus []float64 // factors on ns, by position since Fresh
	noise  func() float64

	ops, fresh, prepared int
	at                   int
	onOp                 func(op int) error
	onFresh              func() error
}

func (c *fakeCell) Fresh() error {
	c.fresh++
	c.at = 0
	if c.onFresh != nil {
		return c.onFresh()
	}
	return nil
}

func (c *fakeCell) Prepare(n int) error { c.prepared += n; return nil }

func (c *fakeCell) Run(n int) (int, error) {
	total := 0.0
	for i := 0; i < n; i++ {
		if c.onOp == nil && len(c.corpus) == 0 {
			c.ops += n
			break
		}
		c.ops++
		if c.onOp != nil {
			if err := c.onOp(c.ops); err != nil {
				return i, err
			}
		}
		if len(c.corpus) > 0 {
			total += c.ns * c.corpus[c.at%len(c.corpus)]
			c.at++
		}
	}
	if len(c.corpus) == 0 {
		total = c.ns * float64(n)
	}
	if c.noise != nil {
		total *= c.noise()
	}
	total += c.rest
	c.time.now += time.Duration(total)
	c.rest = total - float64(time.Duration(total))
	return n, nil
}

func fakeSettings(f *fakeTime) Settings {
	return Settings{Clock: f.clock, Facts: ClockFacts{Resolution: 30, Cost: 30}, Rand: rand.New(rand.NewPCG(1, 2)), Leave: true}
}

func fakeGroup(f *fakeTime, cells ...*fakeCell) *Group {
	specs := make([]Spec, len(cells))
	for i, c := range cells {
		c.time = f
		specs[i] = Spec{Cell: c, Corpus: max(1, len(c.corpus))}
	}
	return NewGroup(fakeSettings(f), specs)
}

// plan compares the first cell with each other one.
func plan(cells int) Precision {
	p := Precision{Looks: stats.Looks()}
	for b := 1; b < cells; b++ {
		p.Pairs = append(p.Pairs, [2]int{0, b})
	}
	j := stats.Sequential{Margin: 0.01, LookLevel: stats.DefaultLookLevel, Comparisons: max(1, cells-1)}
	p.Judge = func(logs []float64) bool { return j.Decide(logs).Verdict != stats.Undecided }
	return p
}

func runPlan(g *Group, p Precision) []PairOutcome { return g.Precision(context.Background(), p) }
