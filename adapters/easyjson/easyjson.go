// Package easyjson adapts github.com/mailru/easyjson for types that carry its
// generated methods.
//
// Generate with -no_std_marshalers. Without it easyjson also adds MarshalJSON
// and UnmarshalJSON, and then every other JSON library calls those: what is
// measured under its name is easyjson by a detour.
package easyjson

import (
	"reflect"

	"github.com/mailru/easyjson"
	"github.com/mailru/easyjson/jlexer"
	"github.com/mailru/easyjson/jwriter"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/internal/buildinfo"
	"github.com/serbench/serbench/internal/typecheck"
)

var (
	_ serbench.Codec     = codec{}
	_ serbench.Appender  = codec{}
	_ serbench.Supporter = codec{}
	_ serbench.Describer = codec{}
	_ serbench.Cloner    = codec{}
	_ serbench.Binder    = codec{}
)

// New returns the codec, named "easyjson". It is safe for concurrent use.
// White space after a message is accepted.
func New() serbench.Codec { return codec{} }

type codec struct{}

func (codec) Name() string            { return "easyjson" }
func (c codec) Clone() serbench.Codec { return c }

func (codec) Describe() serbench.Info {
	const module = "github.com/mailru/easyjson"
	return serbench.Info{
		Format:   "json",
		Library:  module,
		Version:  buildinfo.Version(module),
		Kind:     serbench.KindGenerated,
		CallPath: "easyjson.Marshal; append: v.MarshalEasyJSON to a jwriter.Writer whose first chunk is dst; v.UnmarshalEasyJSON, Lexer.Consumed",
	}
}

func (codec) Supports(v any) error {
	if _, err := marshaler(v); err != nil {
		return err
	}
	if _, err := unmarshaler(v); err != nil {
		return err
	}
	if isStub(reflect.TypeOf(v).Elem()) {
		return stub(v)
	}
	if f := typecheck.Promoted(v, "MarshalEasyJSON"); f != "" {
		return serbench.Unsupported(v, "has MarshalEasyJSON only from its embedded field "+f+" and would lose its other fields; run easyjson on it")
	}
	return nil
}

func (codec) Marshal(v any) ([]byte, error) {
	m, err := marshaler(v)
	if err != nil {
		return nil, err
	}
	return marshal(m)
}

func (codec) Append(dst []byte, v any) ([]byte, error) {
	m, err := marshaler(v)
	if err != nil {
		return dst, err
	}
	return appendTo(dst, m)
}

func (codec) Unmarshal(data []byte, v any) error {
	u, err := unmarshaler(v)
	if err != nil {
		return err
	}
	return unmarshal(data, u)
}

func (c codec) Bind(v any) (serbench.Bound, error) {
	if err := c.Supports(v); err != nil {
		return serbench.Bound{}, err
	}
	m, u := v.(easyjson.Marshaler), v.(easyjson.Unmarshaler)
	return serbench.Bound{
		Marshal:   func() ([]byte, error) { return marshal(m) },
		Append:    func(dst []byte) ([]byte, error) { return appendTo(dst, m) },
		Unmarshal: func(data []byte) error { return unmarshal(data, u) },
	}, nil
}

func marshaler(v any) (easyjson.Marshaler, error) {
	m, ok := v.(easyjson.Marshaler)
	if rv := reflect.ValueOf(v); !ok || rv.Kind() != reflect.Pointer || rv.IsNil() {
		return nil, refuse(v, "has no MarshalEasyJSON; run easyjson")
	}
	return m, nil
}

func unmarshaler(v any) (easyjson.Unmarshaler, error) {
	u, ok := v.(easyjson.Unmarshaler)
	if rv := reflect.ValueOf(v); !ok || rv.Kind() != reflect.Pointer || rv.IsNil() {
		return nil, refuse(v, "has no UnmarshalEasyJSON; run easyjson")
	}
	return u, nil
}

func refuse(v any, otherwise string) error {
	if why := typecheck.Pointer(v); why != "" {
		otherwise = why
	}
	return serbench.Unsupported(v, otherwise)
}

func marshal(m easyjson.Marshaler) ([]byte, error) {
	out, err := easyjson.Marshal(m)
	if err == nil && len(out) == 0 {
		return nil, stub(m)
	}
	return out, err
}

func unmarshal(data []byte, u easyjson.Unmarshaler) error {
	l := jlexer.Lexer{Data: data}
	u.UnmarshalEasyJSON(&l)
	if l.Ok() && l.GetPos() == 0 {
		return stub(u)
	}
	l.Consumed()
	return l.Error()
}

// A failed run of easyjson leaves methods that compile and do nothing.
func stub(v any) error {
	return serbench.Unsupported(v, "has a MarshalEasyJSON that writes nothing, as in the temporary file that a failed run of easyjson leaves behind; delete that file and run easyjson again")
}

// isStub reports whether the methods do nothing, by trying them on a zero
// value. Methods that panic on one are no stub.
func isStub(t reflect.Type) (yes bool) {
	defer func() {
		if recover() != nil {
			yes = false
		}
	}()
	var w jwriter.Writer
	reflect.New(t).Interface().(easyjson.Marshaler).MarshalEasyJSON(&w)
	return w.Error == nil && w.Size() == 0
}
