package measure

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// scale weighs the heap.
type scale struct{ mem runtime.MemStats } // on the heap once, not in each look

// settled is the size of all objects that two collections leave: the second
// one frees what the first one took out of a sync.Pool.
func (s *scale) settled() int64 {
	runtime.GC()
	runtime.GC()
	return s.now()
}

// now counts to the byte, unlike runtime/metrics, since it makes every
// processor give up what it allocates from.
func (s *scale) now() int64 {
	runtime.ReadMemStats(&s.mem)
	return int64(s.mem.HeapAlloc)
}

// noise is by how much the heap changes while nothing is done.
func (s *scale) noise() int64 {
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for range 4 {
		h := s.settled()
		least, most = min(least, h), max(most, h)
	}
	return most - least
}

// TooSmallError says that a heap did not grow by enough to tell it from what
// else goes on in the process.
type TooSmallError struct {
	Values       int   // held
	Grown, Noise int64 // bytes
}

func (e *TooSmallError) Error() string {
	return fmt.Sprintf("too small to resolve: %d values held made the heap grow by %d bytes, and it changes by %d by itself", e.Values, e.Grown, e.Noise)
}

// Held is what values that are kept cost.
type Held struct {
	PerValue []float64 // bytes, one per repeat
	Left     []float64 // bytes that stayed behind when they were dropped, one per repeat
	Values   int       // held at once
}

const (
	holdRepeats = 5
	holdEnough  = 2 << 20 // bytes that the heap should grow by
	holdTime    = 60 * time.Millisecond
	holdMost    = 1 << 20         // values
	weighTime   = 2 * time.Second // after which slow ops are not repeated any more
	// resolved: growth is at least so many times the noise.
	resolved = 20
)

// Hold makes values, holds many of them, and weighs the heap before, with and
// without them. make returns the i-th of a cycle of so many; whole cycles are
// held, as many as it takes for the heap to grow by 2 MiB, but for at most 60 ms
// of making and most bytes (0: no bound).
//
// What make leaves in pools and caches at its first call is not counted: it is
// called for a cycle before.
func Hold(ctx context.Context, cycle int, most int64, make func(i int) (any, error)) (out Held, err error) {
	s := new(scale)
	once := func(n int) (with, left int64, took time.Duration, err error) {
		held := newHeld(n)
		before := s.settled()
		start := time.Now()
		for i := range held {
			if held[i], err = make(i % cycle); err != nil {
				return 0, 0, 0, err
			}
		}
		took = time.Since(start)
		with = s.settled() - before
		runtime.KeepAlive(held)
		clear(held)
		left = s.settled() - before
		runtime.KeepAlive(held)
		return with, left, took, ctx.Err()
	}
	for i := range cycle {
		if _, err := make(i); err != nil {
			return out, err
		}
	}
	n := cycle
	var grown int64
	for {
		var took time.Duration
		if grown, _, took, err = once(n); err != nil {
			return out, err
		}
		more := math.Ceil(holdEnough / float64(max(1, grown)))
		more = min(more, 32, float64(holdMost)/float64(n), float64(holdTime)/float64(max(took, 1)))
		if most > 0 {
			more = min(more, float64(most)/float64(max(1, grown)))
		}
		if more < 2 {
			break
		}
		n = n / cycle * int(more) * cycle
	}
	noise := s.noise()
	for start := time.Now(); len(out.PerValue) < holdRepeats && (len(out.PerValue) < 2 || time.Since(start) < weighTime); {
		with, left, _, err := once(n)
		if err != nil {
			return out, err
		}
		grown = with
		out.PerValue = append(out.PerValue, float64(with)/float64(n))
		out.Left = append(out.Left, float64(left))
	}
	out.Values = n
	if grown < resolved*max(noise, 64) {
		return Held{}, &TooSmallError{Values: n, Grown: grown, Noise: noise}
	}
	return out, nil
}

// newHeld is a place for n values; make is a parameter's name in Hold.
func newHeld(n int) []any { return make([]any, n) }

// Job is an op that is weighed. Before readies its input, Op does it and keeps
// its result, After drops both. Only Op is looked at.
type Job struct{ Before, Op, After func() error }

// Peak is how much heap one op takes, beyond what there was before it.
type Peak struct {
	Alloc  int64 // allocated in all: no peak is higher
	Result int64 // live at its end, its result held: none is lower
	Live   int64 // most that a collection found live while the op ran, Alloc where Result is nearly as much; 0 if Reason says why not
	Looks  int   // collections that ended within the op
	Runs   int   // of the op, in which they were counted
	Reason string
}

const (
	peakRuns     = 3
	peakLooks    = 64 // collections looked at are enough
	peakTime     = 800 * time.Millisecond
	fewestLooks  = 8
	fewestPerRun = 3
	enclosed     = 20 // bounds that differ by less than one in so many enclose the peak well enough
)

// Weigh finds the peak of a job. What it allocates in all is counted to the
// byte, whatever the collector does. The peak is sampled: collections follow
// each other on another processor while the op runs. Each keeps what was
// reachable when it began and what was allocated since; the latter is taken
// off, so that the peak is never said to be higher than it was. It may be
// lower: ops within which fewer than three collections fit get no sampled peak.
func Weigh(ctx context.Context, job Job) (out Peak, err error) {
	s := new(scale)
	for begun, i := time.Now(), 0; i < peakRuns && (i == 0 || time.Since(begun) < weighTime); i++ {
		if err := job.Before(); err != nil {
			return out, err
		}
		var err error
		allocated := Allocated(func() { err = job.Op() })
		if err = first(err, job.After(), ctx.Err()); err != nil {
			return out, err
		}
		out.Alloc = max(out.Alloc, allocated)
	}
	var most int64
	for start := time.Now(); out.Looks < peakLooks && (out.Runs == 0 || time.Since(start) < peakTime); out.Runs++ {
		if err := job.Before(); err != nil {
			return out, err
		}
		before := s.settled()
		w := watchLive(ctx)
		err := job.Op()
		looks, live := w.stop()
		if err == nil && out.Runs == 0 {
			out.Result = max(0, s.settled()-before)
		}
		if err = first(err, job.After(), ctx.Err()); err != nil {
			return out, err
		}
		out.Looks += looks
		most = max(most, live-before)
		if out.Runs >= peakRuns && out.Looks < out.Runs {
			break // the op is far too short
		}
	}
	out.Result = min(out.Result, out.Alloc)
	if out.Alloc-out.Result <= out.Alloc/enclosed {
		out.Live = out.Alloc
		return out, nil
	}
	if out.Looks < max(fewestLooks, fewestPerRun*out.Runs) {
		out.Reason = fmt.Sprintf("%d collections fell into %d runs of the op: too few to sample its peak", out.Looks, out.Runs)
		return out, nil
	}
	out.Live = min(max(most, out.Result), out.Alloc)
	return out, nil
}

// Allocated is what f allocates, and what others do meanwhile.
func Allocated(f func()) int64 {
	s := new(scale)
	s.now()
	before := s.mem.TotalAlloc
	f()
	s.now()
	return int64(s.mem.TotalAlloc - before)
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// watcher collects garbage without a pause and notes the most that was live.
type watcher struct {
	over  atomic.Bool
	gone  chan struct{}
	looks int
	most  int64
}

func watchLive(ctx context.Context) *watcher {
	w := &watcher{gone: make(chan struct{})}
	begun := make(chan struct{})
	go func() {
		defer close(w.gone)
		s := [2]metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/heap/live:bytes"}}
		metrics.Read(s[:])
		close(begun)
		for ctx.Err() == nil {
			allocated := s[0].Value.Uint64()
			runtime.GC()
			if w.over.Load() { // it may hold what came after the op
				return
			}
			metrics.Read(s[:])
			w.looks++
			w.most = max(w.most, int64(s[1].Value.Uint64()-(s[0].Value.Uint64()-allocated)))
		}
	}()
	<-begun
	return w
}

func (w *watcher) stop() (looks int, most int64) {
	w.over.Store(true)
	<-w.gone
	return w.looks, w.most
}

// Kept is the heap that stays behind large ops among usual ones, in bytes
// beyond what the usual ones leave, one value per large op.
type Kept struct {
	Idle []float64 // behind two collections, nothing done in between
	Busy []float64 // behind collections with usual ops between them
}

const (
	keptRepeats = 5
	busyRounds  = 3 // a sync.Pool frees what was not used within two collections
)

// Keep weighs the heap after usual ops, and again after each of some large
// ones. The large op must not have been done by the same instance before.
func Keep(ctx context.Context, usual, large func() error) (out Kept, err error) {
	s := new(scale)
	busy := func() (int64, error) {
		for range busyRounds {
			if err := usual(); err != nil {
				return 0, err
			}
			runtime.GC()
		}
		return s.now(), ctx.Err()
	}
	out.Idle, out.Busy = make([]float64, 0, keptRepeats), make([]float64, 0, keptRepeats) // no growth of our own
	s.settled()                                                                           // of pools that others filled
	busyBefore, err := busy()
	if err != nil {
		return out, err
	}
	idleBefore := s.settled()
	for start := time.Now(); len(out.Idle) < keptRepeats && (len(out.Idle) == 0 || time.Since(start) < weighTime); {
		if err := large(); err != nil {
			return out, err
		}
		out.Idle = append(out.Idle, float64(max(0, s.settled()-idleBefore)))
		if err := large(); err != nil {
			return out, err
		}
		b, err := busy()
		if err != nil {
			return out, err
		}
		out.Busy = append(out.Busy, float64(max(0, b-busyBefore)))
	}
	return out, nil
}
