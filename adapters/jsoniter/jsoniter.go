// Package jsoniter adapts github.com/json-iterator/go.
package jsoniter

import (
	"bytes"

	jsoniter "github.com/json-iterator/go"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapt"
)

// New returns the codec that is compatible with encoding/json, named
// "jsoniter".
func New() serbench.Codec {
	return newCodec("jsoniter", jsoniter.ConfigCompatibleWithStandardLibrary, "ConfigCompatibleWithStandardLibrary")
}

// Fastest returns the codec that keeps six digits of a float and checks less,
// named "jsoniter-fastest-lossy": 0.1+0.2 comes back as 0.3, 1e-7 as 0.
func Fastest() serbench.Codec {
	return newCodec("jsoniter-fastest-lossy", jsoniter.ConfigFastest, "ConfigFastest: floats keep six digits")
}

func newCodec(name string, api jsoniter.API, config string) serbench.Codec {
	return adapt.New(adapt.Library{
		Name: name,
		Info: serbench.Info{Format: "json", Library: "github.com/json-iterator/go",
			CallPath: "API.Marshal; append: one Stream, SetBuffer and WriteVal; API.Unmarshal",
			Options:  map[string]string{"config": config, "maintenance": "no release since 2021-09"}},
		Types: adapt.JSON(),
		New: func(v *any) serbench.Bound {
			s := jsoniter.NewStream(api, nil, 0)
			return serbench.Bound{
				Marshal: func() ([]byte, error) { return api.Marshal(*v) },
				Append: func(dst []byte) ([]byte, error) {
					s.Error = nil
					s.SetBuffer(dst)
					s.WriteVal(*v)
					out := s.Buffer()
					s.SetBuffer(nil)
					return adapt.OrDst(dst, out, s.Error)
				},
				Unmarshal: func(data []byte) error {
					if err := api.Unmarshal(data, *v); err != nil {
						return err
					}
					// The library takes a zero byte for the end of its input.
					if i := bytes.IndexByte(data, 0); i >= 0 {
						return adapt.AtEnd(len(data) - i)
					}
					return nil
				},
			}
		},
	})
}
