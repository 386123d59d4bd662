package measure

import (
	"fmt"
	"runtime"
	"runtime/metrics"
)

// MemoryError says that the heap grew beyond the limit while a cell ran.
type MemoryError struct {
	Limit, Held int64 // bytes added to the heap that no collection frees
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("holds %d bytes of heap that the collector cannot free, more than the limit of %d", e.Held, e.Limit)
}

// takeOver starts the collector for a plan and returns what ends it.
func (g *Group) takeOver() (end func()) {
	if g.set.Leave || g.gc.managed {
		return func() {}
	}
	g.gc.Start()
	return g.gc.Stop
}

// added is how much larger the heap is than before the cells.
func (g *Group) added(s *[1]metrics.Sample) int64 { return int64(heapBytes(s) - g.own) }

// collect runs the collector, and fails the cell that holds too much. It
// reports whether the cells may go on with the round.
func (g *Group) collect(l *lease) bool {
	g.gc.collect()
	if g.set.MemoryLimit <= 0 || g.added(&g.heap) <= g.set.MemoryLimit {
		return true
	}
	g.blame(l)
	return false
}

// blame fails the cell that retains most over one more batch of each.
func (g *Group) blame(l *lease) {
	held := g.added(&g.heap)
	worst, most := -1, int64(-1)
	for i, s := range g.cells {
		if !s.ok() || s.n == 0 {
			continue
		}
		runtime.GC()
		before := g.added(&g.heap)
		if !g.ops(l, i, s.n) {
			continue
		}
		runtime.GC()
		if grown := g.added(&g.heap) - before; grown > most {
			worst, most = i, grown
		}
	}
	if worst >= 0 {
		g.cells[worst].out.Err = &MemoryError{Limit: g.set.MemoryLimit, Held: held}
	}
	g.own += uint64(max(0, g.added(&g.heap))) // what it left behind is no other cell's fault
	g.gc.collect()
}

// overgrown is the supervisor's look at a call under way: whether the heap is
// beyond the limit even behind a collection.
func overgrown(s *[1]metrics.Sample, own uint64, limit int64) *MemoryError {
	added := func() int64 { return int64(heapBytes(s) - own) }
	// What is allocated while the collector runs cannot be told from what is
	// held.
	const floating = 4 * garbageLimit
	if added() <= limit+floating {
		return nil
	}
	runtime.GC()
	if held := added(); held > limit+floating {
		return &MemoryError{Limit: limit, Held: held}
	}
	return nil
}
