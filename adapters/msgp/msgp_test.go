package msgp

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tinylib/msgp/msgp"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/codectest"
)

// pair has methods as msgp generates them for a small struct: to encode on
// the value, to decode on the pointer.
type pair struct {
	A string
	B int64
}

func (p pair) MarshalMsg(b []byte) ([]byte, error) {
	if p.B < 0 {
		return msgp.AppendString(b, "half of"), errors.New("negative")
	}
	b = msgp.Require(b, 32+len(p.A))
	b = msgp.AppendArrayHeader(b, 2)
	b = msgp.AppendString(b, p.A)
	return msgp.AppendInt64(b, p.B), nil
}

func (p *pair) UnmarshalMsg(b []byte) ([]byte, error) {
	n, b, err := msgp.ReadArrayHeaderBytes(b)
	if err != nil {
		return b, err
	}
	if n != 2 {
		return b, msgp.ArrayError{Wanted: 2, Got: n}
	}
	if p.A, b, err = msgp.ReadStringBytes(b); err != nil {
		return b, err
	}
	p.B, b, err = msgp.ReadInt64Bytes(b)
	return b, err
}

// encodeOnly has no UnmarshalMsg, as with //msgp:unmarshal ignore.
type encodeOnly struct{ pair }

func (encodeOnly) UnmarshalMsg() {}

type plain struct{ A string }

// embeds is a user's struct whose own field no method knows.
type embeds struct {
	pair
	Own string
}

func TestGeneratedKeepsTheContract(t *testing.T) {
	codectest.Kit{
		Unsupported: map[string]any{
			"no methods":         &plain{"a"},
			"methods only by **": new(*pair),
		},
	}.Run(t, New(), serbench.NewPayload("pair", &pair{"value", 1 << 40}, &pair{strings.Repeat("x", 70_000), 7}))
}

func TestGeneratedNamesTheRemedy(t *testing.T) {
	for _, tt := range []struct {
		name string
		v    any
		want string
	}{
		{"no methods", &plain{}, "unsupported: type msgp.plain has no MarshalMsg; run msgp"},
		{"no method to decode", &encodeOnly{}, "unsupported: type msgp.encodeOnly has no UnmarshalMsg; run msgp"},
		{"a value with a value receiver", pair{}, "unsupported: type msgp.pair is not a pointer; pass a pointer to it"},
		{"a nil pointer", (*pair)(nil), "unsupported: type msgp.pair came as a nil pointer; pass a pointer to a value"},
		{"promoted methods would lose the struct's own fields", &embeds{}, "unsupported: type msgp.embeds has MarshalMsg only from its embedded field pair and would lose its other fields; run msgp on it"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.EqualError(t, generated{}.Supports(tt.v), tt.want)
			_, err := generated{}.Bind(tt.v)
			assert.EqualError(t, err, tt.want)
		})
	}
}

func TestGeneratedAppendLeavesDstOnError(t *testing.T) {
	v := &pair{B: -1}
	b, err := generated{}.Bind(v)
	require.NoError(t, err)
	for name, appendTo := range map[string]func([]byte) ([]byte, error){
		"unbound": func(dst []byte) ([]byte, error) { return generated{}.Append(dst, v) },
		"bound":   b.Append,
	} {
		dst := append(make([]byte, 0, 100), "kept"...)
		out, err := appendTo(dst)
		assert.EqualError(t, err, "negative", name)
		assert.Equal(t, "kept", string(out), name)
	}
}

func TestGeneratedAllocatesNothingInTheCallersBuffer(t *testing.T) {
	v := &pair{"value", 1}
	b, err := generated{}.Bind(v)
	require.NoError(t, err)
	buf := make([]byte, 0, 64)
	assert.Zero(t, testing.AllocsPerRun(100, func() { buf, _ = b.Append(buf[:0]) }), "bound")
	assert.Zero(t, testing.AllocsPerRun(100, func() { buf, _ = generated{}.Append(buf[:0], v) }), "unbound")
}

func document() map[string]any {
	return map[string]any{
		"string": "ünï", "int": int64(math.MinInt64), "uint": uint64(math.MaxUint64), "float": 0.1 + 0.2, "nil": nil,
		"bytes": []byte{0, 255}, "list": []any{true, "x", map[string]any{"deep": int64(-1)}},
	}
}

func TestTreeKeepsTheContract(t *testing.T) {
	anyOf := func(v any) *any { return &v }
	unsupported := map[string]any{
		"a struct":          &plain{"a"},
		"another map":       &map[string]string{"a": "b"},
		"a generated type":  &pair{},
		"an integer by key": &map[int]any{1: 1},
	}
	codectest.Kit{Unsupported: unsupported, Except: map[string]string{"hostile-input": "takes more than 64 bytes for each level of nesting: 60,000 in a field that the target lacks are beyond the budget, see docs/robustness.md"}}.Run(t, Tree(),
		serbench.NewPayload("map", new(document()), &map[string]any{"s": strings.Repeat("x", 70_000)}),
		serbench.NewPayload("any", anyOf(document()), anyOf(strings.Repeat("x", 70_000))),
		serbench.NewPayload("slice", &[]any{"a", int64(-7), []any{}}, &[]any{strings.Repeat("x", 70_000)}))
}

func TestTreeRefusesWhatItHolds(t *testing.T) {
	for name, held := range map[string]any{
		"a struct":                          plain{},
		"a channel":                         make(chan int),
		"a nil pointer with methods":        (*pair)(nil),
		"a map whose keys are not strings":  map[int]string{1: "a"},
		"something deep within the message": []any{map[string]any{"f": func() {}}},
	} {
		t.Run(name, func(t *testing.T) {
			dst := []byte("kept")
			for _, v := range []any{&held, &map[string]any{"in": held}, &[]any{held}} {
				out, err := tree{}.Append(dst, v)
				assert.Error(t, err)
				assert.Equal(t, dst, out)
			}
		})
	}
	_, err := tree{}.Marshal(&[]any{plain{}})
	assert.ErrorIs(t, err, errors.ErrUnsupported)
}

func TestTreeKinds(t *testing.T) {
	var s []any
	data, err := tree{}.Marshal(&s)
	require.NoError(t, err)
	require.NoError(t, tree{}.Unmarshal(data, &s))

	data, err = tree{}.Marshal(&map[string]any{"a": 1})
	require.NoError(t, err)
	assert.ErrorContains(t, tree{}.Unmarshal(data, &s), "not an array")
}

func TestTreeLeavesNoStaleKeys(t *testing.T) {
	data, err := tree{}.Marshal(&map[string]any{"new": true})
	require.NoError(t, err)
	got := map[string]any{"old": 1}
	require.NoError(t, tree{}.Unmarshal(data, &got))
	assert.Equal(t, map[string]any{"new": true}, got)
}

func TestTreeKeepsTimesToTheNanosecond(t *testing.T) {
	at := time.Date(2011, 7, 8, 7, 34, 34, 123456789, time.UTC)
	data, err := tree{}.Marshal(&map[string]any{"at": at})
	require.NoError(t, err)
	var got map[string]any
	require.NoError(t, tree{}.Unmarshal(data, &got))
	assert.True(t, at.Equal(got["at"].(time.Time)))
}

func TestDescribe(t *testing.T) {
	for _, c := range []serbench.Codec{New(), Tree()} {
		i := c.(serbench.Describer).Describe()
		assert.Equal(t, "msgpack", i.Format)
		assert.Equal(t, "github.com/tinylib/msgp", i.Library)
		assert.Empty(t, i.Version, "a test binary lists no modules")
		assert.NotEmpty(t, i.CallPath)
		assert.NotEmpty(t, i.Kind)
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, v := range []any{document(), []any{}, "x"} {
		data, err := Tree().Marshal(&v)
		require.NoError(f, err)
		f.Add(data)
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		_ = New().Unmarshal(data, new(pair))
		_ = Tree().Unmarshal(data, new(any))
		_ = Tree().Unmarshal(data, new(map[string]any))
		_ = Tree().Unmarshal(data, new([]any))
	})
}
