package serbench

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/serbench/serbench/internal/fidelity"
	"github.com/serbench/serbench/internal/measure"
)

// A subject is a codec on a payload: what the check before the timing found.
type subject struct {
	codec    Codec
	payload  Payload
	values   []any
	messages [][]byte // one per value, the codec's own
	status   Status   // ok, lossy, skipped, failed or not_run, for all ops
	reason   string
	stack    string
	err      error
	fidelity *Fidelity
	sizes    *EncodedSize
	traits   []Trait
	warnings []Warning
	// What the first calls took.
	firstEncode, firstDecode time.Duration
	reuses                   bool        // Marshal gave the same buffer twice
	all                      bool        // look for all traits
	hash                     string      // of the values, before the first call
	kept                     *keptValues // nil: each call of Values gives new ones
}

// mostDifferences are listed per result.
const mostDifferences = 20

// verify checks every codec on every payload.
func (r *run) verify() {
	for i, p := range r.payloads {
		kept := keep(p)
		for k, c := range r.codecs {
			s := &subject{codec: c, payload: p, status: StatusOK, all: r.Traits, kept: kept}
			r.subjects = append(r.subjects, s)
			if r.ctx.Err() != nil {
				s.status, s.reason = StatusNotRun, "the run ended before"
				continue
			}
			r.check(s)
			r.event(Event{Phase: "verify", Payload: p.name, Form: p.form, Codec: c.Name(),
				Done: r.phaseShare("verify", float64(i*len(r.codecs)+k+1)/float64(len(r.payloads)*len(r.codecs)))})
		}
	}
}

// check verifies a subject. It works on a copy: a call that hangs may come
// back later and must find nothing that is in use.
func (r *run) check(s *subject) {
	if err := s.kept.usable(); err != nil {
		s.fail(err)
		return
	}
	work := *s
	err := measure.Guard(r.ctx, r.CallLimit, func() error { return work.check(r.ctx) })
	if hang := (*measure.HangError)(nil); errors.As(err, &hang) {
		r.runaway = true
	} else {
		*s = work
	}
	if changed := s.kept.mend(); changed != nil && err == nil {
		err = changed
	}
	s.fail(err)
}

// fail sets the status by an error: unsupported is skipped, others failed.
func (s *subject) fail(err error) {
	s.status, s.reason, s.stack = statusOf(err, s.status)
	s.err = err
}

// statusOf gives the status, the reason and the stack for an error; was is
// the status without one.
func statusOf(err error, was Status) (status Status, reason, stack string) {
	if err == nil {
		return was, "", ""
	}
	if p := (*measure.PanicError)(nil); errors.As(err, &p) {
		stack = p.Stack
	}
	if errors.Is(err, errors.ErrUnsupported) {
		return StatusSkipped, err.Error(), stack
	}
	return StatusFailed, err.Error(), stack
}

// check encodes, decodes and compares every value.
func (s *subject) check(ctx context.Context) error {
	var err error
	if s.values, err = s.payload.Values(); err != nil {
		return fmt.Errorf("payload: %w", err)
	}
	if sup, ok := s.codec.(Supporter); ok {
		if err := sup.Supports(s.values[0]); err != nil {
			return err
		}
	}
	s.suspect()
	if s.kept == nil {
		s.hash = fidelity.Hash(s.values...)
	}
	for i, v := range s.values {
		start := time.Now()
		msg, err := s.codec.Marshal(v)
		if i == 0 {
			s.firstEncode = time.Since(start)
		}
		if err != nil {
			return s.at(i, "encode", err)
		}
		s.messages = append(s.messages, slices.Clone(msg))
	}
	s.checkJSON()
	s.sizes = sizesOf(s.messages)
	verdict := Fidelity{Class: Exact}
	full, lost := 0, 0 // values that are not zero, and those that came back as zero
	for i, msg := range s.messages {
		got, data := s.payload.New(), slices.Clone(msg)
		start := time.Now()
		err := s.codec.Unmarshal(data, got)
		if i == 0 {
			s.firstDecode = time.Since(start)
		}
		if err != nil {
			return s.at(i, "decode", err)
		}
		verdict.add(s.payload.compare(i, s.values[i], got))
		if zero := s.payload.New(); !alike(zero, s.values[i]) {
			full++
			if alike(zero, got) {
				lost++
			}
		}
	}
	if full > 0 && lost == full {
		return errors.New("decode: decoded nothing: it ignores its input")
	}
	if err := s.honest(); err != nil {
		return err
	}
	if s.changed() {
		return errors.New("encode: Marshal changed the value that it was given")
	}
	if s.all {
		if err := s.observe(ctx); err != nil {
			return err
		}
		if s.changed() {
			return fmt.Errorf("while its traits were observed: %w", errChanged)
		}
	}
	s.fidelity = &verdict
	if verdict.Class == Lossy {
		s.status = StatusLossy
	}
	return nil
}

// alike reports whether nothing tells two values apart but their Go
// representation.
func alike(a, b any) bool {
	return fidelity.Keeps(a, b, fidelity.Options{})
}

// changed reports whether the values are not what they were before the first
// call.
func (s *subject) changed() bool {
	if s.kept != nil {
		return s.kept.changed()
	}
	return fidelity.Hash(s.values...) != s.hash
}

// honest looks for what would make a codec look cheaper than it is. Here as in
// all that the Runner does in its own process, a decoder is given what the
// codec has encoded and nothing else: bad input can end the process, and is
// for [Probe] to try, in others.
func (s *subject) honest() error {
	first, err := s.codec.Marshal(s.values[0])
	if err != nil {
		return s.at(0, "encode again", err)
	}
	second, err := s.codec.Marshal(s.values[0])
	if err != nil {
		return s.at(0, "encode again", err)
	}
	if cap(first) > 0 && cap(second) > 0 && &first[:1][0] == &second[:1][0] {
		s.reuses = true
		s.traits = append(s.traits, Trait{Name: TraitReusesOutput, Detail: "Marshal returned the buffer of the message before"})
	}
	o := &observer{codec: s.codec, payload: s.payload, values: s.values, msgs: s.messages}
	if ignores, err := o.ignoresInput(); err != nil || ignores != "" {
		if err == nil {
			err = fmt.Errorf("decode: it ignores its input: %s", ignores)
		}
		return err
	}
	if s.remembers() {
		return s.at(0, "encode", errors.New("gave the message of what a value was before it was changed: it remembers values instead of encoding them"))
	}
	data := slices.Clone(s.messages[0])
	got := s.payload.New()
	if err := s.codec.Unmarshal(data, got); err != nil {
		return s.at(0, "decode again", err)
	}
	before := s.payload.compare(0, s.values[0], got)
	invert(data)
	if after := s.payload.compare(0, s.values[0], got); after.Total != before.Total || after.Class != before.Class {
		s.traits = append(s.traits, Trait{Name: TraitAliasesInput, Detail: "the decoded value changed when the input was overwritten"})
	}
	return nil
}

// remembers encodes a value, gives it other content and encodes it again. The
// content is that of another value of the corpus, or the zero value. What it
// should have become is what a new value of that content becomes. A codec may
// refuse the content, in any way.
func (s *subject) remembers() (found bool) {
	defer func() {
		if recover() != nil {
			found = false
		}
	}()
	decoded := func(msg []byte) (any, bool) {
		v := s.payload.New()
		return v, s.codec.Unmarshal(slices.Clone(msg), v) == nil
	}
	other := func() (any, bool) {
		for _, msg := range s.messages[1:] {
			if !slices.Equal(msg, s.messages[0]) {
				return decoded(msg)
			}
		}
		return s.payload.New(), true
	}
	v, ok := decoded(s.messages[0])
	content, ok2 := other()
	fresh, ok3 := other()
	if !ok || !ok2 || !ok3 {
		return false
	}
	before, err := s.codec.Marshal(v)
	before = slices.Clone(before)
	if err != nil {
		return false
	}
	reflect.ValueOf(v).Elem().Set(reflect.ValueOf(content).Elem())
	after, err := s.codec.Marshal(v)
	after = slices.Clone(after)
	if err != nil || !slices.Equal(before, after) {
		return false
	}
	right, err := s.codec.Marshal(fresh)
	if err != nil {
		return false
	}
	// Compared decoded, since one content may have many messages.
	got, ok := decoded(after)
	want, ok2 := decoded(right)
	return ok && ok2 && !s.payload.keeps(want, got)
}

// at says which value of a corpus an error is about.
func (s *subject) at(i int, what string, err error) error {
	if len(s.values) == 1 {
		return fmt.Errorf("%s: %w", what, err)
	}
	return fmt.Errorf("%s value %d of %d: %w", what, i, len(s.values), err)
}

// compare compares one value of the payload with what came back.
func (p Payload) compare(index int, want, got any) Fidelity {
	if p.equal != nil {
		if err := p.equal(want, got); err != nil {
			return Fidelity{Class: Lossy, Total: 1, Differences: []Difference{
				{Value: index, Kind: "own-equality", Want: "equal", Got: err.Error()}}}
		}
		return Fidelity{Class: Exact}
	}
	res := fidelity.Compare(want, got, p.options())
	f := Fidelity{Class: Class(res.Class), Total: res.Total}
	for _, d := range res.Differences {
		f.Differences = append(f.Differences, Difference{Value: index, Path: d.Path, Kind: string(d.Kind),
			Want: d.Want, Got: d.Got, Normalised: d.Normalised})
	}
	return f
}

func (p Payload) options() fidelity.Options {
	return fidelity.Options{
		NilEmpty: p.tolerance.NilEmpty, TimePrecision: p.tolerance.TimePrecision,
		NumericKinds: p.tolerance.NumericKinds, Max: mostDifferences,
	}
}

// keeps is compare where only a loss matters: it ends at the first.
func (p Payload) keeps(want, got any) bool {
	if p.equal != nil {
		return p.equal(want, got) == nil
	}
	return fidelity.Keeps(want, got, p.options())
}

// same is compare where any difference matters: it ends at the first.
func (p Payload) same(want, got any) bool {
	if p.equal != nil {
		return p.equal(want, got) == nil
	}
	return fidelity.Equal(want, got, p.options())
}

// Compare tells what a decoded value preserved of an original of this
// payload, both pointers to its type, as the Runner does before timing.
func (p Payload) Compare(want, got any) Fidelity { return p.compare(0, want, got) }

// add merges what another value of the corpus showed.
func (f *Fidelity) add(o Fidelity) {
	order := []Class{Exact, Normalised, Lossy, Broken}
	if slices.Index(order, o.Class) > slices.Index(order, f.Class) {
		f.Class = o.Class
	}
	f.Total += o.Total
	room := max(0, mostDifferences-len(f.Differences))
	f.Differences = append(f.Differences, o.Differences[:min(room, len(o.Differences))]...)
}

func sizesOf(msgs [][]byte) *EncodedSize {
	e := &EncodedSize{Min: len(msgs[0])}
	for _, m := range msgs {
		e.Min = min(e.Min, len(m))
		e.Max = max(e.Max, len(m))
		e.Total += int64(len(m))
	}
	e.Mean = float64(e.Total) / float64(len(msgs))
	return e
}

// firstCall is the figure for an op's first call, nil for ops that have none.
func (s *subject) firstCall(op Op) *Estimate {
	took := map[Op]time.Duration{OpEncode: s.firstEncode, OpDecode: s.firstDecode}[op]
	if took <= 0 {
		return nil
	}
	return &Estimate{Value: float64(took), Method: "the first call, once", N: 1}
}
