package segmentio

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

func TestZeroCopyAliasesItsInput(t *testing.T) {
	for _, tt := range []struct {
		c       serbench.Codec
		aliases bool
	}{{New(), false}, {ZeroCopy(), true}} {
		data := []byte(`{"name":"value"}`)
		var got adapttest.Item
		require.NoError(t, tt.c.Unmarshal(data, &got))
		require.Equal(t, "value", got.Name)
		for i := range data {
			data[i] = '#'
		}
		assert.Equal(t, tt.aliases, got.Name == "#####", tt.c.Name())
	}
}

func TestTheRunnerSeesThatZeroCopyAliases(t *testing.T) {
	report, err := serbench.Runner{Ops: []serbench.Op{serbench.OpDecode}, Reps: 1}.Run(t.Context(),
		[]serbench.Codec{New(), ZeroCopy()}, []serbench.Payload{serbench.NewPayload("item", adapttest.NewItem("text"))})
	require.NoError(t, err)
	for _, r := range report.Results {
		aliases := false
		for _, trait := range r.Traits {
			aliases = aliases || trait.Name == serbench.TraitAliasesInput
		}
		assert.Equal(t, r.Codec == "segmentio-zerocopy", aliases, r.Codec)
	}
}

func TestADurationIsAString(t *testing.T) {
	assert.Equal(t, `"1.5s"`, adapttest.Encoded(t, New(), 1500*time.Millisecond), "which no other JSON codec reads")
	assert.Equal(t, time.Hour+1, adapttest.Trip(t, New(), time.Hour+1))
}

func TestErrorsAreNotSticky(t *testing.T) { adapttest.AppendRecovers(t, New(), new(math.NaN())) }
