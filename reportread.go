package serbench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"
)

// ReadReport reads a report in the JSON form of any schema version up to
// [SchemaVersion]. Keys that it does not know are ignored, statuses, verdicts
// and other words that it does not know are kept.
//
// Input that is damaged, of a newer version, or something else altogether is
// an error that says what is wrong and where: line and column (in characters)
// and offset (in bytes), or the path of the key. So are numbers that cannot
// be and references that lead nowhere. A byte order mark of UTF-8 is skipped.
func ReadReport(r io.Reader) (*Report, error) {
	if r == nil {
		return nil, errors.New("serbench: reading a report: the reader is nil")
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("serbench: reading a report: %w", err)
	}
	report, err := parseReport(data)
	if err != nil {
		return nil, fmt.Errorf("serbench: reading a report: %w", err)
	}
	return report, nil
}

func parseReport(data []byte) (*Report, error) {
	if err := checkEncoding(data); err != nil {
		return nil, err
	}
	text := bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, errors.New("the input is empty")
	}
	var r Report
	err := unmarshalReport(text, &r)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return nil, describeSyntax(text, syntax)
	}
	if err != nil || r.Schema < 1 || r.Schema > SchemaVersion {
		// A newer form may have changed a type; what it is comes first.
		if err := checkSchema(text); err != nil {
			return nil, err
		}
		return nil, describeType(text, err)
	}
	r.normalise()
	if err := r.check(); err != nil {
		return nil, err
	}
	return &r, nil
}

// checkEncoding refuses what is no UTF-8 text, by name if it has one.
func checkEncoding(data []byte) error {
	has := func(prefix string) bool { return bytes.HasPrefix(data, []byte(prefix)) }
	switch {
	case has("\xff\xfe"), has("\xfe\xff"), has("{\x00"), has("\x00{"), has("\x00\x00\x00{"), has("\x00\x00\xfe\xff"):
		return errors.New("the input is UTF-16 or UTF-32 text; save it as UTF-8")
	case has("\x1f\x8b"):
		return errors.New("the input is compressed with gzip; decompress it first")
	case has("\x28\xb5\x2f\xfd"):
		return errors.New("the input is compressed with zstd; decompress it first")
	}
	if utf8.Valid(data) {
		return nil
	}
	off := 0
	for off < len(data) {
		r, n := utf8.DecodeRune(data[off:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		off += n
	}
	if !utf8.FullRune(data[off:]) {
		return fmt.Errorf("the input is cut off at %s, within a character", position(data, len(data)))
	}
	return fmt.Errorf("the input is not UTF-8 text: byte %#02x at %s", data[off], position(data, off))
}

func checkSchema(data []byte) error {
	var head struct {
		Schema json.RawMessage `json:"schema"`
	}
	if json.Unmarshal(data, &head) != nil {
		return nil // not an object, which has a better message
	}
	if head.Schema == nil || string(head.Schema) == "null" {
		return errors.New(`there is no key "schema": this is not a report`)
	}
	var version int
	if json.Unmarshal(head.Schema, &version) != nil {
		return nil
	}
	switch {
	case version > SchemaVersion:
		return fmt.Errorf("report has schema %d; this serbench reads up to %d: update serbench", version, SchemaVersion)
	case version < 1:
		return fmt.Errorf("report has schema %d; the first is 1", version)
	}
	return nil
}

// describeSyntax says where the text stops being JSON.
func describeSyntax(data []byte, e *json.SyntaxError) error {
	// Offset counts the bytes read, the offending one included; at the end
	// there is no such byte.
	off, what := int(e.Offset)-1, "is not JSON: damaged"
	// Within a number or a word, the end is reported as a space.
	asSpace := int(e.Offset) == len(data) && !bytes.HasSuffix(data, []byte(" ")) &&
		strings.HasPrefix(e.Error(), "invalid character ' '")
	if asSpace || e.Error() == "unexpected end of JSON input" {
		off, what = len(data), "is cut off"
	}
	within, _ := valueAt(data, off)
	if within != "" {
		within = ", in " + within
	}
	return fmt.Errorf("the input %s at %s%s: %w", what, position(data, off), within, e)
}

// describeType says which key has a value of the wrong type.
func describeType(data []byte, err error) error {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	path, inner := brokenByOwnMethod(data)
	switch {
	case ok && path == "":
		path, start := valueAt(data, int(wrong.Offset))
		if path == "" {
			return fmt.Errorf("the input is a JSON %s, not a report", wrong.Value)
		}
		return fmt.Errorf("%s at %s: want %s, found %s", path, position(data, start), kindWord(wrong.Type), wrong.Value)
	case path != "":
		return fmt.Errorf("%s: %w", path, inner)
	}
	return err
}

// brokenByOwnMethod looks through the values that types with UnmarshalJSON
// read: json does not say where such an error stands.
func brokenByOwnMethod(data []byte) (path string, err error) {
	var probe struct {
		Started  json.RawMessage `json:"started"`
		Payloads []struct {
			Tolerance json.RawMessage `json:"tolerance"`
		} `json:"payloads"`
	}
	_ = json.Unmarshal(data, &probe) // goes on behind values of a wrong type
	var started time.Time
	if probe.Started != nil {
		if err := json.Unmarshal(probe.Started, &started); err != nil {
			return "started", err
		}
	}
	for i, p := range probe.Payloads {
		if p.Tolerance == nil {
			continue
		}
		path := fmt.Sprintf("payloads[%d].tolerance", i)
		err := json.Unmarshal(p.Tolerance, new(*Tolerance))
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			if wrong.Field != "" {
				path += "." + wrong.Field
			}
			return path, fmt.Errorf("want %s, found %s", kindWord(wrong.Type), wrong.Value)
		}
		if err != nil {
			return path, err
		}
	}
	return "", nil
}

// kindWord names a Go type as JSON would.
func kindWord(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "an array"
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return "an object"
	case reflect.Float64:
		return "a number"
	case reflect.Uint, reflect.Uint64:
		return "a whole number of at least 0 (" + t.String() + ")"
	default:
		return "a whole number (" + t.String() + ")"
	}
}

// normalise makes reports equal that say the same, so that one that is
// written and read again equals itself.
func (r *Report) normalise() {
	if _, offset := r.Started.Zone(); offset == 0 {
		r.Started = r.Started.UTC()
	}
	emptyToNil(reflect.ValueOf(r).Elem(), map[reflect.Type]bool{})
	r.withoutNilArrays()
}

// emptyToNil makes nil of empty arrays and maps. plain remembers types that
// hold neither.
func emptyToNil(v reflect.Value, plain map[reflect.Type]bool) {
	if isPlain(v.Type(), plain) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			emptyToNil(v.Elem(), plain)
		}
	case reflect.Map, reflect.Slice:
		if v.Len() == 0 {
			v.SetZero()
		}
		if v.Kind() == reflect.Slice && !isPlain(v.Type().Elem(), plain) {
			for i := range v.Len() {
				emptyToNil(v.Index(i), plain)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			emptyToNil(v.Field(i), plain)
		}
	}
}

func isPlain(t reflect.Type, plain map[reflect.Type]bool) bool {
	if p, known := plain[t]; known {
		return p
	}
	p := true
	switch t.Kind() {
	case reflect.Slice, reflect.Map:
		p = false
	case reflect.Pointer:
		p = isPlain(t.Elem(), plain)
	case reflect.Struct:
		// A type from elsewhere, such as time.Time, is left alone.
		for i := range t.NumField() {
			f := t.Field(i)
			p = p && (!f.IsExported() || isPlain(f.Type, plain))
		}
	}
	plain[t] = p
	return p
}
