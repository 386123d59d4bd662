package measure

import (
	"context"
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/serbench/serbench/internal/hostinfo"
)

// Sustained is what an op takes while the collector works as usual over a
// live heap, its garbage paid for.
type Sustained struct {
	Wall, CPU float64 // ns per op; CPU of all threads, 0 where the system does not tell
	HasCPU    bool
	Counter   Counter // of the slot, as it ran
	// Owed is the number of collections that the slot's garbage adds up to;
	// Counter.GCCycles is how many fell into it. The difference is charged,
	// or credited, at the measured price of a collection.
	Owed float64
	// CollectionCPU is the CPU time of one collection while the op ran beside
	// it, ns over all threads, idle ones too; 0: not measured, since none was
	// owed.
	CollectionCPU float64
}

const (
	sustainedSlot  = 25 * time.Millisecond
	sustainedBatch = 500 * time.Microsecond
	sustainedMost  = 20 * sustainedSlot
)

// heap reads what the collector's pacing goes by.
type heap struct {
	s   [3]metrics.Sample
	cpu [2]metrics.Sample
}

func newHeap() *heap {
	h := &heap{}
	h.s[0].Name = "/gc/heap/goal:bytes"
	h.s[1].Name = "/gc/heap/live:bytes"
	h.s[2].Name = "/gc/cycles/total:gc-cycles"
	h.cpu[0].Name = "/cpu/classes/gc/total:cpu-seconds"
	h.cpu[1].Name = "/gc/cycles/total:gc-cycles"
	return h
}

// spent is the CPU time, in ns, of all collections so far, and their number.
// The runtime adds up the former when one ends: the two belong together only
// while none is under way, right behind a runtime.GC.
func (h *heap) spent() (cpu float64, cycles uint64) {
	metrics.Read(h.cpu[:])
	return h.cpu[0].Value.Float64() * 1e9, h.cpu[1].Value.Uint64()
}

func (h *heap) read() (goal, live, cycles uint64) {
	metrics.Read(h.s[:])
	return h.s[0].Value.Uint64(), h.s[1].Value.Uint64(), h.s[2].Value.Uint64()
}

// Sustained measures the cells that are sound, one slot each per round, in
// shuffled order. The caller holds the live heap and has restored the
// collector's settings. It returns a list per cell, shorter where the time
// ended or the cell failed.
//
// A slot is too short to contain its fair share of collections, so each cell
// is measured in two parts: ops under the normal collector, and ops while one
// whole collection runs beside them, whose excess is the price of one. What
// the cell's garbage owes is then the bytes it allocated over the bytes that
// may be allocated between collections.
func (g *Group) Sustained(ctx context.Context, rounds int, until time.Time) [][]Sustained {
	out := make([][]Sustained, len(g.cells))
	g.until = until
	round := 0
	done := make([]bool, len(g.cells))
	g.supervise(ctx, func(l *lease) {
		for ; round < rounds; round++ {
			for _, i := range g.order(func(s *state) bool { return !s.Sparse && !s.Aside && s.n > 0 }) {
				if done[i] {
					continue
				}
				if g.expired(ctx) {
					return
				}
				done[i] = true
				if s, ok := g.slot(l, i); ok {
					out[i] = append(out[i], s)
				}
			}
			clear(done)
		}
	})
	return out
}

// Drop takes cell i out: it is not called any more.
func (g *Group) Drop(i int, err error) { g.cells[i].out.Err = err }

// part is a stretch of ops under the normal collector.
type part struct {
	reps   int
	wall   time.Duration // of the batches alone
	use    Counter
	cycles uint64
}

func (g *Group) slot(l *lease, i int) (out Sustained, ok bool) {
	s := g.cells[i]
	if !g.fresh(l, i) {
		return out, false
	}
	n := max(1, min(s.n*64, int(float64(sustainedBatch)/s.ns)))
	h := newHeap()
	runtime.GC()
	cpu0, cycles0 := h.spent()
	if !g.ops(l, i, min(n, 1+s.n)) {
		return out, false
	}
	normal, ok := g.part(l, i, n, h, func(wall time.Duration, cycles uint64) bool {
		return wall >= sustainedSlot
	})
	if !ok {
		return out, false
	}
	perOp := float64(normal.wall) / float64(normal.reps)
	out.Counter = normal.use
	out.Counter.Wall = normal.wall
	out.HasCPU = normal.use.HasCPU
	cpu := float64(normal.use.User + normal.use.Sys)
	out.Wall, out.CPU = perOp, cpu/float64(normal.reps)
	if normal.use.AllocBytes == 0 {
		return out, true
	}

	goal, live, _ := h.read()
	room := float64(goal) - float64(live)
	if room <= 0 || goal > 1<<62 { // collector off
		return out, true
	}
	out.Owed = float64(normal.use.AllocBytes) / room

	finished := make(chan struct{})
	go func() { runtime.GC(); close(finished) }()
	runtime.Gosched()
	during, ok := g.part(l, i, max(1, n/8), h, func(wall time.Duration, cycles uint64) bool {
		return cycles > 0
	})
	<-finished
	if !ok {
		return out, false
	}
	if cpu1, cycles1 := h.spent(); cycles1 > cycles0 {
		out.CollectionCPU = (cpu1 - cpu0) / float64(cycles1-cycles0)
	}
	out.Wall = charge(normal, during, float64(normal.wall), float64(during.wall), out.Owed)
	if out.HasCPU {
		out.CPU = charge(normal, during, cpu, float64(during.use.User+during.use.Sys), out.Owed)
	}
	return out, true
}

// charge returns the time per op of the normal part with the collections that
// its garbage owes, instead of those that fell into it. Each part took
// reps·op + cycles·price: two equations for the two.
func charge(normal, during part, normalTime, duringTime, owed float64) float64 {
	reps, cycles := float64(normal.reps), float64(normal.cycles)
	ratio := float64(during.reps) / reps
	plain := normalTime / reps
	extra := float64(during.cycles) - cycles*ratio // collections that during has more, per op
	if extra < 0.25 {
		return plain // parts too alike to tell the two apart
	}
	price := max(0, (duringTime-normalTime*ratio)/extra)
	return max(0, plain+(owed-cycles)*price/reps)
}

// part runs batches of n ops until stop says so.
func (g *Group) part(l *lease, i, n int, h *heap, stop func(wall time.Duration, cycles uint64) bool) (p part, ok bool) {
	_, _, c0 := h.read()
	before := g.usage()
	for {
		d, ok := g.timed(l, i, n)
		if !ok {
			return p, false
		}
		p.reps += n
		p.wall += max(d, 0)
		_, _, c := h.read()
		p.cycles = c - c0
		if stop(p.wall, p.cycles) || p.wall >= sustainedMost || d <= 0 && p.reps > 1<<20 {
			break
		}
	}
	p.use = g.usageAfter().since(before, -1, p.reps)
	return p, true
}

// Ballast allocates about size bytes of live heap in small objects with
// pointers, as a service holds them; drop it by forgetting it.
func Ballast(size int64) any {
	type object struct {
		next *object
		_    [56]byte
	}
	var head *object
	chunk := make([]*object, 0, 1+size/64)
	for range size / (64 + 8) {
		head = &object{next: head}
		chunk = append(chunk, head)
		if len(chunk)%8 == 0 {
			head = nil // short chains: no list that a collector must walk one by one
		}
	}
	return chunk
}

// CPUTimeKnown reports whether the system tells the process's CPU time.
func CPUTimeKnown() bool {
	_, _, ok := hostinfo.CPUTime()
	return ok
}
