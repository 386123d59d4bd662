package fidelity

import (
	"reflect"
	"strconv"
	"unicode/utf8"
)

// A step leads from a value to a part of it.
type step struct {
	name  string        // of a field
	index int           // of an element, if name is empty and key not valid
	key   reflect.Value // of a map entry
	text  *string       // the same of a map[string]any
}

const (
	maxPath  = 200 // bytes of a path
	pathEnds = 24  // steps shown at either end of one that is too long
)

// path returns the way to the current place as text.
func (w *walker) path() string {
	b := []byte(w.prefix)
	if len(w.steps) <= 2*pathEnds {
		b = appendSteps(b, w.steps)
	} else {
		b = appendSteps(b, w.steps[:pathEnds])
		b = append(b, "…"...)
		b = appendSteps(b, w.steps[len(w.steps)-pathEnds:])
	}
	return cutMiddle(string(b), maxPath)
}

func appendSteps(b []byte, steps []step) []byte {
	for _, s := range steps {
		switch {
		case s.text != nil:
			b = appendName(b, *s.text)
		case s.key.IsValid():
			b = appendKey(b, s.key)
		case s.name != "":
			b = appendName(b, s.name)
		default:
			b = append(b, '[')
			b = strconv.AppendInt(b, int64(s.index), 10)
			b = append(b, ']')
		}
	}
	return b
}

func appendKey(b []byte, key reflect.Value) []byte {
	for key.Kind() == reflect.Interface && !key.IsNil() {
		key = key.Elem()
	}
	if key.Kind() == reflect.String {
		return appendName(b, key.String())
	}
	b = append(b, '[')
	b = append(b, describeIn(key, 40)...)
	return append(b, ']')
}

func appendName(b []byte, name string) []byte {
	if isPlainName(name) {
		b = append(b, '.')
		return append(b, name...)
	}
	b = append(b, '[')
	b = append(b, quoteFrom(name, 0, 60)...)
	return append(b, ']')
}

// isPlainName reports whether a name needs no quotes in a path.
func isPlainName(s string) bool {
	for i, c := range []byte(s) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '-') {
			return false
		}
	}
	return s != "" && len(s) <= 60
}

// cutMiddle shortens s to about n bytes, at rune boundaries.
func cutMiddle(s string, n int) string {
	if len(s) <= n {
		return s
	}
	i, j := n/2, len(s)-n/2
	for i > 0 && !utf8.RuneStart(s[i]) {
		i--
	}
	for j < len(s) && !utf8.RuneStart(s[j]) {
		j++
	}
	return s[:i] + "…" + s[j:]
}
