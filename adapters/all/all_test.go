package all

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

// values by what is wrong with each.
func badValues() map[string]any {
	type plain struct{ A string }
	var nilAny any
	return map[string]any{
		"nil":                     nil,
		"a nil pointer":           (*plain)(nil),
		"a pointer to nil":        new(*plain),
		"a struct":                plain{"a"},
		"a map":                   map[string]any{"a": 1},
		"a string":                "a",
		"a channel":               make(chan int),
		"a pointer to a channel":  new(chan int),
		"a pointer to a function": new(func()),
		"a nil interface":         nilAny,
		"a complex field":         &struct{ C complex128 }{1i},
		"a channel in a field":    &struct{ C chan int }{make(chan int)},
		"a function in a tree":    &map[string]any{"f": func() {}},
	}
}

func TestEveryCodecIsWhole(t *testing.T) {
	name := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	names := map[string]bool{}
	codecs := Codecs()
	assert.GreaterOrEqual(t, len(codecs), 24)
	for _, c := range codecs {
		assert.Regexp(t, name, c.Name())
		assert.False(t, names[c.Name()], "%s is there twice", c.Name())
		names[c.Name()] = true
		for what, ok := range map[string]bool{
			"Append":   is[serbench.Appender](c),
			"Supports": is[serbench.Supporter](c),
			"Describe": is[serbench.Describer](c),
			"Clone":    is[serbench.Cloner](c),
		} {
			assert.True(t, ok, "%s has no %s", c.Name(), what)
		}
		i := c.(serbench.Describer).Describe()
		assert.NotEmpty(t, i.Format, c.Name())
		assert.NotEmpty(t, i.Library, c.Name())
		assert.NotEmpty(t, i.CallPath, c.Name())
		assert.NotEmpty(t, i.Kind, c.Name())
		assert.Equal(t, c.Name(), c.(serbench.Cloner).Clone().Name())
	}
}

func is[T any](v any) bool {
	_, ok := v.(T)
	return ok
}

// Libraries whose last release is over two years old, as of 2026-11.
func TestOldLibrariesAreLabelled(t *testing.T) {
	old := map[string]bool{
		"github.com/json-iterator/go": true, "github.com/vmihailenco/msgpack/v5": true, "github.com/planetscale/vtprotobuf": true,
	}
	for _, c := range Codecs() {
		i := c.(serbench.Describer).Describe()
		assert.Equal(t, old[i.Library], i.Options["maintenance"] != "", c.Name())
	}
}

func TestBadValuesAreErrorsNeverPanics(t *testing.T) {
	for _, c := range Codecs() {
		good, err := c.Marshal(&map[string]any{"a": "b"})
		if err != nil {
			require.ErrorIs(t, err, errors.ErrUnsupported, c.Name())
		}
		for name, v := range badValues() {
			where := c.Name() + ": " + name
			if name == "a complex field" && c.Name() == "gob" {
				continue // which has a place for it
			}
			if name == "a function in a tree" && strings.HasPrefix(c.Name(), "ugorji-") {
				continue // written as null: a loss that the check before timing shows
			}
			assert.NotPanics(t, func() {
				_, err := c.Marshal(v)
				assert.Error(t, err, where)
				dst := []byte("kept")
				out, err := c.(serbench.Appender).Append(dst, v)
				assert.Error(t, err, where)
				assert.Equal(t, "kept", string(out), where)
				err = c.Unmarshal(good, v)
				switch name {
				case "a function in a tree", "a complex field", "a channel in a field": // fine targets for other fields
				default:
					assert.Error(t, err, where)
				}
				_ = c.(serbench.Supporter).Supports(v)
			}, where)
		}
	}
}

// Each codec is given what all others wrote, whole, cut and with damage.
func TestTheInputOfOthersIsNoPanic(t *testing.T) {
	type plain struct {
		A string         `json:"a"`
		B []int64        `json:"b"`
		C map[string]int `json:"c"`
	}
	var inputs [][]byte
	for _, c := range Codecs() {
		for _, v := range []any{&plain{"x", []int64{1, -1}, map[string]int{"k": 7}}, &map[string]any{"a": []any{"b", 1.5, nil}}} {
			if data, err := c.Marshal(v); err == nil {
				inputs = append(inputs, data, data[:len(data)/2], append(data[:len(data):len(data)], data...))
			}
		}
	}
	require.Greater(t, len(inputs), 100)
	for _, c := range Codecs() {
		for _, in := range inputs {
			assert.NotPanics(t, func() {
				_ = c.Unmarshal(in, new(plain))
				_ = c.Unmarshal(in, new(map[string]any))
				_ = c.Unmarshal(in, new(any))
				_ = c.Unmarshal(in, new([]string))
				_ = c.Unmarshal(in, new(int))
			}, "%s: %q", c.Name(), in)
		}
	}
}

// A decoder that is given a used map may keep the keys that the message does
// not have. That is the library's business; which ones do is pinned here.
func TestStaleKeysOfAUsedMap(t *testing.T) {
	clean := map[string]bool{"msgp-tree": true, "vmihailenco": true}
	for _, c := range Codecs() {
		data, err := c.Marshal(&map[string]any{"new": "x"})
		if errors.Is(err, errors.ErrUnsupported) {
			continue
		}
		require.NoError(t, err, c.Name())
		got := map[string]any{"old": "y"}
		require.NoError(t, c.Unmarshal(data, &got), c.Name())
		_, stale := got["old"]
		assert.Equal(t, clean[c.Name()], !stale, c.Name())
	}
}
