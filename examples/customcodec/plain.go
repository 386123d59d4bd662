package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"

	"github.com/serbench/serbench"
)

// Plain is a codec written from scratch: the fields of a struct one behind
// the other, without names. A string is its length and its bytes, an int a
// varint, a bool a byte; nested structs stand in place.
//
// It is proven by adapters/codectest, in plain_test.go. What the kit caught on
// the way is told where it was; the case that caught it is in brackets.
type Plain struct{}

var (
	_ serbench.Codec     = Plain{}
	_ serbench.Appender  = Plain{}
	_ serbench.Supporter = Plain{}
	_ serbench.Describer = Plain{}
	_ serbench.Cloner    = Plain{}
)

// Name implements [serbench.Codec].
func (Plain) Name() string { return "plain" }

// Describe implements [serbench.Describer].
func (Plain) Describe() serbench.Info {
	return serbench.Info{Format: "plain", Kind: serbench.KindReflect, CallPath: "reflect, append"}
}

// Clone implements [serbench.Cloner]: there is no state.
func (p Plain) Clone() serbench.Codec { return p }

// Supports implements [serbench.Supporter].
func (Plain) Supports(v any) error {
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Pointer {
		return serbench.Unsupported(v, "is not a pointer")
	}
	if reflect.ValueOf(v).IsNil() { // [unsupported] Supports said yes, since the type is fine, and Marshal no
		return serbench.Unsupported(v, "is a nil pointer")
	}
	return supported(v, t.Elem())
}

func supported(v any, t reflect.Type) error {
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int64:
		return nil
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); !f.IsExported() {
				return serbench.Unsupported(v, "has an unexported field, "+f.Name)
			} else if err := supported(v, f.Type); err != nil {
				return err
			}
		}
		return nil
	}
	return serbench.Unsupported(v, fmt.Sprintf("has a %v in it; plain knows structs of strings, bools and ints", t))
}

// Marshal implements [serbench.Codec].
func (p Plain) Marshal(v any) ([]byte, error) { return p.Append(nil, v) }

// Append implements [serbench.Appender].
func (p Plain) Append(dst []byte, v any) ([]byte, error) {
	x, err := p.value(v)
	if err != nil {
		return dst, err // [append-error] not nil: the caller may have a message there
	}
	return appendValue(dst, x), nil
}

// value returns what v points to, if plain can handle it.
func (p Plain) value(v any) (reflect.Value, error) {
	if err := p.Supports(v); err != nil {
		return reflect.Value{}, err
	}
	return reflect.ValueOf(v).Elem(), nil
}

func appendValue(dst []byte, x reflect.Value) []byte {
	switch x.Kind() {
	case reflect.String:
		dst = binary.AppendUvarint(dst, uint64(x.Len()))
		return append(dst, x.String()...)
	case reflect.Bool:
		if x.Bool() {
			return append(dst, 1)
		}
		return append(dst, 0)
	case reflect.Struct:
		for i := range x.NumField() {
			dst = appendValue(dst, x.Field(i))
		}
		return dst
	}
	return binary.AppendVarint(dst, x.Int())
}

var (
	errShort = errors.New("plain: the message ends in the middle of a field")
	errBool  = errors.New("plain: a bool that is neither 0 nor 1")
)

// Unmarshal implements [serbench.Codec].
func (p Plain) Unmarshal(data []byte, v any) error {
	x, err := p.value(v)
	if err != nil {
		return err
	}
	rest, err := decodeValue(data, x)
	if err != nil {
		return err
	}
	if len(rest) > 0 { // [whole-message] two messages in a row were taken for one
		return fmt.Errorf("plain: %d bytes behind the message", len(rest))
	}
	return nil
}

func decodeValue(data []byte, x reflect.Value) (rest []byte, err error) {
	switch x.Kind() {
	case reflect.String:
		n, k := binary.Uvarint(data)
		// [hostile-input] k + int(n) > len(data) was the first version: a
		// length near 2^63 overflows, and the slice below panics.
		if k <= 0 || n > uint64(len(data)-k) {
			return data, errShort
		}
		end := k + int(n)
		// [input-not-kept] unsafe.String saved the copy, and the value changed
		// with the caller's buffer.
		x.SetString(string(data[k:end]))
		return data[end:], nil
	case reflect.Bool:
		if len(data) == 0 {
			return data, errShort
		}
		if data[0] > 1 {
			return data, errBool
		}
		x.SetBool(data[0] == 1)
		return data[1:], nil
	case reflect.Struct:
		for i := range x.NumField() {
			if data, err = decodeValue(data, x.Field(i)); err != nil {
				return data, err
			}
		}
		return data, nil
	}
	n, k := binary.Varint(data)
	if k <= 0 {
		return data, errShort
	}
	if x.OverflowInt(n) {
		return data, fmt.Errorf("plain: %d does not fit into %v", n, x.Type())
	}
	x.SetInt(n)
	return data[k:], nil
}
