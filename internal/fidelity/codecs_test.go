package fidelity

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The standard library's codecs, as they are: what is known of them from
// their documentation must come out.
var stdCodecs = map[string]struct {
	marshal   func(any) ([]byte, error)
	unmarshal func([]byte, any) error
}{
	"json": {json.Marshal, json.Unmarshal},
	"gob": {
		func(v any) ([]byte, error) {
			var b bytes.Buffer
			err := gob.NewEncoder(&b).Encode(v)
			return b.Bytes(), err
		},
		func(p []byte, v any) error { return gob.NewDecoder(bytes.NewReader(p)).Decode(v) },
	},
	"xml": {xml.Marshal, xml.Unmarshal},
}

// V is a field beside another, since gob sends nothing for a struct of zeros.
type held[T any] struct {
	Other int
	V     T
}

func roundTrip[T any](t *testing.T, codec string, v T) Result {
	t.Helper()
	c := stdCodecs[codec]
	want, got := &held[T]{Other: 1, V: v}, new(held[T])
	data, err := c.marshal(want)
	require.NoError(t, err)
	require.NoError(t, c.unmarshal(data, got))
	return Compare(want, got, Options{})
}

type zeroes struct {
	A *int           `json:"a,omitempty"`
	B []int          `json:"b,omitempty"`
	M map[string]int `json:"m,omitempty"`
}

func TestStandardLibrary(t *testing.T) {
	gob.Register(person{})
	gob.Register(map[string]any{})
	gob.Register([]any{})
	rows := []struct {
		codec string
		value string
		run   func(*testing.T, string) Result
		kinds []Kind
	}{
		{"json", "uint64 max", row(uint64(math.MaxUint64)), nil},
		{"json", "float64 -0", row(negZ), nil},
		{"gob", "float64 -0", row(negZ), []Kind{SignOfZero}},
		{"gob", "float32 -0", row(float32(negZ)), []Kind{SignOfZero}},
		{"gob", "NaN", row(math.NaN()), nil},
		{"gob", "-Inf", row(math.Inf(-1)), nil},
		{"json", "empty bytes", row([]byte{}), nil},
		{"gob", "empty bytes", row([]byte{}), []Kind{EmptyBecameNil}},
		{"gob", "empty ints", row([]int{}), []Kind{EmptyBecameNil}},
		{"gob", "pointer to zero", row(ptr(0)), []Kind{ZeroPointerBecameNil}},
		{"gob", "pointer to pointer to zero", row(ptr(ptr(0))), []Kind{ZeroPointerBecameNil}},
		{"json", "pointer to zero", row(ptr(0)), nil},
		{"json", "any int", row(any(5)), []Kind{NumberKind}},
		{"gob", "any int", row(any(5)), nil},
		{"json", "any int64 big", row(boxed(int64(9007199254740993))), []Kind{NumberPrecision}},
		{"json", "any uint64 max", row(boxed(uint64(math.MaxUint64))), []Kind{NumberPrecision}},
		{"json", "any float32", row(boxed(float32(0.1))), []Kind{NumberKind}},
		{"json", "any float 1.0", row(boxed(1.0)), nil},
		{"json", "any bytes", row(boxed([]byte{1, 2, 3})), []Kind{BytesAsBase64}},
		{"json", "any time", row(boxed(t0)), []Kind{TimeAsString}},
		{"json", "any struct", row(any(person{"a", 1})), []Kind{StructBecameMap}},
		{"json", "any ints", row(any([]int{1, 2})), []Kind{ContainerType}},
		{"json", "any nil ints", row(any([]int(nil))), []Kind{TypedNil}},
		{"json", "any map of int keys", row(any(map[int]string{1: "a"})), []Kind{KeyAsString, ContainerType}},
		{"gob", "any struct", row(any(person{"a", 1})), nil},
		{"json", "any nil", row(any(nil)), nil},
		{"json", "time with zone", row(t0.In(time.FixedZone("XST", 5400))), []Kind{TimeZone}},
		{"gob", "time with zone", row(t0.In(time.FixedZone("XST", 5400))), []Kind{TimeZone}},
		{"json", "time UTC", row(t0), nil},
		{"json", "zero time", row(time.Time{}), nil},
		{"gob", "year 1500", row(time.Date(1500, 1, 1, 0, 0, 0, 1, time.UTC)), nil},
		{"json", "duration", row(time.Second), nil},
		{"json", "invalid UTF-8", row("a\xff\xfe\xc0b"), []Kind{StringInvalidUTF8}},
		{"json", "invalid UTF-8 in a key", row(map[string]int{"a\xff\xfe": 1}), []Kind{StringInvalidUTF8}},
		{"gob", "invalid UTF-8", row("a\xff\xfe\xc0b"), nil},
		{"xml", "invalid UTF-8", row("a\xff\xfe\xc0b"), []Kind{StringInvalidUTF8}},
		{"xml", "control characters", row("a\x01b"), []Kind{StringValue}},
		{"json", "control characters", row("a\x01\x7f\u2028<&>"), nil},
		{"json", "omitempty on what is empty", row(zeroes{B: []int{}, M: map[string]int{}}), []Kind{EmptyBecameNil, EmptyBecameNil}},
		{"json", "nested lists", row([][]float64{{1}, {}, nil}), nil},
		{"gob", "nested lists", row([][]float64{{1}, {}, nil}), []Kind{EmptyBecameNil}},
		{"json", "maps with int keys", row(map[int]string{1: "a"}), nil},
		{"gob", "complex", row(complex(1, 2)), nil},
		{"json", "embedded", row(outer{middle: middle{base{ID: 1, Tags: []string{"a"}}}}), nil},
		{"json", "omitted on purpose", row(struct {
			A int `json:"-"`
		}{1}), []Kind{NumberValue}},
	}
	for _, r := range rows {
		t.Run(r.codec+"/"+r.value, func(t *testing.T) {
			res := r.run(t, r.codec)
			var kinds []Kind
			for _, d := range res.Differences {
				kinds = append(kinds, d.Kind)
				assert.True(t, strings.HasPrefix(d.Path, ".V"), d.Path)
			}
			assert.ElementsMatch(t, r.kinds, kinds, "%v", res.Differences)
		})
	}
}

func row[T any](v T) func(*testing.T, string) Result {
	return func(t *testing.T, codec string) Result { return roundTrip(t, codec, v) }
}

func TestJSONNumbers(t *testing.T) {
	want := map[string]any{"a": 1, "b": int64(9007199254740993), "c": 0.5, "d": uint64(math.MaxUint64)}
	data, err := json.Marshal(want)
	require.NoError(t, err)
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var got any
	require.NoError(t, dec.Decode(&got))
	assert.Equal(t, Normalised, Compare(want, got, Options{}).Class)
	assert.Equal(t, Exact, Compare(want, got, Options{NumericKinds: true}).Class)
}
