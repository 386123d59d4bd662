// Package vtprotobuf adapts the methods that github.com/planetscale/vtprotobuf
// generates for protobuf messages, with its features marshal, unmarshal and
// size.
package vtprotobuf

import (
	"reflect"
	"slices"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/internal/buildinfo"
	"github.com/serbench/serbench/internal/typecheck"
)

// New returns the codec, named "vtprotobuf". It is safe for concurrent use.
// A target is Reset before it is decoded into, since UnmarshalVT adds to what
// is there. Strings are not checked to be UTF-8, as protobuf asks. As with
// protobuf, input that is cut at the edge of a field is a message.
func New() serbench.Codec { return codec{} }

type codec struct{}

var (
	_ serbench.Appender  = codec{}
	_ serbench.Supporter = codec{}
	_ serbench.Describer = codec{}
	_ serbench.Cloner    = codec{}
	_ serbench.Binder    = codec{}
)

// message is what the generators give a type.
type message interface {
	Reset() // by protoc-gen-go
	MarshalVT() ([]byte, error)
	SizeVT() int
	MarshalToSizedBufferVT(buf []byte) (int, error)
	UnmarshalVT(data []byte) error
}

func (codec) Name() string            { return "vtprotobuf" }
func (c codec) Clone() serbench.Codec { return c }

func (codec) Describe() serbench.Info {
	const module = "github.com/planetscale/vtprotobuf"
	return serbench.Info{Format: "protobuf", Library: module, Version: buildinfo.Version(module), Kind: serbench.KindGenerated,
		CallPath: "v.MarshalVT; append: v.SizeVT, v.MarshalToSizedBufferVT; v.Reset, v.UnmarshalVT",
		Options:  map[string]string{"UTF-8": "not checked", "maintenance": "no release since 2024-01"}}
}

func (codec) Supports(v any) error {
	if _, err := check(v); err != nil {
		return err
	}
	if f := typecheck.Promoted(v, "MarshalVT"); f != "" {
		return serbench.Unsupported(v, "has MarshalVT only from its embedded field "+f+" and would lose its other fields")
	}
	return nil
}

func check(v any) (message, error) {
	m, ok := v.(message)
	if rv := reflect.ValueOf(v); !ok || rv.Kind() != reflect.Pointer || rv.IsNil() {
		if why := typecheck.Pointer(v); why != "" {
			return nil, serbench.Unsupported(v, why)
		}
		return nil, serbench.Unsupported(v, "has no MarshalVT, UnmarshalVT and SizeVT; run protoc-gen-go-vtproto")
	}
	return m, nil
}

func (codec) Marshal(v any) ([]byte, error) {
	m, err := check(v)
	if err != nil {
		return nil, err
	}
	return m.MarshalVT()
}

func (codec) Append(dst []byte, v any) ([]byte, error) {
	m, err := check(v)
	if err != nil {
		return dst, err
	}
	return appendTo(dst, m)
}

func (codec) Unmarshal(data []byte, v any) error {
	m, err := check(v)
	if err != nil {
		return err
	}
	return unmarshal(data, m)
}

func (c codec) Bind(v any) (serbench.Bound, error) {
	if err := c.Supports(v); err != nil {
		return serbench.Bound{}, err
	}
	m := v.(message)
	return serbench.Bound{
		Marshal:   m.MarshalVT,
		Append:    func(dst []byte) ([]byte, error) { return appendTo(dst, m) },
		Unmarshal: func(data []byte) error { return unmarshal(data, m) },
	}, nil
}

// appendTo writes behind dst. The generated code fills a buffer from its end.
func appendTo(dst []byte, m message) ([]byte, error) {
	n := m.SizeVT()
	out := slices.Grow(dst, n)[:len(dst)+n]
	if _, err := m.MarshalToSizedBufferVT(out[len(dst):]); err != nil {
		return dst, err
	}
	return out, nil
}

func unmarshal(data []byte, m message) error {
	m.Reset()
	return m.UnmarshalVT(data)
}
