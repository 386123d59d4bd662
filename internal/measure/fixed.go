package measure

import (
	"context"
	"math"
	"runtime"
	"slices"
	"time"
)

// Fixed is a plan whose length does not depend on what it finds: so many
// reps, or so much time, per cell. Exactly one of Reps, Time and CPUTime is
// set.
type Fixed struct {
	Reps    int           // timed ops per cell
	Time    time.Duration // of timed ops per cell
	CPUTime time.Duration // user and system time of timed ops per cell

	// Warmup is the number of untimed ops before: 0 means as many as Reps (a
	// full discarded pass), or a tenth of the time and 1 s at most; negative
	// means none.
	Warmup     int
	Declared   bool // one cell after the other, in one block, instead of interleaved
	Drop       int  // this many first samples of each cell are not recorded; they count as timed work that is discarded
	MinSamples int  // go on beyond the time until there are so many
	Subtract   bool // take the cost of a clock reading, measured beside each batch, off
	Noop       Cell // if set, the time of as many of its ops is taken off each batch
	Pairs      [][2]int
	Budget     time.Duration

	CPU func() (used time.Duration, ok bool) // clock of CPUTime; nil: the system's
}

// mostBlocks of a fixed plan, and the fewest reps that make one.
const (
	mostBlocks   = 16
	repsPerBlock = 100
)

// An op that waits uses no CPU time: a block of a CPU-time plan ends after so
// many times its share in wall time, and leastWall at least.
const (
	idleFactor = 20
	leastWall  = 100 * time.Millisecond
)

// blocks of the plan.
func (p Fixed) blocks(g *Group) int {
	switch {
	case p.Declared:
		return 1
	case p.Reps > 0:
		return max(1, min(mostBlocks, p.Reps/repsPerBlock))
	}
	return int(max(1, min(mostBlocks, (p.Time+p.CPUTime)/g.set.BlockTime)))
}

// share of total that block b of n gets; the shares add up to total.
func share(total, b, n int) int {
	each, rest := total/n, total%n
	if b >= n-rest {
		each++
	}
	return each
}

// Fixed runs the plan.
func (g *Group) Fixed(ctx context.Context, p Fixed) []PairOutcome {
	for _, ab := range p.Pairs {
		g.pairs = append(g.pairs, &pair{a: ab[0], b: ab[1]})
	}
	if p.Budget > 0 {
		g.until = time.Now().Add(p.Budget)
	}
	g.start = time.Now()
	defer g.takeOver()()
	g.own = heapBytes(&g.heap)
	g.prepareCPU(&p)
	blocks := p.blocks(g)
	at := 0 // declared order: the cell whose turn it is
	g.supervise(ctx, func(l *lease) {
		if p.Declared {
			for ; at < len(g.cells) && !g.expired(ctx); at++ {
				if s := g.cells[at]; s.ok() {
					g.fixedBlock(ctx, l, &p, blocks, []int{at})
				}
				g.progress(at+1, len(g.cells))
			}
			return
		}
		for g.block < blocks && !g.expired(ctx) && g.anyActive() {
			if !g.fixedBlock(ctx, l, &p, blocks, g.order(func(*state) bool { return true })) {
				return
			}
			g.block++
			g.progress(g.block, blocks)
		}
	})
	out := make([]PairOutcome, len(g.pairs))
	for i, q := range g.pairs {
		out[i] = q.out
	}
	return out
}

// fixedBlock measures one block of the given cells and reports whether it was
// finished. Entered again after a cell failed, it goes on where it was.
func (g *Group) fixedBlock(ctx context.Context, l *lease, p *Fixed, blocks int, cells []int) bool {
	for _, i := range cells {
		if s := g.cells[i]; !s.begun && s.ok() {
			if g.expired(ctx) {
				return false
			}
			if g.beginFixed(ctx, l, i, p, blocks) {
				s.begun = true
			}
		}
	}
	var order []int
	for round := 0; ; round++ {
		if g.expired(ctx) {
			return false
		}
		if round%2 == 0 || p.Declared {
			order = slices.Clone(cells)
			g.set.Rand.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
		} else {
			slices.Reverse(order)
		}
		most := 0
		for _, i := range cells {
			if s := g.cells[i]; s.ok() && s.pending(p, g.block == blocks-1) {
				most = max(most, s.batches)
			}
		}
		if most == 0 {
			break
		}
		for _, i := range order {
			s := g.cells[i]
			if !s.ok() || !s.pending(p, g.block == blocks-1) {
				continue
			}
			// Cells with fewer batches spread them over the rounds.
			if k := s.batches; k < most && round < most && (round+1)*k/most == round*k/most {
				continue
			}
			if s.ns > 1e6 && g.expired(ctx) {
				return false
			}
			g.fixedBatch(l, i, round, p)
		}
	}
	g.endFixed(cells, p, blocks)
	return true
}

// pending reports whether the cell has work left in this block.
func (s *state) pending(p *Fixed, last bool) bool {
	if !s.begun {
		return false
	}
	if p.CPUTime > 0 && s.wallLeft <= 0 {
		return false
	}
	if s.left > 0 || s.timeLeft > 0 {
		return true
	}
	return !s.Sparse && last && p.Reps == 0 && s.out.All.N < p.MinSamples
}

// mostWarmup of a cell by time, where the plan does not say it, in ns.
func (g *Group) mostWarmup(p *Fixed) float64 {
	most := float64(time.Second)
	if p.Budget > 0 {
		most = min(most, float64(p.Budget)/10/float64(len(g.cells)))
	}
	return most
}

// partOf is the plan for one cell: floor and control get a tenth of it.
func (p Fixed) partOf(s *state) Fixed {
	if s.Sparse {
		const part = 10
		p.Reps, p.Time, p.CPUTime = p.Reps/part+min(1, p.Reps%part), p.Time/part, p.CPUTime/part
	}
	return p
}

// beginFixed gives cell i its instances, its part of the warm-up and its
// share of the work.
func (g *Group) beginFixed(ctx context.Context, l *lease, i int, p *Fixed, blocks int) bool {
	s := g.cells[i]
	if p.Declared && g.set.Leave {
		runtime.GC() // what the cell before left behind is not this one's to clear
	}
	if !g.fresh(l, i) {
		return false
	}
	if s.noop, s.out.Err = g.measureNoop(p); s.out.Err != nil {
		return false
	}
	s.gcSeen = g.gc.count
	s.blockNs = s.blockNs[:0]
	part := p.partOf(s)
	if part.Reps > 0 {
		s.left = share(part.Reps, g.block, blocks)
	} else {
		s.timeLeft = (part.Time + part.CPUTime) / time.Duration(blocks)
		s.wallLeft = max(leastWall, time.Duration(min(math.MaxInt64/2, idleFactor*float64(s.timeLeft))))
	}
	warm := p.Warmup
	switch {
	case warm == 0 && p.Reps > 0:
		warm = part.Reps
	case warm == 0:
		if s.n == 0 && !g.calibrate(l, i) {
			return false
		}
		warm = int(min(1<<30, math.Ceil(min(float64(part.Time+part.CPUTime)/10, g.mostWarmup(p))/s.ns)))
	}
	if warm > 0 {
		if !g.warm(ctx, l, i, share(warm, g.block, blocks), !p.Declared) {
			return false
		}
	} else if s.n == 0 && p.Reps == 0 {
		if !g.calibrate(l, i) {
			return false
		}
	}
	if s.n == 0 && s.ns > 0 {
		s.n = g.batchReps(s)
	}
	if g.set.BatchReps > 0 {
		s.n = g.set.BatchReps
	}
	if s.n == 0 { // no warm-up: nothing is known of the op until the first batch
		s.n = max(1, min(s.left, firstBatch))
	}
	g.planBatches(s)
	if p.Declared {
		s.stretch = g.usage()
	}
	return true
}

// firstBatch of a cell that was neither calibrated nor warmed up.
const firstBatch = 32

// planBatches spreads what is left of the cell's block over batches.
func (g *Group) planBatches(s *state) {
	s.batches = 1
	if s.left > 0 {
		s.batches = (s.left-1)/s.n + 1
		if g.set.BatchReps == 0 { // even batches instead of a short last one
			s.n = (s.left-1)/s.batches + 1
		}
	} else if s.ns > 0 {
		s.batches = int(min(1<<30, max(1, float64(s.timeLeft)/(float64(s.n)*s.ns))))
	}
}

// warm runs n untimed ops of cell i, in pieces so that it can be cancelled
// and the collector gets its turns, and counts what they use.
func (g *Group) warm(ctx context.Context, l *lease, i, n int, count bool) bool {
	s := g.cells[i]
	var before usage
	apart := false // what Prepare allocates would be counted with several pieces
	if p, ok := s.Cell.(interface{ Prepares() bool }); ok && count {
		apart = p.Prepares()
		count = !apart
	}
	piece := 1
	for left := n; left > 0; {
		if g.expired(ctx) {
			return false
		}
		piece = min(piece, left)
		if apart && piece == left && piece < n {
			return g.counted(l, i, piece)
		}
		d, ok := g.timed(l, i, piece)
		if !ok {
			return false
		}
		if left == n && n > 1 && count { // a block's first op grows buffers and fills pools: it is not counted
			before = g.usage()
		}
		left -= piece
		if d > 0 && s.n == 0 {
			s.ns = float64(d) / float64(piece)
		}
		if d < 8*g.target && piece < mostReps {
			piece *= 2
		}
		if g.gc.due(true) {
			g.collect(l)
		}
		if !s.ok() {
			return false
		}
	}
	if count && n > 1 {
		s.out.Counters = append(s.out.Counters, g.usageAfter().since(before, g.block, n-1))
	}
	return true
}

// fixedBatch measures one batch.
func (g *Group) fixedBatch(l *lease, i, round int, p *Fixed) {
	s := g.cells[i]
	n := s.n
	if p.Reps > 0 {
		n = min(n, s.left)
	}
	if p.Reps == 0 && !g.refill(l, i) {
		return
	}
	var used time.Duration
	if p.CPUTime > 0 {
		used, _ = p.CPU()
	}
	var cost time.Duration
	if p.Subtract {
		t0 := g.set.Clock()
		cost = g.set.Clock() - t0
	}
	d, ok := g.timed(l, i, n)
	if !ok {
		return
	}
	spent := d
	if p.CPUTime > 0 {
		now, _ := p.CPU()
		spent = now - used
		s.wallLeft -= min(max(d, 1), s.wallLeft)
	}
	if s.ns == 0 && d > 0 {
		s.ns = float64(d) / float64(n)
		if g.set.BatchReps == 0 {
			s.n = g.batchReps(s)
			defer g.planBatches(s)
		}
	}
	wallOff, cpuOff := s.noop.of(n)
	cost += wallOff
	spent -= cpuOff
	s.left -= min(n, s.left)
	s.timeLeft -= min(max(spent, 1), s.timeLeft)
	if g.gc.due(true) {
		g.collect(l)
	}
	switch {
	case !s.ok():
		return
	case s.dropped < p.Drop:
		s.dropped++
		if p.Reps > 0 { // a dropped sample is no timed rep
			s.left += n
		}
		if p.Declared && s.dropped == p.Drop {
			s.stretch = g.usage()
		}
		return
	case d < 0:
		s.out.Odd++
		return
	}
	d -= cost
	if p.CPUTime > 0 {
		s.out.CPU += spent
	}
	s.take(g.block, round, n, d)
	g.boundWithin(s)
	s.blockNs = append(s.blockNs, float64(d)/float64(n))
}

// endFixed closes the block.
func (g *Group) endFixed(cells []int, p *Fixed, blocks int) {
	values := make(map[int]float64, len(cells))
	for _, i := range cells {
		s := g.cells[i]
		s.begun = false
		if !s.ok() {
			continue
		}
		if p.Declared {
			s.out.Counters = append(s.out.Counters, g.usageAfter().since(s.stretch, g.block, int(s.out.Reps)))
		}
		s.out.Idle = s.out.Idle || s.timeLeft > 0
		s.out.Done = g.block == blocks-1 && !s.out.Idle
		s.out.Short = s.out.Elapsed < g.target/4
		if m := median(s.blockNs); !math.IsNaN(m) {
			s.out.Blocks = append(s.out.Blocks, m)
			values[i] = m
		}
		s.thin(g.set.KeepSamples)
	}
	for _, q := range g.pairs {
		if a, b := values[q.a], values[q.b]; a > 0 && b > 0 {
			q.out.Logs = append(q.out.Logs, math.Log(a/b))
		}
	}
}
