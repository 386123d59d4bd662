// Package codeccheck holds what the tests of the adapters share: the rules of
// serbench.Codec that each adapter must keep whatever its library does.
package codeccheck

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Codec is what every adapter implements, in terms of the standard library:
// internal packages do not import the root.
type Codec interface {
	Name() string
	Marshal(v any) ([]byte, error)
	Append(dst []byte, v any) ([]byte, error)
	Unmarshal(data []byte, v any) error
	Supports(v any) error
}

// Sample is a value that a codec handles, and what it must refuse.
type Sample struct {
	Value any // a pointer; comes back equal
	Big   any // a pointer; encodes to more than 64 KiB, so that an Append overflows every pooled buffer
	// Unsupported values, by the reason; pointers.
	Unsupported map[string]any
	// Accepts lists the names of foreign inputs that the library takes for a
	// message of its own, which the adapter cannot know.
	Accepts []string
	// Open: the format has no end of its own, as protobuf's: what is cut at
	// the edge of a field is a message, and two joined are one.
	Open bool
	// Equal compares, for types with their own equality; default:
	// reflect.DeepEqual.
	Equal func(want, got any) bool
}

func (s Sample) equal(want, got any) bool {
	if s.Equal != nil {
		return s.Equal(want, got)
	}
	return reflect.DeepEqual(want, got)
}

// Run checks c on s.
func Run(t *testing.T, c Codec, s Sample) {
	t.Run("round trip", func(t *testing.T) { roundTrip(t, c, s) })
	t.Run("refused", func(t *testing.T) { refuses(t, c, s) })
	t.Run("bad input", func(t *testing.T) { badInput(t, c, s) })
	t.Run("append", func(t *testing.T) { appends(t, c, s) })
}

func target(like any) any { return reflect.New(reflect.TypeOf(like).Elem()).Interface() }

func marshal(t *testing.T, c Codec, v any) []byte {
	t.Helper()
	data, err := c.Marshal(v)
	require.NoError(t, err)
	return data
}

func roundTrip(t *testing.T, c Codec, s Sample) {
	require.NoError(t, c.Supports(s.Value))
	for _, v := range []any{s.Value, s.Big, s.Value} {
		data := marshal(t, c, v)
		kept := bytes.Clone(data)
		got := target(v)
		require.NoError(t, c.Unmarshal(data, got))
		require.True(t, s.equal(v, got), "want %.200v\ngot %.200v", v, got)
		require.Equal(t, kept, data, "the input is only read")
		clear(data)
		require.True(t, s.equal(v, got), "the value does not refer to its input")
	}
	first := marshal(t, c, s.Value)
	kept := bytes.Clone(first)
	_ = marshal(t, c, s.Big)
	_ = marshal(t, c, s.Value)
	require.Equal(t, kept, first, "a message belongs to the caller: no later call writes to it")
}

func refuses(t *testing.T, c Codec, s Sample) {
	data := marshal(t, c, s.Value)
	nilPointer := reflect.Zero(reflect.TypeOf(s.Value)).Interface()
	pointerToNil := reflect.New(reflect.TypeOf(s.Value)).Interface()
	values := map[string]any{
		"nil":                      nil,
		"a nil pointer":            nilPointer,
		"a pointer to nil pointer": pointerToNil,
		"not a pointer":            reflect.ValueOf(s.Value).Elem().Interface(),
		"a channel":                make(chan int),
		"a pointer to a channel":   new(chan int),
		"a pointer to a func":      new(func()),
	}
	for name, v := range values {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, c.Supports(v), errors.ErrUnsupported)
			_, err := c.Marshal(v)
			require.ErrorIs(t, err, errors.ErrUnsupported)
			dst := []byte("kept")
			out, err := c.Append(dst, v)
			require.ErrorIs(t, err, errors.ErrUnsupported)
			require.Equal(t, dst, out, "on error dst comes back as it was")
			require.ErrorIs(t, c.Unmarshal(data, v), errors.ErrUnsupported)
		})
	}
	for name, v := range s.Unsupported {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, c.Supports(v), errors.ErrUnsupported)
			_, err := c.Marshal(v)
			require.ErrorIs(t, err, errors.ErrUnsupported)
			require.NotPanics(t, func() { _ = c.Unmarshal(data, v) }, "a library that can decode into it may")
		})
	}
	require.NoError(t, c.Unmarshal(data, target(s.Value)), "works as before after all that")
}

// foreign are messages of formats, and of none.
var foreign = map[string][]byte{
	"JSON object":    []byte(`{"name":"x","n":1}`),
	"JSON array":     []byte(`[1,2,3]`),
	"JSON cut":       []byte(`{"name":`),
	"MessagePack":    []byte("\x82\xa4name\xa1x\xa1n\x01"),
	"CBOR":           []byte("\xa2\x64name\x61x\x61n\x01"),
	"gob":            []byte("\x1a\xff\x81\x03\x01\x01\x01T\x01\xff\x82\x00\x01\x01\x01\x04Name\x01\x0c\x00\x00\x00"),
	"text":           []byte("neither this nor that"),
	"UTF-16":         []byte("\xff\xfe{\x00}\x00"),
	"one zero":       {0},
	"zeros":          make([]byte, 64),
	"ones":           bytes.Repeat([]byte{0xff}, 64),
	"huge map":       {0xdf, 0xff, 0xff, 0xff, 0xff},
	"huge array":     {0xdd, 0xff, 0xff, 0xff, 0xff},
	"huge string":    {0xdb, 0xff, 0xff, 0xff, 0xff},
	"huge CBOR map":  {0xbb, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
	"huge CBOR text": {0x7b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
}

func badInput(t *testing.T, c Codec, s Sample) {
	data := marshal(t, c, s.Value)
	for n := range data {
		if s.Open {
			require.NotPanics(t, func() { _ = c.Unmarshal(data[:n:n], target(s.Value)) }, "cut to %d of %d bytes", n, len(data))
			continue
		}
		require.Error(t, c.Unmarshal(data[:n:n], target(s.Value)), "cut to %d of %d bytes", n, len(data))
		require.Error(t, c.Unmarshal(data[:n], target(s.Value)), "cut to %d of %d bytes, with the rest behind it", n, len(data))
	}
	if s.Open {
		require.Error(t, c.Unmarshal(data[:len(data)-1], target(s.Value)), "cut within its last field")
	} else {
		require.Error(t, c.Unmarshal(nil, target(s.Value)), "no input")
	}
	for name, tail := range map[string][]byte{
		"zero": {0}, "letter": []byte("x"), "brace": []byte("}"), "nil": {0xc0}, "0xff": {0xff}, "message": data,
	} {
		if s.Open && name == "message" {
			continue
		}
		long := append(bytes.Clone(data), tail...)
		assert.Error(t, c.Unmarshal(long, target(s.Value)), "trailing %s", name)
	}
	accepts := map[string]bool{}
	for _, name := range s.Accepts {
		accepts[name] = true
	}
	for name, in := range foreign {
		if bytes.Equal(in, data) {
			continue
		}
		assert.NotPanics(t, func() {
			err := c.Unmarshal(in, target(s.Value))
			assert.Equal(t, accepts[name], err == nil, "%s: %v", name, err)
		}, name)
	}
	got := target(s.Value)
	require.NoError(t, c.Unmarshal(data, got), "works as before after all that")
	require.True(t, s.equal(s.Value, got))
}

// appends checks that the prefix is kept, and that nobody writes to the
// caller's array once Append has returned.
func appends(t *testing.T, c Codec, s Sample) {
	type call struct{ array, out, arrayThen, outThen []byte }
	size := len(marshal(t, c, s.Value))
	for _, capacity := range capacities(size) {
		var calls []call
		for _, prefix := range prefixes(capacity, size) {
			array := bytes.Repeat([]byte{0xa5}, capacity)
			head := bytes.Clone(array[:prefix])
			out, err := c.Append(array[:prefix], s.Value)
			require.NoError(t, err)
			where := fmt.Sprintf("cap %d, len %d", capacity, prefix)
			require.True(t, bytes.HasPrefix(out, head), "%s: prefix kept", where)
			got := target(s.Value)
			require.NoError(t, c.Unmarshal(out[prefix:], got), where)
			require.True(t, s.equal(s.Value, got), where)
			calls = append(calls, call{array, out, bytes.Clone(array), bytes.Clone(out)})
		}
		_, err := c.Append(nil, s.Big)
		require.NoError(t, err)
		for _, a := range calls {
			require.True(t, bytes.Equal(a.arrayThen, a.array), "cap %d: the caller's array was written to later", capacity)
			require.True(t, bytes.Equal(a.outThen, a.out), "cap %d: the result was written to later", capacity)
		}
	}
}

// capacities run from 0 to 65,536 and pass every power of two and the size of
// the message closely.
func capacities(size int) []int {
	cs := []int{0, 1, 2, 3, 7, 100, 1000, 3000, 10000, 20000, 40000, 65000, 65535, 65536}
	for p := 4; p < 65536; p *= 2 {
		cs = append(cs, p-1, p, p+1)
	}
	for d := -2; d <= 2; d++ {
		cs = append(cs, max(0, size+d))
	}
	return cs
}

// prefixes are lengths at which the message does and does not fit.
func prefixes(capacity, size int) []int {
	ps := []int{0}
	for _, p := range []int{1, capacity - size - 1, capacity - size, capacity - size + 1, capacity - 1, capacity} {
		if p > 0 && p <= capacity {
			ps = append(ps, p)
		}
	}
	return ps
}
