package measure

import (
	"context"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// turn makes runs of one process take turns, because they change settings of
// the whole process.
var turn = make(chan struct{}, 1)

// TakeTurn waits until no other run is under way and returns the function
// that lets the next one go.
func TakeTurn(ctx context.Context) (release func(), err error) {
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Collector runs the garbage collector between rounds instead of inside
// batches, always after the same amount of garbage.
//
// Note: the amount is fixed, not paced by what a collection costs. The runtime
// keeps about as much memory resident as the last collection found in use and
// gives the rest back to the system: after collections at varying amounts, ops
// pay page faults at varying places (62 against 110 ns for an op of 256 bytes),
// and without a bound they only ever touch fresh memory.
type Collector struct {
	managed bool
	primed  bool
	count   int    // collections so far
	base    uint64 // bytes allocated by the process up to the last one
	prev    int    // GOGC before
	sample  [1]metrics.Sample
	chunk   []byte // of litter, so that it is on the heap
}

// garbageLimit between collections: few enough bytes for a shared cache, many
// enough that collections take a small part of the time.
const garbageLimit = 16 << 20

// Start switches the runtime's own pacing off, until Stop. Groups that share a
// started collector spare the collection that a start takes.
func (c *Collector) Start() {
	if c.managed {
		return
	}
	c.managed = true
	c.sample[0].Name = "/gc/heap/allocs:bytes"
	c.prev = debug.SetGCPercent(-1)
	c.collect()
}

// Stop restores the runtime's pacing.
func (c *Collector) Stop() {
	if c.managed {
		debug.SetGCPercent(c.prev)
		c.managed = false
	}
}

func (c *Collector) allocated() uint64 {
	metrics.Read(c.sample[:])
	if c.sample[0].Value.Kind() != metrics.KindUint64 {
		return math.MaxUint64
	}
	return c.sample[0].Value.Uint64()
}

// prime lets the heap settle at the size that it will have: the runtime takes
// two cycles until what it keeps resident follows.
func (c *Collector) prime() {
	if !c.managed || c.primed {
		return
	}
	c.primed = true
	for range 2 {
		c.litter(garbageLimit)
		c.collect()
	}
}

// litter makes garbage of the given size in pages that it has touched.
func (c *Collector) litter(size uint64) {
	const chunk, page = 8 << 10, 4 << 10
	for range size / chunk {
		c.chunk = make([]byte, chunk)
		c.chunk[0], c.chunk[page] = 1, 1
	}
	c.chunk = nil
}

// due reports whether it is time for a collection; within a round only where
// garbage has grown far beyond the limit.
func (c *Collector) due(within bool) bool {
	if !c.managed {
		return false
	}
	garbage := c.allocated() - c.base
	return garbage >= garbageLimit && (!within || garbage >= 2*garbageLimit)
}

func (c *Collector) collect() {
	runtime.GC()
	c.base = c.allocated()
	c.count++
}

const heapObjects = "/memory/classes/heap/objects:bytes"

// heapBytes is the size of all objects on the heap, dead ones that were not
// collected yet included.
func heapBytes(s *[1]metrics.Sample) uint64 {
	s[0].Name = heapObjects
	metrics.Read(s[:])
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return s[0].Value.Uint64()
}
