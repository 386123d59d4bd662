package stdlib

import (
	"encoding"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/internal/typecheck"
)

// JSON returns encoding/json, named "json". Append gives the bytes of
// json.Marshal without a slice of their own. White space after a message is
// accepted.
func JSON() serbench.Codec { return newJSON() }

func newJSON() *jsonCodec {
	c := new(jsonCodec)
	c.enc = json.NewEncoder(&c.w)
	return c
}

type jsonCodec struct {
	w   writer
	enc *json.Encoder
}

func (c *jsonCodec) Name() string          { return "json" }
func (c *jsonCodec) Clone() serbench.Codec { return newJSON() }

func (c *jsonCodec) Describe() serbench.Info {
	return info("encoding/json", "json", "Marshal; append: Encoder.Encode without its newline; Unmarshal")
}

var jsonWalk = typecheck.Walk{
	Tags: []string{"json"},
	Opaque: typecheck.Implements((*json.Marshaler)(nil), (*json.Unmarshaler)(nil),
		(*encoding.TextMarshaler)(nil), (*encoding.TextUnmarshaler)(nil)),
	Bad: func(t reflect.Type) bool {
		switch t.Kind() {
		case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
			return true
		case reflect.Map:
			k := t.Key()
			return k.Kind() != reflect.String && !reflect.Zero(k).CanInt() && !reflect.Zero(k).CanUint() &&
				!k.Implements(reflect.TypeFor[encoding.TextMarshaler]())
		}
		return false
	},
}

func (c *jsonCodec) Supports(v any) error {
	return checkType(v, jsonWalk, "encoding/json cannot encode")
}

func (c *jsonCodec) Marshal(v any) ([]byte, error) {
	if err := check(v); err != nil {
		return nil, err
	}
	out, err := json.Marshal(v)
	if err != nil {
		return nil, jsonError(v, err)
	}
	return out, nil
}

func (c *jsonCodec) Append(dst []byte, v any) ([]byte, error) {
	if err := check(v); err != nil {
		return dst, err
	}
	return c.append(dst, v)
}

func (c *jsonCodec) append(dst []byte, v any) ([]byte, error) {
	c.w.b = dst
	err := c.enc.Encode(v)
	out := c.w.take()
	if err != nil {
		return dst, jsonError(v, err)
	}
	return out[:len(out)-1], nil // the newline of Encode
}

func (c *jsonCodec) Unmarshal(data []byte, v any) error {
	if err := check(v); err != nil {
		return err
	}
	err := json.Unmarshal(data, v)
	if err != nil {
		return errors.Join(c.Supports(v), err)
	}
	return nil
}

func (c *jsonCodec) Bind(v any) (serbench.Bound, error) {
	if err := c.Supports(v); err != nil {
		return serbench.Bound{}, err
	}
	own := newJSON()
	return serbench.Bound{
		Marshal:   func() ([]byte, error) { return json.Marshal(v) },
		Append:    func(dst []byte) ([]byte, error) { return own.append(dst, v) },
		Unmarshal: func(data []byte) error { return json.Unmarshal(data, v) },
	}, nil
}

// jsonError marks the error for a type that only the value shows, as in an
// interface.
func jsonError(v any, err error) error {
	if ute := (*json.UnsupportedTypeError)(nil); errors.As(err, &ute) {
		return serbench.Unsupported(v, "holds a "+ute.Type.String()+", which encoding/json cannot encode")
	}
	return err
}
