package fidelity

import (
	"math"
	"math/big"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// The digits are part of the report's meaning: two reports of different
// versions are told to be of the same data by them. If this test has to be
// changed, hashVersion has to be changed too.
func TestHashIsStable(t *testing.T) {
	v := &outer{
		middle: middle{base{ID: 1, Tags: []string{"a", "é"}}},
		When:   t0.In(berlin),
		Plain:  negZ,
	}
	tree := map[string]any{
		"n": nil, "b": true, "i": -5, "u": uint8(7), "f": 1.5, "nan": math.NaN(), "s": "x\xff", "l": []any{1, "a", []byte{1}},
		"m": map[int]string{1: "a", 2: "b"}, "p": v, "e": []int{}, "c": complex(1, 2), "a": [2]int8{1, 2},
		"big": big.NewInt(1 << 40), "ip": netip.MustParseAddr("10.0.0.1"), "d": time.Second,
		"long": strings.Repeat("0123456789", 1000), "many": make([]float64, 5000), "f32": []float32{0.1},
	}
	assert.Equal(t, "518d3ac483c08f0bc37a9fe8b71c4711", Hash(v))
	assert.Equal(t, "70ad11cf4e9c8709b3d274718ae0df1c", Hash(tree))
	assert.Equal(t, "790c9ce7cfbc78f567d468523b128e10", Hash(v, tree, nil))
	assert.Equal(t, "01cea074d15548a93d047d698f328bd9", Hash())
}

func TestHashTellsApart(t *testing.T) {
	type a struct{ X, Y any }
	type renamed struct{ X, Z any }
	rows := []struct {
		reason string
		v, w   any
	}{
		{"values", 1, 2},
		{"kinds of numbers", 5, int64(5)},
		{"a number and its text", 5, "5"},
		{"bytes and text", []byte("a"), "a"},
		{"nil and empty", []int(nil), []int{}},
		{"nil and empty maps", map[string]int(nil), map[string]int{}},
		{"nils of two kinds", []int(nil), map[string]int(nil)},
		{"pointer and value", ptr(1), 1},
		{"a nil pointer and none", (*int)(nil), nil},
		{"the sign of zero", 0.0, negZ},
		{"field names", a{1, 2}, renamed{1, 2}},
		{"where a boundary lies", []string{"ab", "c"}, []string{"a", "bc"}},
		{"how lists nest", [][]int{{1}, {2}}, [][]int{{1, 2}, {}}},
		{"how trees nest", []any{[]any{1}, 2}, []any{[]any{1, 2}}},
		{"array and slice", [1]int{1}, []int{1}},
		{"instants", t0, t0.Add(1)},
		{"offsets", t0, t0.In(berlin)},
		{"keys", map[string]int{"a": 1}, map[string]int{"b": 1}},
		{"which value belongs to which key", map[string]int{"a": 1, "b": 2}, map[string]int{"a": 2, "b": 1}},
		{"values under NaN", map[float64]int{math.NaN(): 1}, map[float64]int{math.NaN(): 2}},
		{"long strings", strings.Repeat("a", 5000), strings.Repeat("a", 4999) + "b"},
		{"long slices", make([]float64, 5000), append(make([]float64, 4999), 1)},
		{"what is closed", closed{[]int{1}}, closed{[]int{2}}},
		{"by its text", netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("10.0.0.2")},
		{"functions by being nil", a{X: func() {}}, a{X: (func())(nil)}},
	}
	for _, row := range rows {
		t.Run(row.reason, func(t *testing.T) { assert.NotEqual(t, Hash(row.v), Hash(row.w)) })
	}
	assert.NotEqual(t, Hash(1, 2), Hash(2, 1), "order of values")
	assert.NotEqual(t, Hash([]any{1, 2}), Hash(1, 2), "one list or two values")
}

func TestHashIgnores(t *testing.T) {
	m, n := map[any]any{}, map[any]any{}
	for i := range 100 {
		m[i], n[99-i] = i, 99-i
	}
	rows := []struct {
		reason string
		v, w   any
	}{
		{"the order of maps", m, n},
		{"addresses", &base{Tags: []string{"a"}}, &base{Tags: []string{"a"}}},
		{"addresses of keys", map[*int]int{ptr(1): 1, ptr(2): 2}, map[*int]int{ptr(1): 1, ptr(2): 2}},
		{"bits of NaN", math.NaN(), nan2},
		{"NaN keys", map[float64]int{math.NaN(): 1, nan2: 2}, map[float64]int{nan2: 1, math.NaN(): 2}},
		{"names of types", person{"a", 1}, human{"a", 1}},
		{"names of zones", t0.In(berlin), t0.In(time.FixedZone("", 3600))},
		{"clocks", time.Unix(0, 0).UTC(), time.Unix(0, 0).UTC().Round(0)},
		{"hidden fields beside others", struct{ A, b int }{1, 2}, struct{ A, b int }{1, 3}},
		{"capacity", make([]int, 1, 9), make([]int, 1)},
	}
	for _, row := range rows {
		t.Run(row.reason, func(t *testing.T) { assert.Equal(t, Hash(row.v), Hash(row.w)) })
	}
}

// A cycle with two ways into it, through a map: the order in which the map is
// walked must not decide which way is taken first.
func TestHashOfCyclesThroughMaps(t *testing.T) {
	build := func() any {
		m := map[string]any{}
		x, y := &node{V: 1, Any: m}, &node{V: 2, Any: m}
		x.Next, y.Next = y, x
		for _, k := range strings.Split("abcdefgh", "") {
			m[k] = []any{x, y}
			x, y = y, x
		}
		return m
	}
	first := Hash(build())
	for range 50 {
		assert.Equal(t, first, Hash(build()))
	}
}
