// Package sonic adapts github.com/bytedance/sonic.
package sonic

import (
	"reflect"

	"github.com/bytedance/sonic"
	"github.com/bytedance/sonic/encoder"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapt"
)

// New returns sonic set to be compatible with encoding/json, named "sonic".
func New() serbench.Codec {
	return newCodec("sonic", sonic.ConfigStd, "ConfigStd",
		encoder.EscapeHTML|encoder.SortMapKeys|encoder.CompactMarshaler|encoder.ValidateString)
}

// Default returns sonic as it comes, named "sonic-default". It writes invalid
// UTF-8 as it is, which is not JSON, and the strings that it decodes are
// parts of a copy of the whole input.
func Default() serbench.Codec {
	return newCodec("sonic-default", sonic.ConfigDefault, "ConfigDefault: invalid UTF-8 is passed on", 0)
}

// Fast returns sonic's fastest configuration, named "sonic-fast": as
// [Default], and it does not check what a json.Marshaler wrote, nor fields
// that it skips.
func Fast() serbench.Codec {
	return newCodec("sonic-fast", sonic.ConfigFastest, "ConfigFastest: invalid UTF-8 is passed on, skipped fields are not checked",
		encoder.NoValidateJSONMarshaler)
}

func newCodec(name string, api sonic.API, config string, flags encoder.Options) serbench.Codec {
	return adapt.New(adapt.Library{
		Name: name,
		Info: serbench.Info{Format: "json", Library: "github.com/bytedance/sonic", Options: map[string]string{"config": config},
			CallPath: "API.Marshal; append: encoder.EncodeInto; API.Unmarshal"},
		Types:     adapt.JSON(),
		Refuse:    refusal(sonic.APIKind),
		Stateless: true,
		New: func() adapt.Calls {
			return adapt.Calls{
				Marshal: api.Marshal,
				Append: func(dst []byte, v any) ([]byte, error) {
					// EncodeInto escapes and corrects all that is in the buffer.
					tail := dst[len(dst):]
					if err := encoder.EncodeInto(&tail, v, flags); err != nil {
						return dst, err
					}
					return join(dst, tail), nil
				},
				Unmarshal: api.Unmarshal,
			}
		},
	})
}

func refusal(kind int) func(reflect.Type) string {
	return func(reflect.Type) string {
		if kind != sonic.UseSonicJSON {
			return "is not encoded: sonic has no code for this platform and Go version and would call encoding/json under its own name"
		}
		return ""
	}
}

// join appends tail to dst, if it is not in dst's array behind it already.
func join(dst, tail []byte) []byte {
	if n := len(dst) + len(tail); n <= cap(dst) && len(tail) > 0 && &tail[0] == &dst[:n][len(dst)] {
		return dst[:n]
	}
	return append(dst, tail...)
}
