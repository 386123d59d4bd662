// Package cbor adapts github.com/fxamacker/cbor/v2.
package cbor

import (
	"bytes"
	"encoding"
	"errors"
	"reflect"

	"github.com/fxamacker/cbor/v2"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapt"
)

// New returns the codec set to lose nothing, named "cbor": times to the
// nanosecond with their zone and as times again within interfaces, maps there
// as map[string]any, 1,000 levels of nesting.
func New() serbench.Codec { return newCodec("cbor", cbor.EncOptions{}, nil) }

// Canonical returns the codec that sorts the keys of maps and shortens numbers
// as RFC 8949, section 4.2.1, wants it, named "cbor-canonical": equal values
// have equal bytes.
func Canonical() serbench.Codec {
	return newCodec("cbor-canonical", cbor.CoreDetEncOptions(), map[string]string{"EncOptions": "CoreDetEncOptions"})
}

func newCodec(name string, encode cbor.EncOptions, shown map[string]string) serbench.Codec {
	encode.Time, encode.TimeTag = cbor.TimeRFC3339Nano, cbor.EncTagRequired
	decode := cbor.DecOptions{
		MaxNestedLevels: 1000, MaxArrayElements: 1<<31 - 1, MaxMapPairs: 1<<31 - 1,
		DefaultMapType: reflect.TypeFor[map[string]any](), UTF8: cbor.UTF8DecodeInvalid,
	}
	options := map[string]string{
		"Time": "TimeRFC3339Nano", "TimeTag": "EncTagRequired", "DefaultMapType": "map[string]any",
		"MaxNestedLevels": "1000", "MaxArrayElements": "no limit", "MaxMapPairs": "no limit",
		"UTF8": "UTF8DecodeInvalid: what it encodes it decodes",
	}
	for k, v := range shown {
		options[k] = v
	}
	enc, encErr := encode.UserBufferEncMode()
	dec, decErr := decode.DecMode()
	return adapt.New(adapt.Library{
		Name: name,
		Info: serbench.Info{Format: "cbor", Library: "github.com/fxamacker/cbor/v2", Options: options,
			CallPath: "EncMode.Marshal; append: EncMode.MarshalToBuffer with a buffer of dst; DecMode.Unmarshal"},
		Types: adapt.Binary([]string{"cbor", "json"}, (*cbor.Marshaler)(nil), (*encoding.BinaryMarshaler)(nil)),
		New: func(v *any) serbench.Bound {
			if err := errors.Join(encErr, decErr); err != nil {
				return adapt.Broken(err)
			}
			return serbench.Bound{
				Marshal: func() ([]byte, error) { return enc.Marshal(*v) },
				Append: func(dst []byte) ([]byte, error) {
					buf := bytes.NewBuffer(dst)
					err := enc.MarshalToBuffer(*v, buf)
					return adapt.OrDst(dst, buf.Bytes(), err)
				},
				Unmarshal: func(data []byte) error { return dec.Unmarshal(data, *v) },
			}
		},
	})
}
