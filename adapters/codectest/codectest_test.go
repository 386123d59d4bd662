package codectest_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/codectest"
)

// failures returns the cases that failed, without repeats.
func failures(t *testing.T, err error) (cases []string) {
	t.Helper()
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	require.True(t, ok, "%T", err)
	for _, e := range joined.Unwrap() {
		f, ok := errors.AsType[*codectest.Failure](e)
		require.True(t, ok, "%v", e)
		assert.NotEmpty(t, f.Rule)
		assert.ErrorContains(t, e, f.Rule)
		assert.ErrorContains(t, e, f.Case)
		if !slices.Contains(cases, f.Case) {
			cases = append(cases, f.Case)
		}
	}
	return cases
}

func TestEachMistakeFailsItsCaseAndNoOther(t *testing.T) {
	kit := codectest.Kit{Limit: 5 * time.Second}
	for _, b := range append(brokenCodecs(), cheats()...) {
		t.Run(b.name, func(t *testing.T) {
			err := kit.TestCodec(b.codec(), things())
			assert.Equal(t, []string{b.fails}, failures(t, err), "%v", err)
		})
	}
}

// A large message is spared some of the cases where a smaller one of its type
// has gone through all of them; without one it goes through all itself.
func TestMistakesWithLargeMessagesAreFound(t *testing.T) {
	huge := func() *thing {
		return &thing{A: strings.Repeat("0123456789abcdef", 18<<10), B: "b", Blob: bytes.Repeat([]byte("blob"), 1000), Words: []string{"w"}}
	}
	large := serbench.NewPayload("large", huge())
	for _, b := range sized() {
		t.Run(b.name, func(t *testing.T) {
			err := codectest.TestCodec(b.codec(), things(), large)
			assert.Equal(t, []string{b.fails}, failures(t, err), "%v", err)
			err = codectest.TestCodec(b.codec(), large)
			assert.Equal(t, []string{b.fails}, failures(t, err), "alone: %v", err)
		})
	}
	for _, b := range cheats() {
		if b.fails == "after-errors" {
			err := codectest.TestCodec(b.codec(), large)
			assert.Equal(t, []string{b.fails}, failures(t, err), "%s, alone: %v", b.name, err)
		}
	}
}

func TestCodecsThatKeepTheRulesPass(t *testing.T) {
	f := &fake{name: "honest"}
	for name, c := range map[string]serbench.Codec{
		"plain": f, "cloning": cloning{f}, "appending": appending{f, nil}, "binding": binding{f, nil}, "streaming": streaming{f, nil},
		"with sizes": &fake{name: "sizes", marshal: plainMarshal, unmarshal: plainUnmarshal},
	} {
		t.Run(name, func(t *testing.T) { assert.NoError(t, codectest.TestCodec(c, things())) })
	}
}

func TestOneValueIsEnoughToFindACheat(t *testing.T) {
	for _, b := range brokenCodecs() {
		if b.fails != "input-used" && b.fails != "self-contained" {
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			err := codectest.TestCodec(b.codec(), serbench.NewPayload("thing", things2()[0]))
			assert.Equal(t, []string{b.fails}, failures(t, err), "%v", err)
		})
	}
}

func TestACallThatHangsIsNamedInTime(t *testing.T) {
	started := time.Now()
	end := make(chan struct{})
	defer close(end)
	for name, c := range map[string]*fake{
		"marshal":   {name: "marshal", marshal: func(*thing) ([]byte, error) { <-end; return nil, errors.New("late") }},
		"unmarshal": {name: "unmarshal", unmarshal: func([]byte, *thing) error { <-end; return errors.New("late") }},
	} {
		err := codectest.Kit{Limit: 50 * time.Millisecond}.TestCodec(c, things())
		assert.Equal(t, []string{"returns"}, failures(t, err), "%v", err)
		assert.ErrorContains(t, err, name)
		assert.ErrorContains(t, err, "did not return within 50ms")
	}
	assert.Less(t, time.Since(started), 5*time.Second)
}

func TestBadInputOfTheKit(t *testing.T) {
	f := &fake{name: "honest"}
	type other struct{ X int }
	for name, tt := range map[string]struct {
		codec    serbench.Codec
		kit      codectest.Kit
		payloads []serbench.Payload
		want     string
	}{
		"no codec":           {nil, codectest.Kit{}, []serbench.Payload{things()}, "the codec is nil"},
		"no payloads":        {f, codectest.Kit{}, nil, "no payloads"},
		"a zero payload":     {f, codectest.Kit{}, []serbench.Payload{{}}, "not made with NewPayload"},
		"one payload twice":  {f, codectest.Kit{}, []serbench.Payload{things(), things()}, `"thing/struct" is there twice`},
		"an unknown case":    {f, codectest.Kit{Except: map[string]string{"x": "y"}}, []serbench.Payload{things()}, `no case "x"`},
		"nothing to check":   {f, codectest.Kit{}, []serbench.Payload{serbench.NewPayload("o", &other{})}, "supports none of the payloads"},
		"a needless except.": {f, codectest.Kit{Except: map[string]string{"append-prefix": "y"}}, []serbench.Payload{things()}, `Kit.Except["append-prefix"] is not needed`},
	} {
		assert.ErrorContains(t, tt.kit.TestCodec(tt.codec, tt.payloads...), tt.want, name)
	}
}

func TestAnExceptionHoldsForItsCaseOnly(t *testing.T) {
	i := slices.IndexFunc(brokenCodecs(), func(b broken) bool { return b.name == "accepts-what-follows" })
	c := brokenCodecs()[i].codec()
	require.Error(t, codectest.TestCodec(c, things()))
	assert.NoError(t, codectest.Kit{Except: map[string]string{"whole-message": "a reader of streams"}}.TestCodec(c, things()))
	assert.Error(t, codectest.Kit{Except: map[string]string{"stream": "another"}}.TestCodec(c, things()))
}
