package variant_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench/internal/fidelity"
	"github.com/serbench/serbench/internal/variant"
)

type inner struct{ N int8 }

type outer struct {
	B      bool
	S      string
	F      float64
	At     time.Time
	In     inner
	P      *inner
	List   []uint16
	M      map[string]inner
	Any    any
	Bytes  []byte
	Ints   []int64
	hidden int
}

func value() *outer {
	return &outer{S: "s", P: &inner{1}, List: []uint16{1, 2}, M: map[string]inner{"a": {1}, "b": {2}}, Any: map[string]any{"k": 1.5}, Bytes: []byte{1}, hidden: 1}
}

func TestEachChangeIsSeenAndIsAnother(t *testing.T) {
	hashes := map[string]bool{fidelity.Hash(value()): true}
	n := 0
	for ; ; n++ {
		v := value()
		if !variant.Change(v, n) {
			assert.Equal(t, fidelity.Hash(value()), fidelity.Hash(v), "without an n-th leaf the value stays")
			break
		}
		assert.Equal(t, 1, v.hidden)
		hashes[fidelity.Hash(v)] = true
	}
	assert.Equal(t, 12, n, "bool, string, float, time, In.N, P.N, two of List, two of M, one of Any, one of Bytes")
	assert.Len(t, hashes, n+1)
}

func TestNothingToChange(t *testing.T) {
	for name, v := range map[string]any{
		"nil": nil, "not a pointer": 1, "a nil pointer": (*outer)(nil), "an empty map": &map[string]any{},
		"a nil interface": new(any), "no exported field": &struct{ a int }{1},
	} {
		assert.False(t, variant.Change(v, 0), name)
		assert.NotPanics(t, func() { variant.Populate(v) }, name)
	}
	type ring struct{ Next *ring }
	r := &ring{}
	r.Next = r
	assert.False(t, variant.Change(r, 0), "a cycle ends")
}

func TestFillTakesRoom(t *testing.T) {
	v := value()
	require.True(t, variant.Fill(v, 0, 4096, 1))
	assert.Len(t, v.S, 4096)
	w := value()
	require.True(t, variant.Fill(w, 1, 4096, 1))
	assert.Len(t, w.Bytes, 4096)
	require.True(t, variant.Fill(w, 2, 4096, 1))
	assert.Len(t, w.Ints, 512)
	assert.False(t, variant.Fill(w, 3, 4096, 1))
}

func TestPopulatedHasNoZeroLeft(t *testing.T) {
	v := new(outer)
	variant.Populate(v)
	rv := reflect.ValueOf(v).Elem()
	for i := range rv.NumField() {
		if f := rv.Type().Field(i); f.IsExported() && f.Name != "At" {
			assert.False(t, rv.Field(i).IsZero(), f.Name)
		}
	}
	assert.Contains(t, v.M, variant.StaleKey)
	type tree struct{ Kids []tree }
	assert.NotPanics(t, func() { variant.Populate(new(tree)) }, "types that hold themselves end")
}
