// Package avro adapts github.com/twmb/avro.
package avro

import (
	"reflect"

	"github.com/twmb/avro"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapt"
)

// New returns the codec, named "avro". A message is the bare binary form,
// without the schema, which both sides make of the Go type: so that nothing
// is lost where the format has a place for it, times are nanoseconds (1677 to
// 2262) and slices, maps and pointers may be null. The library's own SchemaFor
// keeps milliseconds and turns nil slices into empty ones.
//
// Types that hold interfaces have no schema and are not supported; nor are
// maps whose keys are not strings.
func New() serbench.Codec { return newCodec("avro", "timestamp-nanos") }

// Micros returns the codec whose times are microseconds, named "avro-micros":
// for times outside of the years 1677 to 2262, of which the zero time.Time is
// one, and which New refuses.
func Micros() serbench.Codec { return newCodec("avro-micros", "timestamp-micros") }

func newCodec(name, times string) serbench.Codec {
	return adapt.New(adapt.Library{
		Name: name,
		Info: serbench.Info{Format: "avro", Library: "github.com/twmb/avro", Kind: serbench.KindSchema,
			CallPath: "Schema.Encode; append: Schema.AppendEncode; Schema.Decode",
			Options:  map[string]string{"schema": "made of the Go type; " + times + "; nil is null", "uint64": "up to the largest int64"}},
		Refuse: func(t reflect.Type) string {
			if _, err := schemaOf(t, times); err != nil {
				return "has no Avro schema: " + err.Error()
			}
			return ""
		},
		New: func(v *any) serbench.Bound {
			s := &schemas{times: times, fixed: *v != nil}
			return serbench.Bound{
				Marshal: func() ([]byte, error) {
					schema, err := s.of(*v)
					if err != nil {
						return nil, err
					}
					return schema.Encode(*v)
				},
				Append: func(dst []byte) ([]byte, error) {
					schema, err := s.of(*v)
					if err != nil {
						return dst, err
					}
					out, err := schema.AppendEncode(dst, *v)
					return adapt.OrDst(dst, out, err)
				},
				Unmarshal: func(data []byte) error {
					schema, err := s.of(*v)
					if err != nil {
						return err
					}
					rest, err := schema.Decode(data, *v)
					if err != nil {
						return err
					}
					return adapt.AtEnd(len(rest))
				},
			}
		},
	})
}

// schemas keeps the schema of the type that was used last.
type schemas struct {
	times  string
	fixed  bool // the type does not change
	typ    reflect.Type
	schema *avro.Schema
}

func (s *schemas) of(v any) (*avro.Schema, error) {
	if s.fixed && s.schema != nil {
		return s.schema, nil
	}
	return s.find(reflect.TypeOf(v))
}

func (s *schemas) find(t reflect.Type) (*avro.Schema, error) {
	if t == s.typ {
		return s.schema, nil
	}
	schema, err := schemaOf(t.Elem(), s.times)
	if err != nil {
		return nil, err
	}
	s.typ, s.schema = t, schema
	return schema, nil
}
