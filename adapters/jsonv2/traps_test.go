package jsonv2

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/serbench/serbench/adapters/internal/adapttest"
)

type nils struct {
	S []string
	M map[string]int
}

func TestNilIsKept(t *testing.T) {
	assert.Equal(t, nils{}, adapttest.Trip(t, New(), nils{}))
	empty := nils{S: []string{}, M: map[string]int{}}
	assert.Equal(t, empty, adapttest.Trip(t, New(), empty))
	assert.Equal(t, empty, adapttest.Trip(t, Default(), nils{}), "without the options nil comes back empty")
}

func TestDurations(t *testing.T) {
	assert.Equal(t, time.Hour+1, adapttest.Trip(t, New(), time.Hour+1))
	_, err := Default().Marshal(new(time.Hour))
	assert.ErrorContains(t, err, "no default representation")
}

func TestInvalidUTF8IsAnError(t *testing.T) {
	for _, c := range codecs() {
		_, err := c.Marshal(new("\xff"))
		assert.ErrorContains(t, err, "UTF-8", c.Name())
	}
}

func TestErrorsAreNotSticky(t *testing.T) {
	for _, c := range codecs() {
		adapttest.AppendRecovers(t, c, new(math.NaN()))
	}
}
