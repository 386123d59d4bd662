package bson

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

func TestTheTopLevelIsADocument(t *testing.T) {
	supports := New().(serbench.Supporter).Supports
	for name, v := range map[string]any{"an array": &[]string{"a"}, "a string": new("a"), "a number": new(1), "a time": new([3]int)} {
		assert.ErrorIs(t, supports(v), errors.ErrUnsupported, name)
		_, err := New().Marshal(v)
		assert.ErrorIs(t, err, errors.ErrUnsupported, name)
	}
	for name, v := range map[string]any{"a struct": new(struct{ A int }), "a map": &map[string]int{}, "bson.D": &bson.D{}, "bson.M": &bson.M{}} {
		assert.NoError(t, supports(v), name)
	}
}

func TestFieldsHaveTheNamesOfTheirJSONTags(t *testing.T) {
	data, err := New().Marshal(&struct {
		CreatedAt string `json:"created_at"`
	}{"x"})
	require.NoError(t, err)
	assert.Equal(t, "x", bson.Raw(data).Lookup("created_at").StringValue(), "not createdat, the library's own choice")
}

func TestWhatTheFormatCannotHold(t *testing.T) {
	_, err := New().Marshal(&struct{ U uint64 }{math.MaxUint64})
	assert.Error(t, err, "an unsigned number above int64")
	at := time.Date(2011, 7, 8, 7, 34, 34, 123456789, time.UTC)
	got := adapttest.Trip(t, New(), struct{ T time.Time }{at})
	assert.True(t, at.Truncate(time.Millisecond).Equal(got.T), "times are milliseconds")
}

func TestGenericValuesComeBackAsGoValues(t *testing.T) {
	v := map[string]any{
		"map": map[string]any{"a": "b"}, "list": []any{"x", 1.5}, "bytes": []byte{1, 2},
		"at": time.Date(2011, 7, 8, 7, 34, 34, 0, time.UTC), "n": int32(7), "big": int64(1 << 40),
	}
	got := adapttest.Trip(t, New(), v)
	assert.True(t, v["at"].(time.Time).Equal(got["at"].(time.Time)))
	delete(v, "at")
	delete(got, "at")
	assert.Equal(t, v, got, "not bson.D, bson.A, bson.Binary, bson.DateTime")
}

func TestErrorsAndPanicsAreNotSticky(t *testing.T) {
	c := New()
	adapttest.AppendRecovers(t, c, &struct{ A, U uint64 }{1, math.MaxUint64})
	type channel struct{ C chan int }
	_, err := c.Marshal(&struct {
		A string
		C channel
	}{A: "written before"})
	require.ErrorIs(t, err, errors.ErrUnsupported)
	assert.Equal(t, *adapttest.NewItem("x"), adapttest.Trip(t, c, *adapttest.NewItem("x")))
}

func TestTheLengthOfADocumentIsThatOfTheMessage(t *testing.T) {
	data := []byte(adapttest.Encoded(t, New(), map[string]any{"a": "b"}))
	for name, in := range map[string][]byte{
		"longer":  append(data, 0),
		"shorter": data[:len(data)-1],
		"a lie":   append([]byte{0xff, 0xff, 0xff, 0x7f}, data[4:]...),
	} {
		assert.ErrorContains(t, New().Unmarshal(in, new(map[string]any)), "in a message of", name)
	}
}

// The library's reader would ask for what a length announces, and fill it.
func TestAnnouncedLengthsAreNotBelieved(t *testing.T) {
	data := []byte(adapttest.Encoded(t, New(), map[string]any{"name": "text"}))
	at := bytes.Index(data, []byte("text")) - 4
	binary.LittleEndian.PutUint32(data[at:], math.MaxInt32)
	for _, c := range codecs() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		assert.Error(t, c.Unmarshal(data, new(map[string]any)), c.Name())
		runtime.ReadMemStats(&after)
		assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20), c.Name())
	}
}

func TestDefaultNames(t *testing.T) {
	v := struct {
		CreatedAt string `json:"created_at"`
		Tagged    string `bson:"tag"`
	}{"x", "y"}
	data := bson.Raw(adapttest.Encoded(t, Default(), v))
	assert.Equal(t, "x", data.Lookup("createdat").StringValue())
	assert.Equal(t, "y", data.Lookup("tag").StringValue())
	assert.Equal(t, v, adapttest.Trip(t, Default(), v))
	got := adapttest.Trip(t, Default(), map[string]any{"m": map[string]any{"a": "b"}})
	assert.IsType(t, bson.D{}, got["m"])
}

// The library remembers the names of a type's fields per registry, by the
// options of whoever used it first: the two codecs must not share one.
func TestBothNamesInOneProcess(t *testing.T) {
	type both struct {
		HasWiki bool `json:"has_wiki"`
	}
	for range 2 {
		for _, c := range codecs() {
			assert.Equal(t, both{true}, adapttest.Trip(t, c, both{true}), c.Name())
		}
	}
	assert.Contains(t, adapttest.Encoded(t, New(), both{}), "has_wiki")
	assert.Contains(t, adapttest.Encoded(t, Default(), both{}), "haswiki")
}
