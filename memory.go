package serbench

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/serbench/serbench/internal/fidelity"
	"github.com/serbench/serbench/internal/measure"
)

// weigh finds what ops cost in memory, after all times were measured: none of
// what it does is in a time.
func (r *run) weigh() {
	if !r.Memory || r.ctx.Err() != nil {
		return
	}
	for i, c := range r.cells {
		if r.ctx.Err() != nil {
			return
		}
		if c.result.hasFigures() && c.result.Reps > 0 && c.goroutines() == 1 && (c.op == OpEncode || c.op == OpDecode) {
			r.weighCell(c)
		}
		r.event(Event{Phase: "memory", Payload: c.result.Payload, Form: c.result.Form, Op: c.op, Codec: c.result.Codec,
			Done: r.phaseShare("memory", float64(i+1)/float64(2*len(r.cells)))})
	}
	r.weighHeaps(func(share float64, g *group) {
		r.event(Event{Phase: "memory", Payload: g.cells[0].result.Payload, Form: g.cells[0].result.Form, Op: g.op, Done: r.phaseShare("memory", (1+share)/2)})
	})
}

func (r *run) weighCell(c *cell) {
	m := c.result.memory()
	because := func(what string, err error) { m.Reasons = append(m.Reasons, what+": "+err.Error()) }
	if c.op == OpDecode {
		held, err := r.hold(c.subject)
		if small := (*measure.TooSmallError)(nil); errors.As(err, &small) {
			because("held", err)
		} else if err != nil {
			r.weighFailed(c, fmt.Errorf("while decoded values were held: %w", err))
			return
		} else {
			m.HeldBytes = spreadEstimate(held.PerValue, fmt.Sprintf("heap growth over %d values held, behind two collections", held.Values))
			if e := c.result.Encoded; e != nil && e.Mean > 0 {
				m.HeldRatio = finite(m.HeldBytes.Value / e.Mean)
			}
		}
	}
	w, err := r.prepareLarge(c)
	if err != nil {
		because("large message", err)
		return
	}
	kept, reason, err := r.keep(w)
	if err == nil {
		err = w.changed()
	}
	if err != nil {
		r.largeFailed(c, because, err)
		return
	}
	peak, err := r.peak(w)
	if err == nil {
		err = w.changed()
	}
	if err != nil {
		r.largeFailed(c, because, err)
		return
	}
	m.Large = &LargeMessage{EncodedBytes: int64(len(w.message)), Grown: w.grown, AllocBytes: peak.Alloc, ResultBytes: peak.Result}
	if peak.Reason != "" {
		because("peak", errors.New(peak.Reason))
	} else {
		m.Large.PeakBytes = peakEstimate(peak)
	}
	if reason != nil {
		because("kept", reason)
		return
	}
	m.KeptBytes = spreadEstimate(kept.Idle, "heap growth over a large op, behind two collections")
	m.KeptBusyBytes = spreadEstimate(kept.Busy, "heap growth over a large op, behind collections with usual ops between them")
	if e := m.KeptBusyBytes; e != nil && e.Max != nil { // a pool is found again only on the same processor
		e.Value, e.Method = *e.Max, "most of "+strings.TrimPrefix(e.Method, "median of ")
	}
}

func peakEstimate(p measure.Peak) *Estimate {
	e := &Estimate{Value: float64(p.Live), Low: finite(float64(p.Result)), High: finite(float64(p.Alloc)), N: p.Looks,
		Method: "most that was live when one of the collections began that followed each other while the op ran; bounds, no confidence interval"}
	if p.Live == p.Alloc {
		e.Method = "what is allocated in all, since nearly as much is left"
	}
	return e
}

// weighFailed fails the cell, unless it was the run that ended.
func (r *run) weighFailed(c *cell, err error) {
	if r.ctx.Err() == nil {
		r.noteRunaway(err)
		r.failCell(c, err)
	}
}

// largeFailed says why there are no figures on a message that the payload does
// not have. A call that was abandoned, or changed the payload, is worse.
func (r *run) largeFailed(c *cell, because func(string, error), err error) {
	if hang := (*measure.HangError)(nil); errors.As(err, &hang) || errors.Is(err, errChanged) {
		r.weighFailed(c, fmt.Errorf("with a large message: %w", err))
		return
	}
	r.noteRunaway(err)
	if r.ctx.Err() == nil {
		because("large message", err)
		c.result.note(Warning{Code: "large-message", Message: "failed with a large message: " + err.Error()})
	}
}

func (r *run) noteRunaway(err error) {
	if mem := (*measure.MemoryError)(nil); errors.As(err, &mem) {
		r.runaway = true
	}
}

func (r *run) guarded(f func(context.Context) error) error {
	return measure.GuardHeap(r.ctx, r.CallLimit, r.MemoryLimit, f)
}

// apart is an instance of the codec that has done nothing yet, where it gives
// one.
func (s *subject) apart() Codec {
	if c, ok := s.codec.(Cloner); ok {
		if clone := c.Clone(); !isNil(clone) {
			return clone
		}
	}
	return s.codec
}

// hold weighs decoded values. Each is decoded from a message of its own, which
// nothing else refers to then: a value that aliases its input keeps all of it.
func (r *run) hold(s *subject) (measure.Held, error) {
	var held measure.Held
	err := r.guarded(func(ctx context.Context) (err error) {
		codec := s.apart()
		held, err = measure.Hold(ctx, len(s.messages), r.MemoryLimit/4, func(i int) (any, error) {
			v := s.payload.New()
			if err := codec.Unmarshal(slices.Clone(s.messages[i]), v); err != nil {
				return nil, s.at(i, "decode", err)
			}
			return v, nil
		})
		return err
	})
	if err != nil {
		return measure.Held{}, err
	}
	return held, nil
}

// keep weighs what the codec keeps of a large message, and checks that it
// gives that message back. The reason says why there is nothing to weigh.
func (r *run) keep(w *largeWork) (kept measure.Kept, reason, err error) {
	if len(w.usual) == 0 {
		reason = errors.New("the payload has no small values beside its large one, and nothing in them can grow")
	}
	var found measure.Kept
	err = r.guarded(func(ctx context.Context) (err error) {
		if err = w.bind(); err == nil && reason == nil {
			found, err = measure.Keep(ctx, w.doUsual, w.doLarge)
		}
		if err == nil {
			err = w.prove()
		}
		return err
	})
	if err != nil {
		return kept, nil, err
	}
	return found, reason, nil
}

func (r *run) peak(w *largeWork) (measure.Peak, error) {
	var found measure.Peak
	err := r.guarded(func(ctx context.Context) (err error) {
		found, err = measure.Weigh(ctx, w.job())
		return err
	})
	if err != nil {
		return measure.Peak{}, err
	}
	return found, nil
}

// changed is an error if the codec wrote to the payload's values.
func (w *largeWork) changed() error {
	if w.grown && fidelity.Hash(w.large) != w.hash || w.subject.kept.mend() != nil || w.subject.kept == nil && fidelity.Hash(w.values...) != w.subject.hash {
		return errChanged
	}
	return nil
}

// put gives what ptr points to the content of v, a pointer to the same type.
func put(ptr, v any) { reflect.ValueOf(ptr).Elem().Set(reflect.ValueOf(v).Elem()) }

// empty gives what ptr points to its zero value.
func empty(ptr any) { reflect.ValueOf(ptr).Elem().SetZero() }
