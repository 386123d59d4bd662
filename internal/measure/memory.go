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

// collect runs the collector, and fails the cell that holds too much: whoever
// calls it looks whether its cell is still sound.
func (g *Group) collect(l *lease) {
	g.gc.collect()
	if g.set.MemoryLimit > 0 && g.added(&g.heap) > g.set.MemoryLimit {
		g.blame(l)
	}
}

// blame fails the cell whose instance held most, or that retains most over one
// more batch of a new instance. None that does neither: what it held once, and
// elsewhere than in an instance, grows no more.
func (g *Group) blame(l *lease) {
	held := g.added(&g.heap)
	settled := func() int64 { runtime.GC(); return g.added(&g.heap) }
	worst, most := -1, int64(0)
	for i, s := range g.cells {
		if !s.ok() || s.n == 0 {
			continue
		}
		before := settled()
		if !g.fresh(l, i) {
			continue
		}
		renewed := settled()
		if !g.ops(l, i, s.next()) {
			continue
		}
		if much := max(before-renewed, settled()-renewed); much > most {
			worst, most = i, much
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
