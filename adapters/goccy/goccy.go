// Package goccy adapts github.com/goccy/go-json.
package goccy

import (
	"github.com/goccy/go-json"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapt"
)

// New returns the codec "goccy", which writes what encoding/json writes.
func New() serbench.Codec { return newCodec("goccy", nil) }

// Unordered returns "goccy-unordered": keys not sorted, HTML not escaped.
func Unordered() serbench.Codec {
	return newCodec("goccy-unordered", map[string]string{"UnorderedMap": "true", "DisableHTMLEscape": "true"}, json.UnorderedMap(), json.DisableHTMLEscape())
}

func newCodec(name string, shown map[string]string, opts ...json.EncodeOptionFunc) serbench.Codec {
	return adapt.New(adapt.Library{
		Name: name,
		Info: serbench.Info{Format: "json", Library: "github.com/goccy/go-json", Options: shown,
			CallPath: "MarshalWithOption; append: one Encoder, EncodeWithOption without its newline; Unmarshal"},
		Types: adapt.JSON(),
		New: func(v *any) serbench.Bound {
			w := new(adapt.Writer)
			enc := json.NewEncoder(w)
			return serbench.Bound{
				Marshal: func() ([]byte, error) { return json.MarshalWithOption(*v, opts...) },
				Append: func(dst []byte) ([]byte, error) {
					w.Start(dst)
					return w.TakeLine(dst, enc.EncodeWithOption(*v, opts...))
				},
				Unmarshal: func(data []byte) error { return json.Unmarshal(data, *v) },
			}
		},
	})
}
