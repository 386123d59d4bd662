package measure

import (
	"context"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
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

// collector runs the garbage collector between batches instead of inside
// them: often enough that ops find their memory in cache, seldom enough that
// the run is not spent on it.
type collector struct {
	managed bool
	count   int // collections so far
	base    uint64
	last    time.Duration // when the last one ended
	cost    time.Duration // of the last one
	prev    int           // GOGC before
	sample  [1]metrics.Sample
}

const (
	// collectAfter is as much garbage as the default collector lets a small
	// heap gather.
	collectAfter = 4 << 20
	// collectAlways bounds the garbage of a process whose heap is so large
	// that collecting it takes most of the time.
	collectAlways = 256 << 20
)

// start switches the runtime's own pacing off.
func (c *collector) start(clock Clock) {
	c.managed = true
	c.sample[0].Name = "/gc/heap/allocs:bytes"
	c.prev = debug.SetGCPercent(-1)
	c.collect(clock)
}

func (c *collector) stop() {
	if c.managed {
		debug.SetGCPercent(c.prev)
		c.managed = false
	}
}

func (c *collector) allocated() uint64 {
	metrics.Read(c.sample[:])
	if c.sample[0].Value.Kind() != metrics.KindUint64 {
		return math.MaxUint64
	}
	return c.sample[0].Value.Uint64()
}

// after is called behind each batch.
func (c *collector) after(clock Clock) {
	if !c.managed {
		return
	}
	garbage := c.allocated() - c.base
	if garbage < collectAfter {
		return
	}
	if garbage < collectAlways && clock()-c.last < 4*c.cost {
		return
	}
	c.collect(clock)
}

func (c *collector) collect(clock Clock) {
	t0 := clock()
	runtime.GC()
	c.last = clock()
	c.cost = c.last - t0
	c.base = c.allocated()
	c.count++
}
