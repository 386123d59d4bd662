// Package segmentio adapts github.com/segmentio/encoding/json.
package segmentio

import (
	"github.com/segmentio/encoding/json"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapt"
)

// New returns the codec with the library's defaults, named "segmentio". It
// writes a time.Duration as a string, which no other JSON codec reads.
func New() serbench.Codec { return newCodec("segmentio", 0, nil) }

// ZeroCopy returns the codec whose decoded strings and bytes are parts of
// the input, which must then stay as it is: named "segmentio-zerocopy". This
// breaks the rule of [serbench.Codec] that a value does not refer to its
// input, and reports show it as the trait "aliases input".
func ZeroCopy() serbench.Codec {
	return newCodec("segmentio-zerocopy", json.ZeroCopy, map[string]string{"ZeroCopy": "true; what is decoded refers to the input"})
}

func newCodec(name string, parse json.ParseFlags, shown map[string]string) serbench.Codec {
	const flags = json.EscapeHTML | json.SortMapKeys // those of json.Marshal
	return adapt.New(adapt.Library{
		Name: name,
		Info: serbench.Info{Format: "json", Library: "github.com/segmentio/encoding", Options: shown,
			CallPath: "Marshal; append: Append; Parse"},
		Types: adapt.JSON(),
		New: func(v *any) serbench.Bound {
			return serbench.Bound{
				Marshal: func() ([]byte, error) { return json.Marshal(*v) },
				Append: func(dst []byte) ([]byte, error) {
					out, err := json.Append(dst, *v, flags)
					return adapt.OrDst(dst, out, err)
				},
				Unmarshal: func(data []byte) error {
					rest, err := json.Parse(data, *v, parse)
					if err != nil {
						return err
					}
					return adapt.AtEnd(len(rest))
				},
			}
		},
	})
}
