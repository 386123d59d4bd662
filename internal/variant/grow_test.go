package variant_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench/internal/variant"
)

func TestGrowRepeatsWhatHasNoRules(t *testing.T) {
	type state string
	type part struct{ Name string }
	type whole struct {
		Text   string
		State  state
		Number json.Number
		Raw    json.RawMessage
		At     time.Time
		ID     [4]byte
		Bytes  []byte
		Parts  []part
		Next   *part
		Any    any
		Map    map[string]any
		hidden string
	}
	v := &whole{"ab", "open", "12", json.RawMessage(`{}`), time.Unix(1, 2), [4]byte{1}, []byte{1, 2}, []part{{"x"}, {"y"}},
		&part{"z"}, map[string]any{"k": "v"}, map[string]any{"n": 1.5, "s": "t", "l": []any{"u"}}, "h"}
	grown, ok := variant.Grow(v, 2)
	require.True(t, ok)
	assert.Equal(t, &whole{"abab", "open", "12", json.RawMessage(`{}`), time.Unix(1, 2), [4]byte{1}, []byte{1, 2, 1, 2}, []part{{"x"}, {"y"}, {"x"}, {"y"}},
		&part{"zz"}, map[string]any{"k": "vv"}, map[string]any{"n": 1.5, "s": "tt", "l": []any{"u", "u"}}, "h"}, grown)
	assert.Equal(t, "ab", v.Text, "the original stays")
	assert.Equal(t, map[string]any{"k": "v"}, v.Any)
	assert.Equal(t, "z", v.Next.Name)
}

func TestGrowSaysWhereNothingGrows(t *testing.T) {
	for name, v := range map[string]any{"numbers": &struct{ A, B int }{1, 2}, "nil": (*int)(nil), "empty": &struct{ S string }{}, "no pointer": 3} {
		_, ok := variant.Grow(v, 8)
		assert.False(t, ok, name)
	}
	type node struct {
		Next *node
		S    string
	}
	v := &node{S: "a"}
	v.Next = v
	grown, ok := variant.Grow(v, 3)
	assert.True(t, ok, "a cycle ends")
	assert.Equal(t, "aaa", grown.(*node).S)
}
