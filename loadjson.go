package serbench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/serbench/serbench/internal/corpus"
)

// decodeJSON sets *v to one value, with numbers inside any as l.Numbers says.
func (l LoadOptions) decodeJSON(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if !l.AllowUnknown {
		d.DisallowUnknownFields()
	}
	generic := false
	switch v.(type) {
	case *any, *map[string]any, *[]any:
		generic = l.Numbers == NumbersInt64
	}
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

// numbers replaces json.Number in place.
func numbers(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case json.Number:
		if !strings.ContainsAny(string(v), ".eE") {
			if n, err := strconv.ParseInt(string(v), 10, 64); err == nil && (n != 0 || v[0] != '-') {
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
