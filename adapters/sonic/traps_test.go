package sonic

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/bytedance/sonic"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

func TestItRefusesWhereItWouldBeEncodingJSON(t *testing.T) {
	assert.Empty(t, refusal(sonic.UseSonicJSON)(nil))
	assert.Contains(t, refusal(sonic.UseStdJSON)(nil), "encoding/json")
	err := New().(serbench.Supporter).Supports(new(string))
	if sonic.APIKind == sonic.UseSonicJSON {
		assert.NoError(t, err)
	} else {
		assert.ErrorIs(t, err, errors.ErrUnsupported)
	}
}

func TestConfigurationsDifferInTheirBytes(t *testing.T) {
	assert.Equal(t, `"\u003cb\u003e"`, adapttest.Encoded(t, New(), "<b>"), "HTML is escaped, as by encoding/json")
	assert.Equal(t, `"<b>"`, adapttest.Encoded(t, Default(), "<b>"))
	assert.Equal(t, `"\ufffd"`, adapttest.Encoded(t, New(), "\xff"), "invalid UTF-8 is replaced, as by encoding/json")
	assert.Equal(t, "\"\xff\"", adapttest.Encoded(t, Default(), "\xff"), "which is not JSON")
	m := map[string]int{"c": 1, "a": 2, "b": 3}
	assert.Equal(t, `{"a":2,"b":3,"c":1}`, adapttest.Encoded(t, New(), m), "keys are sorted, as by encoding/json")
}

func TestNegativeZeroIsLostByAll(t *testing.T) {
	for _, c := range codecs() {
		type box struct{ V float64 }
		assert.False(t, math.Signbit(adapttest.Trip(t, c, box{math.Copysign(0, -1)}).V), "%s: the library has no setting that keeps it", c.Name())
	}
}

// Append takes another path than Marshal: the bytes are the same all the same.
func TestAppendGivesTheBytesOfMarshal(t *testing.T) {
	for _, c := range codecs() {
		for _, text := range []string{"", "plain", "<a&b>", "\u2028", "\xff<", strings.Repeat("<", 5000), strings.Repeat("x\xff", 3000)} {
			want, err := c.Marshal(&text)
			require.NoError(t, err)
			for _, dst := range [][]byte{nil, []byte("p"), make([]byte, 3000), make([]byte, 0, 100_000), make([]byte, 7, 100_000)} {
				got, err := c.(serbench.Appender).Append(dst, &text)
				require.NoError(t, err)
				assert.Equal(t, string(dst)+string(want), string(got), "%s: %.20q behind %d of %d", c.Name(), text, len(dst), cap(dst))
			}
		}
		adapttest.AppendRecovers(t, c, new(math.NaN()))
	}
}
