package vmihailenco

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench/adapters/internal/adapttest"
)

func TestFieldsHaveTheNamesOfTheirJSONTags(t *testing.T) {
	v := struct {
		CreatedAt string `json:"created_at"`
	}{"x"}
	assert.Equal(t, "\x81\xaacreated_at\xa1x", adapttest.Encoded(t, New(), v), "not CreatedAt, the library's own choice")
	assert.Equal(t, v, adapttest.Trip(t, New(), v))
}

func TestTimesKeepNanosecondsAndBecomeLocal(t *testing.T) {
	at := time.Date(2011, 7, 8, 7, 34, 34, 123456789, time.UTC)
	got := adapttest.Trip(t, New(), at)
	assert.True(t, at.Equal(got))
	assert.Equal(t, time.Local, got.Location())
}

func TestErrorsAreNotSticky(t *testing.T) {
	c := New()
	_, err := c.Marshal(&map[string]any{"f": func() {}})
	require.Error(t, err)
	assert.Error(t, c.Unmarshal([]byte{0x81}, new(map[string]any)))
	assert.Equal(t, *adapttest.NewItem("x"), adapttest.Trip(t, c, *adapttest.NewItem("x")))
}
