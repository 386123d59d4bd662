package measure

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// ErrGoexit says that a call ended its goroutine.
var ErrGoexit = errors.New("called runtime.Goexit")

// PanicError is a panic that was caught.
type PanicError struct {
	Value any
	Stack string
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap returns the value of the panic if it was an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// HangError says that a call did not come back. Its goroutine was abandoned:
// if it still computes, it disturbs whatever is measured after it.
type HangError struct{ Limit time.Duration }

func (e *HangError) Error() string {
	return fmt.Sprintf("a call did not return within %v and was abandoned", e.Limit)
}

// cancelGrace is how long a call may go on after the run was cancelled.
const cancelGrace = 3 * time.Second

// Guard calls f on a goroutine of its own and returns its error. A panic, a
// runtime.Goexit and a call that is longer than limit (0: none) become errors,
// and so does one that goes on for long after ctx is done.
func Guard(ctx context.Context, limit time.Duration, f func() error) error {
	return await(ctx, limit, protected(f))
}

// protected calls f on a goroutine of its own and sends how it ended.
func protected(f func() error) <-chan error {
	done := make(chan error, 1)
	go func() {
		err := ErrGoexit
		defer func() {
			if r := recover(); r != nil {
				err = &PanicError{Value: r, Stack: string(debug.Stack())}
			}
			done <- err
		}()
		err = f()
	}()
	return done
}

func await(ctx context.Context, limit time.Duration, done <-chan error) error {
	var late <-chan time.Time
	if limit > 0 {
		t := time.NewTimer(limit)
		defer t.Stop()
		late = t.C
	}
	select {
	case err := <-done:
		return err
	case <-late:
		return &HangError{limit}
	case <-ctx.Done():
	}
	t := time.NewTimer(cancelGrace)
	defer t.Stop()
	select {
	case err := <-done:
		return err
	case <-late:
		return &HangError{limit}
	case <-t.C:
		return &HangError{cancelGrace}
	}
}

// A lease is one goroutine's right to work on a group. It ends when the
// supervisor abandons a call that hangs: a goroutine that comes back to an
// ended lease must not touch the group.
type lease struct {
	// word holds the number of the call under way times two, plus one while
	// it is under way; the supervisor sets it to lost.
	word atomic.Int64
	cell atomic.Int64 // index of the cell in the call, -1 between calls
}

const lost = -1

func (l *lease) begin(cell int) {
	l.cell.Store(int64(cell))
	l.word.Add(1)
}

// end reports whether the lease still holds.
func (l *lease) end() bool {
	w := l.word.Load()
	if w == lost || !l.word.CompareAndSwap(w, w+1) {
		return false
	}
	l.cell.Store(-1)
	return true
}

type exit struct {
	normal bool
	err    error
}

// supervise runs work on goroutines of their own until it returns normally.
// When a call panics, exits or hangs, its cell is failed and work is entered
// again; work must therefore find in the group's state where to go on.
func (g *Group) supervise(ctx context.Context, work func(*lease)) {
	for {
		l := &lease{}
		g.mark = nil // of a call that did not come back
		l.cell.Store(-1)
		done := make(chan exit, 1)
		go func() {
			out := exit{err: ErrGoexit}
			defer func() {
				if r := recover(); r != nil {
					out.err = &PanicError{Value: r, Stack: string(debug.Stack())}
				}
				done <- out
			}()
			work(l)
			out = exit{normal: true}
		}()
		out := g.watch(ctx, l, done)
		if out.normal {
			return
		}
		at := int(l.cell.Load())
		if at < 0 { // not in a cell's code: nothing to blame, nothing to go on with
			for _, s := range g.cells {
				if s.ok() {
					s.out.Err = out.err
				}
			}
			return
		}
		g.cells[at].out.Err = out.err
	}
}

// memoryPoll is how often the heap is looked at while a cell runs.
const memoryPoll = 50 * time.Millisecond

// watch waits for the goroutine, and takes its lease away if one call lasts
// longer than the limit.
func (g *Group) watch(ctx context.Context, l *lease, done <-chan exit) exit {
	limit := g.set.CallLimit
	if limit <= 0 {
		limit = 1 << 62
	}
	every := func() time.Duration {
		if g.set.MemoryLimit > 0 {
			return min(limit/4, memoryPoll)
		}
		return limit / 4
	}
	poll := time.NewTimer(every())
	defer poll.Stop()
	var heap [1]metrics.Sample
	own := heapBytes(&heap)
	cancelled := ctx.Done()
	last, since := l.word.Load(), time.Now()
	for {
		select {
		case out := <-done:
			return out
		case <-cancelled:
			cancelled = nil
			limit = min(limit, cancelGrace)
			last, since = l.word.Load(), time.Now()
			poll.Reset(every())
			continue
		case <-poll.C:
		}
		word := l.word.Load()
		if word%2 == 1 && g.set.MemoryLimit > 0 {
			if err := overgrown(&heap, own, g.set.MemoryLimit); err != nil && l.word.CompareAndSwap(word, lost) {
				g.Runaway = true
				return exit{err: err}
			}
		}
		if word != last || word%2 == 0 {
			last, since = word, time.Now()
		} else if time.Since(since) >= limit && l.word.CompareAndSwap(word, lost) {
			g.Runaway = true
			return exit{err: &HangError{limit}}
		}
		poll.Reset(every())
	}
}
