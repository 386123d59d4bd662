// Package goccy adapts github.com/goccy/go-json.
package goccy

import (
	"github.com/goccy/go-json"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapt"
)

// New returns the codec with the library's defaults, which are those of
// encoding/json, named "goccy".
func New() serbench.Codec { return newCodec("goccy", nil) }

// Unordered returns the codec that neither sorts the keys of maps nor escapes
// HTML, named "goccy-unordered".
func Unordered() serbench.Codec {
	return newCodec("goccy-unordered", map[string]string{"UnorderedMap": "true", "DisableHTMLEscape": "true"},
		json.UnorderedMap(), json.DisableHTMLEscape())
}

func newCodec(name string, shown map[string]string, opts ...json.EncodeOptionFunc) serbench.Codec {
	return adapt.New(adapt.Library{
		Name: name,
		Info: serbench.Info{Format: "json", Library: "github.com/goccy/go-json", Options: shown,
			CallPath: "MarshalWithOption; append: one Encoder, EncodeWithOption without its newline; Unmarshal"},
		Types: adapt.JSON(),
		New: func() adapt.Calls {
			w := new(adapt.Writer)
			enc := json.NewEncoder(w)
			encode := func(v any) error { return enc.EncodeWithOption(v, opts...) }
			return adapt.Calls{
				Marshal:   func(v any) ([]byte, error) { return json.MarshalWithOption(v, opts...) },
				Append:    func(dst []byte, v any) ([]byte, error) { return w.Line(dst, encode, v) },
				Unmarshal: func(data []byte, v any) error { return json.Unmarshal(data, v) },
			}
		},
	})
}
