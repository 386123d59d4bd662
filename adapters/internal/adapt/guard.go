package adapt

import (
	"fmt"
	"reflect"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/internal/typecheck"
)

// guarded turns panics in the calls into errors.
func guarded(name string, c serbench.Bound) serbench.Bound {
	return serbench.Bound{
		Marshal: func() (out []byte, err error) {
			defer caught(name, "Marshal", &err)
			return c.Marshal()
		},
		Append: func(dst []byte) (out []byte, err error) {
			out = dst // what a panic leaves
			defer caught(name, "Append", &err)
			return c.Append(dst)
		},
		Unmarshal: func(data []byte) (err error) {
			defer caught(name, "Unmarshal", &err)
			return c.Unmarshal(data)
		},
	}
}

func caught(name, call string, err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%s: panic in %s: %v", name, call, r)
	}
}

// HoldsInterface reports whether values of t hold values of types that t does
// not tell.
func HoldsInterface(t reflect.Type) bool {
	w := typecheck.Walk{
		Opaque: func(reflect.Type) bool { return false },
		Bad:    func(t reflect.Type) bool { return t.Kind() == reflect.Interface },
	}
	_, found := w.Find(t)
	return found != nil
}
