// Package adapttest holds what the tests of the adapters share: a value that
// every codec keeps, and the contract run on all that a codec offers.
package adapttest

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/codectest"
)

// Item is a struct that every codec gives back as it was.
type Item struct {
	Name  string            `json:"name"`
	N     int64             `json:"n"`
	F     float64           `json:"f"`
	Tags  []string          `json:"tags"`
	Attrs map[string]string `json:"attrs"`
	Inner *Inner            `json:"inner"`
}

// Inner is a struct within an Item.
type Inner struct {
	OK   bool   `json:"ok"`
	Blob []byte `json:"blob"`
}

// NewItem returns an Item with text in it.
func NewItem(text string) *Item {
	return &Item{
		Name: text, N: math.MinInt64, F: -1.5e-7, Tags: []string{"<b>", "\u2028", ""}, Attrs: map[string]string{"k": "v"},
		Inner: &Inner{OK: true, Blob: []byte{0, 1, 255}},
	}
}

// Items returns two Items, the second of which encodes to more than 64 KiB, so
// that an Append overflows every pooled buffer.
func Items() serbench.Payload {
	return serbench.NewPayload("item", NewItem("value"), NewItem(strings.Repeat("x", 70_000)))
}

// Unsupported are values that no library encodes.
func Unsupported() map[string]any {
	return map[string]any{
		"a channel in a field":     &struct{ In struct{ C chan int } }{},
		"a complex number":         new(complex128),
		"functions in a recursive": &struct{ L []struct{ F func() } }{L: []struct{ F func() }{{}}},
	}
}

// Reflective checks codecs that take any Go value: all of the contract, and
// what they say of themselves.
func Reflective(t *testing.T, format, library string, except map[string]string, codecs ...serbench.Codec) {
	t.Helper()
	for _, c := range codecs {
		t.Run(c.Name(), func(t *testing.T) {
			Contract(t, c, codectest.Kit{Unsupported: Unsupported(), Except: except}, Items())
			Described(t, c, format, library)
		})
	}
}

// Contract checks a codec that has to have all abilities but streams.
func Contract(t *testing.T, c serbench.Codec, kit codectest.Kit, payloads ...serbench.Payload) {
	t.Helper()
	_, ok := c.(interface {
		serbench.Appender
		serbench.Supporter
		serbench.Describer
		serbench.Binder
		serbench.Cloner
	})
	require.True(t, ok, "%T lacks an ability", c)
	kit.Run(t, c, payloads...)
}

// Described checks that a codec says what it is.
func Described(t *testing.T, c serbench.Codec, format, library string) {
	t.Helper()
	i := c.(serbench.Describer).Describe()
	assert.Equal(t, format, i.Format)
	assert.Equal(t, library, i.Library)
	assert.Empty(t, i.Version, "a test binary lists no modules")
	assert.NotEmpty(t, i.CallPath)
	assert.NotEmpty(t, i.Kind)
}

// Trip encodes v and returns what comes back, a new T.
func Trip[T any](t *testing.T, c serbench.Codec, v T) T {
	t.Helper()
	data, err := c.Marshal(&v)
	require.NoError(t, err)
	var got T
	require.NoError(t, c.Unmarshal(data, &got), "%q", data)
	return got
}

// Encoded returns the message of v as a string.
func Encoded[T any](t *testing.T, c serbench.Codec, v T) string {
	t.Helper()
	data, err := c.Marshal(&v)
	require.NoError(t, err)
	return string(data)
}

// AppendRecovers checks that a value that cannot be encoded leaves nothing
// behind, neither in dst nor in the codec.
func AppendRecovers(t *testing.T, c serbench.Codec, bad any) {
	t.Helper()
	appendTo := c.(serbench.Appender).Append
	dst := []byte("kept")
	out, err := appendTo(dst, bad)
	require.Error(t, err)
	assert.NotErrorIs(t, err, errors.ErrUnsupported, "the type is fine, the value is not")
	assert.Equal(t, "kept", string(out))
	want, err := c.Marshal(NewItem("after"))
	require.NoError(t, err)
	out, err = appendTo(dst, NewItem("after"))
	require.NoError(t, err, "an error is not sticky")
	assert.Equal(t, "kept"+string(want), string(out))
}

// Seeds are n generated values, for fuzz targets to begin with.
func Seeds[T any](tb testing.TB, n int) (values []any) {
	tb.Helper()
	made, err := serbench.Generate[T](n, serbench.Generator{Seed: 1})
	require.NoError(tb, err)
	for _, v := range made {
		values = append(values, v)
	}
	return values
}

// Fuzz feeds a codec with damaged messages: it must not panic.
func Fuzz(f *testing.F, codecs ...serbench.Codec) {
	seeds := append(Seeds[Item](f, 4), Seeds[map[string]any](f, 4)...)
	for _, c := range codecs {
		for _, v := range append(seeds, NewItem("seed"), &map[string]any{"a": []any{"b", 1.5, nil}}) {
			data, err := c.Marshal(v)
			if errors.Is(err, errors.ErrUnsupported) {
				continue
			}
			require.NoError(f, err)
			f.Add(data)
		}
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		for _, c := range codecs {
			_ = c.Unmarshal(data, new(Item))
			_ = c.Unmarshal(data, new(map[string]any))
		}
	})
}
