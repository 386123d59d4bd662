package easyjson

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mailru/easyjson/buffer"
	"github.com/mailru/easyjson/jlexer"
	"github.com/mailru/easyjson/jwriter"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/codectest"
)

// list has methods in the manner of the generated ones: to encode on the
// value, to decode on the pointer.
type list struct {
	Name  string
	Items []float64
}

func (l list) MarshalEasyJSON(w *jwriter.Writer) {
	w.RawString(`{"name":`)
	w.String(l.Name)
	w.RawString(`,"items":[`)
	for i, f := range l.Items {
		if i > 0 {
			w.RawByte(',')
		}
		w.Float64(f)
	}
	w.RawString(`]}`)
}

func (l *list) UnmarshalEasyJSON(in *jlexer.Lexer) {
	in.Delim('{')
	for !in.IsDelim('}') {
		key := in.UnsafeFieldName(false)
		in.WantColon()
		switch key {
		case "name":
			l.Name = in.String()
		case "items":
			in.Delim('[')
			for !in.IsDelim(']') {
				l.Items = append(l.Items, in.Float64())
				in.WantComma()
			}
			in.Delim(']')
		default:
			in.SkipRecursive()
		}
		in.WantComma()
	}
	in.Delim('}')
}

// stubbed is the code that a failed run of the generator leaves.
type stubbed struct{ A string }

func (stubbed) MarshalEasyJSON(*jwriter.Writer)  {}
func (*stubbed) UnmarshalEasyJSON(*jlexer.Lexer) {}

type plain struct{ A string }

type encodeOnly struct{ A string }

func (encodeOnly) MarshalEasyJSON(w *jwriter.Writer) { w.RawString("{}") }

// embeds is a user's struct whose own field no method knows.
type embeds struct {
	list
	Own string
}

// shy panics on its zero value.
type shy struct{ P *int }

func (s shy) MarshalEasyJSON(w *jwriter.Writer)   { w.Int(*s.P) }
func (s *shy) UnmarshalEasyJSON(in *jlexer.Lexer) { n := in.Int(); s.P = &n }

func big() *list {
	big := &list{Name: strings.Repeat("x", 40_000)}
	for i := range 5000 {
		big.Items = append(big.Items, -float64(i)/3)
	}
	return big
}

func TestKeepsTheContract(t *testing.T) {
	codectest.Kit{Unsupported: map[string]any{"no methods": &plain{"a"}, "a stub": &stubbed{"a"}, "a map": &map[string]any{"a": 1}}}.Run(t, New(),
		serbench.NewPayload("list",
			&list{Name: `a "name"`, Items: []float64{-math.MaxFloat64, 0.1, 3}},
			&list{Name: strings.Repeat("y", 1500), Items: big().Items[:300]}, // of several chunks
			big()))
}

func TestNamesTheRemedy(t *testing.T) {
	for _, tt := range []struct {
		name string
		v    any
		want string
	}{
		{"no methods", &plain{}, "unsupported: type easyjson.plain has no MarshalEasyJSON; run easyjson"},
		{"no method to decode", &encodeOnly{}, "unsupported: type easyjson.encodeOnly has no UnmarshalEasyJSON; run easyjson"},
		{"a value with a value receiver", list{}, "unsupported: type easyjson.list is not a pointer; pass a pointer to it"},
		{"promoted methods would lose the struct's own fields", &embeds{}, "unsupported: type easyjson.embeds has MarshalEasyJSON only from its embedded field list and would lose its other fields; run easyjson on it"},
	} {
		t.Run(tt.name, func(t *testing.T) { assert.EqualError(t, New().(*codec).Supports(tt.v), tt.want) })
	}
}

func TestStubIsFoundByEveryMethod(t *testing.T) {
	c, v := New().(*codec), &stubbed{"a"}
	_, marshalErr := c.Marshal(v)
	_, appendErr := c.Append([]byte("kept"), v)
	_, bindErr := c.Bind(v)
	for name, err := range map[string]error{
		"Supports": c.Supports(v), "Marshal": marshalErr, "Append": appendErr, "Bind": bindErr,
		"Unmarshal": c.Unmarshal([]byte(`{"a":"b"}`), v), "Unmarshal of nothing": c.Unmarshal(nil, v),
	} {
		assert.ErrorIs(t, err, errors.ErrUnsupported, name)
		assert.ErrorContains(t, err, "run easyjson again", name)
	}
	assert.NoError(t, c.Supports(&shy{}), "a panic on the zero value is no stub")
}

func TestAppendLeavesDstOnError(t *testing.T) {
	for _, capacity := range []int{4, 5, 512, 4096} {
		dst := append(make([]byte, 0, capacity), "kept"...)
		out, err := New().(*codec).Append(dst, &list{Items: []float64{1, math.NaN()}})
		assert.Error(t, err, "JSON has no NaN")
		assert.Equal(t, "kept", string(out))
	}
}

// The test of the test: what happens to a caller who does not trim.
func TestAnUntrimmedBufferEndsInThePool(t *testing.T) {
	array := bytes.Repeat([]byte{0xa5}, 1024)
	for range 100 { // the race detector makes a pool drop what it is given at random
		b := buffer.Buffer{Buf: array[:1000:1024]}
		b.AppendString(strings.Repeat("x", 3000))
		_ = b.BuildBytes()
		b = buffer.Buffer{}
		b.AppendString(strings.Repeat("y", 3000))
		if array[0] == 'y' {
			return
		}
	}
	t.Error("easyjson no longer pools such a buffer: then append.go need not trim")
}

func TestAppendIsInPlaceAndSettles(t *testing.T) {
	for _, size := range []int{100, 511, 512, 513, 1024, 32768, 40000} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			v := &list{Items: []float64{}}
			v.Name = strings.Repeat("x", size-len(`{"name":"","items":[]}`))
			b, err := New().(*codec).Bind(v)
			require.NoError(t, err)
			var buf []byte
			allocs := testing.AllocsPerRun(20, func() { buf, err = b.Append(buf[:0]) })
			require.NoError(t, err)
			require.Len(t, buf, size)
			assert.Zero(t, allocs, "once buf is large enough")
			first := &buf[0]
			buf, err = b.Append(buf[:0])
			require.NoError(t, err)
			assert.Same(t, first, &buf[0])
		})
	}
}

// hasty panics in the middle of a message.
type hasty struct{ list }

func (h *hasty) MarshalEasyJSON(w *jwriter.Writer) {
	w.RawString(`{"half`)
	panic("hasty")
}

func (h *hasty) UnmarshalEasyJSON(in *jlexer.Lexer) {
	in.Delim('{')
	_ = in.String()
	in.WantColon()
	panic("hasty")
}

func TestNoTraceOfAPanicIsLeft(t *testing.T) {
	c, v := New().(*codec), &list{Name: "a", Items: []float64{1}}
	for range 2 {
		require.Panics(t, func() { _, _ = c.Append(nil, &hasty{}) })
		data, err := c.Append(nil, v)
		require.NoError(t, err)
		require.Panics(t, func() { _ = c.Unmarshal(data, &hasty{}) })
		var got list
		require.NoError(t, c.Unmarshal(data, &got))
		assert.Equal(t, *v, got)
	}
}

func TestAcceptsWhiteSpaceAfterAMessage(t *testing.T) {
	var got list
	require.NoError(t, New().(*codec).Unmarshal([]byte("{\"name\":\"a\"} \r\n\t"), &got))
	assert.Equal(t, "a", got.Name)
}

func TestDescribe(t *testing.T) {
	i := New().(serbench.Describer).Describe()
	assert.Equal(t, "json", i.Format)
	assert.Equal(t, "github.com/mailru/easyjson", i.Library)
	assert.Empty(t, i.Version, "a test binary lists no modules")
	assert.Equal(t, serbench.KindGenerated, i.Kind)
	assert.NotEmpty(t, i.CallPath)
}

func FuzzUnmarshal(f *testing.F) {
	f.Add([]byte(`{"name":"a\u00e9\n","items":[1,-2.5e3],"else":{"deep":[null,true]}}`))
	f.Add([]byte(`{"name":"\ud83d\ude00`))
	f.Fuzz(func(_ *testing.T, data []byte) { _ = New().Unmarshal(data, new(list)) })
}
