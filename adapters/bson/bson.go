// Package bson adapts go.mongodb.org/mongo-driver/v2/bson.
package bson

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapt"
)

// New returns the codec, named "bson". Fields have the names of their json
// tags, and generic values come back as Go's own types. What is lost lies in
// the format: times are milliseconds since 1970, and a uint64 above the
// largest int64 has no place in it. A message is a document: a struct or a
// map.
//
// A message is validated before it is decoded: the reader that the library
// offers for these options asks for as much memory as a length in its input
// announces.
func New() serbench.Codec {
	registry := generic()
	return newCodec(library{
		name: "bson",
		path: "one Encoder, Encode; Raw.Validate, a new Decoder per message, Decode",
		options: map[string]string{"UseJSONStructTags": "true", "DefaultDocumentMap": "true", "BinaryAsSlice": "true",
			"TypeMapEntry": "in interfaces, time.Time for a datetime and []any for an array"},
		setUp: func(e *bson.Encoder) {
			e.UseJSONStructTags()
			e.SetRegistry(registry)
		},
		unmarshal: func(data []byte, v any) error { return unmarshal(registry, data, v) },
	})
}

// Default returns the codec as the library comes, named "bson-default":
// fields have the names of their bson tags, or their own in lower case, and
// generic values come back as bson.D, bson.A, bson.DateTime and bson.Binary.
func Default() serbench.Codec {
	return newCodec(library{
		name:      "bson-default",
		path:      "one Encoder, Encode; Unmarshal",
		options:   map[string]string{"names": "of bson tags, or in lower case"},
		setUp:     func(*bson.Encoder) {},
		unmarshal: bson.Unmarshal,
	})
}

// library is one way to call it.
type library struct {
	name, path string
	options    map[string]string
	setUp      func(*bson.Encoder)
	unmarshal  func(data []byte, v any) error
}

func newCodec(l library) serbench.Codec {
	l.options["time"] = "the format keeps milliseconds"
	return adapt.New(adapt.Library{
		Name:   l.name,
		Info:   serbench.Info{Format: "bson", Library: "go.mongodb.org/mongo-driver/v2", CallPath: l.path, Options: l.options},
		Types:  adapt.Binary([]string{"bson", "json"}, (*bson.Marshaler)(nil), (*bson.ValueMarshaler)(nil)),
		Refuse: refuse,
		Panics: adapt.HoldsInterface, // on a channel, where it looks for an encoder
		New: func(v *any) serbench.Bound {
			e := &encoder{setUp: l.setUp}
			return serbench.Bound{
				Marshal:   func() ([]byte, error) { return e.append(nil, *v) },
				Append:    func(dst []byte) ([]byte, error) { return e.append(dst, *v) },
				Unmarshal: func(data []byte) error { return l.unmarshal(data, *v) },
			}
		},
	})
}

func refuse(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Struct, t.Kind() == reflect.Map, t.Kind() == reflect.Interface, t == reflect.TypeFor[bson.D](),
		reflect.PointerTo(t).Implements(reflect.TypeFor[bson.Marshaler]()):
		return ""
	}
	return "is no BSON document at its top level; use a struct or a map"
}

// document says whether what an interface holds can be a message: of it,
// refuse cannot tell by the type.
func document(v reflect.Value) bool {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return false
		}
		v = v.Elem()
	}
	return v.IsValid() && refuse(v.Type()) == ""
}

// generic returns a registry of its own: one remembers the names of a type's
// fields by the options of whoever used it first. It holds what generic values are decoded into where it is not what
// they were.
func generic() *bson.Registry {
	r := bson.NewRegistry()
	r.RegisterTypeMapEntry(bson.TypeDateTime, reflect.TypeFor[time.Time]())
	r.RegisterTypeMapEntry(bson.TypeArray, reflect.TypeFor[[]any]())
	return r
}

type encoder struct {
	setUp func(*bson.Encoder)
	w     adapt.Writer
	enc   *bson.Encoder
	ready bool
}

func (e *encoder) append(dst []byte, v any) ([]byte, error) {
	if !e.ready { // half of a document may still be in the old one
		e.enc = bson.NewEncoder(bson.NewDocumentWriter(&e.w))
		e.setUp(e.enc)
	}
	e.ready = false
	e.w.Start(dst)
	err := e.enc.Encode(v)
	e.ready = err == nil
	if err != nil && !document(reflect.ValueOf(v)) {
		err = serbench.Unsupported(v, "holds a value that is no BSON document: an array, a scalar or null at its top level")
	}
	return e.w.Take(dst, err)
}

func unmarshal(registry *bson.Registry, data []byte, v any) error {
	if len(data) < 5 {
		return fmt.Errorf("bson: %d bytes are no document", len(data))
	}
	if n := binary.LittleEndian.Uint32(data); uint64(n) != uint64(len(data)) {
		return fmt.Errorf("bson: a document of %d bytes in a message of %d", n, len(data))
	}
	if err := bson.Raw(data).Validate(); err != nil {
		return err
	}
	dec := bson.NewDecoder(bson.NewDocumentReader(bytes.NewReader(data)))
	dec.UseJSONStructTags()
	dec.DefaultDocumentMap()
	dec.BinaryAsSlice()
	dec.SetRegistry(registry)
	return dec.Decode(v)
}
