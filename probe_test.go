package serbench_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

// The codecs of TestMain do harm only in a child.
func TestProbeOutlivesWhatItProbes(t *testing.T) {
	says := map[string]string{"json": "", "overflows": "stack overflow", "exits": "exited", "panics-elsewhere": "panic"}
	var codecs []serbench.Codec
	for _, c := range childCodecs() {
		if _, ok := says[c.Name()]; ok {
			codecs = append(codecs, c)
		}
	}
	require.Len(t, codecs, len(says))
	found, err := serbench.Probe{Levels: 1000}.Run(context.Background(), codecs, childPayloads()[:1])
	require.NoError(t, err)
	for _, f := range found {
		want := says[f.Codec]
		if want != "" {
			assert.Contains(t, f.Death, want, f.Codec)
			assert.Empty(t, f.Findings, "%s: what was not tried has no verdict", f.Codec)
			continue
		}
		assert.Empty(t, f.Death)
		require.NotEmpty(t, f.Findings)
		for _, x := range f.Findings {
			assert.Contains(t, []string{"error", "accepted"}, x.Worst, "%+v", x)
			assert.Positive(t, x.Tried)
		}
	}
}

func TestProbeFindsTheSmallestDepthThatKills(t *testing.T) {
	found, err := serbench.Probe{Levels: 1000}.Run(t.Context(), childCodec("shallow"), childPayloads())
	require.NoError(t, err)
	require.Len(t, found, 2)
	for i, f := range found {
		x := f.Findings[len(f.Findings)-1]
		require.Equal(t, "nested", x.Class)
		assert.Equal(t, "killed", x.Worst)
		assert.Greater(t, x.Scale, uint64(mostBrackets))
		assert.Less(t, x.Scale, uint64(mostBrackets*5/4))
		assert.LessOrEqual(t, x.Below, uint64(mostBrackets))
		assert.GreaterOrEqual(t, uint64(x.InputSize), x.Scale)
		assert.Contains(t, x.Attack, fmt.Sprintf("%d levels", x.Scale))
		if i > 0 {
			assert.Equal(t, found[0].Findings[len(found[0].Findings)-1].Scale, x.Scale, "what one payload has shown is tried first on the next")
		}
	}
	found, err = serbench.Probe{Levels: 1000, Searches: -1}.Run(t.Context(), childCodec("shallow"), childPayloads()[:1])
	require.NoError(t, err)
	x := found[0].Findings[len(found[0].Findings)-1]
	assert.Equal(t, []any{"killed", uint64(0)}, []any{x.Worst, x.Scale}, "without a search")
}

func TestProbeWithoutServeChildIsAnErrorNotAllWell(t *testing.T) {
	t.Setenv("SERBENCH_TEST_NO_SERVE", "1")
	found, err := serbench.Probe{ChildTime: 30 * time.Second, Args: []string{"-test.run=^$"}}.Run(context.Background(), childCodecs()[:1], childPayloads()[:1])
	require.ErrorContains(t, err, "ServeChild")
	assert.Empty(t, found[0].Findings)
}

func TestProbeEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := serbench.Probe{}.Run(ctx, childCodecs()[:1], childPayloads()[:1])
	assert.ErrorIs(t, err, context.Canceled)
	_, err = serbench.Probe{}.Run(context.Background(), nil, nil)
	assert.Error(t, err)
}
