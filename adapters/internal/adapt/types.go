package adapt

import (
	"encoding"
	"encoding/json"
	"reflect"

	"github.com/serbench/serbench/internal/typecheck"
)

// JSON finds what JSON libraries that follow encoding/json cannot encode.
func JSON() typecheck.Walk {
	w := Binary([]string{"json"}, (*json.Marshaler)(nil), (*encoding.TextMarshaler)(nil))
	bad := w.Bad
	w.Bad = func(t reflect.Type) bool {
		if t.Kind() == reflect.Map {
			k := t.Key()
			return k.Kind() != reflect.String && !reflect.Zero(k).CanInt() && !reflect.Zero(k).CanUint() &&
				!k.Implements(reflect.TypeFor[encoding.TextMarshaler]())
		}
		return bad(t)
	}
	return w
}

// Binary finds channels, functions and complex numbers; types that implement
// one of the interfaces, each given as a nil pointer to it, are not looked
// into. The tags name fields.
func Binary(tags []string, opaque ...any) typecheck.Walk {
	return typecheck.Walk{
		Tags:   tags,
		Opaque: typecheck.Implements(opaque...),
		Bad: func(t reflect.Type) bool {
			switch t.Kind() {
			case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
				return true
			}
			return false
		},
	}
}
