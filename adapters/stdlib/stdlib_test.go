package stdlib

import (
	"encoding/gob"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/codectest"
)

type item struct {
	Name  string            `json:"name"`
	N     int64             `json:"n"`
	Tags  []string          `json:"tags"`
	Attrs map[string]string `json:"attrs"`
	At    time.Time         `json:"at"`
	Blob  []byte            `json:"blob"`
}

func one(text string) *item {
	return &item{
		Name: text, N: math.MinInt64, Tags: []string{"<b>", "\u2028"}, Attrs: map[string]string{"k": "v"},
		At: time.Date(2011, 7, 8, 7, 34, 34, 123456789, time.UTC), Blob: []byte{0, 1, 255},
	}
}

func items() serbench.Payload {
	return serbench.NewPayload("item", one("json"), one(strings.Repeat("x", 70_000)))
}

func TestJSONKeepsTheContract(t *testing.T) {
	unsupported := map[string]any{
		"a channel in a field": &struct {
			In struct{ C chan int }
		}{},
		"a complex number":         new(complex128),
		"a map with struct keys":   &map[struct{ A int }]int{{1}: 1},
		"functions of a recursive": &struct{ L []struct{ F func() } }{L: []struct{ F func() }{{}}},
	}
	codectest.Kit{Unsupported: unsupported}.Run(t, newJSON(), items())
}

func TestGobKeepsTheContract(t *testing.T) {
	codectest.Run(t, Gob(), items())
}

func TestJSONGivesTheBytesOfMarshal(t *testing.T) {
	var nilMap map[string]int
	var nilAny any
	for name, v := range map[string]any{
		"HTML is escaped": &[]string{"<script>&"},
		"a float":         new(math.Pi),
		"a nil map":       &nilMap,
		"a nil interface": &nilAny,
		"its own newline": new("a\n"),
		"a raw message":   &json.RawMessage{'[', ' ', '1', ' ', ']'},
		"the sample":      one("json"),
	} {
		t.Run(name, func(t *testing.T) {
			want, err := json.Marshal(v)
			require.NoError(t, err)
			c := newJSON()
			got, err := c.Marshal(v)
			require.NoError(t, err)
			assert.Equal(t, string(want), string(got))
			got, err = c.Append([]byte("p"), v)
			require.NoError(t, err)
			assert.Equal(t, "p"+string(want), string(got))
			b, err := c.Bind(v)
			require.NoError(t, err)
			got, err = b.Append([]byte("p"))
			require.NoError(t, err)
			assert.Equal(t, "p"+string(want), string(got))
		})
	}
}

func TestJSONAppendFailsAndRecovers(t *testing.T) {
	c := newJSON()
	dst := []byte("kept")
	out, err := c.Append(dst, new(math.NaN()))
	require.Error(t, err, "JSON has no NaN")
	assert.NotErrorIs(t, err, errors.ErrUnsupported, "the type is fine, the value is not")
	assert.Equal(t, dst, out)
	out, err = c.Append(dst, new(1.5))
	require.NoError(t, err, "an error is not sticky")
	assert.Equal(t, "kept1.5", string(out))

	_, err = c.Append(dst, &map[string]any{"c": make(chan int)})
	assert.ErrorIs(t, err, errors.ErrUnsupported, "only the value shows this type")
}

func TestJSONAcceptsWhiteSpaceAfterAMessage(t *testing.T) {
	var n int
	require.NoError(t, newJSON().Unmarshal([]byte("7 \r\n\t"), &n))
	assert.Equal(t, 7, n)
}

func TestBoundSeesWhatWasWritten(t *testing.T) {
	v := &item{Name: "before"}
	b, err := newJSON().Bind(v)
	require.NoError(t, err)
	v.Name = "after"
	out, err := b.Append(nil)
	require.NoError(t, err)
	assert.Contains(t, string(out), "after")
}

func TestGobTypesInInterfacesNeedRegistration(t *testing.T) {
	type unregistered map[string]any
	_, err := gobCodec{}.Marshal(&map[string]any{"in": unregistered{"a": 1}})
	require.ErrorIs(t, err, errors.ErrUnsupported)
	assert.ErrorContains(t, err, "gob.Register")

	_, err = gobCodec{}.Marshal(&struct{ C chan int }{})
	assert.ErrorIs(t, err, errors.ErrUnsupported, "nothing that gob could encode")
}

func TestGobStream(t *testing.T) {
	values := []*item{{Name: "a", N: 1}, {Name: "b", N: 2}, {Name: "c", N: 3}}
	var c serbench.Streamer = gobCodec{}
	enc, dec := c.NewStream(), c.NewStream()
	var messages [][]byte
	for _, v := range values {
		out, err := enc.Encode([]byte("head"), v)
		require.NoError(t, err)
		require.Equal(t, "head", string(out[:4]))
		messages = append(messages, out[4:])
	}
	assert.Greater(t, len(messages[0]), 2*len(messages[1]), "the first message holds the types")

	for i, m := range messages {
		var got item
		require.NoError(t, dec.Decode(m, &got))
		assert.Equal(t, *values[i], got)
	}
	var got item
	assert.Error(t, c.NewStream().Decode(messages[1], &got), "a later message cannot be decoded alone")
	assert.Error(t, c.NewStream().Decode(messages[0][:10], &got), "cut")
	assert.Error(t, c.NewStream().Decode(append(messages[0], messages[1]...), &got), "two messages at once")
	assert.Error(t, c.NewStream().Decode(nil, &got), "no message")

	out, err := c.NewStream().Encode([]byte("kept"), (*item)(nil))
	assert.ErrorIs(t, err, errors.ErrUnsupported)
	assert.Equal(t, "kept", string(out))
	assert.ErrorIs(t, c.NewStream().Decode(messages[0], nil), errors.ErrUnsupported)
}

func TestGobStreamLetsGoOfTheCallersBuffer(t *testing.T) {
	s := gobCodec{}.NewStream()
	array := make([]byte, 4096)
	out, err := s.Encode(array[:0], &item{Name: "a"})
	require.NoError(t, err)
	kept := string(out)
	_, err = s.Encode(nil, &item{Name: "b"})
	require.NoError(t, err)
	assert.Equal(t, kept, string(out))
}

func TestDescribe(t *testing.T) {
	for _, c := range []serbench.Codec{JSON(), Gob()} {
		i := c.(serbench.Describer).Describe()
		assert.Equal(t, "encoding/"+c.Name(), i.Library)
		assert.Equal(t, c.Name(), i.Format)
		assert.Equal(t, serbench.KindReflect, i.Kind)
		assert.NotEmpty(t, i.CallPath)
		assert.True(t, strings.HasPrefix(i.Version, "go") || strings.HasPrefix(i.Version, "devel"), i.Version)
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, c := range []serbench.Codec{JSON(), Gob()} {
		data, err := c.Marshal(one("json"))
		require.NoError(f, err)
		f.Add(data)
		made, err := serbench.Generate[item](4, serbench.Generator{Seed: 1})
		require.NoError(f, err)
		for _, v := range made {
			data, err := c.Marshal(v)
			require.NoError(f, err)
			f.Add(data)
		}
	}
	gob.Register(map[string]any{})
	f.Fuzz(func(_ *testing.T, data []byte) {
		for _, c := range []serbench.Codec{JSON(), Gob()} {
			_ = c.Unmarshal(data, new(item))
			_ = c.Unmarshal(data, new(map[string]any))
		}
	})
}
