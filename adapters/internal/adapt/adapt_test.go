package adapt

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

// library panics or fails as its value says.
func library(panics bool) Library {
	act := func(v any) error {
		switch *v.(*string) {
		case "panic":
			panic("in the library")
		case "fail":
			return errors.New("failed")
		}
		return nil
	}
	l := Library{
		Name: "lib", Types: JSON(),
		Info: serbench.Info{Format: "json", Library: "example.com/lib", Options: map[string]string{"a": "b"}},
		New: func(v *any) serbench.Bound {
			return serbench.Bound{
				Marshal: func() ([]byte, error) { return []byte("x"), act(*v) },
				Append: func(dst []byte) ([]byte, error) {
					err := act(*v)
					return OrDst(dst, append(dst, 'x'), err)
				},
				Unmarshal: func([]byte) error { return act(*v) },
			}
		},
	}
	if panics {
		l.Panics = func(reflect.Type) bool { return true }
	}
	return l
}

func TestFailuresAndPanicsLeaveDstAndAreReported(t *testing.T) {
	c := New(library(true))
	for value, want := range map[string]string{"panic": "lib: panic in ", "fail": "failed"} {
		b, err := c.(serbench.Binder).Bind(&value)
		require.NoError(t, err)
		for _, appendTo := range []func([]byte) ([]byte, error){
			b.Append, func(dst []byte) ([]byte, error) { return c.(serbench.Appender).Append(dst, &value) },
		} {
			out, err := appendTo([]byte("kept"))
			assert.ErrorContains(t, err, want)
			assert.Equal(t, "kept", string(out))
		}
		for _, marshal := range []func() ([]byte, error){b.Marshal, func() ([]byte, error) { return c.Marshal(&value) }} {
			_, err := marshal()
			assert.ErrorContains(t, err, want)
		}
		assert.ErrorContains(t, b.Unmarshal(nil), want)
		assert.ErrorContains(t, c.Unmarshal(nil, &value), want)
	}
	assert.Contains(t, c.(serbench.Describer).Describe().Options, "panics", "which the report says")
	assert.NotContains(t, New(library(false)).(serbench.Describer).Describe().Options, "panics")
}

func TestAPanicIsNotCaughtWhereNoneIsExpected(t *testing.T) {
	l := library(true)
	l.Panics = HoldsInterface
	value := "panic"
	b, err := New(l).(serbench.Binder).Bind(&value)
	require.NoError(t, err)
	assert.Panics(t, func() { _, _ = b.Marshal() }, "the Runner catches it, with its stack")
	assert.NotPanics(t, func() { _, _ = New(l).Marshal(&value) }, "what is not bound has the guard always")
}

func TestHoldsInterface(t *testing.T) {
	assert.True(t, HoldsInterface(reflect.TypeFor[map[string]any]()))
	assert.True(t, HoldsInterface(reflect.TypeFor[struct{ In []struct{ E error } }]()))
	assert.False(t, HoldsInterface(reflect.TypeFor[struct{ In []struct{ E string } }]()))
}

func TestUnsupportedTypesAreNamedOnceTheLibraryFails(t *testing.T) {
	l := library(false)
	l.New = func(*any) serbench.Bound { return Broken(errors.New("no")) }
	c := New(l)
	_, err := c.Marshal(&struct{ C chan int }{})
	assert.ErrorIs(t, err, errors.ErrUnsupported)
	assert.ErrorContains(t, err, "has a field C of type chan int, which example.com/lib cannot encode")
	_, err = c.Marshal(new(string))
	assert.EqualError(t, err, "no")
}

func TestClones(t *testing.T) {
	c := New(library(false))
	assert.NotSame(t, c, c.(serbench.Cloner).Clone(), "an instance has state of its own")
}

func TestAValueIsNotKept(t *testing.T) {
	c := New(library(false)).(*codec)
	for _, value := range []string{"fine", "fail"} {
		_, _ = c.Marshal(&value)
		assert.Nil(t, c.value)
		_ = c.Unmarshal(nil, &value)
		assert.Nil(t, c.value)
	}
}

func TestBroken(t *testing.T) {
	calls := Broken(errors.New("option refused"))
	_, err := calls.Marshal()
	assert.EqualError(t, err, "option refused")
	out, err := calls.Append([]byte("kept"))
	assert.EqualError(t, err, "option refused")
	assert.Equal(t, "kept", string(out))
	assert.EqualError(t, calls.Unmarshal(nil), "option refused")
}

func TestJSONTypes(t *testing.T) {
	for name, tt := range map[string]struct {
		v    any
		want string
	}{
		"string keys":    {map[string]int{}, ""},
		"integer keys":   {map[uint8]int{}, ""},
		"struct keys":    {map[struct{ A int }]int{}, "map[struct { A int }]int"},
		"a channel":      {struct{ C []chan int }{}, "chan int"},
		"encodes itself": {struct{ N json.Number }{}, ""},
		"a skipped field": {struct {
			C chan int `json:"-"`
		}{}, ""},
		"a complex number": {[]complex64{}, "complex64"},
	} {
		_, bad := JSON().Find(reflect.TypeOf(tt.v))
		got := ""
		if bad != nil {
			got = bad.String()
		}
		assert.Equal(t, tt.want, got, name)
	}
}

func TestWriter(t *testing.T) {
	w := new(Writer)
	w.Start([]byte("a"))
	_, _ = w.Write([]byte("b"))
	_, _ = w.WriteString("c")
	_ = w.WriteByte('\n')
	out, err := w.TakeLine([]byte("dst"), nil)
	require.NoError(t, err)
	assert.Equal(t, "abc", string(out))
	out, _ = w.TakeLine(nil, nil)
	assert.Empty(t, out, "it lets go of the buffer")
	w.Start([]byte("half a"))
	out, err = w.Take([]byte("dst"), errors.New("no"))
	require.Error(t, err)
	assert.Equal(t, "dst", string(out))
}
