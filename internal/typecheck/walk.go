package typecheck

import (
	"reflect"
	"strings"
)

// Walk looks through a type as an encoder that uses reflection would.
type Walk struct {
	// Tags are the keys of the struct tags that name fields, in order of
	// precedence. A field named "-" is not looked at.
	Tags []string
	// Opaque says that a type encodes itself: it is not looked into. It is
	// asked before Bad.
	Opaque func(reflect.Type) bool
	// Bad says that the encoder cannot handle a type.
	Bad func(reflect.Type) bool
}

// Find returns the first bad type within t and the path to it, such as
// "Items[].Done", or a nil type. What interfaces hold is not known.
func (w Walk) Find(t reflect.Type) (path string, bad reflect.Type) {
	return w.find(t, "", map[reflect.Type]bool{})
}

func (w Walk) find(t reflect.Type, path string, seen map[reflect.Type]bool) (string, reflect.Type) {
	if seen[t] || w.Opaque(t) {
		return "", nil
	}
	seen[t] = true
	if w.Bad(t) {
		return strings.TrimPrefix(path, "."), t
	}
	switch t.Kind() {
	case reflect.Pointer:
		return w.find(t.Elem(), path, seen)
	case reflect.Slice, reflect.Array, reflect.Map:
		return w.find(t.Elem(), path+"[]", seen)
	case reflect.Struct:
		for f := range t.Fields() {
			if w.skip(f) {
				continue
			}
			if p, b := w.find(f.Type, path+"."+f.Name, seen); b != nil {
				return p, b
			}
		}
	}
	return "", nil
}

func (w Walk) skip(f reflect.StructField) bool {
	if !f.IsExported() && !f.Anonymous {
		return true
	}
	for _, key := range w.Tags {
		if tag := f.Tag.Get(key); tag != "" {
			// An omitted zero value never reaches the encoder: only a value can
			// tell.
			return tag == "-" || strings.Contains(tag, ",omitzero")
		}
	}
	return false
}

// Implements returns a func that tells whether a type or a pointer to it
// implements one of the interfaces, each given as a nil pointer to it:
// (*json.Marshaler)(nil).
func Implements(interfaces ...any) func(reflect.Type) bool {
	return func(t reflect.Type) bool {
		for _, i := range interfaces {
			want := reflect.TypeOf(i).Elem()
			if t.Implements(want) || t.Kind() != reflect.Interface && reflect.PointerTo(t).Implements(want) {
				return true
			}
		}
		return false
	}
}
