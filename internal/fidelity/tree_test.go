package fidelity

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A map[string]any is walked without reflection; one of another type is not.
// What they show is the same.
func TestGenericMapsShowWhatOthersDo(t *testing.T) {
	type other map[string]any
	for _, row := range []struct {
		why       string
		want, got map[string]any
		class     Class
	}{
		{"equal", map[string]any{"a": int64(1), "b": []any{"x"}}, map[string]any{"a": int64(1), "b": []any{"x"}}, Exact},
		{"numbers of another type", map[string]any{"b": int64(1), "a": int64(2)}, map[string]any{"b": 1.0, "a": 2.0}, Normalised},
		{"another value", map[string]any{"b": []any{1.5, "x"}, "a": 1.0}, map[string]any{"b": []any{1.5, "y"}, "a": 1.0}, Lossy},
		{"another key", map[string]any{"a": 1.0, "": 2.0}, map[string]any{"a": 1.0, "c": 2.0}, Lossy},
		{"fewer keys", map[string]any{"a": 1.0, "": 2.0}, map[string]any{"a": 1.0}, Lossy},
		{"an empty key", map[string]any{"": 1.0}, map[string]any{"": 2.0}, Lossy},
		{"nil for a value", map[string]any{"a": nil}, map[string]any{"a": []any{}}, Lossy},
	} {
		x, y := other(row.want), other(row.got)
		r := checkPair(t, row.want, row.got)
		assert.Equal(t, row.class, r.Class, row.why)
		assert.Equal(t, Compare(x, y, Options{Max: 1000}), r, row.why)
		assert.Equal(t, row.class == Exact, Equal(row.want, row.got, Options{}), row.why)
		assert.Equal(t, row.class != Lossy, Keeps(row.want, row.got, Options{}), row.why)
	}
}
