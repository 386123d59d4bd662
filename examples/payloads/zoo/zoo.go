// Package zoo is a family of payloads that has a value of every kind that a
// codec may change: one case for each, so that a loss is seen apart.
package zoo

import (
	"math"
	"strings"
	"time"

	"github.com/serbench/serbench"
)

// A Case is one value of one kind.
type Case struct {
	Kind    string // what it is a case of: "float64"
	Name    string // unique: "float64 NaN"
	Payload serbench.Payload
}

func one[T any](kind, which string, v T) Case {
	name := strings.TrimSpace(kind + " " + which)
	return Case{Kind: kind, Name: name, Payload: serbench.NewPayload(name, &v)}
}

// Cases returns all cases, always in the same order.
func Cases() []Case {
	var cases []Case
	for _, group := range [][]Case{numbers(), texts(), sequences(), pointers(), dynamic(), times(), structs()} {
		cases = append(cases, group...)
	}
	return cases
}

func numbers() []Case {
	negative := math.Copysign(0, -1)
	tenth, fifth := 0.1, 0.2 // added at run time, not exactly by the compiler
	return []Case{
		one("bool", "", Bool{true}),
		one("int", "min", Int{math.MinInt}),
		one("int8", "min", Int8{math.MinInt8}),
		one("int64", "min", Int64{math.MinInt64}),
		one("int64", "max", Int64{math.MaxInt64}),
		one("int64", "2^53+1", Int64{1<<53 + 1}),
		one("uint8", "max", Uint8{math.MaxUint8}),
		one("uint64", "max", Uint64{math.MaxUint64}),
		one("float32", "0.1", Float32{0.1}),
		one("float32", "-0", Float32{float32(negative)}),
		one("float32", "subnormal", Float32{math.SmallestNonzeroFloat32}),
		one("float64", "0.1+0.2", Float64{tenth + fifth}),
		one("float64", "max", Float64{math.MaxFloat64}),
		one("float64", "-0", Float64{negative}),
		one("float64", "subnormal", Float64{math.SmallestNonzeroFloat64}),
		one("float64", "NaN", Float64{math.NaN()}),
		one("float64", "+Inf", Float64{math.Inf(1)}),
		one("complex128", "", Complex{complex(1, -2)}),
	}
}

func texts() []Case {
	return []Case{
		one("string", "empty", String{}),
		one("string", "HTML", String{`<a href="x">&</a>`}),
		one("string", "escapes", String{"\"\\\b\f\n\r\t/"}),
		one("string", "control", String{"\x00\x01\x1f\x7f"}),
		one("string", "U+2028", String{"a\u2028b\u2029c"}),
		one("string", "emoji", String{"\U0001f600 e\u0301"}),
		one("string", "invalid UTF-8", String{"a\xff\xc0z"}),
		one("string", "1 MiB", String{strings.Repeat("0123456789abcdef", 1<<16)}),
		one("string", "named", Named{"green"}),
	}
}

func sequences() []Case {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	return []Case{
		one("[]byte", "nil", Bytes{}),
		one("[]byte", "empty", Bytes{[]byte{}}),
		one("[]byte", "256", Bytes{all}),
		one("array", "", Array{[3]int32{-1, 0, 1}}),
		one("slice", "nil", Ints{}),
		one("slice", "empty", Ints{[]int64{}}),
		one("slice", "filled", Ints{[]int64{math.MinInt64, 0, 1}}),
		one("slice", "of int8", Int8s{[]int8{-128, 127}}),
		one("slice", "of float64", Floats{[]float64{1, 0.1, -1e300}}),
		one("slice", "of slices, one nil", Matrix{[][]float64{{1}, {}, nil}}),
		one("map", "nil", Strings{}),
		one("map", "empty", Strings{map[string]string{}}),
		one("map", "filled", Strings{map[string]string{"a": "b", "": "empty key", "\u2028": "<"}}),
		one("map", "with int keys", IntKeys{map[int]string{-1: "a", 1 << 40: "b"}}),
		one("map", "of slices of structs of maps", Entries{map[string][]Entry{"a": {{Name: "x", Count: map[string]int64{"n": 1 << 60}}}}}),
	}
}

func pointers() []Case {
	zero, minus := int64(0), int64(-1)
	pz := &zero
	return []Case{
		one("pointer", "nil", Pointer{}),
		one("pointer", "to 0", Pointer{&zero}),
		one("pointer", "to -1", Pointer{&minus}),
		one("pointer", "to pointer to 0", PtrPtr{&pz}),
		one("pointer", "to struct, nil", Nested{}),
		one("pointer", "to struct", Nested{&Two{1, 2}}),
	}
}

func dynamic() []Case {
	at := time.Date(2011, 7, 8, 7, 34, 34, 123456789, time.UTC)
	values := []struct {
		which string
		v     any
	}{
		{"nil", nil},
		{"string", "x"},
		{"bool", true},
		{"int", 7},
		{"int64 2^53+1", int64(1<<53 + 1)},
		{"uint64 max", uint64(math.MaxUint64)},
		{"float64 1.0", 1.0},
		{"[]byte", []byte{0, 255}},
		{"time", at},
		{"duration", time.Second},
		{"[]any", []any{"a", 1.5, nil}},
		{"map", map[string]any{"a": map[string]any{"b": []any{"c"}}}},
		{"struct", Two{1, 2}},
	}
	var cases []Case
	for _, v := range values {
		cases = append(cases, one("any", v.which, Any{v.v}))
	}
	cases = append(cases, one("tree", "in a field", Tree{map[string]any{"s": "x", "f": 1.5, "nil": nil, "l": []any{true}, "m": map[string]any{"k": "v"}}}))
	for _, v := range values {
		cases = append(cases, one("tree", v.which, map[string]any{"v": v.v}))
	}
	return append(cases, one("interface", "with a method", Interface{Square{2}}))
}

func times() []Case {
	return []Case{
		one("time", "UTC, ns", Time{time.Date(2011, 7, 8, 7, 34, 34, 123456789, time.UTC)}),
		one("time", "with zone", Time{time.Date(2011, 7, 8, 7, 34, 34, 123000000, time.FixedZone("", -7*3600))}),
		one("time", "zero", Time{}),
		one("time", "year 1500", Time{time.Date(1500, 1, 2, 3, 4, 5, 0, time.UTC)}),
		one("time", "year 9999", Time{time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)}),
		one("duration", "ns", Span{time.Hour + time.Nanosecond}),
	}
}

func structs() []Case {
	deep := &Node{N: 200}
	for i := int64(199); i > 0; i-- {
		deep = &Node{N: i, Next: deep}
	}
	empty := Omit{L: []int64{}, M: map[string]string{}}
	return []Case{
		one("struct", "two fields of one type", Two{1, 2}),
		one("struct", "embedded, filled", Embedding{Middle{Inner{3}, "m"}, 7}),
		one("struct", "embedded, empty", Embedding{}),
		one("omitempty", "zero", Omit{}),
		one("omitempty", "empty, not nil", empty),
		one("nesting", "200 levels", *deep),
	}
}
