package vmihailenco

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

func codecs() []serbench.Codec { return []serbench.Codec{New()} }

func TestContract(t *testing.T) {
	adapttest.Reflective(t, "msgpack", "github.com/vmihailenco/msgpack/v5", map[string]string{"hostile-input": "allocates what a header claims: five bytes end the process, see docs/robustness.md"}, codecs()...)
}

func FuzzUnmarshal(f *testing.F) { adapttest.Fuzz(f, codecs()...) }

type shape interface{ Area() float64 }

type square struct{ Side float64 }

func (s square) Area() float64 { return s.Side }

func TestAPanicOfTheLibraryIsAnError(t *testing.T) {
	v := &struct{ S shape }{square{2}}
	data, err := New().Marshal(v)
	require.NoError(t, err)
	err = New().Unmarshal(data, &struct{ S shape }{})
	require.ErrorContains(t, err, "vmihailenco: panic in Unmarshal")
	assert.Contains(t, New().(serbench.Describer).Describe().Options, "panics")
}
