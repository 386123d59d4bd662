package vtprotobuf

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/codectest"
	"github.com/serbench/serbench/adapters/internal/adapttest"
	"github.com/serbench/serbench/examples/payloads/payloadspb"
)

func TestContract(t *testing.T) {
	p := serbench.NewPayload("message", payloadspb.TestMessageValue(), &payloadspb.TestMessage{OptionalString: strings.Repeat("x", 70_000)}).
		With(serbench.Equal(equal))
	adapttest.Contract(t, New(), codectest.Kit{
		Open:        true,
		Unsupported: map[string]any{"no methods": new(adapttest.Item), "methods only by **": new(*payloadspb.Event)},
	}, p)
	adapttest.Described(t, New(), "protobuf", "github.com/planetscale/vtprotobuf")
}

func equal(want, got *payloadspb.TestMessage) error {
	if !proto.Equal(want, got) {
		return errors.New("not equal")
	}
	return nil
}

// embeds is a user's struct whose own field no method knows.
type embeds struct {
	payloadspb.Event
	Own string
}

func TestPromotedMethodsAreRefused(t *testing.T) {
	err := New().(codec).Supports(new(embeds))
	require.ErrorIs(t, err, errors.ErrUnsupported)
	assert.ErrorContains(t, err, "embedded field Event")
}

func TestAUsedTargetIsReset(t *testing.T) {
	data, err := New().Marshal(payloadspb.TestMessageValue())
	require.NoError(t, err)
	got := &payloadspb.TestMessage{OptionalInt64: 7, RepeatedString: []string{"stale"}}
	require.NoError(t, New().Unmarshal(data, got))
	assert.True(t, proto.Equal(payloadspb.TestMessageValue(), got), "UnmarshalVT alone would add to what is there: %v", got)
}

func TestInvalidUTF8IsPassedOn(t *testing.T) {
	data, err := New().Marshal(&payloadspb.Event{Host: "\xff"})
	require.NoError(t, err)
	got := new(payloadspb.Event)
	require.NoError(t, New().Unmarshal(data, got))
	assert.Equal(t, "\xff", got.GetHost())
}

func TestAppendAllocatesNothingInTheCallersBuffer(t *testing.T) {
	b, err := codec{}.Bind(payloadspb.EventValue())
	require.NoError(t, err)
	buf := make([]byte, 0, 200)
	assert.Zero(t, testing.AllocsPerRun(100, func() { buf, _ = b.Append(buf[:0]) }))
}

func FuzzUnmarshal(f *testing.F) {
	data, err := New().Marshal(payloadspb.TestMessageValue())
	require.NoError(f, err)
	f.Add(data)
	f.Fuzz(func(_ *testing.T, data []byte) { _ = New().Unmarshal(data, new(payloadspb.TestMessage)) })
}
