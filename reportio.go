package serbench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// WriteJSON writes the report in the stable JSON form of [SchemaVersion],
// whatever r.Schema says. The same report gives the same bytes. Each element
// of the large arrays stands on a line of its own, so that line-based tools
// can work with the file; the last line is ended.
//
// A number that is not finite is an error that names its place; JSON cannot
// hold it. On any error of the report, nothing has been written. Bytes in
// strings that are not UTF-8 become U+FFFD.
//
// WriteJSON only reads r; concurrent calls are safe.
func (r *Report) WriteJSON(w io.Writer) error {
	if r == nil {
		return errors.New("serbench: writing a report: it is nil")
	}
	c := *r
	c.Schema = SchemaVersion
	c.withoutNilArrays()
	v := reflect.ValueOf(&c).Elem()
	if path, value := newNumberSearch().nonFinite(v); path != "" {
		return fmt.Errorf("serbench: writing a report: %s is %v, which JSON cannot hold", path, value)
	}
	var b bytes.Buffer
	if err := writeTopLevel(&b, v); err != nil {
		return fmt.Errorf("serbench: writing a report: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// writeTopLevel writes one key of the report per line, and one element per
// line where the value is an array of objects.
func writeTopLevel(b *bytes.Buffer, report reflect.Value) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false) // names with < or & stay readable
	value := func(path string, v reflect.Value) error {
		if err := enc.Encode(v.Interface()); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		b.Truncate(b.Len() - 1) // Encode ends the line
		return nil
	}
	b.WriteByte('{')
	separator := "\n  "
	for i, f := range reflect.VisibleFields(report.Type()) {
		key, optional := jsonKey(f)
		v := report.Field(i)
		if optional && v.IsZero() {
			continue
		}
		b.WriteString(separator + strconv.Quote(key) + ": ")
		separator = ",\n  "
		if v.Kind() != reflect.Slice {
			if err := value(key, v); err != nil {
				return err
			}
			continue
		}
		b.WriteByte('[')
		for j := range v.Len() {
			if j > 0 {
				b.WriteByte(',')
			}
			b.WriteString("\n    ")
			if err := value(fmt.Sprintf("%s[%d]", key, j), v.Index(j)); err != nil {
				return err
			}
		}
		if v.Len() > 0 {
			b.WriteString("\n  ")
		}
		b.WriteByte(']')
	}
	b.WriteString("\n}\n")
	return nil
}

// withoutNilArrays makes an empty array of each nil one that has no omitempty,
// so that readers in any language find an array there. It changes no array
// that r shares with a copy.
func (r *Report) withoutNilArrays() {
	notNil(&r.Environments)
	notNil(&r.Config.Ops)
	notNil(&r.Payloads)
	notNil(&r.Codecs)
	notNil(&r.Results)
	notNil(&r.Comparisons)
	notNil(&r.Warnings)
}

func notNil[E any](s *[]E) {
	if *s == nil {
		*s = []E{}
	}
}

// jsonKey returns the key of a field, "" for one without, and whether it is
// left out when empty.
func jsonKey(f reflect.StructField) (key string, optional bool) {
	key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	if key == "-" {
		key = ""
	}
	return key, strings.Contains(options, "omitempty")
}

// numberSearch looks for numbers that JSON cannot hold. It remembers which
// types hold no floating-point number at all, because nearly all of a large
// report is of such a type.
type numberSearch struct{ may map[reflect.Type]bool }

func newNumberSearch() *numberSearch { return &numberSearch{map[reflect.Type]bool{}} }

// nonFinite returns the path of the first number that is NaN or infinite, and
// the number; "" if there is none.
func (s *numberSearch) nonFinite(v reflect.Value) (path string, value float64) {
	if !s.mayHoldFloat(v.Type()) {
		return "", 0
	}
	switch v.Kind() {
	case reflect.Float64, reflect.Float32:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return ".", f // cut off, or replaced by what stands before it
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return s.nonFinite(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			if p, f := s.nonFinite(v.Index(i)); p != "" {
				return joinPath("["+strconv.Itoa(i)+"]", p), f
			}
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, k := range keys {
			if p, f := s.nonFinite(v.MapIndex(k)); p != "" {
				return joinPath("["+strconv.Quote(k.String())+"]", p), f
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			key, _ := jsonKey(v.Type().Field(i))
			if p, f := s.nonFinite(v.Field(i)); p != "" {
				return joinPath(key, p), f
			}
		}
	}
	return "", 0
}

// joinPath puts a key or an index before a path.
func joinPath(first, rest string) string {
	switch {
	case rest == ".":
		return first
	case first == "" || rest[0] == '[':
		return first + rest
	default:
		return first + "." + rest
	}
}

func (s *numberSearch) mayHoldFloat(t reflect.Type) bool {
	if may, known := s.may[t]; known {
		return may
	}
	may := false
	switch t.Kind() {
	case reflect.Float32, reflect.Float64:
		may = true
	case reflect.Pointer, reflect.Slice, reflect.Map:
		may = s.mayHoldFloat(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			may = may || f.IsExported() && s.mayHoldFloat(f.Type)
		}
	}
	s.may[t] = may
	return may
}
