// Package vmihailenco adapts github.com/vmihailenco/msgpack/v5.
package vmihailenco

import (
	"bytes"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapt"
)

// New returns the codec, named "vmihailenco". Fields have the names of their
// json tags, as with the other codecs.
//
// Do not give it input that you do not trust: it has no limit on nesting, and
// a five-byte header can make it ask for many gigabytes.
func New() serbench.Codec {
	return adapt.New(adapt.Library{
		Name: "vmihailenco",
		Info: serbench.Info{Format: "msgpack", Library: "github.com/vmihailenco/msgpack/v5",
			CallPath: "one Encoder, Reset and Encode per message; one Decoder, Reset and Decode per message",
			Options:  map[string]string{"SetCustomStructTag": "json", "maintenance": "no release since 2023-10"}},
		Types:  adapt.Binary([]string{"msgpack", "json"}, (*msgpack.Marshaler)(nil), (*msgpack.CustomEncoder)(nil)),
		Panics: adapt.HoldsInterface, // into one with methods it puts a map
		New: func(v *any) serbench.Bound {
			w, r := new(adapt.Writer), new(bytes.Reader)
			enc, dec := msgpack.NewEncoder(w), msgpack.NewDecoder(r)
			encode := func(dst []byte) ([]byte, error) {
				w.Start(dst)
				enc.Reset(w)
				enc.SetCustomStructTag("json")
				return w.Take(dst, enc.Encode(*v))
			}
			return serbench.Bound{
				Marshal: func() ([]byte, error) { return encode(nil) },
				Append:  encode,
				Unmarshal: func(data []byte) error {
					r.Reset(data)
					dec.Reset(r)
					dec.SetCustomStructTag("json")
					if err := dec.Decode(*v); err != nil {
						return err
					}
					return adapt.AtEnd(r.Len())
				},
			}
		},
	})
}
