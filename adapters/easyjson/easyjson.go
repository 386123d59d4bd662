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
	_ serbench.Codec     = (*codec)(nil)
	_ serbench.Appender  = (*codec)(nil)
	_ serbench.Supporter = (*codec)(nil)
	_ serbench.Describer = (*codec)(nil)
	_ serbench.Cloner    = (*codec)(nil)
	_ serbench.Binder    = (*codec)(nil)
)

// New returns the codec, named "easyjson". White space after a message is
// accepted.
func New() serbench.Codec { return new(codec) }

// codec has the writer and the lexer that a program which calls the methods of
// a type of its own has on its stack; called through an interface they would
// be allocated for each message.
type codec struct {
	w jwriter.Writer
	l jlexer.Lexer
}

func (c *codec) Name() string          { return "easyjson" }
func (c *codec) Clone() serbench.Codec { return new(codec) }

func (c *codec) Describe() serbench.Info {
	const module = "github.com/mailru/easyjson"
	return serbench.Info{
		Format:   "json",
		Library:  module,
		Version:  buildinfo.Version(module),
		Kind:     serbench.KindGenerated,
		CallPath: "easyjson.Marshal; append: v.MarshalEasyJSON to a jwriter.Writer whose first chunk is dst; v.UnmarshalEasyJSON, Lexer.Consumed",
	}
}

func (c *codec) Supports(v any) error {
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

func (c *codec) Marshal(v any) ([]byte, error) {
	m, err := marshaler(v)
	if err != nil {
		return nil, err
	}
	return marshal(m)
}

func (c *codec) Append(dst []byte, v any) ([]byte, error) {
	m, err := marshaler(v)
	if err != nil {
		return dst, err
	}
	return c.appendTo(dst, m)
}

func (c *codec) Unmarshal(data []byte, v any) error {
	u, err := unmarshaler(v)
	if err != nil {
		return err
	}
	return c.unmarshal(data, u)
}

func (c *codec) Bind(v any) (serbench.Bound, error) {
	if err := c.Supports(v); err != nil {
		return serbench.Bound{}, err
	}
	m, u, own := v.(easyjson.Marshaler), v.(easyjson.Unmarshaler), new(codec)
	return serbench.Bound{
		Marshal:   func() ([]byte, error) { return marshal(m) },
		Append:    func(dst []byte) ([]byte, error) { return own.appendTo(dst, m) },
		Unmarshal: func(data []byte) error { return own.unmarshal(data, u) },
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

func (c *codec) unmarshal(data []byte, u easyjson.Unmarshaler) error {
	if !c.l.IsStart() || !c.l.Ok() { // a method that panicked left it so
		c.l = jlexer.Lexer{}
	}
	c.l.Data = data
	u.UnmarshalEasyJSON(&c.l)
	unread := c.l.Ok() && c.l.GetPos() == 0
	c.l.Consumed()
	err := c.l.Error()
	c.l = jlexer.Lexer{} // lets go of data
	if unread {
		return stub(u)
	}
	return err
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
