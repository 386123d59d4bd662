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
