package serbench

import (
	"slices"

	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/stats"
)

// twinExtra is the share of a cell's time that its slower twin works longer.
const twinExtra = 0.02

// addTwins adds the twins of the group's baseline to specs where a self-check
// is asked for.
func (r *run) addTwins(g *group, specs []measure.Spec) []measure.Spec {
	if !r.SelfCheck || g.wire != nil {
		return specs
	}
	at := slices.IndexFunc(g.cells, func(c *cell) bool {
		return c.team == nil && c.result.Codec == r.Baseline && c.result.Status == StatusOK
	})
	if at < 0 {
		return specs
	}
	for _, extra := range []float64{0, twinExtra} {
		original := g.cells[at]
		twin := &twin{cell: &cell{subject: original.subject, op: original.op}, extra: extra, clock: r.clock}
		g.twins = append(g.twins, [2]int{len(specs), at})
		specs = append(specs, measure.Spec{Cell: twin, Corpus: len(original.subject.values), Aside: true})
	}
	return specs
}

// recordTwins judges the twins as the group's comparisons are judged.
func (r *run) recordTwins(g *group, outs []measure.CellOutcome) {
	for i, pair := range g.twins {
		logs := g.outs[len(g.pairs)+i].Logs
		if outs[pair[0]].Err != nil || outs[pair[1]].Err != nil || len(logs) == 0 {
			continue
		}
		d := r.judge(len(g.pairs)).Decide(logs)
		c := SelfCheck{
			Result: g.cells[pair[1]].result.ID, Ratio: finite(d.Ratio), Blocks: len(logs), Verdict: verdictOf(d.Verdict),
		}
		if d.Bounded() {
			c.Low, c.High = finite(d.Low), finite(d.High)
		}
		c.Passed = d.Verdict != stats.Faster && d.Verdict != stats.Slower
		if i > 0 {
			c.Extra = twinExtra
			c.Passed = d.Verdict == stats.Slower
		}
		r.report.SelfChecks = append(r.report.SelfChecks, c)
	}
}

// A twin is a cell that does what another does, and some work beside it.
type twin struct {
	*cell
	extra float64 // share
	turns float64 // of extra work per op, once known
	clock measure.Clock
	x     uint64
}

// Fresh implements [measure.Cell]. The first one finds out how much work the
// share is.
func (t *twin) Fresh() error {
	if err := t.cell.Fresh(); err != nil || t.extra == 0 || t.turns > 0 {
		return err
	}
	const enough, tries = 200_000, 5 // ns, and of these the fastest
	op, err := t.time(enough, tries, func(n int) error {
		if err := t.cell.Prepare(n); err != nil {
			return err
		}
		_, err := t.cell.Run(n)
		return err
	})
	if err != nil {
		return err
	}
	turn, err := t.time(enough, tries, func(n int) error { t.spin(n); return nil })
	if err != nil || turn <= 0 {
		return err
	}
	t.turns = t.extra * op / turn
	return t.cell.Fresh()
}

// time returns the ns that f takes for each of its n, which it raises until
// one call takes enough.
func (t *twin) time(enough float64, tries int, f func(n int) error) (float64, error) {
	for n := 1; ; n *= 2 {
		best := 0.0
		for range tries {
			t0 := t.clock()
			if err := f(n); err != nil {
				return 0, err
			}
			if d := float64(t.clock() - t0); best == 0 || d < best {
				best = d
			}
		}
		if best >= enough || n >= 1<<20 {
			return best / float64(n), nil
		}
	}
}

// Run implements [measure.Cell].
func (t *twin) Run(n int) (int, error) {
	done, err := t.cell.Run(n)
	t.spin(int(t.turns*float64(n) + 0.5))
	return done, err
}

func (t *twin) spin(turns int) {
	x := t.x | 1
	for range turns {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	t.x = x
}
