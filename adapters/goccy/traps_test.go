package goccy

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

func TestTheDefaultWritesWhatEncodingJSONWrites(t *testing.T) {
	for _, v := range []any{adapttest.NewItem("<&>"), &map[string]int{"c": 1, "a": 2, "b": 3}, new("\xff\u2028")} {
		want, err := json.Marshal(v)
		require.NoError(t, err)
		got, err := New().Marshal(v)
		require.NoError(t, err)
		assert.Equal(t, string(want), string(got))
		got, err = New().(serbench.Appender).Append([]byte("p"), v)
		require.NoError(t, err)
		assert.Equal(t, "p"+string(want), string(got))
	}
	assert.Equal(t, `"<b>"`, adapttest.Encoded(t, Unordered(), "<b>"))
}

func TestErrorsAreNotSticky(t *testing.T) {
	for _, c := range codecs() {
		adapttest.AppendRecovers(t, c, new(math.NaN()))
	}
}
