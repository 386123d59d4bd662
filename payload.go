package serbench

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/serbench/serbench/internal/fidelity"
)

// A Payload is named data of one Go type, one value or a corpus of many, in
// one form. It is made with [NewPayload] or [NewPayloadFunc]; the zero value
// is refused by [Runner.Run]. A Payload is not changed once made and may be
// used by several runs.
//
// Payloads that share a name and differ in form carry the same information as
// different Go types: a struct, a map[string]any, a schema message. Name and
// form together are unique in a run.
type Payload struct {
	name      string
	form      string
	typ       reflect.Type // T, not *T
	values    []any        // each a *T
	fresh     func() ([]any, error)
	typed     typed
	equal     func(want, got any) error
	tolerance Tolerance
	source    string
	origin    string
	derived   string
	warnings  []Warning
	err       error
}

// A PayloadOption changes a copy of a payload; see [Payload.With].
type PayloadOption func(*Payload)

// NewPayload makes a payload of the given values. Ops cycle through them in
// order. The values are kept and only read; every codec gets the same ones.
func NewPayload[T any](name string, values ...*T) Payload {
	p := newPayload[T](name)
	p.values, p.err = boxed(values)
	return p
}

// NewPayloadFunc makes a payload whose values are made anew by fresh, each
// time the same in content. The Runner calls it for every codec and block, so
// that where the values lie in memory does not decide a comparison.
func NewPayloadFunc[T any](name string, fresh func() ([]*T, error)) Payload {
	p := newPayload[T](name)
	if fresh == nil {
		p.err = errors.New("the function is nil")
		return p
	}
	p.fresh = func() (out []any, err error) {
		defer func() {
			if v := recover(); v != nil {
				out, err = nil, fmt.Errorf("the function panicked: %v", v)
			}
		}()
		values, err := fresh()
		if err != nil {
			return nil, err
		}
		return boxed(values)
	}
	p.values, p.err = p.fresh()
	return p
}

func newPayload[T any](name string) Payload {
	p := Payload{name: name, form: "struct", typ: reflect.TypeFor[T](), typed: typedOps[T]{}}
	if p.typ.Kind() == reflect.Map || p.typ.Kind() == reflect.Interface {
		p.form = "map"
	}
	return p
}

func boxed[T any](values []*T) ([]any, error) {
	if len(values) == 0 {
		return nil, errors.New("no values")
	}
	out := make([]any, len(values))
	for i, v := range values {
		if v == nil {
			return nil, fmt.Errorf("value %d is nil", i)
		}
		out[i] = v
	}
	return out, nil
}

// With returns a copy of the payload with the options applied.
func (p Payload) With(opts ...PayloadOption) Payload {
	for _, o := range opts {
		o(&p)
	}
	return p
}

// Form names the Go shape of the payload. The default is "map" for map and
// interface types, else "struct".
func Form(form string) PayloadOption { return func(p *Payload) { p.form = form } }

// Equal compares with a function instead of the walker, for types that have
// their own equality, such as protobuf messages. It returns nil, or an error
// that says what differs. A T that is not the payload's type is an error of
// [Runner.Run].
func Equal[T any](equal func(want, got *T) error) PayloadOption {
	return func(p *Payload) {
		if t := reflect.TypeFor[T](); t != p.typ {
			p.err = errors.Join(p.err, fmt.Errorf("Equal is for %v, the payload is of %v", t, p.typ))
			return
		}
		p.equal = func(want, got any) error { return equal(want.(*T), got.(*T)) }
	}
}

// Tolerate declares differences that do not matter for this payload.
func Tolerate(t Tolerance) PayloadOption { return func(p *Payload) { p.tolerance = t } }

// Source records where the values come from, such as a file's name.
func Source(source string) PayloadOption { return func(p *Payload) { p.source = source } }

// Noted adds a warning about the data to the payload's entry in the report,
// such as that its values were altered when they were loaded.
func Noted(w Warning) PayloadOption {
	return func(p *Payload) { p.warnings = append(slices.Clip(p.warnings), w) }
}

// DerivedFrom records that the payload was made from the one named origin,
// and how: "flatten".
func DerivedFrom(origin, how string) PayloadOption {
	return func(p *Payload) { p.origin, p.derived = origin, how }
}

// Name returns the payload's name.
func (p Payload) Name() string { return p.name }

// FormName returns the name of the payload's form.
func (p Payload) FormName() string { return p.form }

// Type returns the payload's Go type, T of NewPayload[T].
func (p Payload) Type() reflect.Type { return p.typ }

// Values returns pointers to the payload's values: new copies if it was made
// with [NewPayloadFunc], else the values themselves, which must not be
// changed.
func (p Payload) Values() ([]any, error) {
	if p.err != nil {
		return nil, p.err
	}
	if p.fresh == nil {
		return p.values, nil
	}
	values, err := p.fresh()
	if err == nil && len(values) != len(p.values) {
		err = fmt.Errorf("the function gave %d values, %d the first time", len(values), len(p.values))
	}
	return values, err
}

// constant checks that a function gives the same content a second time.
func (p Payload) constant() error {
	if p.err != nil || p.fresh == nil {
		return p.err
	}
	values, err := p.Values()
	if err != nil {
		return err
	}
	same := p.equal != nil || fidelity.Hash(values...) == fidelity.Hash(p.values...)
	for i := 0; same && p.equal != nil && i < len(values); i++ {
		same = p.equal(p.values[i], values[i]) == nil
	}
	if !same {
		return errors.New("the function gave other values the second time")
	}
	return nil
}

// New returns a pointer to a new zero value of the payload's type.
func (p Payload) New() any {
	if p.typed == nil {
		return nil
	}
	return p.typed.newTarget()
}
