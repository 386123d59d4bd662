// Package zoopb holds the zoo as protobuf messages, and codecs that convert
// the structs to them.
package zoopb

//go:generate go run ../../../../internal/protogen -plugin protoc-gen-go -plugin "protoc-gen-go-vtproto:paths=source_relative,features=marshal+unmarshal+size" zoo.proto

import (
	"reflect"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/examples/payloads/zoo"
)

// Convert returns c for values of type t of the zoo, as messages, or nil if no
// message has a place for the type.
func Convert(c serbench.Codec, t reflect.Type) serbench.Codec {
	if wrap := wrappers()[t]; wrap != nil {
		return wrap(c)
	}
	return nil
}

type wrapper = func(serbench.Codec) serbench.Codec

func wrappers() map[reflect.Type]wrapper {
	w := map[reflect.Type]wrapper{}
	// Proto has no types below 32 bits: int8 and uint8 are converted to wider
	// ones.
	add(w, func(m *Bool, d *zoo.Bool) { m.V = d.V }, func(d *zoo.Bool, m *Bool) { d.V = m.V })
	add(w, func(m *Int64, d *zoo.Int) { m.V = int64(d.V) }, func(d *zoo.Int, m *Int64) { d.V = int(m.V) })
	add(w, func(m *Int64, d *zoo.Int8) { m.V = int64(d.V) }, func(d *zoo.Int8, m *Int64) { d.V = int8(m.V) })
	add(w, func(m *Int64, d *zoo.Int64) { m.V = d.V }, func(d *zoo.Int64, m *Int64) { d.V = m.V })
	add(w, func(m *Uint64, d *zoo.Uint8) { m.V = uint64(d.V) }, func(d *zoo.Uint8, m *Uint64) { d.V = uint8(m.V) })
	add(w, func(m *Uint64, d *zoo.Uint64) { m.V = d.V }, func(d *zoo.Uint64, m *Uint64) { d.V = m.V })
	add(w, func(m *Float32, d *zoo.Float32) { m.V = d.V }, func(d *zoo.Float32, m *Float32) { d.V = m.V })
	add(w, func(m *Float64, d *zoo.Float64) { m.V = d.V }, func(d *zoo.Float64, m *Float64) { d.V = m.V })
	add(w, func(m *String, d *zoo.String) { m.V = d.V }, func(d *zoo.String, m *String) { d.V = m.V })
	add(w, func(m *String, d *zoo.Named) { m.V = string(d.V) }, func(d *zoo.Named, m *String) { d.V = zoo.Colour(m.V) })
	add(w, func(m *Bytes, d *zoo.Bytes) { m.V = d.V }, func(d *zoo.Bytes, m *Bytes) { d.V = m.V })
	add(w, func(m *Ints, d *zoo.Ints) { m.V = d.V }, func(d *zoo.Ints, m *Ints) { d.V = m.V })
	add(w, func(m *Floats, d *zoo.Floats) { m.V = d.V }, func(d *zoo.Floats, m *Floats) { d.V = m.V })
	add(w, func(m *Strings, d *zoo.Strings) { m.V = d.V }, func(d *zoo.Strings, m *Strings) { d.V = m.V })
	add(w, toIntKeys, fromIntKeys)
	add(w, func(m *Pointer, d *zoo.Pointer) { m.V = d.V }, func(d *zoo.Pointer, m *Pointer) { d.V = m.V })
	add(w, func(m *Two, d *zoo.Two) { m.A, m.B = d.A, d.B }, func(d *zoo.Two, m *Two) { d.A, d.B = m.A, m.B })
	add(w, toNested, fromNested)
	add(w, toNode, fromNode)
	add(w, func(m *Time, d *zoo.Time) { m.V = timestamppb.New(d.V) }, func(d *zoo.Time, m *Time) { d.V = m.V.AsTime() })
	add(w, func(m *Span, d *zoo.Span) { m.V = durationpb.New(d.V) }, func(d *zoo.Span, m *Span) { d.V = m.V.AsDuration() })
	w[reflect.TypeFor[zoo.Tree]()] = func(c serbench.Codec) serbench.Codec {
		return serbench.Convert(c, toTree, fromTree)
	}
	return w
}

// add adds a conversion that cannot fail.
func add[D, M any](w map[reflect.Type]wrapper, to func(*M, *D), from func(*D, *M)) {
	w[reflect.TypeFor[D]()] = func(c serbench.Codec) serbench.Codec {
		return serbench.Convert(c,
			func(m *M, d *D) error { to(m, d); return nil },
			func(d *D, m *M) error { from(d, m); return nil })
	}
}

func toIntKeys(m *IntKeys, d *zoo.IntKeys) {
	m.V = make(map[int64]string, len(d.V))
	for k, v := range d.V {
		m.V[int64(k)] = v
	}
}

func fromIntKeys(d *zoo.IntKeys, m *IntKeys) {
	d.V = make(map[int]string, len(m.V))
	for k, v := range m.V {
		d.V[int(k)] = v
	}
}

func toNested(m *Nested, d *zoo.Nested) {
	if d.V != nil {
		m.V = &Two{A: d.V.A, B: d.V.B}
	}
}

func fromNested(d *zoo.Nested, m *Nested) {
	if d.V = nil; m.V != nil {
		d.V = &zoo.Two{A: m.V.A, B: m.V.B}
	}
}

func toNode(m *Node, d *zoo.Node) {
	for m.N = d.N; d.Next != nil; m.N = d.N {
		m.Next = new(Node)
		m, d = m.Next, d.Next
	}
}

func fromNode(d *zoo.Node, m *Node) {
	for d.N, d.Next = m.N, nil; m.Next != nil; d.N = m.N {
		d.Next = new(zoo.Node)
		m, d = m.Next, d.Next
	}
}

func toTree(m *Tree, d *zoo.Tree) (err error) {
	m.V, err = structpb.NewStruct(d.V)
	return err
}

func fromTree(d *zoo.Tree, m *Tree) error {
	d.V = m.V.AsMap()
	return nil
}
