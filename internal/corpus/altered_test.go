package corpus

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatIsAltered(t *testing.T) {
	for _, c := range []struct {
		name, text                   string
		rounded, duplicates, invalid int64
		integers                     bool
		first                        Position
		shown                        string
	}{
		{name: "nothing", text: `{"a":{"a":1},"b":[{"a":1},{"a":2}],"c":"\u00e9\ud83d\ude00é","d":0.1}`},
		{name: "a float64 in seventeen digits", text: `[-65.613616999999977,0.30000000000000004,5e-324,1.7976931348623157e308]`},
		{name: "a float64 in all of its digits", text: `[0.1000000000000000055511151231257827021181583404541015625,18446744073709551616,0.000,-0,1e3,0e9]`},
		{name: "a whole number beyond 2^53", text: `{"id":9007199254740993}`, rounded: 1, first: Position{6, 1, 7}, shown: "9007199254740993"},
		{name: "the same as an integer", text: `{"id":9007199254740993,"u":18446744073709551615,"m":-9223372036854775808}`, integers: true},
		{name: "beyond every integer", text: `[-9223372036854775809, 18446744073709551617]`, integers: true, rounded: 2, first: Position{1, 1, 2}, shown: "-9223372036854775809"},
		{name: "more digits than float64 has", text: "[1.5,\n 3.14159265358979323846]", rounded: 1, first: Position{7, 2, 2}, shown: "3.14159265358979323846"},
		{name: "a long number is shown short", text: "0.1234567890123456789012345678901234567890123", rounded: 1, first: start, shown: "0.12345678901234567890123456789012345..."},
		{name: "a number too small", text: `[1e-999]`, rounded: 1, first: Position{1, 1, 2}, shown: "1e-999"},
		{name: "a key twice", text: `{"a":1,"b":{"a":2},"a":3}`, duplicates: 1, first: Position{19, 1, 20}, shown: `"a"`},
		{name: "a key three times, once escaped", text: `{"a":1,"\u0061":2,"a":3}`, duplicates: 2, first: Position{7, 1, 8}, shown: `"\u0061"`},
		{name: "twice in each of two objects", text: `[{"a":1,"a":2},{"a":1,"a":[{}]}]`, duplicates: 2, first: Position{8, 1, 9}, shown: `"a"`},
		{name: "a value that looks like a key", text: `{"a":"a","b":["a","a"]}`},
		{name: "Latin-1", text: "{\"caf\xe9\":\"\xe9\"}", invalid: 2, first: Position{1, 1, 2}, shown: "\"caf\xe9\""},
		{name: "half a pair", text: `["\ud83d","\ude00\ud83d","\ud83d\u0041","\ud83d\ud83d\ude00"]`, invalid: 4, first: Position{1, 1, 2}, shown: `"\ud83d"`},
		{name: "a backslash before u that is none", text: `["\\ud83d"]`},
	} {
		require.True(t, json.Valid([]byte(c.text)), c.name)
		a := Altered{Integers: c.integers}
		a.Scan([]byte(c.text), start)
		assert.Equal(t, c.rounded, a.Rounded.N, c.name)
		assert.Equal(t, c.duplicates, a.Duplicates.N, c.name)
		assert.Equal(t, c.invalid, a.Invalid.N, c.name)
		for _, found := range []Count{a.Rounded, a.Duplicates, a.Invalid} {
			if found.N > 0 {
				assert.Equal(t, c.first, found.First, c.name)
				assert.Equal(t, c.shown, found.Text, c.name)
			}
		}
	}
}

func TestTheFirstOfSeveralTextsIsKept(t *testing.T) {
	var a Altered
	a.Scan([]byte(`{"a":1}`), start)
	a.Scan([]byte(`{"a":1,"a":1}`), Position{8, 2, 1})
	a.Scan([]byte(`{"a":1,"a":1}`), Position{22, 3, 1})
	assert.Equal(t, Count{2, Position{15, 2, 8}, `"a"`}, a.Duplicates)
}

// FuzzAltered holds the scan against encoding/json: what it calls unaltered
// says the same when it is written again.
func FuzzAltered(f *testing.F) {
	for _, s := range []string{`{"a":1,"a":2}`, `[9007199254740993]`, "\"\xff\"", `"\ud800"`, `{"":[0.1,1e-7,12345678901234567890]}`, `{"\u0061":"\ud83d\ude00"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			return
		}
		var a Altered
		a.Scan([]byte(text), start)
		if !utf8.ValidString(text) {
			require.Positive(t, a.Invalid.N)
		}
		if a.Invalid.N > 0 || a.Duplicates.N > 0 {
			return
		}
		// Without duplicates, as many keys come out as stand in the text.
		var b bytes.Buffer
		require.NoError(t, json.Compact(&b, []byte(text)))
		require.Equal(t, members(json.NewDecoder(strings.NewReader(text))), count(v))
		if d := json.NewDecoder(strings.NewReader(text)); len(text) < 30 && a.Rounded.N == 0 {
			d.UseNumber()
			var n any
			require.NoError(t, d.Decode(&n))
			number, ok := n.(json.Number)
			if !ok {
				return
			}
			// The digits come back from the float64, at their own length.
			x, ok := new(big.Float).SetPrec(4000).SetString(string(number))
			if !ok || x.MantExp(nil) > 2000 || x.MantExp(nil) < -2000 {
				return
			}
			got := new(big.Float).SetPrec(4000).SetFloat64(v.(float64))
			diff := new(big.Float).Sub(x, got)
			bound := new(big.Float).Mul(new(big.Float).Abs(x), big.NewFloat(1.2e-16))
			if v.(float64) != 0 && (v.(float64) > 1e-300 || v.(float64) < -1e-300) {
				require.True(t, diff.Abs(diff).Cmp(bound) <= 0, "%s", text)
			}
		}
	})
}

func members(d *json.Decoder) (n int) {
	var open []bool // objects; a key comes at even places
	var place []int
	for {
		tok, err := d.Token()
		if err != nil {
			return n
		}
		if c, ok := tok.(json.Delim); ok && (c == '}' || c == ']') {
			open, place = open[:len(open)-1], place[:len(place)-1]
			continue
		}
		if len(open) > 0 {
			top := len(open) - 1
			if open[top] && place[top]%2 == 0 {
				n++
			}
			place[top]++
		}
		if c, ok := tok.(json.Delim); ok {
			open, place = append(open, c == '{'), append(place, 0)
		}
	}
}

func count(v any) (n int) {
	switch v := v.(type) {
	case map[string]any:
		n = len(v)
		for _, e := range v {
			n += count(e)
		}
	case []any:
		for _, e := range v {
			n += count(e)
		}
	}
	return n
}
