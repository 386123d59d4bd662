// Package typecheck answers, from a value's type alone, whether a codec can
// handle it, and in words that say why not.
package typecheck

import "reflect"

// Pointer returns "" if v is what every method of a codec is given: a pointer
// that leads to a value. Otherwise it says what is wrong, as the end of a
// sentence that begins with the type.
func Pointer(v any) (why string) {
	rv := reflect.ValueOf(v)
	switch {
	case !rv.IsValid():
		return "cannot be encoded or decoded: pass a pointer to a value"
	case rv.Kind() != reflect.Pointer:
		return "is not a pointer; pass a pointer to it"
	case rv.IsNil():
		return "came as a nil pointer; pass a pointer to a value"
	case rv.Type().Elem().Kind() == reflect.Pointer && rv.Elem().IsNil():
		return "came as a pointer to a nil pointer; pass a pointer to a value"
	}
	return ""
}
