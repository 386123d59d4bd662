package fidelity

import (
	"fmt"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type node struct {
	V    int
	Next *node
	Any  any
}

type selfPtr *selfPtr

func ring(n int, vs ...int) *node {
	first := &node{}
	last := first
	for i := 1; i < n; i++ {
		last.Next = &node{}
		last = last.Next
	}
	last.Next = first
	for i, v := range vs {
		x := first
		for range i {
			x = x.Next
		}
		x.V = v
	}
	return first
}

func TestCycles(t *testing.T) {
	loop := map[string]any{"n": 1}
	loop["self"] = loop
	loop2 := map[string]any{"n": 1}
	loop2["self"] = loop2
	slice := []any{1, nil}
	slice[1] = slice
	slice2 := []any{1, nil}
	slice2[1] = slice2
	var p, q selfPtr
	p, q = &p, &q

	rows := []struct {
		reason    string
		want, got any
		class     Class
	}{
		{"rings of one length", ring(3), ring(3), Exact},
		{"rings of two lengths unroll to one list", ring(3), ring(5), Exact},
		{"a value in a ring", ring(3, 0, 7), ring(3), Lossy},
		{"a map that holds itself", loop, loop2, Exact},
		{"a slice that holds itself", slice, slice2, Exact},
		{"a pointer to itself", p, q, Exact},
		{"a pointer to itself and a value", boxed(p), boxed(5), Lossy},
		{"a cycle cut short", ring(3), &node{Next: &node{}}, Lossy},
		{"of another type", boxed(map[any]any{"n": 1, "self": loop}), boxed(loop2), Normalised},
	}
	for _, row := range rows {
		t.Run(row.reason, func(t *testing.T) {
			r := Compare(row.want, row.got, Options{})
			assert.Equal(t, row.class, r.Class, "%v", r.Differences)
			assert.Len(t, Hash(row.want), 32)
		})
	}
	assert.Equal(t, 1, Compare(ring(3, 0, 7), ring(3), Options{}).Total, "met once, reported once")
	assert.Equal(t, Hash(ring(3, 1, 2)), Hash(ring(3, 1, 2)))
	assert.NotEqual(t, Hash(ring(3, 1, 2)), Hash(ring(3, 2, 1)))
	assert.Equal(t, Hash(loop), Hash(loop2))
}

// Forty levels of two references to the level below are a trillion paths.
func TestSharedValuesAreWalkedOnce(t *testing.T) {
	dag := func(leaf int) any {
		v := any([]any{leaf})
		for i := range 40 {
			switch i % 3 {
			case 0:
				v = []any{v, v}
			case 1:
				v = map[string]any{"a": v, "b": v}
			default:
				v = &node{Any: &[]any{v, v}}
			}
		}
		return v
	}
	assert.Equal(t, Exact, Compare(dag(1), dag(1), Options{}).Class)
	r := Compare(dag(1), dag(2), Options{})
	assert.Equal(t, Lossy, r.Class)
	assert.Equal(t, 1, r.Total)
	assert.Equal(t, Hash(dag(1)), Hash(dag(1)))
	assert.NotEqual(t, Hash(dag(1)), Hash(dag(2)))
}

func TestSharingIsNotContent(t *testing.T) {
	x := &node{V: 1}
	shared := []*node{x, x}
	apart := []*node{{V: 1}, {V: 1}}
	assert.Equal(t, Exact, Compare(shared, apart, Options{}).Class)
	assert.Equal(t, Exact, Compare(apart, shared, Options{}).Class)
	assert.Equal(t, Hash(shared), Hash(apart))
}

func chain(n, v int) *node {
	x := &node{V: v}
	for range n {
		x = &node{Next: x}
	}
	return x
}

type box struct{ In any }

func boxes(n, v int) any {
	x := any(v)
	for range n {
		x = box{x}
	}
	return x
}

func nested(n, v int) any {
	x := any(v)
	for i := range n {
		switch i % 3 {
		case 0:
			x = []any{x}
		case 1:
			x = map[string]any{"k": x}
		default:
			x = []box{{x}}
		}
	}
	return x
}

// The stack is held to 4 MB, a fraction of what a call for each level would
// take; the default of 1 GB then does for any depth.
func TestDepthIsNoLimit(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(4 << 20))
	const n = 40_000
	for name, build := range map[string]func(v int) any{
		"pointers":   func(v int) any { return chain(n, v) },
		"interfaces": func(v int) any { return boxes(n, v) },
		"trees":      func(v int) any { return nested(n/2, v) },
	} {
		t.Run(name, func(t *testing.T) {
			a, b, c := build(1), build(1), build(2)
			assert.Equal(t, Exact, Compare(a, b, Options{}).Class)
			r := Compare(a, c, Options{})
			require.Equal(t, 1, r.Total)
			assert.Equal(t, NumberValue, r.Differences[0].Kind)
			assert.Less(t, len(r.Differences[0].Path), 220)
			assert.Equal(t, Hash(a), Hash(b))
			assert.NotEqual(t, Hash(a), Hash(c))
		})
	}
}

func TestAllPlacesBelowTheStackAreFound(t *testing.T) {
	build := func(d int) any {
		v := any([]any{d, d + 1, boxed(d + 2)})
		for range 2 * maxDepth {
			v = []any{v}
		}
		return v
	}
	r := Compare(build(1), build(5), Options{})
	assert.Equal(t, 3, r.Total)
	for _, d := range r.Differences {
		assert.Contains(t, d.Path, "…", "cut")
	}
}

func ExampleCompare() {
	type document struct {
		ID   any      `json:"id"`
		Tags []string `json:"tags"`
	}
	want := document{ID: int64(9007199254740993), Tags: []string{}}
	got := document{ID: 9007199254740992.0}
	r := Compare(want, got, Options{})
	fmt.Println(r.Class)
	for _, d := range r.Differences {
		fmt.Println(d)
	}
	// Output:
	// lossy
	// .id: precision lost (int64 9007199254740993 -> float64 9007199254740992)
	// .tags: empty -> nil (normalised)
}
