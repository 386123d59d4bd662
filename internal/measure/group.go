package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"slices"
	"time"
)

// Settings hold for all plans. The zero value of each field but Rand is its
// default.
type Settings struct {
	Clock       Clock
	Facts       ClockFacts // of Clock; measured when zero
	Rand        *rand.Rand
	Leave       bool          // leave the collector as it is
	Collector   *Collector    // nil: one of the group's own, for the plan
	CallLimit   time.Duration // for one call of a cell; 0: none
	KeepSamples int           // bound per cell; 0: none
	BatchTime   time.Duration // 0: from the clock's facts
	BatchReps   int           // 0: from BatchTime
	BlockTime   time.Duration // per cell and block; 0: 1.5 ms
	MemoryLimit int64         // bytes of heap that the cells may add; 0: none
	Progress    func(share float64)
	Without     Parts // of the method that are switched off
}

// Parts of the method, each of which can be switched off to show what it is
// there for.
type Parts struct {
	Shuffle bool // the order of a round is new each time
	Reverse bool // a round goes through its order forth and back
	Fresh   bool // each block has new instances
	Faster  bool // a block's value is that of its faster half; else the median
	Lead    bool // untimed ops lead into a batch
	Short   bool // batches of cells that take turns are shorter than others
}

const defaultBlockTime = 1500 * time.Microsecond

// Group is a set of cells that are measured against each other. Use it for
// one plan: [Group.Precision] or [Group.Fixed], then [Group.Sustained].
type Group struct {
	// Runaway is set once a call was abandoned: its goroutine may still run.
	Runaway bool

	set    Settings
	cells  []*state
	gc     *Collector
	target time.Duration // of a batch
	long   time.Duration // of stretches that need no turns: warm-up, counting, segments of a corpus
	lead   time.Duration // of the untimed ops before each batch; 0: none
	block  int           // of the plan, counts the finished ones
	left   int           // rounds, where their number is fixed
	at     place         // in the block under way; precision only
	pads   [][]byte      // what lies between the instances of this block
	pairs  []*pair       // precision only
	until  time.Time     // deadline; zero: none
	start  time.Time
	mem    runtime.MemStats
	mark   *usage // where the next batch leaves what was used before it
	heap   [1]metrics.Sample
	own    uint64 // heap before the cells, or what they were let off with
}

// NewGroup makes a group of the cells.
func NewGroup(set Settings, specs []Spec) *Group {
	if set.Clock == nil {
		set.Clock = SystemClock()
	}
	if set.Facts == (ClockFacts{}) {
		set.Facts = set.Clock.Measure()
	}
	if set.BlockTime <= 0 {
		set.BlockTime = defaultBlockTime
	}
	g := &Group{set: set, target: set.BatchTime, gc: set.Collector}
	if g.gc == nil || set.Leave {
		g.gc = new(Collector)
	}
	g.long = set.Facts.batchTarget()
	if g.target <= 0 {
		g.target = g.long
	}
	for _, spec := range specs {
		g.cells = append(g.cells, &state{Spec: spec, active: true, rand: set.Rand})
	}
	return g
}

// Outcomes returns what was found out about each cell.
func (g *Group) Outcomes() []CellOutcome {
	out := make([]CellOutcome, len(g.cells))
	for i, s := range g.cells {
		s.out.Batch = s.n
		out[i] = s.out
	}
	return out
}

// call runs f, which calls into cell i, under the lease. Its error is the
// cell's; a goroutine whose lease was lost ends here.
func (g *Group) call(l *lease, i int, f func() error) bool {
	l.begin(i)
	return g.ended(l, g.cells[i], f())
}

// fresh gives cell i new instances, with allocations of odd sizes before them
// so that they lie elsewhere than the last ones.
func (g *Group) fresh(l *lease, i int) bool {
	s := g.cells[i]
	if s.fresh && g.set.Without.Fresh {
		return true
	}
	s.fresh, s.ran = true, 0
	for range 1 + g.set.Rand.IntN(4) {
		g.pads = append(g.pads, make([]byte, 1+g.set.Rand.IntN(1<<uint(3+g.set.Rand.IntN(12)))))
	}
	return g.call(l, i, s.Cell.Fresh)
}

// ops runs n ops of cell i without recording them.
func (g *Group) ops(l *lease, i, n int) bool {
	if n <= 0 {
		return true
	}
	_, ok := g.timed(l, i, n)
	return ok
}

var errFewer = errors.New("fewer ops were done than asked, without an error")

// timed runs n ops of cell i between two readings of the clock.
func (g *Group) timed(l *lease, i, n int) (time.Duration, bool) {
	s := g.cells[i]
	clock, mark := g.set.Clock, g.mark
	l.begin(i)
	err := s.Cell.Prepare(n)
	if err != nil {
		return 0, g.ended(l, s, err)
	}
	if mark != nil {
		g.ended(l, s, nil) // the counters are the group's
		*mark = g.usage()
		l.begin(i)
	}
	t0 := clock()
	done, err := s.Cell.Run(n)
	d := clock() - t0
	switch {
	case err != nil && s.out.Reps+int64(done) > 0:
		err = fmt.Errorf("after %d reps: %w", s.out.Reps+int64(done), err)
	case err == nil && done != n:
		err = errFewer
	}
	if !g.ended(l, s, err) {
		return 0, false
	}
	s.ran += n
	return d, true
}

// ended closes a call into a cell that returned err. The goroutine ends here
// if it lost the lease: the group is then another's.
func (g *Group) ended(l *lease, s *state, err error) bool {
	if !l.end() {
		runtime.Goexit()
	}
	if err != nil {
		s.out.Err = err
	}
	return err == nil
}

// refill runs a batch of cell i untimed where a collection has emptied its
// pools, and the caches, since its last one.
func (g *Group) refill(l *lease, i int) bool {
	s := g.cells[i]
	if s.gcSeen == g.gc.count {
		return true
	}
	s.gcSeen = g.gc.count
	n := s.next()
	if s.ns > longOp { // one op would double the time, and warms up within itself
		n = 0
	}
	return g.ops(l, i, n)
}

// longOp, in ns: ops from here on are no longer repeated for warmth.
const longOp = 1e7

// batch is one recorded batch of cell i. It returns the time per op, NaN if
// the clock went backwards, and the segment of the corpus that it covered.
func (g *Group) batch(l *lease, i, round int) (ns float64, segment int, ok bool) {
	s := g.cells[i]
	long := float64(s.n)*s.ns > float64(time.Millisecond) // and may allocate far beyond the limit
	if long && g.gc.due(true) {
		g.collect(l)
	}
	if !s.ok() || !g.refill(l, i) || !g.ops(l, i, g.leadIn(s)) {
		return 0, 0, false
	}
	segment, n := s.at()
	d, ok := g.timed(l, i, n)
	if !ok {
		return 0, 0, false
	}
	if d < 0 {
		s.out.Odd++
		return math.NaN(), segment, true
	}
	s.take(g.block, round, n, d)
	g.boundWithin(s)
	return float64(d) / float64(n), segment, true
}

// leadIn is the number of untimed ops before a batch: the first op after
// another cell's finds caches and branch predictors filled by that. An op that
// is long by itself needs none, and one within a corpus has no place for it.
func (g *Group) leadIn(s *state) int {
	if g.lead <= 0 || s.ns > float64(g.long) || s.segments() > 1 {
		return 0
	}
	return max(1, s.opsIn(g.lead))
}

// opsIn is the number of ops that take about d.
func (s *state) opsIn(d time.Duration) int {
	return int(min(mostReps, math.Round(float64(d)/s.ns)))
}

var errStuck = errors.New("the clock did not advance over 65,536 ops: the op cannot be timed by it")

// calibrate finds how many ops of cell i make a batch. A disturbed batch must
// not end the search early, or equal cells would get batches of unequal
// length and with them unequal shares of what a batch costs by itself: so each
// length is tried up to three times.
func (g *Group) calibrate(l *lease, i int) bool {
	s := g.cells[i]
	const most, tries = 1 << 16, 3
	for n := 1; ; {
		best := time.Duration(math.MaxInt64)
		for range tries {
			d, ok := g.timed(l, i, n)
			if !ok {
				return false
			}
			if d > 0 {
				best = min(best, d)
			}
			if d < g.target/4 && n < most || d > 10*g.target && n == 1 {
				break
			}
		}
		known := best < math.MaxInt64
		if n >= most || known && best >= g.target/4 {
			if !known {
				s.out.Err = errStuck
				return false
			}
			s.ns = float64(best) / float64(n)
			break
		}
		grow := 2
		if known {
			grow = int(min(16, max(2, g.target/(2*best))))
		}
		n = min(most, n*grow)
	}
	s.n = g.batchReps(s)
	s.out.Short = float64(s.n)*s.ns < float64(g.target)/4
	return true
}

// mostReps in a batch.
const mostReps = 1 << 24

// batchReps is the number of ops in a batch: whole corpora where they fit, or
// else about one segment.
func (g *Group) batchReps(s *state) int {
	if g.set.BatchReps > 0 {
		return g.set.BatchReps
	}
	n := max(1, s.opsIn(g.target))
	if c := s.Corpus; c > 1 {
		if n < c/2 { // segments have no lead-in
			n = max(1, s.opsIn(g.long))
		}
		if n >= c/2 {
			return max(1, (n+c/2)/c) * c
		}
		k := (c + n - 1) / n
		return (c + k - 1) / k
	}
	return n
}

// expired reports whether the run has to end.
func (g *Group) expired(ctx context.Context) bool {
	return ctx.Err() != nil || !g.until.IsZero() && !time.Now().Before(g.until)
}

// order returns the indices of the cells that take part, shuffled.
func (g *Group) order(take func(*state) bool) []int {
	var order []int
	for i, s := range g.cells {
		if s.ok() && take(s) {
			order = append(order, i)
		}
	}
	if !g.set.Without.Shuffle {
		g.set.Rand.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
	}
	return order
}

// median of xs without NaN; NaN if there is none. It sorts xs.
func median(xs []float64) float64 {
	xs = slices.DeleteFunc(xs, math.IsNaN)
	if len(xs) == 0 {
		return math.NaN()
	}
	slices.Sort(xs)
	m := len(xs) / 2
	if len(xs)%2 == 1 {
		return xs[m]
	}
	return (xs[m-1] + xs[m]) / 2
}
