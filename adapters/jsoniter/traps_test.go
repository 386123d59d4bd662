package jsoniter

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

func TestTheFastestKeepsSixDigits(t *testing.T) {
	tenth, fifth := 0.1, 0.2
	for _, v := range []float64{tenth + fifth, 1e-7, math.Pi} {
		assert.Equal(t, v, adapttest.Trip(t, New(), v))
		assert.NotEqual(t, v, adapttest.Trip(t, Fastest(), v))
	}
	assert.Equal(t, 0.3, adapttest.Trip(t, Fastest(), tenth+fifth))
	assert.Zero(t, adapttest.Trip(t, Fastest(), 1e-7))
	assert.Contains(t, Fastest().Name(), "lossy", "which nobody may run unawares")
	assert.Contains(t, Fastest().(serbench.Describer).Describe().Options["config"], "six digits")
}

func TestAZeroByteIsNoEndOfInput(t *testing.T) {
	for _, c := range codecs() {
		for _, in := range []string{"1\x00", "1 \x00", "{}\x00rest", "\"a\x00\"", "\x00"} {
			var v any
			assert.Error(t, c.Unmarshal([]byte(in), &v), "%s: %q", c.Name(), in)
		}
	}
}

func TestErrorsAreNotSticky(t *testing.T) {
	for _, c := range codecs() {
		adapttest.AppendRecovers(t, c, new(math.NaN()))
	}
}
