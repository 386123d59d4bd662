package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func split(r io.Reader, layout Layout) (values []string, places []Position, found Layout, err error) {
	s := NewSplitter(r, layout, 0)
	for {
		raw, pos, err := s.Next()
		if errors.Is(err, io.EOF) {
			return values, places, s.Layout(), nil
		}
		if err != nil {
			return values, places, s.Layout(), err
		}
		values = append(values, string(raw))
		places = append(places, pos)
	}
}

func TestValuesAreFoundInEveryLayout(t *testing.T) {
	for _, c := range []struct {
		name, text string
		layout     Layout
		want       []string
		found      Layout
	}{
		{"object", `{"a":[1,"]}"]}`, Auto, []string{`{"a":[1,"]}"]}`}, Document},
		{"scalar", " 12.5e3\n", Auto, []string{"12.5e3"}, Document},
		{"string with escapes", `"a\"b\\"`, Auto, []string{`"a\"b\\"`}, Document},
		{"array of objects", "[ {\"a\":1} ,\n{} ]\n", Auto, []string{`{"a":1}`, `{}`}, Array},
		{"array of numbers is a document", "[1,2]", Auto, []string{"[1,2]"}, Document},
		{"white space kept in length", "[\n  1, 2]", Auto, []string{"[\n  1, 2]"}, Document},
		{"empty array is a document", "[]", Auto, []string{"[]"}, Document},
		{"array of arrays is a document", "[[1],[2]]", Auto, []string{"[[1],[2]]"}, Document},
		{"array of numbers, asked for", "[1,\"x\",[2]]", Array, []string{"1", `"x"`, "[2]"}, Array},
		{"array of objects as a document", `[{}]`, Document, []string{`[{}]`}, Document},
		{"lines", "{\"a\":1}\n{\"a\":2}\r\n\n{\"a\":3}", Auto, []string{`{"a":1}`, `{"a":2}`, `{"a":3}`}, Lines},
		{"lines of arrays", "[1]\n[2]\n", Lines, []string{"[1]", "[2]"}, Lines},
		{"lines of scalars", "1\n\"two\"\nnull", Auto, []string{"1", `"two"`, "null"}, Lines},
		{"documents that span lines", "{\n}\n{\n}\n", Auto, []string{"{\n}", "{\n}"}, Lines},
		{"byte order mark", "\xef\xbb\xbf{}", Auto, []string{"{}"}, Document},
	} {
		for how, r := range map[string]io.Reader{
			"whole": strings.NewReader(c.text), "byte by byte": iotest.OneByteReader(strings.NewReader(c.text)),
			"data with the end": iotest.DataErrReader(strings.NewReader(c.text)),
		} {
			values, _, found, err := split(r, c.layout)
			require.NoError(t, err, "%s, %s", c.name, how)
			assert.Equal(t, c.want, values, "%s, %s", c.name, how)
			if c.layout == Auto {
				assert.Equal(t, c.found, found, "%s, %s", c.name, how)
			}
		}
	}
}

func TestPlaces(t *testing.T) {
	_, places, _, err := split(strings.NewReader("[\n  {\"é\":1},\n {}, {}\n]"), Auto)
	require.NoError(t, err)
	assert.Equal(t, []Position{{4, 2, 3}, {15, 3, 2}, {19, 3, 6}}, places)
}

// Each row is what a person would be told by someone who looks at the file.
func TestErrorsSayWhereAndWhatWasExpected(t *testing.T) {
	for _, c := range []struct {
		name, text string
		layout     Layout
		line, col  int
		offset     int64
		expected   string
		found      string
	}{
		{"empty", "", Auto, 1, 1, 0, "a JSON value", "the end of the input"},
		{"blank", "\n \n", Auto, 3, 1, 3, "a JSON value", "the end of the input"},
		{"bare word", "\n hello", Auto, 2, 2, 2, "a value", "'h'"},
		{"cut object", "{\"a\":1,\n\"b\":[1", Auto, 2, 7, 14, "the rest of the value", "the end of the input"},
		{"missing colon", `{"a" 1}`, Auto, 1, 6, 5, "':' behind a key", "'1'"},
		{"missing comma", "{\"a\":1\n \"b\":2}", Auto, 2, 2, 8, "',' or '}'", `'"'`},
		{"single quotes", `{'a':1}`, Auto, 1, 2, 1, "a key in double quotes", `'\''`},
		{"trailing comma", `{"a":[1,]}`, Auto, 1, 9, 8, "a value", "']'"},
		{"wrong bracket", `{"a":[1}`, Auto, 1, 8, 7, "',' or ']'", "'}'"},
		{"bad escape", `{"a":"\q"}`, Auto, 1, 8, 7, "behind a backslash", "'q'"},
		{"raw line break in a string", "{\"a\":\"x\ny\"}", Auto, 1, 8, 7, "control characters", `'\n'`},
		{"bad number", `[{"a":-}]`, Auto, 1, 8, 7, "a digit", "'}'"},
		{"bad literal", `{"a":trae}`, Auto, 1, 8, 7, "true", "'a'"},
		{"second document", `{} {}`, Document, 1, 4, 3, "the end of the input", "'{'"},
		{"elements without comma", "[{}\n{}]", Auto, 2, 1, 4, "',' or ']'", "'{'"},
		{"array not closed", "[{},{}", Auto, 1, 7, 6, "',' or ']'", "the end of the input"},
		{"array ends in a comma", "[{},]", Auto, 1, 5, 4, "an element", "']'"},
		{"text behind the array", "[{}] x", Auto, 1, 6, 5, "the end of the input behind the array", "'x'"},
		{"no array", "{}", Array, 1, 1, 0, "'[' of an array", "'{'"},
		{"line 3 of NDJSON is broken", "{}\n{}\n{\"a\":}\n{}\n", Auto, 3, 6, 11, "a value", "'}'"},
		{"line 2 of NDJSON is cut", "{}\n{\"a\":[1\n{}\n", Auto, 2, 8, 10, "ends with its line", "the end of the line"},
		{"binary", "\x93\x01", Auto, 1, 1, 0, "a value", "byte 0x93"},
	} {
		for how, r := range map[string]io.Reader{
			"whole": strings.NewReader(c.text), "byte by byte": iotest.OneByteReader(strings.NewReader(c.text)),
		} {
			_, _, _, err := split(r, c.layout)
			e := (*Error)(nil)
			require.ErrorAs(t, err, &e, "%s, %s", c.name, how)
			assert.Equal(t, Position{c.offset, c.line, c.col}, e.Position, "%s, %s", c.name, how)
			assert.Contains(t, e.Expected, c.expected, "%s, %s", c.name, how)
			assert.Contains(t, e.Error(), c.found, "%s, %s", c.name, how)
		}
	}
}

func TestAReadersErrorIsPassedOn(t *testing.T) {
	broken := errors.New("disk on fire")
	for _, text := range []string{"", "{", "[{}", "{}\n", "[{}]", "12", "[{},"} {
		_, _, _, err := split(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), Auto)
		assert.ErrorIs(t, err, broken, "%q", text)
	}
}

func TestAValueMayNotBeLongerThanTheBound(t *testing.T) {
	s := NewSplitter(strings.NewReader(`"`+strings.Repeat("x", 1<<20)+`"`), Auto, 100_000)
	_, _, err := s.Next()
	assert.ErrorContains(t, err, "at most 100000 bytes")
	_, _, err = s.Next()
	assert.ErrorIs(t, err, io.EOF, "over after an error")
}

func FuzzSplitter(f *testing.F) {
	for _, s := range []string{`[{"a":1},{}]`, "{}\n{}", `"\\"`, "[1,2]", "[{}\n", "{]", "\xef\xbb\xbf", "1 2", `[{"a":"\u00e9"} , 3]`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		values, _, found, err := split(strings.NewReader(text), Auto)
		slow, _, _, err2 := split(iotest.OneByteReader(strings.NewReader(text)), Auto)
		require.Equal(t, values, slow, "the size of the reads changes nothing")
		require.Equal(t, fmt.Sprint(err), fmt.Sprint(err2))
		if e := (*Error)(nil); errors.As(err, &e) {
			require.LessOrEqual(t, e.Offset, int64(len(text)))
			require.Positive(t, e.Line)
			require.Positive(t, e.Column)
			require.NotEmpty(t, e.Expected)
		}
		// The oracle: what encoding/json takes for the text.
		text = strings.TrimPrefix(text, "\xef\xbb\xbf")
		if json.Valid([]byte(text)) {
			require.NoError(t, err)
			require.NotEqual(t, Lines, found)
			if found == Document {
				require.Len(t, values, 1)
			} else {
				var elements []json.RawMessage
				require.NoError(t, json.Unmarshal([]byte(text), &elements))
				require.Len(t, values, len(elements))
			}
		} else if err == nil {
			require.Equal(t, Lines, found)
			for _, v := range values {
				require.True(t, json.Valid([]byte(v)))
			}
		}
	})
}
