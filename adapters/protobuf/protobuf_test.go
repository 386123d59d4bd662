package protobuf_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/codectest"
	"github.com/serbench/serbench/adapters/internal/adapttest"
	"github.com/serbench/serbench/adapters/protobuf"
	"github.com/serbench/serbench/examples/payloads/payloadspb"
)

func unsupported() map[string]any {
	return map[string]any{"no message": new(adapttest.Item), "a pointer to a nil message": new(*payloadspb.Event)}
}

func messages() (short, long *payloadspb.TestMessage) {
	return payloadspb.TestMessageValue(), &payloadspb.TestMessage{OptionalString: strings.Repeat("x", 70_000)}
}

func payload() serbench.Payload {
	short, long := messages()
	return serbench.NewPayload("message", short, long).With(serbench.Equal(protobuf.Equal[payloadspb.TestMessage]))
}

func TestBinaryKeepsTheContract(t *testing.T) {
	adapttest.Contract(t, protobuf.New(), codectest.Kit{Unsupported: unsupported(), Open: true}, payload())
	adapttest.Described(t, protobuf.New(), "protobuf", "google.golang.org/protobuf")
}

func TestJSONKeepsTheContract(t *testing.T) {
	adapttest.Contract(t, protobuf.JSON(), codectest.Kit{Unsupported: unsupported()}, payload())
	adapttest.Described(t, protobuf.JSON(), "json", "google.golang.org/protobuf")
}

// A dynamic message of no descriptor cannot be decoded into, so the kit, which
// makes its targets, cannot be used as it is: it works on the generated type
// and the conversion.
func TestDynamicKeepsTheContract(t *testing.T) {
	desc := payloadspb.TestMessageValue().ProtoReflect().Descriptor()
	to := func(m *dynamicpb.Message, d *payloadspb.TestMessage) error {
		dm, err := protobuf.DynamicMessage(d)
		if err != nil {
			return err
		}
		*m = *dm
		return nil
	}
	from := func(d *payloadspb.TestMessage, m *dynamicpb.Message) error {
		data, err := proto.Marshal(m)
		if err != nil {
			return err
		}
		return proto.Unmarshal(data, d)
	}
	c := serbench.Convert(protobuf.Dynamic(desc), to, from)
	codectest.Kit{Unsupported: map[string]any{"no message": new(adapttest.Item)}, Open: true}.Run(t, c, payload())

	for name, v := range map[string]any{
		"a generated message":               payloadspb.TestMessageValue(),
		"a dynamic message of another kind": dynamicpb.NewMessage(payloadspb.EventValue().ProtoReflect().Descriptor()),
	} {
		assert.ErrorIs(t, protobuf.Dynamic(desc).(serbench.Supporter).Supports(v), errors.ErrUnsupported, name)
		_, err := protobuf.Dynamic(desc).Marshal(v)
		assert.ErrorIs(t, err, errors.ErrUnsupported, name)
	}

	_, err := protobuf.Dynamic(desc).Marshal(new(dynamicpb.Message))
	assert.ErrorIs(t, err, errors.ErrUnsupported, "the zero value has no descriptor")
	_, err = protobuf.Dynamic(desc).(serbench.Appender).Append(nil, new(dynamicpb.Message))
	assert.ErrorIs(t, err, errors.ErrUnsupported)
}

func TestDynamicWritesWhatGeneratedCodeWrites(t *testing.T) {
	d, err := protobuf.DynamicMessage(payloadspb.TestMessageValue())
	require.NoError(t, err)
	got, err := protobuf.Dynamic(d.Descriptor()).Marshal(d)
	require.NoError(t, err)
	want, err := protobuf.New().Marshal(payloadspb.TestMessageValue())
	require.NoError(t, err)
	// The fields of a dynamic message come in any order.
	assert.Len(t, got, len(want))
	slices.Sort(want)
	slices.Sort(got)
	assert.Equal(t, want, got)
}

type embeds struct {
	payloadspb.Event
	Own string
}

func TestPromotedMethodsAreRefused(t *testing.T) {
	for _, c := range []serbench.Codec{protobuf.New(), protobuf.JSON()} {
		err := c.(serbench.Supporter).Supports(new(embeds))
		require.ErrorIs(t, err, errors.ErrUnsupported)
		assert.ErrorContains(t, err, "embedded field Event")
	}
}

func TestInvalidUTF8IsAnError(t *testing.T) {
	for _, c := range []serbench.Codec{protobuf.New(), protobuf.JSON()} {
		_, err := c.Marshal(&payloadspb.Event{Host: "\xff"})
		require.Error(t, err, c.Name())
		out, err := c.(serbench.Appender).Append([]byte("kept"), &payloadspb.Event{Host: "ok", State: "\xff"})
		require.Error(t, err, c.Name())
		assert.Equal(t, "kept", string(out), c.Name())
	}
}

// The bytes of protojson are not to be compared: its white space differs from
// build to build.
func TestProtoJSONIsJSONWhateverItsWhiteSpace(t *testing.T) {
	data, err := protobuf.JSON().Marshal(&payloadspb.TestMessage{OptionalDouble: math.NaN(), OptionalInt64: math.MaxInt64})
	require.NoError(t, err)
	var m map[string]any
	require.NoError(t, json.Unmarshal(data, &m))
	assert.Equal(t, map[string]any{"optionalDouble": "NaN", "optionalInt64": "9223372036854775807"}, m)
}

func TestEqual(t *testing.T) {
	require.NoError(t, protobuf.Equal(payloadspb.EventValue(), payloadspb.EventValue()))
	other := payloadspb.EventValue()
	other.State = "fine"
	assert.ErrorContains(t, protobuf.Equal(payloadspb.EventValue(), other), "fine")
	p := serbench.NewPayload("event", payloadspb.EventValue()).With(serbench.Equal(protobuf.Equal[payloadspb.Event]))
	_, err := p.Values()
	require.NoError(t, err)
	assert.Equal(t, serbench.Lossy, p.Compare(payloadspb.EventValue(), other).Class)
}

func FuzzUnmarshal(f *testing.F) {
	for _, c := range []serbench.Codec{protobuf.New(), protobuf.JSON()} {
		data, err := c.Marshal(payloadspb.TestMessageValue())
		require.NoError(f, err)
		f.Add(data)
		for _, v := range adapttest.Seeds[payloadspb.TestMessage](f, 4) {
			data, err := c.Marshal(v)
			require.NoError(f, err)
			f.Add(data)
		}
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		_ = protobuf.New().Unmarshal(data, new(payloadspb.TestMessage))
		_ = protobuf.JSON().Unmarshal(data, new(payloadspb.TestMessage))
	})
}
