package payloadspb

import (
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/protobuf"
	"github.com/serbench/serbench/adapters/vtprotobuf"
	"github.com/serbench/serbench/examples/payloads"
)

func TestTheSeedsMessageHasItsThirtyBytes(t *testing.T) {
	const want = "0866 420e616e6f7468657220737472696e67 9a01036f6b31 9a01036f6b32"
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(TestMessageValue())
	require.NoError(t, err)
	assert.Equal(t, strings.ReplaceAll(want, " ", ""), hex.EncodeToString(data))
	assert.Len(t, data, 30)

	data, err = TestMessageValue().MarshalVT()
	require.NoError(t, err)
	assert.Equal(t, strings.ReplaceAll(want, " ", ""), hex.EncodeToString(data), "vtprotobuf writes the same")

	data, err = protojson.Marshal(TestMessageValue())
	require.NoError(t, err)
	var compact map[string]any // the white space of protojson differs from build to build
	require.NoError(t, json.Unmarshal(data, &compact))
	data, err = json.Marshal(compact)
	require.NoError(t, err)
	assert.Len(t, data, 86)
	assert.Equal(t, `{"optionalInt32":102,"optionalString":"another string","repeatedString":["ok1","ok2"]}`, string(data))
}

func TestTheSchemaIsThatOfTheSeed(t *testing.T) {
	fields := (&TestMessage{}).ProtoReflect().Descriptor().Fields()
	assert.Equal(t, 20, fields.Len())
	assert.Nil(t, fields.ByNumber(11), "the number 11 is not used")
}

func TestConversionLosesNothing(t *testing.T) {
	m, back := new(Document), new(payloads.Document)
	require.NoError(t, FromDocument(m, payloads.RepositoryValue()))
	require.NoError(t, ToDocument(back, m))
	assert.Equal(t, payloads.RepositoryValue(), back)

	e, event := new(Event), new(payloads.Event)
	require.NoError(t, FromEvent(e, payloads.EventValue()))
	require.NoError(t, ToEvent(event, e))
	assert.Equal(t, payloads.EventValue(), event)
}

// A field that a message lacks would be lost in conversion: the messages have
// as many as the structs.
func TestMessagesHaveTheFieldsOfTheStructs(t *testing.T) {
	for name, m := range map[string]struct {
		msg   proto.Message
		value any
	}{
		"repository": {&Repository{}, payloads.RepositoryValue().Repository},
		"event":      {&Event{}, payloads.EventValue()},
		"fat":        {&Fat{}, payloads.FatValue()},
		"fatpair":    {&FatPair{}, payloads.FatValue().Baz},
		"message":    {&TestMessage{}, payloads.TestMessageDense()},
	} {
		data, err := json.Marshal(m.value)
		require.NoError(t, err)
		var fields map[string]any
		require.NoError(t, json.Unmarshal(data, &fields))
		d := m.msg.ProtoReflect().Descriptor().Fields()
		assert.Equal(t, len(fields), d.Len(), name)
		for key := range fields {
			assert.NotNil(t, d.ByTextName(key), "%s.%s", name, key)
		}
	}
}

// The messages hold what the structs do: both say the same in JSON.
func TestMessagesHoldWhatTheStructsDo(t *testing.T) {
	names := protojson.MarshalOptions{UseProtoNames: true}
	asJSON := func(t *testing.T, m proto.Message) string {
		text, err := names.Marshal(m)
		require.NoError(t, err)
		return string(text)
	}
	plain := func(t *testing.T, v any) string {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		return string(text)
	}
	t.Run("fat", func(t *testing.T) {
		m := new(Fat)
		require.NoError(t, FromFat(m, payloads.FatValue()))
		assert.JSONEq(t, plain(t, payloads.FatValue()), asJSON(t, m))
		big := payloads.FatValue()
		big.Bar[7] = 1 << 32
		assert.ErrorContains(t, FromFat(m, big), "bar[7]: 4294967296 is no uint32")
	})
	t.Run("testmessage", func(t *testing.T) {
		m := new(TestMessage)
		require.NoError(t, FromTestMessage(m, payloads.TestMessageValue()))
		assert.True(t, proto.Equal(TestMessageValue(), m))
		require.NoError(t, FromTestMessage(m, payloads.TestMessageDense()))
		set := 0
		m.ProtoReflect().Range(func(protoreflect.FieldDescriptor, protoreflect.Value) bool { set++; return true })
		assert.Equal(t, 20, set, "every field of the dense message is set")
		assert.Equal(t, payloads.TestMessageDense().RepeatedFloat, m.RepeatedFloat)
		assert.Equal(t, payloads.TestMessageDense().RepeatedMsg[1].Foo, m.RepeatedMsg[1].Foo)
	})
	t.Run("podcasts", func(t *testing.T) {
		m := new(Podcasts)
		require.NoError(t, FromPodcasts(m, payloads.PodcastsValue()))
		strings, nulls := 0, 0
		for i, p := range m.Podcasts {
			strings += 8 + len(p.Keywords)
			want := (*payloads.PodcastsValue())[i]
			assert.Equal(t, []any{want.ID, want.Description, want.Language, want.URL}, []any{p.Id, p.Description, p.Language, p.Url})
			for _, s := range []*string{p.Author, p.Language} {
				if s == nil {
					nulls++
				} else {
					strings++
				}
			}
		}
		assert.Equal(t, [2]int{146, 14}, [2]int{strings, nulls})
	})
	t.Run("geo", func(t *testing.T) {
		f := payloads.GeoValue()
		flat, err := f.Flatten()
		require.NoError(t, err)
		nested, flatPB, packed, raw := new(Feature), new(FlatFeature), new(PackedFeature), new(BytesFeature)
		require.NoError(t, FromFeature(nested, f))
		require.NoError(t, FromFlatFeature(flatPB, flat))
		require.NoError(t, FromPackedFeature(packed, flat.Pack()))
		require.NoError(t, FromBytesFeature(raw, flat.Bytes()))
		assert.Len(t, nested.Properties, 169)
		assert.Equal(t, nested.Properties, packed.Properties)
		assert.Equal(t, flat.Pack().Geometry, packed.Geometry)
		last := f.Geometry.Coordinates[126][0][7]
		at := nested.Geometry.Polygons[126].Rings[0].Positions[7]
		assert.Equal(t, last, [2]float64{at.Longitude, at.Latitude})
		assert.Equal(t, flat.Geometry[126], flatPB.Geometry[126].Numbers)
		assert.Equal(t, flat.Bytes().Geometry, raw.Geometry)
	})
	_, err := properties(map[string]any{"n": uint64(1 << 63)})
	assert.ErrorContains(t, err, "property n")
	_, err = properties(map[string]any{"n": []any{}})
	assert.ErrorContains(t, err, "no place for a []interface")
}

func TestPayloadsRoundTrip(t *testing.T) {
	report, err := serbench.Runner{Ops: []serbench.Op{serbench.OpEncode}, Reps: 1, Plan: serbench.Plan{WarmupReps: -1}}.Run(
		t.Context(), []serbench.Codec{protobuf.New(), protobuf.JSON(), vtprotobuf.New()}, Payloads())
	require.NoError(t, err)
	assert.Len(t, report.Results, 3*10)
	for _, res := range report.Results {
		assert.Equal(t, serbench.StatusOK, res.Status, "%s on %s: %s", res.Codec, res.Payload, res.Reason)
		assert.Equal(t, "proto", res.Form)
	}
}
