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
// tags. What is lost lies in the format: times are milliseconds since 1970,
// and a uint64 above the largest int64 has no place in it. A message is a
// document: a struct or a map.
func New() serbench.Codec {
	return adapt.New(adapt.Library{
		Name: "bson",
		Info: serbench.Info{Format: "bson", Library: "go.mongodb.org/mongo-driver/v2",
			CallPath: "one Encoder, Encode; a new Decoder per message, Decode",
			Options: map[string]string{"UseJSONStructTags": "true", "DefaultDocumentMap": "true", "BinaryAsSlice": "true",
				"TypeMapEntry": "in interfaces, time.Time for a datetime and []any for an array",
				"time":         "the format keeps milliseconds"}},
		Types:  adapt.Binary([]string{"json"}, (*bson.Marshaler)(nil), (*bson.ValueMarshaler)(nil)),
		Refuse: refuse,
		Panics: adapt.HoldsInterface, // on a channel, where it looks for an encoder
		New: func(v *any) serbench.Bound {
			e := new(encoder)
			registry := generic()
			return serbench.Bound{
				Marshal:   func() ([]byte, error) { return e.append(nil, *v) },
				Append:    func(dst []byte) ([]byte, error) { return e.append(dst, *v) },
				Unmarshal: func(data []byte) error { return unmarshal(registry, data, *v) },
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

// generic returns what generic values are decoded into where it is not what
// they were.
func generic() *bson.Registry {
	r := bson.NewRegistry()
	r.RegisterTypeMapEntry(bson.TypeDateTime, reflect.TypeFor[time.Time]())
	r.RegisterTypeMapEntry(bson.TypeArray, reflect.TypeFor[[]any]())
	return r
}

type encoder struct {
	w     adapt.Writer
	enc   *bson.Encoder
	ready bool
}

func (e *encoder) append(dst []byte, v any) ([]byte, error) {
	if !e.ready { // half of a document may still be in the old one
		e.enc = bson.NewEncoder(bson.NewDocumentWriter(&e.w))
		e.enc.UseJSONStructTags()
	}
	e.ready = false
	e.w.Start(dst)
	err := e.enc.Encode(v)
	e.ready = err == nil
	return e.w.Take(dst, err)
}

func unmarshal(registry *bson.Registry, data []byte, v any) error {
	if len(data) < 5 {
		return fmt.Errorf("bson: %d bytes are no document", len(data))
	}
	if n := binary.LittleEndian.Uint32(data); uint64(n) != uint64(len(data)) {
		return fmt.Errorf("bson: a document of %d bytes in a message of %d", n, len(data))
	}
	dec := bson.NewDecoder(bson.NewDocumentReader(bytes.NewReader(data)))
	dec.UseJSONStructTags()
	dec.DefaultDocumentMap()
	dec.BinaryAsSlice()
	dec.SetRegistry(registry)
	return dec.Decode(v)
}
