package variant_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/serbench/serbench/internal/fidelity"
	"github.com/serbench/serbench/internal/variant"
)

func TestACloneSharesNothingWithItsOriginal(t *testing.T) {
	v := &outer{S: "s", At: time.Unix(1, 0), P: &inner{1}, List: []uint16{1, 2}, M: map[string]inner{"a": {1}}, Any: []any{&inner{1}, 2}, Bytes: []byte("b"), hidden: 3}
	values := []any{v, v}
	before := fidelity.Hash(values...)
	c, ok := variant.Clone(values)
	assert.True(t, ok)
	assert.Equal(t, values, c)
	assert.Same(t, c[0], c[1], "what was shared still is")
	v.P.N, v.List[0], v.M["b"], v.Bytes[0] = 2, 7, inner{2}, 'x'
	v.Any.([]any)[0].(*inner).N = 9
	assert.Equal(t, before, fidelity.Hash(c...))
}

func TestACloneOfACycleIsACycle(t *testing.T) {
	type node struct{ Next *node }
	v := &node{}
	v.Next = v
	c, ok := variant.Clone(v)
	assert.True(t, ok)
	assert.NotSame(t, v, c)
	assert.Same(t, c, c.Next)
}
