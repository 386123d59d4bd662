package fidelity

import (
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"math"
	"reflect"
	"time"
	"unsafe"
)

// A token begins the bytes that stand for a value. Those of plain kinds are
// the kind's number in package reflect, which Go 1 keeps.
type token byte

const (
	tokenNil token = iota + 0x80
	tokenPointer
	tokenSlice  // length, elements
	tokenArray  // length, elements
	tokenMap    // length, digests of keys and values, sorted
	tokenStruct // number of fields, each with its name
	tokenNode   // the digest of a pointer, slice, map or struct follows
	tokenCycle
	tokenTime
	tokenText   // of a type that is known by its text only
	tokenOpaque // channel, function or unsafe pointer
	tokenLong   // a long string: length, digest
)

const longString = 1024 // bytes; also the elements of a slice that is a node

func appendLength(b []byte, t token, n int) []byte {
	return binary.BigEndian.AppendUint64(append(b, byte(t)), uint64(n))
}

// appendText writes a string with its length, a long one as a digest.
func appendText(b []byte, t token, s string) []byte {
	if len(s) > longString {
		sum := sha256.Sum256(unsafe.Slice(unsafe.StringData(s), len(s)))
		return append(appendLength(append(b, byte(t)), tokenLong, len(s)), sum[:]...)
	}
	return append(appendLength(b, t, len(s)), s...)
}

// appendPlain writes a bool or number.
func appendPlain(b []byte, v reflect.Value) []byte {
	b = append(b, byte(v.Kind()))
	switch {
	case v.Kind() == reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case v.CanInt():
		return binary.BigEndian.AppendUint64(b, uint64(v.Int()))
	case v.CanUint():
		return binary.BigEndian.AppendUint64(b, v.Uint())
	case v.CanFloat():
		return appendFloat(b, v.Float())
	}
	c := v.Complex()
	return appendFloat(appendFloat(b, real(c)), imag(c))
}

func appendFloat(b []byte, f float64) []byte {
	if f != f {
		f = math.NaN()
	}
	return binary.BigEndian.AppendUint64(b, math.Float64bits(f))
}

// inline writes the tokens of a value into a node; nodes in it become the
// children of that node.
func (h *hasher) inline(f *frame, v reflect.Value) {
	v = unwrap(v)
	if !v.IsValid() {
		f.buf = append(f.buf, byte(tokenNil))
		return
	}
	switch k := v.Kind(); k {
	case reflect.String:
		f.buf = appendText(f.buf, token(k), v.String())
	case reflect.Pointer, reflect.Map, reflect.Slice:
		h.reference(f, v)
	case reflect.Struct:
		h.structure(f, v)
	case reflect.Array:
		h.elements(f, v)
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		f.buf = append(f.buf, byte(tokenOpaque), byte(k))
		if v.IsNil() {
			f.buf = append(f.buf, byte(tokenNil))
		}
	default:
		f.buf = appendPlain(f.buf, v)
	}
}

func (h *hasher) reference(f *frame, v reflect.Value) {
	switch k := v.Kind(); {
	case v.IsNil():
		f.buf = append(f.buf, byte(tokenNil), byte(k))
	case k == reflect.Map && v.Len() == 0:
		f.buf = appendLength(f.buf, tokenMap, 0)
	case k == reflect.Slice && holdsNoNodes(v):
		h.elements(f, v)
	default:
		h.node(f, v)
	}
}

// holdsNoNodes reports whether a slice is short and of plain values, so that
// it is written in place. The answer depends on the content alone.
func holdsNoNodes(v reflect.Value) bool {
	k := v.Type().Elem().Kind()
	if k == reflect.Interface && v.Len() <= 16 {
		for i := range v.Len() {
			if !isPlain(unwrap(v.Index(i)).Kind()) {
				return false
			}
		}
		return true
	}
	return v.Len() == 0 || v.Len() <= longString && isPlain(k)
}

func isPlain(k reflect.Kind) bool {
	return k <= reflect.Complex128 || k == reflect.String
}

func (h *hasher) node(f *frame, v reflect.Value) {
	f.buf = append(f.buf, byte(tokenNode))
	f.nodes = append(f.nodes, child{v, len(f.buf)})
	f.buf = append(f.buf, make([]byte, sha256.Size)...)
}

func (h *hasher) elements(f *frame, v reflect.Value) {
	t := tokenSlice
	if v.Kind() == reflect.Array {
		t = tokenArray
	}
	f.buf = appendLength(f.buf, t, v.Len())
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		f.buf = append(append(f.buf, byte(reflect.Uint8)), v.Bytes()...)
		return
	}
	for i := range v.Len() {
		h.part(f, v.Index(i))
	}
}

// part writes a field or element. What an interface holds can be nested
// without end, so a struct or array in one is a node.
func (h *hasher) part(f *frame, v reflect.Value) {
	if v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem()
		if k := v.Kind(); k == reflect.Struct || k == reflect.Array {
			h.node(f, v)
			return
		}
	}
	h.inline(f, v)
}

func (h *hasher) structure(f *frame, v reflect.Value) {
	t := h.types.of(v.Type())
	switch {
	case t.isTime:
		f.buf = appendTime(f.buf, timeOf(v))
		return
	case t.isZone:
		f.buf = appendText(f.buf, tokenText, zoneOf(v))
		return
	}
	if t.copied {
		v = addressable(v)
	}
	if t.allHidden {
		if text, ok := textOf(addressable(v)); ok {
			f.buf = appendText(f.buf, tokenText, string(text))
			return
		}
	}
	f.buf = appendLength(f.buf, tokenStruct, len(t.fields))
	for _, x := range t.fields {
		f.buf = appendText(f.buf, token(reflect.String), x.name)
		h.part(f, x.get(v))
	}
}

func appendTime(b []byte, t time.Time) []byte {
	_, offset := t.Zone()
	b = binary.BigEndian.AppendUint64(append(b, byte(tokenTime)), uint64(t.Unix()))
	b = binary.BigEndian.AppendUint32(b, uint32(t.Nanosecond()))
	return binary.BigEndian.AppendUint32(b, uint32(int32(offset)))
}

// textOf returns the text of a value whose type has a MarshalText that works.
func textOf(v reflect.Value) (text []byte, ok bool) {
	m, is := v.Addr().Interface().(encoding.TextMarshaler)
	if !is {
		return nil, false
	}
	defer func() {
		if recover() != nil {
			text, ok = nil, false
		}
	}()
	text, err := m.MarshalText()
	return text, err == nil
}
