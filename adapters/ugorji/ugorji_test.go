package ugorji

import (
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
	"github.com/serbench/serbench/internal/hostinfo"
)

func all() []serbench.Codec {
	var cs []serbench.Codec
	for _, opts := range [][]Option{nil, {NewPerMessage()}} {
		cs = append(cs, JSON(opts...), MsgPack(opts...), CBOR(opts...), Binc(opts...), Simple(opts...))
	}
	return cs
}

type item struct {
	Name  string            `json:"name"`
	N     int64             `json:"n"`
	U     uint64            `json:"u"`
	F     []float64         `json:"f"`
	Attrs map[string]string `json:"attrs"`
	Blob  []byte            `json:"blob"`
	At    time.Time         `json:"at"`
	Any   any               `json:"any"`
}

func one(text string) *item {
	return &item{
		Name: text, N: math.MinInt64, U: math.MaxUint64, F: []float64{0.1, -math.MaxFloat64, 5e-324},
		Attrs: map[string]string{"k": "v"}, Blob: []byte{0, 1, 255},
		At:  time.Date(2011, 7, 8, 7, 34, 34, 123456000, time.UTC),
		Any: map[string]any{"s": "string", "i": int64(-3), "f": 1.5, "l": []any{true, nil, map[string]any{"deep": "x"}}},
	}
}

func items() (serbench.Payload, codectest.Kit) {
	return serbench.NewPayload("item", one("a \u2028 <b>"), one(strings.Repeat("x", 70_000))), codectest.Kit{
		Unsupported: map[string]any{
			"a channel in a field":    &struct{ In struct{ C chan int } }{},
			"a function in a field":   &struct{ F func() }{},
			"a map of channels":       &map[string]chan int{"a": nil},
			"a complex number":        new(1i),
			"channels in a recursive": new(recursive),
		},
	}
}

type recursive struct {
	Next *recursive
	C    <-chan int
}

// hostile is what a format's decoder does with hostile input, as it was seen;
// docs/robustness.md has the inputs.
func hostile(format string) string {
	switch format {
	case "msgpack", "cbor", "simple":
		return "makes a list of the elements that a header of five bytes claims, up to 64 MiB of it"
	case "binc":
		if hostinfo.UnderRace() {
			return "recurses as deep as the input is nested: beyond the budget with the race detector's larger frames"
		}
	}
	return ""
}

func TestKeepsTheContract(t *testing.T) {
	for _, c := range all() {
		t.Run(c.Name(), func(t *testing.T) {
			p, kit := items()
			if c.(serbench.Describer).Describe().Format == "cbor" {
				kit.Generator.TimeStep = time.Microsecond // its times are floating point numbers of seconds
			}
			if why := hostile(c.(serbench.Describer).Describe().Format); why != "" {
				kit.Except = map[string]string{"hostile-input": why}
			}
			kit.Run(t, c, p)
		})
	}
}

func TestNames(t *testing.T) {
	var names []string
	for _, c := range all() {
		names = append(names, c.Name())
	}
	assert.Equal(t, []string{
		"ugorji-json", "ugorji-msgpack", "ugorji-cbor", "ugorji-binc", "ugorji-simple",
		"ugorji-json-new", "ugorji-msgpack-new", "ugorji-cbor-new", "ugorji-binc-new", "ugorji-simple-new",
	}, names)
}

func roundTrip[T any](t *testing.T, c serbench.Codec, v T) T {
	t.Helper()
	data, err := c.Marshal(&v)
	require.NoError(t, err)
	var got T
	require.NoError(t, c.Unmarshal(data, &got))
	return got
}

func TestGenericValuesKeepTheirKinds(t *testing.T) {
	for _, c := range all() {
		t.Run(c.Name(), func(t *testing.T) {
			for name, v := range map[string]any{
				"a string stays a string":           "text",
				"the empty string":                  "",
				"a negative integer":                int64(math.MinInt64),
				"a positive integer is not a float": uint64(1 << 60),
				"the largest integer":               uint64(math.MaxUint64),
				"a whole float stays a float":       1.0,
				"a map is a map[string]any":         map[string]any{"a": map[string]any{"b": "c"}},
				"an array is a []any":               []any{"a", []any{}},
				"nil":                               nil,
			} {
				assert.Equal(t, v, roundTrip(t, c, v), name)
				assert.Equal(t, map[string]any{"in": v}, roundTrip(t, c, map[string]any{"in": v}), name)
			}
			if c.(*codec).format != "json" {
				assert.Equal(t, []byte{0, 255}, roundTrip[any](t, c, []byte{0, 255}), "bytes stay bytes")
			}
		})
	}
}

func TestTimes(t *testing.T) {
	at := time.Date(2011, 7, 8, 7, 34, 34, 123456789, time.FixedZone("", -7*3600))
	for _, c := range all() {
		t.Run(c.Name(), func(t *testing.T) {
			want := at
			if c.(*codec).format == "cbor" {
				want = at.Round(time.Microsecond) // as its Info says
			}
			got := roundTrip(t, c, at)
			assert.True(t, want.Equal(got), "want %v, got %v", want, got)
			assert.True(t, roundTrip(t, c, time.Time{}).IsZero())
			if c.(*codec).format != "json" {
				assert.True(t, want.Equal(roundTrip[any](t, c, at).(time.Time)), "in a generic value")
			}
		})
	}
}

func TestAChannelIsNotDrained(t *testing.T) {
	type withChannel struct{ C chan int }
	for _, c := range all() {
		v := &withChannel{make(chan int, 1)}
		v.C <- 1
		_, err := c.Marshal(v)
		require.ErrorIs(t, err, errors.ErrUnsupported, c.Name())
		assert.EqualError(t, err, "unsupported: type ugorji.withChannel has a field C of type chan int, which ugorji cannot encode without loss")
		assert.Len(t, v.C, 1, c.Name())
	}
}

func TestJSONIsValid(t *testing.T) {
	c := JSON()
	data, err := c.Marshal(&map[int]string{1: "a"})
	require.NoError(t, err)
	assert.JSONEq(t, `{"1":"a"}`, string(data))
	data, err = c.Marshal(one("a"))
	require.NoError(t, err)
	assert.True(t, json.Valid(data))
}

func TestJSONTextAfterAMessage(t *testing.T) {
	for _, tt := range []struct {
		in string
		ok bool
	}{
		{"12", true},
		{"12 \r\n\t", true},
		{"12x", false},
		{"12 x", false},
		{"12]", false},
		{" -1.5e3", true},
		{" -1.5e3,", false},
		{"true", true},
		{"truex", false},
		{`"a"`, true},
		{`"a""`, false},
		{"null null", false},
		{"[1]\n", true},
		{"[1]2", false},
		{"{}}", false},
		{`"1"2`, false},
		{"", false},
		{" ", false},
	} {
		for _, c := range []serbench.Codec{JSON(), JSON(NewPerMessage())} {
			var v any
			err := c.Unmarshal([]byte(tt.in), &v)
			assert.Equal(t, tt.ok, err == nil, "%q: %v", tt.in, err)
		}
	}
}

func TestErrorsAreNotSticky(t *testing.T) {
	for _, c := range all() {
		v := &map[string]any{"c": 1i}
		dst := append(make([]byte, 0, 100), "kept"...)
		out, err := c.(serbench.Appender).Append(dst, v)
		require.Error(t, err, c.Name())
		assert.Equal(t, "kept", string(out))
		assert.Equal(t, "text", roundTrip(t, c, "text"), c.Name())
	}
}

func TestResetSavesAllocations(t *testing.T) {
	v := one("a")
	for _, reused := range []serbench.Codec{JSON(), MsgPack(), CBOR(), Binc(), Simple()} {
		b, err := reused.(serbench.Binder).Bind(v)
		require.NoError(t, err)
		var buf []byte
		got := testing.AllocsPerRun(50, func() { buf, err = b.Append(buf[:0]) })
		require.NoError(t, err)
		fresh := *reused.(*codec)
		NewPerMessage()(&fresh)
		fb, err := fresh.Bind(v)
		require.NoError(t, err)
		anew := testing.AllocsPerRun(50, func() { buf, err = fb.Append(buf[:0]) })
		assert.Less(t, got, anew, reused.Name())
	}
}

func TestDescribe(t *testing.T) {
	for _, c := range all() {
		i := c.(serbench.Describer).Describe()
		assert.Equal(t, strings.Split(c.Name(), "-")[1], i.Format)
		assert.Equal(t, "github.com/ugorji/go/codec", i.Library)
		assert.Empty(t, i.Version, "a test binary lists no modules")
		assert.Equal(t, serbench.KindReflect, i.Kind)
		assert.Equal(t, strings.HasSuffix(c.Name(), "-new"), strings.HasPrefix(i.CallPath, "NewEncoderBytes"))
		assert.Contains(t, i.Options, "MapType")
		i.Options["MapType"] = "changed"
		assert.Equal(t, "map[string]any", c.(serbench.Describer).Describe().Options["MapType"], "the Info is constant")
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, c := range all() {
		data, err := c.Marshal(one("a"))
		require.NoError(f, err)
		f.Add(data)
	}
	cs := all()
	f.Fuzz(func(_ *testing.T, data []byte) {
		for _, c := range cs {
			_ = c.Unmarshal(data, new(item))
			_ = c.Unmarshal(data, new(any))
		}
	})
}
