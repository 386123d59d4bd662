package serbench

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/serbench/serbench/internal/measure"
)

// Batches of ops on several goroutines are longer than others, so that
// letting the goroutines go and waiting for the last one is a small part.
const (
	parallelBatchTime = time.Millisecond
	parallelBlockTime = 4 * time.Millisecond
)

// A team does the op of a cell on several goroutines, each with a codec
// instance, inputs and buffers of its own. To [measure.Group] n ops of a team
// are n ops of each goroutine, so that the time per op that it finds is wall
// time × goroutines / ops.
//
// The goroutines are started by Fresh and wait, blocked, between batches.
// Prepare wakes them, and they wait turning for Run to let them go: what is
// timed begins with one store and ends with the last op.
type team struct {
	cell  *cell // for what it is about; never run itself
	crew  []*worker
	start atomic.Int64 // number of the batch that may run
	batch int64
	left  atomic.Int64 // workers that are not finished with it
	over  chan struct{}
	quit  chan struct{}
	gone  chan struct{} // one per goroutine that ended
}

// worker is one goroutine of a team.
type worker struct {
	cell *cell
	wake chan int // ops of the batch to come
	done int
	err  error
}

var _ measure.Cell = (*team)(nil)

// instances are the codec's for p goroutines, the first one the codec itself.
func instances(c Codec, p int) ([]Codec, error) {
	cloner, ok := c.(Cloner)
	if !ok {
		return nil, fmt.Errorf("%w by several goroutines: the codec has no Clone", errors.ErrUnsupported)
	}
	all := []Codec{c}
	for len(all) < p {
		clone := cloner.Clone()
		if isNil(clone) {
			return nil, errors.New("Clone returned nil")
		}
		all = append(all, clone)
	}
	return all, nil
}

// Fresh implements [measure.Cell].
func (t *team) Fresh() error {
	_, err := t.build()
	return err
}

// build makes the crew anew and returns the path by which the codec is called.
func (t *team) build() (path string, err error) {
	t.stop()
	p := t.cell.parallelism
	codecs, err := instances(t.cell.subject.codec, p)
	if err != nil {
		return "", err
	}
	crew := make([]*worker, p)
	for i := range crew {
		s := *t.cell.subject
		s.codec = codecs[i]
		crew[i] = &worker{cell: &cell{subject: &s, op: t.cell.op}, wake: make(chan int, 1)}
		if path, err = crew[i].cell.build(); err != nil {
			return "", err
		}
	}
	t.crew, t.over, t.quit = crew, make(chan struct{}, 1), make(chan struct{})
	t.gone = make(chan struct{}, p)
	t.batch = 0
	t.start.Store(0)
	for _, w := range crew[1:] {
		go t.work(w, t.over, t.gone, t.quit)
	}
	return path, nil
}

// stopWait is how long stop waits for a goroutine that is in a codec's code.
const stopWait = time.Second

// stop ends the goroutines and waits for them, so that none runs beside what
// is measured next. One that hangs in a codec stays.
func (t *team) stop() {
	if t.quit == nil {
		return
	}
	close(t.quit)
	late := time.NewTimer(stopWait)
	defer late.Stop()
	for range t.crew[1:] {
		select {
		case <-t.gone:
		case <-late.C:
			t.quit, t.crew = nil, nil
			return
		}
	}
	t.quit, t.crew = nil, nil
}

// Prepare implements [measure.Cell].
func (t *team) Prepare(n int) error {
	for _, w := range t.crew {
		if err := w.cell.Prepare(n); err != nil {
			return err
		}
	}
	t.left.Store(int64(len(t.crew)))
	for _, w := range t.crew[1:] {
		w.wake <- n
	}
	return nil
}

// spins is how long the first worker waits turning for the others before it
// blocks, in turns of about a nanosecond.
const spins = 20_000

var errStopped = errors.New("the run ended before the goroutines did")

// Run implements [measure.Cell]. The caller's goroutine is the first worker.
func (t *team) Run(n int) (int, error) {
	over, quit := t.over, t.quit
	t.batch++
	t.start.Store(t.batch)
	t.crew[0].ops(n)
	if t.left.Add(-1) > 0 {
		for i := 0; i < spins && t.left.Load() > 0; i++ {
		}
		select {
		case <-over:
		case <-quit:
			return 0, errStopped
		}
	}
	for _, w := range t.crew {
		if w.err != nil || w.done != n {
			return w.done, w.err
		}
	}
	return n, nil
}

// work is the life of one goroutine. A panic or the end of the goroutine in a
// codec's code is the batch's error: [measure.Group] watches over the first
// worker alone.
func (t *team) work(w *worker, over, gone chan<- struct{}, quit <-chan struct{}) {
	inside := false
	defer func() { gone <- struct{}{} }()
	defer func() {
		if !inside {
			return
		}
		w.err = measure.ErrGoexit
		if r := recover(); r != nil {
			w.err = &measure.PanicError{Value: r, Stack: string(debug.Stack())}
		}
		t.finished(over)
	}()
	for batch := int64(1); ; batch++ {
		var n int
		select {
		case n = <-w.wake:
		case <-quit:
			return
		}
		for turns := 0; t.start.Load() < batch; turns++ {
			if turns%64 == 63 { // others may need the processor, the first worker above all
				select {
				case <-quit:
					return
				default:
				}
				runtime.Gosched()
			}
		}
		inside = true
		w.ops(n)
		inside = false
		t.finished(over)
	}
}

func (t *team) finished(over chan<- struct{}) {
	if t.left.Add(-1) == 0 {
		over <- struct{}{}
	}
}

// ops does the worker's part of a batch.
func (w *worker) ops(n int) { w.done, w.err = w.cell.run(n) }

// prove checks that the instances work side by side: that what each goroutine
// encodes and decodes, while the others do, is what the subject's check found
// for the codec alone.
func (t *team) prove() (path string, err error) {
	if path, err = t.build(); err != nil {
		return "", err
	}
	defer t.stop()
	s := t.cell.subject
	n := len(s.values) * (1 + proveReps/len(s.values))
	if err := t.Prepare(n); err != nil {
		return "", err
	}
	if _, err := t.Run(n); err != nil {
		return "", err
	}
	last := (n - 1) % len(s.values)
	for i, w := range t.crew {
		got := w.cell.target
		if msg := w.cell.last(); msg != nil {
			got = s.payload.New()
			if err := s.codec.Unmarshal(append([]byte(nil), msg...), got); err != nil {
				return "", fmt.Errorf("goroutine %d of %d: decode of what it encoded: %w", i+1, len(t.crew), err)
			}
		}
		if w.cell.op == OpStreamEncode {
			continue // its messages are not decoded one by one
		}
		if f := s.payload.compare(last, s.values[last], got); f.Class == Lossy && s.status != StatusLossy {
			d := f.Differences[0]
			return "", fmt.Errorf("goroutine %d of %d gave another value than one alone: %s: %s (%s, %s)", i+1, len(t.crew), d.Path, d.Kind, d.Want, d.Got)
		}
	}
	return path, nil
}

// proveReps is how often each goroutine does the op, at least, to prove it.
const proveReps = 200

// last is the message that the cell encoded last, nil for ops that end with a
// decoded value.
func (c *cell) last() []byte {
	switch c.op {
	case OpEncode:
		return c.msg
	case OpAppend:
		return c.buf
	}
	return nil
}
