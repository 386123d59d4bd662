// Package jsonv2 adapts github.com/go-json-experiment/json, the prototype of
// the standard library's encoding/json/v2.
package jsonv2

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapt"
)

// New returns the codec set to keep what the defaults change or refuse: nil
// slices and maps are null, a time.Duration is its nanoseconds. It is named
// "jsonv2".
func New() serbench.Codec {
	return newCodec("jsonv2", map[string]string{
		"FormatNilSliceAsNull": "true", "FormatNilMapAsNull": "true", "FormatDurationAsNano": "true"},
		json.FormatNilSliceAsNull(true), json.FormatNilMapAsNull(true), jsonv1.FormatDurationAsNano(true))
}

// Default returns the codec without options, named "jsonv2-default".
func Default() serbench.Codec { return newCodec("jsonv2-default", nil) }

func newCodec(name string, shown map[string]string, opts ...json.Options) serbench.Codec {
	opt := json.JoinOptions(opts...)
	return adapt.New(adapt.Library{
		Name: name,
		Info: serbench.Info{Format: "json", Library: "github.com/go-json-experiment/json", Options: shown,
			CallPath: "Marshal; append: one jsontext.Encoder, Reset and MarshalEncode; Unmarshal"},
		Types: adapt.JSON(),
		New: func(v *any) serbench.Bound {
			w := new(adapt.Writer)
			enc := jsontext.NewEncoder(w, opt)
			return serbench.Bound{
				Marshal: func() ([]byte, error) { return json.Marshal(*v, opt) },
				Append: func(dst []byte) ([]byte, error) {
					w.Start(dst)
					enc.Reset(w, opt)
					return w.TakeLine(dst, json.MarshalEncode(enc, *v))
				},
				Unmarshal: func(data []byte) error { return json.Unmarshal(data, *v, opt) },
			}
		},
	})
}
