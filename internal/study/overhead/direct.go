package main

import (
	"errors"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/examples/payloads"
	"github.com/serbench/serbench/examples/payloads/payloadspb"
)

// A pair is an adapter and the same library called without it, by the same
// call path.
type pair struct {
	adapter serbench.Codec
	direct  func(v any) serbench.Bound
	inputs  func() []serbench.Payload
}

// direct is a codec made by hand: its bound closures call the library
// straight, and check nothing.
type direct struct {
	name string
	bind func(v any) serbench.Bound
}

func (d direct) Name() string                           { return d.name }
func (d direct) Bind(v any) (serbench.Bound, error)     { return d.bind(v), nil }
func (d direct) Marshal(v any) ([]byte, error)          { return d.bind(v).Marshal() }
func (d direct) Unmarshal(data []byte, v any) error     { return d.bind(v).Unmarshal(data) }
func (d direct) Append(b []byte, v any) ([]byte, error) { return d.bind(v).Append(b) }

var errNotUTF8 = errors.New("not UTF-8")

// writer is what an encoder that writes is given.
type writer struct{ b []byte }

func (w *writer) Write(p []byte) (int, error) {
	w.b = append(w.b, p...)
	return len(p), nil
}

func (w *writer) WriteByte(c byte) error {
	w.b = append(w.b, c)
	return nil
}

func structs() []serbench.Payload {
	return []serbench.Payload{payloads.RepositoryPayloads()[0], payloads.EventPayloads()[0]}
}

func maps() []serbench.Payload {
	return []serbench.Payload{payloads.RepositoryPayloads()[1], payloads.EventPayloads()[1]}
}

func messages() []serbench.Payload {
	return []serbench.Payload{
		message("repository", payloadspb.RepositoryValue),
		message("event", payloadspb.EventValue),
	}
}

func message[T any](name string, value func() *T) serbench.Payload {
	return serbench.NewPayloadFunc(name, func() ([]*T, error) { return []*T{value()}, nil }).
		With(serbench.Form("proto"), serbench.Equal(equal[T]))
}
