package payloads_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/bson"
	"github.com/serbench/serbench/adapters/codectest"
	"github.com/serbench/serbench/adapters/easyjson"
	"github.com/serbench/serbench/adapters/msgp"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/adapters/ugorji"
	"github.com/serbench/serbench/examples/payloads"
)

// The adapters keep their contract with code as the generators write it.
func TestAdaptersOnTheStructs(t *testing.T) {
	big := payloads.RepositoryValue()
	for len(big.Repository.Description) < 70_000 {
		big.Repository.Description += big.Repository.Description
	}
	for _, c := range []serbench.Codec{
		stdlib.JSON(), stdlib.Gob(), msgp.New(), easyjson.New(),
		ugorji.JSON(), ugorji.MsgPack(), ugorji.CBOR(), ugorji.Binc(), ugorji.Simple(),
	} {
		t.Run(c.Name(), func(t *testing.T) {
			kit := codectest.Kit{NoChild: true} // what bad input does the adapters' own tests show
			kit.Run(t, c, serbench.NewPayload("repository", payloads.RepositoryValue(), big))
		})
	}
}

func TestAdaptersOnTheMaps(t *testing.T) {
	event := payloads.EventMap()
	for _, c := range []serbench.Codec{
		stdlib.JSON(), stdlib.Gob(), msgp.Tree(),
		ugorji.JSON(), ugorji.MsgPack(), ugorji.CBOR(), ugorji.Binc(), ugorji.Simple(),
	} {
		data, err := c.Marshal(&event)
		require.NoError(t, err, c.Name())
		var got map[string]any
		require.NoError(t, c.Unmarshal(data, &got), c.Name())
		assert.Equal(t, event, got, c.Name())
	}
	for _, c := range []serbench.Codec{msgp.New(), easyjson.New()} {
		assert.ErrorIs(t, c.(serbench.Supporter).Supports(&event), errors.ErrUnsupported, "%s: a map has no generated methods", c.Name())
	}
}

func TestLists(t *testing.T) {
	assert.Len(t, payloads.RepositoryPayloads(), 2)
	assert.Len(t, payloads.EventPayloads(), 3)
	assert.Len(t, payloads.FatPayloads(), 2)
	assert.Len(t, payloads.TestMessagePayloads(), 4)
	podcasts, err := payloads.PodcastPayloads("")
	require.NoError(t, err)
	assert.Len(t, podcasts, 2)
	geo, err := payloads.GeoPayloads("")
	require.NoError(t, err)
	assert.Len(t, geo, 8)
}

// The forms and layouts make the round trip that a run demands of them, with
// copies that are their own at each call.
func TestPayloadsRoundTrip(t *testing.T) {
	podcasts, err := payloads.PodcastPayloads("")
	require.NoError(t, err)
	geo, err := payloads.GeoPayloads("")
	require.NoError(t, err)
	all := slices.Concat(podcasts, geo, payloads.FatPayloads(), payloads.TestMessagePayloads(), payloads.RepositoryPayloads())
	report, err := serbench.Runner{Ops: []serbench.Op{serbench.OpEncode}, Reps: 1, Plan: serbench.Plan{WarmupReps: -1}}.Run(
		t.Context(), []serbench.Codec{stdlib.JSON(), msgp.New(), msgp.Tree(), easyjson.New()}, all)
	require.NoError(t, err)
	for _, res := range report.Results {
		name := res.Codec + " on " + res.Payload + "/" + res.Form
		switch {
		case res.Status == serbench.StatusSkipped:
			tree := res.Codec == "msgp-tree"
			assert.True(t, res.Codec != "json" && tree == (res.Form == "struct"), "%s: %s", name, res.Reason)
		case res.Form == "map" && res.Codec == "json" && (res.Payload == "geo-bytes" || strings.HasPrefix(res.Payload, "testmessage")):
			assert.Equal(t, serbench.StatusLossy, res.Status, "%s: JSON has no bytes", name)
		default:
			assert.Equal(t, serbench.StatusOK, res.Status, "%s: %s %v", name, res.Reason, res.Fidelity)
		}
	}
	for _, p := range all {
		a, err := p.Values()
		require.NoError(t, err)
		b, err := p.Values()
		require.NoError(t, err)
		assert.NotSame(t, a[0], b[0])
		assert.Equal(t, a[0], b[0])
	}
}

// Perl's BSON has 5,118 bytes. Numbers without a sign, as they are here, are
// int64 to Go's driver, four bytes longer each.
func TestFatAsBSON(t *testing.T) {
	fat := payloads.FatMap()
	data, err := bson.New().Marshal(&fat)
	require.NoError(t, err)
	assert.Len(t, data, 5118+4*500)
	signed := make([]int32, 500)
	for i := range signed {
		signed[i] = int32(i + 1)
	}
	fat["bar"] = signed
	data, err = bson.New().Marshal(&fat)
	require.NoError(t, err)
	assert.Len(t, data, 5118)
}
