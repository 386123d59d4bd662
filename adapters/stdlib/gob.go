package stdlib

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/serbench/serbench"
)

// Gob returns encoding/gob, named "gob". Marshal makes a message that stands
// alone, with the definitions of its types, as a new Encoder does; the
// [serbench.Stream] sends those once. Types that stand in interfaces must be
// registered with gob.Register by the program: that registry is global.
func Gob() serbench.Codec { return gobCodec{} }

type gobCodec struct{}

func (gobCodec) Name() string            { return "gob" }
func (c gobCodec) Clone() serbench.Codec { return c }

func (gobCodec) Describe() serbench.Info {
	i := info("encoding/gob", "gob", "new Encoder per message, Encode; new Decoder per message, Decode; stream: one Encoder, one Decoder")
	i.Options = map[string]string{"interfaces": "hold only types that the program gave to gob.Register"}
	return i
}

func (gobCodec) Supports(v any) error {
	if err := check(v); err != nil {
		return err
	}
	// gob leaves out fields of these kinds; alone it cannot encode them.
	switch t := reflect.TypeOf(v).Elem(); t.Kind() {
	case reflect.Chan, reflect.Func:
		return serbench.Unsupported(v, "encoding/gob cannot encode")
	}
	return nil
}

func (c gobCodec) Marshal(v any) ([]byte, error) { return c.Append(nil, v) }

func (c gobCodec) Append(dst []byte, v any) ([]byte, error) {
	if err := check(v); err != nil {
		return dst, err
	}
	w := writer{dst}
	return gobEncode(gob.NewEncoder(&w), &w, dst, v)
}

func (c gobCodec) Unmarshal(data []byte, v any) error {
	if err := check(v); err != nil {
		return err
	}
	r := bytes.NewReader(data)
	return gobDecode(gob.NewDecoder(r), r, v)
}

func (gobCodec) NewStream() serbench.Stream {
	s := new(gobStream)
	s.enc, s.dec = gob.NewEncoder(&s.w), gob.NewDecoder(&s.r)
	return s
}

type gobStream struct {
	w   writer
	r   bytes.Reader
	enc *gob.Encoder
	dec *gob.Decoder
}

func (s *gobStream) Encode(dst []byte, v any) ([]byte, error) {
	if err := check(v); err != nil {
		return dst, err
	}
	s.w.b = dst
	return gobEncode(s.enc, &s.w, dst, v)
}

func (s *gobStream) Decode(data []byte, v any) error {
	if err := check(v); err != nil {
		return err
	}
	s.r.Reset(data)
	err := gobDecode(s.dec, &s.r, v)
	s.r.Reset(nil)
	return err
}

func gobEncode(enc *gob.Encoder, w *writer, dst []byte, v any) ([]byte, error) {
	err := enc.Encode(v)
	out := w.take()
	if err != nil {
		return dst, gobError(v, err)
	}
	return out, nil
}

func gobDecode(dec *gob.Decoder, r *bytes.Reader, v any) error {
	if err := dec.Decode(v); err != nil {
		return errors.Join(gobCodec{}.Supports(v), err)
	}
	if n := r.Len(); n > 0 {
		return fmt.Errorf("gob: %d bytes after the message", n)
	}
	return nil
}

// gobError marks the errors that are about a type: gob has no type for them.
func gobError(v any, err error) error {
	if name, ok := strings.CutPrefix(err.Error(), "gob: type not registered for interface: "); ok {
		return serbench.Unsupported(v, "holds a "+name+" in an interface; the program must register it with gob.Register")
	}
	if strings.HasSuffix(err.Error(), "has no exported fields") {
		return serbench.Unsupported(v, "cannot be encoded: "+err.Error())
	}
	return errors.Join(gobCodec{}.Supports(v), err)
}
