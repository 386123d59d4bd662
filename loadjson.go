package serbench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/serbench/serbench/internal/corpus"
)

// decodeJSON sets *v to one value, with numbers inside any as l.Numbers says.
func (l LoadOptions) decodeJSON(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if !l.AllowUnknown {
		d.DisallowUnknownFields()
	}
	generic := isGeneric(v) && l.Numbers == NumbersInt64
	if generic {
		d.UseNumber()
	}
	if err := d.Decode(v); err != nil {
		return err
	}
	if !generic {
		return nil
	}
	var err error
	switch v := v.(type) {
	case *any:
		*v, err = numbers(*v)
	case *map[string]any:
		_, err = numbers(*v)
	case *[]any:
		_, err = numbers(*v)
	}
	return err
}

// isGeneric reports a pointer to a type that is made of any.
func isGeneric(v any) bool {
	switch v.(type) {
	case *any, *map[string]any, *[]any:
		return true
	}
	return false
}

// altered are warnings of what the values do not have of their text.
func (l LoadOptions) altered(sample *corpus.Sample, generic bool) (warnings []Warning) {
	a := corpus.Altered{Integers: l.Numbers == NumbersInt64}
	for _, m := range sample.Messages() {
		a.Scan(m.Data, m.Position)
	}
	add := func(c corpus.Count, code, one, more, what, advice string) {
		if c.N == 0 {
			return
		}
		if c.N > 1 {
			one = fmt.Sprintf("%d %s", c.N, more)
		}
		text := c.Text
		if strings.ContainsFunc(text, func(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }) {
			text = strconv.Quote(text)
		}
		warnings = append(warnings, Warning{Code: code, Advice: advice, Message: fmt.Sprintf("%s; the first at line %d, column %d (byte %d): %s",
			one+" "+what, c.First.Line, c.First.Column, c.First.Offset, text)})
	}
	if generic {
		advice := "NumbersInt64 keeps whole numbers that fit an int64 or a uint64"
		if a.Integers {
			advice = "no generic type holds them; a struct with a field of type json.Number or big.Int does"
		}
		add(a.Rounded, "numbers-rounded", "a number", "numbers", "of more digits than a float64 holds: rounded when loaded", advice)
	}
	add(a.Duplicates, "duplicate-keys", "a key", "keys", "that stood in the same object before: the last value was loaded", "look at what writes these messages")
	add(a.Invalid, "invalid-text", "a string", "strings", "with bytes or escapes that are no Unicode text: loaded with U+FFFD in their place", "look at what writes these messages")
	return warnings
}

// numbers replaces json.Number in place.
func numbers(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case json.Number:
		if !strings.ContainsAny(string(v), ".eE") {
			if n, err := strconv.ParseInt(string(v), 10, 64); err == nil && (n != 0 || v[0] != '-') {
				return n, nil
			}
			if n, err := strconv.ParseUint(string(v), 10, 64); err == nil {
				return n, nil
			}
		}
		f, err := strconv.ParseFloat(string(v), 64)
		if err != nil {
			return nil, fmt.Errorf("the number %.40s is beyond float64", string(v))
		}
		return f, nil
	case map[string]any:
		for k, e := range v {
			if v[k], err = numbers(e); err != nil {
				return nil, err
			}
		}
	case []any:
		for i, e := range v {
			if v[i], err = numbers(e); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// within finds where in a message an error of encoding/json is.
func within(err error, m corpus.Message) error {
	t := (*json.UnmarshalTypeError)(nil)
	if !errors.As(err, &t) || m.Line == 0 {
		return err
	}
	end := min(max(int(t.Offset), 0), len(m.Data))
	at := m.Data[:end]
	// The offset is behind the value: go back to where it begins, if it is a
	// plain one.
	if s := bytes.TrimSuffix(at, []byte{'"'}); len(s) < len(at) {
		at = at[:max(bytes.LastIndexByte(s, '"'), 0)]
	} else if i := bytes.LastIndexAny(at, " \t\r\n,:[{"); i >= 0 && end-i > 1 && !bytes.ContainsAny(at[i:], "}]") {
		at = at[:i+1]
	}
	expected := "a value for " + t.Type.String()
	if t.Field != "" {
		expected += " (" + t.Field + ")"
	}
	pos := m.Position.After(at)
	return &corpus.Error{Position: pos, Expected: expected, Found: "a JSON " + t.Value, Err: err}
}
