package cbor

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

// The library's own defaults keep whole seconds, 32 levels, 131,072 elements,
// and encode invalid UTF-8 which they then refuse to decode.
func TestNothingIsLostByDefault(t *testing.T) {
	at := time.Date(2011, 7, 8, 7, 34, 34, 123456789, time.FixedZone("", -7*3600))
	type box struct{ V any }
	deep := any("end")
	for range 200 {
		deep = []any{deep}
	}
	for _, c := range codecs() {
		t.Run(c.Name(), func(t *testing.T) {
			got := adapttest.Trip(t, c, at)
			assert.True(t, at.Equal(got), "%v: to the nanosecond", got)
			_, offset := got.Zone()
			assert.Equal(t, -7*3600, offset, "with its zone")
			inAny, ok := adapttest.Trip(t, c, box{at}).V.(time.Time)
			require.True(t, ok, "a time in an interface is a time")
			assert.True(t, at.Equal(inAny))
			assert.Equal(t, "a\xff", adapttest.Trip(t, c, "a\xff"))
			assert.Equal(t, box{deep}, adapttest.Trip(t, c, box{deep}))
			assert.Len(t, adapttest.Trip(t, c, make([]int8, 200_000)), 200_000)
			assert.Equal(t, box{map[string]any{"k": "v"}}, adapttest.Trip(t, c, box{map[string]any{"k": "v"}}), "not map[any]any")
		})
	}
}

func TestNestingHasALimit(t *testing.T) {
	assert.ErrorContains(t, New().Unmarshal([]byte(strings.Repeat("\x81", 100_000)+"\x00"), new(any)), "nested")
}

func TestCanonicalSortsKeys(t *testing.T) {
	m := map[string]int{"bb": 1, "a": 2, "c": 3}
	want := "\xa3\x61a\x02\x61c\x03\x62bb\x01"
	for range 20 {
		assert.Equal(t, want, adapttest.Encoded(t, Canonical(), m))
	}
	assert.Equal(t, "\xf9\x3e\x00", adapttest.Encoded(t, Canonical(), 1.5), "the shortest float that holds it")
}

func TestErrorsAreNotSticky(t *testing.T) {
	for _, c := range codecs() {
		_, err := c.(serbench.Appender).Append([]byte("kept"), &map[string]any{"f": func() {}})
		require.Error(t, err)
		assert.Equal(t, *adapttest.NewItem("x"), adapttest.Trip(t, c, *adapttest.NewItem("x")))
	}
}
