package measure

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/serbench/serbench/internal/stats"
)

// A Judge says whether a comparison is decided, given the log-ratios of its
// blocks so far.
type Judge func(blocks []float64) (decided bool)

// Precision is the plan that goes on until every comparison is decided.
type Precision struct {
	Pairs  [][2]int // of cells
	Judge  Judge
	Looks  []int         // numbers of blocks at which to judge, ascending; the last one ends the plan
	Rounds int           // exactly so many for each cell, but whole passes through a corpus, instead of judging; 0: as Judge says
	Budget time.Duration // wall time; 0: none
	// Enough says of a cell's block values that its own figure is precise
	// enough; nil: always.
	Enough func(blocks []float64) bool
	Alone  int // blocks of a cell that is in no pair; 0: the second look
}

// PairOutcome is what a comparison is decided on.
type PairOutcome struct {
	Logs    []float64 // per block: ln(a/b) of the cells' block values
	Decided bool
}

type pair struct {
	a, b int
	out  PairOutcome
	done bool
}

// fewestRounds of a block, where ops are short enough, and the most, so that
// its batches need little memory however long it is asked to be.
const (
	fewestRounds = 8
	mostRounds   = 1 << 18
)

// Precision runs the plan. Cells all of whose comparisons are decided leave.
func (g *Group) Precision(ctx context.Context, p Precision) []PairOutcome {
	for _, ab := range p.Pairs {
		g.pairs = append(g.pairs, &pair{a: ab[0], b: ab[1]})
	}
	if p.Alone == 0 && len(p.Looks) > 0 {
		p.Alone = p.Looks[min(1, len(p.Looks)-1)]
	}
	if p.Budget > 0 {
		g.until = time.Now().Add(p.Budget)
	}
	if g.set.BatchTime <= 0 && !g.set.Without.Short {
		g.target = g.set.Facts.turnTarget()
	}
	if !g.set.Without.Lead {
		g.lead = g.long / 25
	}
	g.start = time.Now()
	defer g.takeOver()()
	g.own = heapBytes(&g.heap)
	last := p.Looks[len(p.Looks)-1]
	if p.Rounds > 0 {
		last = math.MaxInt
	}
	g.left = p.Rounds
	ready := false
	g.supervise(ctx, func(l *lease) {
		if !ready {
			g.setUp(ctx, l)
			ready = true
		}
		for g.at.begun || g.block < last && !g.expired(ctx) && g.anyActive() {
			rounds, counts := g.precisionBlock(ctx, l)
			if counts {
				g.block++
			}
			if p.Rounds > 0 {
				g.left -= rounds
				g.progress(p.Rounds-g.left, p.Rounds)
				if g.left <= 0 {
					break
				}
				continue
			}
			if counts {
				g.judge(&p)
			}
			g.progress(g.block, last)
		}
	})
	if p.Rounds > 0 && g.left <= 0 {
		for _, s := range g.cells {
			s.out.Done = s.ok()
		}
	}
	out := make([]PairOutcome, len(g.pairs))
	for i, q := range g.pairs {
		out[i] = q.out
	}
	return out
}

func (g *Group) anyActive() bool {
	for _, s := range g.cells {
		if s.ok() && s.active && !s.Sparse && !s.Follow {
			return true
		}
	}
	return false
}

// place is how far a block has come, so that it goes on there after another
// cell's panic, and no batch is done twice.
type place struct {
	begun     bool
	base, all int   // rounds, see Group.rounds
	round     int   // the one under way
	order     []int // of its cells; nil: it has not begun
	turn      int   // within the order, forth and back
}

// precisionBlock measures one block, or what is left of it. It returns how many
// rounds were done, without those that only a corpus needs, and whether the
// block counts.
func (g *Group) precisionBlock(ctx context.Context, l *lease) (done int, counts bool) {
	at := &g.at
	if !at.begun {
		g.beginBlock(ctx, l)
	} else if g.expired(ctx) {
		return g.endBlock()
	}
	// Behind a collection a cell runs a batch untimed, and so misses a segment:
	// the rounds behind all are for those that do.
	for ; at.round/3 < at.all; at.round++ {
		if at.order == nil {
			if at.round > 0 && g.expired(ctx) {
				break
			}
			at.order, at.turn = g.order(func(s *state) bool { return s.active && s.n > 0 && s.takesPart(at.round, at.all) }), 0
		}
		if at.round >= at.all && len(at.order) == 0 || !g.pass(ctx, l) {
			break
		}
		at.order = nil
	}
	return g.endBlock()
}

func (g *Group) beginBlock(ctx context.Context, l *lease) {
	g.pads = g.pads[:0]
	for _, s := range g.cells {
		s.clearBlock()
	}
	for _, i := range g.order(func(s *state) bool { return s.active }) {
		if g.gc.due(true) { // what cells of a large corpus make while they begin is garbage too
			g.collect(l)
		}
		if !g.expired(ctx) && g.cells[i].ok() {
			g.begin(l, i)
		}
	}
	base, all := g.rounds()
	g.at = place{begun: true, base: base, all: all}
	for _, s := range g.cells {
		if s.active && s.ok() && !s.Sparse && s.every < 2 { // else there is room since more were kept
			s.out.Samples = slices.Grow(s.out.Samples, 2*min(all, 1<<12))
		}
	}
}

func (g *Group) endBlock() (done int, counts bool) {
	done = min(g.at.round, g.at.all) * g.at.base / g.at.all
	g.at = place{}
	return done, g.settle()
}

// takesPart reports whether the cell has a batch in a round of so many.
func (s *state) takesPart(round, all int) bool {
	switch {
	case s.Sparse:
		return round == 0
	case round >= all:
		return s.lacks()
	}
	return s.due(round, all)
}

// begin gives cell i its instances for the block, warms them up and counts
// what they use.
func (g *Group) begin(l *lease, i int) bool {
	s := g.cells[i]
	if !g.fresh(l, i) {
		return false
	}
	s.gcSeen = g.gc.count
	if s.n == 0 && !g.calibrate(l, i) {
		return false
	}
	if s.ns > longOp { // counted and warmed up by the first ops
		return s.segments() == 1 || g.align(l, i)
	}
	if !g.align(l, i) || !g.ops(l, i, g.stretch(s)) {
		return false
	}
	if !countsIn(g.block) {
		return true
	}
	n := g.stretch(s)
	if s.segments() > 1 && float64(s.Corpus)*s.ns < longOp {
		n = s.Corpus // inputs differ in what they need
	}
	return g.counted(l, i, n) && g.align(l, i)
}

// stretch is the number of ops that warm a new instance up, or are counted.
func (g *Group) stretch(s *state) int {
	if s.segments() > 1 {
		return s.next()
	}
	return max(s.n, s.opsIn(g.long)/s.n*s.n) // whole corpora, as a batch
}

// align runs cell i to the end of the segment that it is in the middle of.
func (g *Group) align(l *lease, i int) bool {
	s := g.cells[i]
	k, left := s.at()
	if n := s.segments(); n == 1 || left == s.bound(k+1, n)-s.bound(k, n) {
		return true
	}
	return g.ops(l, i, left)
}

// countsIn reports whether block's allocations and CPU time are counted: in
// the first blocks and some later ones, since reading the counters stops the
// world, which takes longer than a batch on a busy machine.
func countsIn(block int) bool { return block < 11 || block%8 == 0 }

// setUp calibrates the cells and primes the collector for the garbage that
// they make. Cells that it could not get through are left to the blocks.
func (g *Group) setUp(ctx context.Context, l *lease) {
	allocates := false
	for _, i := range g.order(func(s *state) bool { return s.n == 0 }) {
		if g.expired(ctx) {
			return
		}
		s := g.cells[i]
		if g.gc.due(true) {
			g.collect(l)
		}
		if !s.ok() || !g.fresh(l, i) || !g.calibrate(l, i) || !g.counted(l, i, s.n) {
			continue
		}
		allocates = allocates || s.out.Counters[0].AllocBytes > uint64(s.n)/16
		if s.ns < longOp {
			s.n, s.out.Counters = 0, nil // anew, once pools are filled and memory is mapped
		}
	}
	if allocates {
		g.gc.prime()
	}
}

// rounds of a block: enough for the block's time for each cell, and several
// unless ops are so long that few make a block. Passes through a corpus take a
// slow cell many more rounds than a fast one: each cell takes part in as many
// as it needs, spread over the block; base is that of cells without.
func (g *Group) rounds() (base, all int) {
	rounds := 1
	for _, s := range g.cells {
		if !s.ok() || !s.active || s.Sparse || s.n == 0 {
			continue
		}
		round := 2 * float64(s.n) * s.ns
		n := int(math.Ceil(float64(g.set.BlockTime) / round))
		if round < float64(g.set.BlockTime) {
			n = max(n, fewestRounds)
		} else {
			n = max(n, min(fewestRounds, int(2*float64(g.set.BlockTime)/round)))
		}
		rounds = max(rounds, min(n, mostRounds))
	}
	if g.left > 0 && g.left-fewestRounds < rounds { // no block of a few rounds behind this one
		rounds = g.left
	}
	all = rounds
	for _, s := range g.cells {
		s.rounds = rounds
		if k := s.segments(); k > 1 { // whole passes, several if they are short
			pass := float64(s.Corpus) * s.ns
			passes := int(min(4, max(1, 4*float64(g.set.BlockTime)/pass)))
			s.rounds = max(rounds, (k*passes+1)/2)
		}
		if s.ok() && s.active && !s.Sparse && s.n > 0 {
			all = max(all, s.rounds)
		}
	}
	return rounds, all
}

// due reports whether the cell takes part in a round of so many.
func (s *state) due(round, rounds int) bool {
	n := min(s.rounds, rounds)
	return (round+1)*n/rounds > round*n/rounds
}

// pass runs one round: a batch of each cell in the given order and again in
// reverse, so that what drifts evenly cancels.
func (g *Group) pass(ctx context.Context, l *lease) bool {
	at := &g.at
	if at.turn == 0 && g.gc.due(false) {
		g.collect(l)
		for _, i := range at.order {
			if g.cells[i].ok() {
				g.refill(l, i)
			}
		}
	}
	for last := 2*len(at.order) - 1; at.turn <= last; {
		i := at.order[min(at.turn, last-at.turn)]
		if g.set.Without.Reverse {
			i = at.order[at.turn%len(at.order)]
		}
		at.turn++ // before the call, which may not come back
		s := g.cells[i]
		if !s.ok() {
			continue
		}
		if s.ns > 1e6 && g.expired(ctx) {
			return false // the round is void
		}
		ns, segment, ok := g.batch(l, i, at.round)
		if !ok {
			continue
		}
		s.note(segment, ns)
	}
	return true
}

// settle turns the batches of the block into block values. A block in which a
// cell has no whole round does not count for it.
func (g *Group) settle() bool {
	counts := false
	values := make([]float64, len(g.cells))
	for i, s := range g.cells {
		values[i] = math.NaN()
		if !s.ok() || len(s.parts) == 0 || len(s.parts[0]) == 0 {
			continue
		}
		counts = true
		typical := stats.FasterHalf
		if g.set.Without.Faster {
			typical = median
		}
		if m := s.value(typical); m >= 0 {
			s.out.Blocks = append(s.out.Blocks, m)
			values[i] = m
			if m > 0 {
				s.ns = m
				s.n = g.batchReps(s)
			}
		}
		s.thin(g.set.KeepSamples)
	}
	for _, q := range g.pairs {
		if log := math.Log(values[q.a] / values[q.b]); !q.done && !math.IsNaN(log) && !math.IsInf(log, 0) {
			q.out.Logs = append(q.out.Logs, log)
		}
	}
	return counts
}

// judge closes the comparisons that are decided at this number of blocks and
// lets cells leave that nothing waits for.
func (g *Group) judge(p *Precision) {
	waiting := make([]bool, len(g.cells))
	paired := make([]bool, len(g.cells))
	for _, q := range g.pairs {
		paired[q.a], paired[q.b] = true, true
		if !g.cells[q.a].ok() || !g.cells[q.b].ok() {
			q.done = true
		}
		if !q.done && contains(p.Looks, len(q.out.Logs)) && p.Judge(q.out.Logs) {
			q.done, q.out.Decided = true, true
		}
		if !q.done {
			waiting[q.a], waiting[q.b] = true, true
		}
	}
	for i, s := range g.cells {
		if s.Sparse || s.Follow || !s.ok() {
			continue
		}
		blocks := len(s.out.Blocks)
		s.active = waiting[i] || blocks < p.Looks[0] || !paired[i] && blocks < p.Alone ||
			p.Enough != nil && !p.Enough(s.out.Blocks)
	}
}

func contains(looks []int, n int) bool {
	for _, k := range looks {
		if k == n {
			return true
		}
	}
	return false
}

// progress reports done of all, or the share of the budget if that is more.
func (g *Group) progress(done, all int) {
	if g.set.Progress == nil {
		return
	}
	share := float64(done) / float64(all)
	if !g.until.IsZero() {
		share = max(share, float64(time.Since(g.start))/float64(g.until.Sub(g.start)))
	}
	g.set.Progress(min(share, 1))
}
