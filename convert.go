package serbench

import (
	"errors"
	"reflect"
)

// Convert returns a codec for values of D that encodes and decodes them as
// messages of M with c: for a domain struct whose codec only knows the types
// made from its schema. It is named c's name + "+convert", and both
// conversions are inside of what is timed: what a program pays that does not
// work on messages itself.
//
// to sets a message from a value, from a value from a message; an error of
// theirs is the error of the call. to is given a new M in each call, as
// programs make one; from sets every field of the D that it is given. Values
// of a type other than D are unsupported.
//
// The codec has Append and Clone if c has; for Clone, to and from must be safe
// for concurrent use. It has no bound form and no streams.
func Convert[D, M any](c Codec, to func(*M, *D) error, from func(*D, *M) error) Codec {
	b := &converter[D, M]{inner: c, to: to, from: from}
	_, appends := c.(Appender)
	_, clones := c.(Cloner)
	switch {
	case appends && clones:
		return appendingCloningConverter[D, M]{appendingConverter[D, M]{b}}
	case appends:
		return appendingConverter[D, M]{b}
	case clones:
		return cloningConverter[D, M]{b}
	}
	return b
}

type converter[D, M any] struct {
	inner Codec
	to    func(*M, *D) error
	from  func(*D, *M) error
}

// The optional interfaces of which the inner codec may lack some.
type (
	appendingConverter[D, M any]        struct{ *converter[D, M] }
	cloningConverter[D, M any]          struct{ *converter[D, M] }
	appendingCloningConverter[D, M any] struct{ appendingConverter[D, M] }
)

func (c appendingConverter[D, M]) Append(dst []byte, v any) ([]byte, error) { return c.append(dst, v) }

func (c cloningConverter[D, M]) Clone() Codec          { return c.clone() }
func (c appendingCloningConverter[D, M]) Clone() Codec { return c.clone() }

func (c *converter[D, M]) clone() Codec {
	return Convert(c.inner.(Cloner).Clone(), c.to, c.from)
}

func (c *converter[D, M]) Name() string { return c.inner.Name() + "+convert" }

func (c *converter[D, M]) Describe() Info {
	var i Info
	if d, ok := c.inner.(Describer); ok {
		i = d.Describe()
	}
	if i.CallPath != "" {
		i.CallPath += "; "
	}
	i.CallPath += "conversion to and from the message in each call"
	return i
}

// Supports asks the inner codec about a converted message: whether a message
// can be encoded may depend on what is in it.
func (c *converter[D, M]) Supports(v any) error {
	d, err := c.domain(v)
	if err != nil {
		return err
	}
	m := new(M)
	if err := c.to(m, d); err != nil {
		return err
	}
	if s, ok := c.inner.(Supporter); ok {
		return s.Supports(m)
	}
	return nil
}

func (c *converter[D, M]) domain(v any) (*D, error) {
	if c.to == nil || c.from == nil {
		return nil, errors.New("serbench: Convert was given a nil function")
	}
	d, ok := v.(*D)
	switch {
	case !ok:
		return nil, Unsupported(v, "is not what this codec converts, "+reflect.TypeFor[*D]().String())
	case d == nil:
		return nil, Unsupported(v, "came as a nil pointer; pass a pointer to a value")
	}
	return d, nil
}

func (c *converter[D, M]) Marshal(v any) ([]byte, error) {
	m, err := c.message(v)
	if err != nil {
		return nil, err
	}
	return c.inner.Marshal(m)
}

func (c *converter[D, M]) message(v any) (*M, error) {
	d, err := c.domain(v)
	if err != nil {
		return nil, err
	}
	m := new(M)
	return m, c.to(m, d)
}

func (c *converter[D, M]) append(dst []byte, v any) ([]byte, error) {
	m, err := c.message(v)
	if err != nil {
		return dst, err
	}
	return c.inner.(Appender).Append(dst, m)
}

func (c *converter[D, M]) Unmarshal(data []byte, v any) error {
	d, err := c.domain(v)
	if err != nil {
		return err
	}
	m := new(M)
	if err := c.inner.Unmarshal(data, m); err != nil {
		return err
	}
	return c.from(d, m)
}
