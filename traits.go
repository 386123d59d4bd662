package serbench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/serbench/serbench/internal/fidelity"
	"github.com/serbench/serbench/internal/measure"
)

// Trait is a property of a codec that was observed on a payload, not one that
// it declares.
type Trait struct {
	Name   string `json:"name"`
	Detail string `json:"detail,omitempty"`
}

// Names of traits. A codec that keeps the rules of [Codec] has none but
// not-deterministic, stale-fields, stale-keys and not-concurrent.
const (
	TraitAliasesInput     = "aliases-input"      // a decoded value refers to the input's bytes
	TraitReusesOutput     = "reuses-output"      // Marshal writes into a message that it returned before
	TraitReusesDecoded    = "reuses-decoded"     // Unmarshal writes into a value that it decoded before
	TraitIgnoresInput     = "ignores-input"      // Unmarshal gives a value that is not that of its input
	TraitNotSelfContained = "not-self-contained" // the message is too small to hold its value
	TraitWritesToInput    = "writes-to-input"    // Unmarshal changes the bytes it is given
	TraitWritesToValue    = "writes-to-value"    // Marshal changes the value it is given
	TraitKeepsInput       = "keeps-input"        // holds the bytes given to Unmarshal beyond the next call
	TraitKeepsValue       = "keeps-value"        // reads a value after Marshal, or holds it beyond the next call
	TraitNotDeterministic = "not-deterministic"  // one value is encoded to different bytes
	TraitStaleFields      = "stale-fields"       // a used target keeps what the message does not overwrite
	TraitStaleKeys        = "stale-keys"         // a used target keeps keys of its maps
	TraitNotConcurrent    = "not-concurrent"     // has no Clone, or clones that disturb each other
)

// ObserveTraits finds out what c does beside encoding and decoding the values
// of p, by making it: overwriting what it was given, decoding into used
// targets, calling it from several goroutines (if it is a [Cloner]), waiting
// for the garbage collector. The order of the traits is that of the
// constants. It needs some milliseconds, many of them for the collector.
//
// c is used as a caller may use it, and sees what it must not depend on: its
// earlier messages are overwritten, for one. Each observation ends after
// limit; the default is ten seconds, a negative one is none. A call that does
// not return is abandoned, an error then, and ends the observation.
//
// With names of traits in only, it looks for those and no others.
//
// The errors, joined, are those of observations that could not be made; the
// traits that were found stand beside them. A codec that cannot encode and
// decode the first value gets an error only.
//
// Note: a Clone that is not safe for concurrent use can end the process, since
// the runtime does not let a program recover from "concurrent map writes".
func ObserveTraits(ctx context.Context, c Codec, p Payload, limit time.Duration, only ...string) ([]Trait, error) {
	if c == nil {
		return nil, &Error{Payload: p.name, Form: p.form, Err: errors.New("the codec is nil")}
	}
	values, err := p.Values()
	if err != nil || len(values) == 0 {
		return nil, &Error{Codec: c.Name(), Payload: p.name, Form: p.form, Err: errors.Join(err, errors.New("the payload has no values"))}
	}
	if limit == 0 {
		limit = 10 * time.Second
	}
	for _, name := range only {
		if !slices.ContainsFunc(observations, func(ob observation) bool { return ob.name == name }) {
			return nil, &Error{Codec: c.Name(), Payload: p.name, Form: p.form, Err: fmt.Errorf("there is no trait %q", name)}
		}
	}
	o := &observer{ctx: ctx, limit: max(limit, 0), codec: c, payload: p, values: values[:min(len(values), mostObserved)], only: only}
	return o.all()
}

// mostObserved are the values of a corpus that are looked at.
const mostObserved = 16

// An observer watches one codec on one payload.
type observer struct {
	ctx     context.Context
	limit   time.Duration
	codec   Codec
	payload Payload
	values  []any
	msgs    [][]byte // copies, one per value
	hash    string   // of the values, before the first call
	only    []string // names of traits; empty: all
	used    *used    // what was seen of used targets
	differ  []any    // made by differing
}

// An observation returns what it saw, or "".
type observation struct {
	name string
	see  func(*observer) (detail string, err error)
}

var observations = []observation{
	{TraitAliasesInput, (*observer).aliasesInput},
	{TraitReusesOutput, (*observer).reusesOutput},
	{TraitReusesDecoded, (*observer).reusesDecoded},
	{TraitIgnoresInput, (*observer).ignoresInput},
	{TraitNotSelfContained, (*observer).notSelfContained},
	{TraitWritesToInput, (*observer).writesToInput},
	{TraitWritesToValue, (*observer).writesToValue},
	{TraitKeepsInput, (*observer).keepsInput},
	{TraitKeepsValue, (*observer).keepsValue},
	{TraitNotDeterministic, (*observer).notDeterministic},
	{TraitStaleFields, (*observer).staleFields},
	{TraitStaleKeys, (*observer).staleKeys},
	{TraitNotConcurrent, (*observer).notConcurrent},
}

func (o *observer) all() (traits []Trait, err error) {
	var errs []error
	at := func(what string, err error) error {
		return &Error{Codec: o.codec.Name(), Payload: o.payload.name, Form: o.payload.form, Err: fmt.Errorf("%s: %w", what, err)}
	}
	if err := measure.Guard(o.ctx, o.limit, o.start); err != nil {
		return nil, at("observing traits", err)
	}
	for _, ob := range observations {
		if len(o.only) > 0 && !slices.Contains(o.only, ob.name) {
			continue
		}
		var detail string
		err := measure.Guard(o.ctx, o.limit, func() error {
			seen, err := ob.see(o)
			detail = seen
			return err
		})
		if hang := (*measure.HangError)(nil); errors.As(err, &hang) {
			// The abandoned call may write to detail at any time.
			return traits, errors.Join(append(errs, at(ob.name, err))...)
		}
		if err != nil {
			errs = append(errs, at(ob.name, err))
		}
		if detail != "" {
			traits = append(traits, Trait{Name: ob.name, Detail: detail})
		}
	}
	return traits, errors.Join(errs...)
}

// start encodes the values once, and decodes the first.
func (o *observer) start() error {
	o.hash = fidelity.Hash(o.values...)
	o.msgs = nil
	for _, v := range o.values {
		msg, err := o.codec.Marshal(v)
		if err != nil {
			return fmt.Errorf("encode: %w", err)
		}
		o.msgs = append(o.msgs, bytes.Clone(msg))
	}
	_, err := o.decode(o.msgs[0])
	return err
}

// encode returns a copy of the message of v.
func (o *observer) encode(v any) ([]byte, error) {
	msg, err := o.codec.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	return bytes.Clone(msg), nil
}

// decode returns the value of a message, from a copy of it.
func (o *observer) decode(msg []byte) (any, error) {
	got := o.payload.New()
	if err := o.codec.Unmarshal(slices.Clone(msg), got); err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	return got, nil
}

// again encodes the value and decodes it: a copy that may be changed, as far
// as the codec makes one.
func (o *observer) again(v any) (any, error) {
	msg, err := o.encode(v)
	if err != nil {
		return nil, err
	}
	return o.decode(msg)
}

// same reports whether two values that the codec decoded are equal.
func (o *observer) same(a, b any) bool { return o.payload.same(a, b) }

// traits observes the full list for a subject that passed the check, instead
// of the two that honest looks for always.
func (s *subject) observe(ctx context.Context) error {
	o := &observer{ctx: ctx, codec: s.codec, payload: s.payload, values: s.values[:min(len(s.values), mostObserved)]}
	found, err := o.all()
	if err != nil {
		return fmt.Errorf("observing traits: %w", err)
	}
	s.traits = found
	for _, t := range found {
		switch t.Name {
		case TraitIgnoresInput, TraitNotSelfContained, TraitWritesToInput, TraitWritesToValue:
			return fmt.Errorf("%s: %s", t.Name, t.Detail)
		case TraitKeepsValue:
			if t.Detail != heldTooLong { // memory alone spoils no time
				return fmt.Errorf("%s: %s", t.Name, t.Detail)
			}
		}
	}
	return nil
}
