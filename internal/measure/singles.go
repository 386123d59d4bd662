package measure

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"time"
)

// SinglePlan times ops one by one.
type SinglePlan struct {
	Ops    []int // so many of each cell; 0: none
	Rounds int   // slices that the ops of a cell are cut into, at least 1
	Until  time.Time
}

// Single is what single ops of a cell took.
type Single struct {
	Times  []time.Duration // in the order in which they were done, a clock reading in each
	Cycles uint64          // collections that ended while they were done
	Odd    int             // left out because the clock went backwards
	Room   int64           // bytes that may be allocated from one collection to the next; 0: the collector is off
}

// OpNs is about what an op of cell i takes, in ns; 0 if nothing is known.
func (g *Group) OpNs(i int) float64 { return g.cells[i].ns }

// Singles times single ops of the cells that are sound and were measured, each
// between two readings of the clock, under the collector as the caller has
// set it. Cells take turns in slices, in shuffled order; each slice has new
// instances and is warmed up. It returns one entry per cell, with fewer ops
// where the time ended or the cell failed.
//
// A collection hits whichever op is under way. So that it is of the cell's own
// making, a slice begins behind a forced collection, and with as much garbage
// as the slices of this cell have left since theirs: collections come as
// often as they would if the cell ran alone.
func (g *Group) Singles(ctx context.Context, p SinglePlan) []Single {
	out := make([]Single, len(g.cells))
	left := make([]uint64, len(g.cells)) // garbage since the last collection
	over := make([]bool, len(g.cells))   // with this round's slice
	for i := range p.Ops {
		out[i].Times = make([]time.Duration, 0, p.Ops[i]) // not garbage of the slices
	}
	rounds := max(1, p.Rounds)
	g.until = p.Until
	begun := time.Now()
	round := 0
	g.supervise(ctx, func(l *lease) {
		for ; round < rounds; round++ {
			g.pads = g.pads[:0]
			order := g.order(func(s *state) bool { return !s.Sparse && !s.Aside && s.n > 0 })
			for k, i := range order {
				if over[i] || i >= len(p.Ops) || p.Ops[i] == 0 {
					continue
				}
				if g.expired(ctx) {
					return
				}
				over[i] = true
				end := time.Time{}
				if !p.Until.IsZero() { // an even share of the time, so that all cells get some
					share := float64(round*len(order)+k+1) / float64(rounds*len(order))
					end = begun.Add(time.Duration(share * float64(p.Until.Sub(begun))))
				}
				g.singleSlice(ctx, l, i, p.Ops[i]*(round+1)/rounds, end, &out[i], &left[i])
			}
			clear(over)
		}
	})
	return out
}

// singleSlice goes on with cell i until it has so many ops, or end is over.
func (g *Group) singleSlice(ctx context.Context, l *lease, i, ops int, end time.Time, out *Single, left *uint64) {
	s := g.cells[i]
	c := max(1, s.Corpus)
	// Instances begin with the first value. Where going to the one that is next
	// takes long, they are kept.
	again := float64(c)*s.ns < longOp || len(out.Times) == 0
	if again && !g.fresh(l, i) {
		return
	}
	h := newHeap()
	runtime.GC()
	g.gc.litter(*left)
	before := g.usage().bytes
	if !g.ops(l, i, g.warmSingles(s)) {
		return
	}
	if next := ((len(out.Times)-s.ran)%c + c) % c; again && !g.ops(l, i, next) {
		return
	}
	_, _, c0 := h.read()
	const look = 64 // ops between two looks at the time, where they are short
	for k := 0; len(out.Times)+out.Odd < ops; k++ {
		if (k%look == 0 || s.ns > longOp/100) && (g.expired(ctx) || !end.IsZero() && k > 0 && time.Now().After(end)) {
			break
		}
		d, ok := g.timed(l, i, 1)
		if !ok {
			return
		}
		if d < 0 {
			out.Odd++
			continue
		}
		out.Times = append(out.Times, d)
	}
	goal, live, c1 := h.read()
	out.Cycles += c1 - c0
	*left += g.usageAfter().bytes - before
	if out.Room = int64(goal) - int64(live); goal > 1<<62 || out.Room <= 0 {
		*left, out.Room = 0, 0
	} else {
		*left %= uint64(out.Room)
	}
}

// warmSingles is the number of ops that warm a slice up.
func (g *Group) warmSingles(s *state) int {
	const most = 1000
	return min(most, max(1, s.n, s.opsIn(g.long)))
}

// A ShortOpError says that single ops are too short for the clock.
type ShortOpError struct {
	Op    float64 // ns
	Facts ClockFacts
	Needs float64 // ns
}

func (e *ShortOpError) Error() string {
	if e.coarse() {
		return fmt.Sprintf("an op of %s ns is %.2g steps of the clock, which has one every %s ns: a single call cannot be timed; %g steps, %s ns, are needed",
			threeDigits(e.Op), e.Op/e.Facts.Resolution, threeDigits(e.Facts.Resolution), singleSteps, threeDigits(e.Needs))
	}
	return fmt.Sprintf("an op of %s ns is %.2g times what reading the clock costs, %s ns: a single call cannot be timed; %g times, %s ns, are needed",
		threeDigits(e.Op), e.Op/e.Facts.Cost, threeDigits(e.Facts.Cost), singleCosts, threeDigits(e.Needs))
}

// threeDigits writes a number with three digits at least, and no exponent.
func threeDigits(x float64) string {
	if x >= 100 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

func (e *ShortOpError) coarse() bool {
	return e.Facts.coarse() && e.Facts.Resolution*singleSteps >= e.Facts.Cost*singleCosts
}

const (
	singleCosts = 20.0  // the clock's own time, one reading in each figure, is 5 % of an op at most
	singleSteps = 100.0 // a time is rounded by 1 % of an op at most
)

// SingleOp is a *ShortOpError if ops of so many ns are too short to be timed
// one by one.
func (f ClockFacts) SingleOp(ns float64) error {
	needs := singleCosts * f.Cost
	if f.coarse() {
		needs = max(needs, singleSteps*f.Resolution)
	}
	if ns >= needs || math.IsNaN(ns) {
		return nil
	}
	return &ShortOpError{Op: ns, Facts: f, Needs: needs}
}
