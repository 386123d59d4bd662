package avro

import (
	"errors"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/codectest"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

func TestContract(t *testing.T) {
	kit := codectest.Kit{Unsupported: adapttest.Unsupported()}
	kit.Unsupported["an interface"] = new(any)
	kit.Unsupported["a map with integer keys"] = &map[int]string{1: "a"}
	adapttest.Contract(t, New(), kit, adapttest.Items())
	adapttest.Described(t, New(), "avro", "github.com/twmb/avro")
}

type list struct {
	Next *list
	V    int
}

type named struct{ A int32 }

type embeds struct {
	named
	Own string
}

type fixed [3]byte

func TestValuesComeBack(t *testing.T) {
	zero, double := 0, new(int)
	type inner struct{ S []string }
	for name, v := range map[string]any{
		"times to the nanosecond": new(time.Date(2011, 7, 8, 7, 34, 34, 123456789, time.UTC)),
		"durations":               new(time.Duration(math.MaxInt64)),
		"a pointer to zero":       &struct{ P, Nil *int }{P: &zero},
		"a pointer to a pointer":  &struct{ P **int }{P: &double},
		"nil and empty slices and maps": &struct {
			A, B []string
			C, D map[string]int
			E, F []byte
		}{A: nil, B: []string{}, C: nil, D: map[string]int{}, E: nil, F: []byte{}},
		"a recursive type":    &list{Next: &list{V: 2}, V: 1},
		"an anonymous struct": &struct{ In struct{ A int } }{},
		"two anonymous structs": &struct {
			A struct{ X int }
			B struct{ Y string }
		}{},
		"a type used twice":  &struct{ A, B inner }{A: inner{S: []string{"x"}}},
		"an embedded struct": &embeds{named{7}, "own"},
		"arrays": &struct {
			A [3]int16
			B fixed
			C fixed
		}{A: [3]int16{1, 2, 3}, B: fixed{1, 2, 3}},
		"no struct at the top": &[]map[string]uint8{{"a": 255}},
		"a left-out field": &struct {
			A int
			C chan int `json:"-"`
			D chan int `avro:"-"`
		}{A: 1},
		"uint32 max": new(uint32(math.MaxUint32)),
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, New().(serbench.Supporter).Supports(v))
			data, err := New().Marshal(v)
			require.NoError(t, err)
			got := reflect.New(reflect.TypeOf(v).Elem()).Interface()
			require.NoError(t, New().Unmarshal(data, got))
			assert.Equal(t, v, got)
		})
	}
}

func TestWhatTheFormatCannotHoldIsAnError(t *testing.T) {
	for name, v := range map[string]any{
		"an unsigned number above int64": new(uint64(math.MaxUint64)),
		"a time before 1677":             new(time.Date(1500, 1, 1, 0, 0, 0, 0, time.UTC)),
	} {
		_, err := New().Marshal(v)
		assert.Error(t, err, name)
	}
}

func TestMicrosHaveAPlaceForEveryTime(t *testing.T) {
	for _, at := range []time.Time{{}, time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC)} {
		assert.True(t, at.Equal(adapttest.Trip(t, Micros(), at)), at)
	}
	at := time.Date(2011, 7, 8, 7, 34, 34, 123456789, time.UTC)
	assert.Equal(t, at.Truncate(time.Microsecond), adapttest.Trip(t, Micros(), at), "to the microsecond")
}

func TestUnsupportedNamesTheField(t *testing.T) {
	type inner struct{ M map[string]any }
	err := New().(serbench.Supporter).Supports(&struct{ In []inner }{})
	require.ErrorIs(t, err, errors.ErrUnsupported)
	assert.ErrorContains(t, err, "In[].M[] of type interface {}")
}

func FuzzUnmarshal(f *testing.F) { adapttest.Fuzz(f, New()) }
