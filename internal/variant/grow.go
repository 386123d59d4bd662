package variant

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
)

// Grow returns a copy of v, a pointer, that holds about factor times as much:
// outermost slices hold their elements so many times, strings and bytes their
// content, as far as exported fields, maps and interfaces reach. Types that may
// have rules for their content stay as they are: named strings, and what is no
// struct and encodes itself. It reports false if nothing could grow.
func Grow(v any, factor int) (any, bool) {
	out, ok := Clone(v)
	p := reflect.ValueOf(out)
	if !ok || factor < 2 || p.Kind() != reflect.Pointer || p.IsNil() {
		return out, false
	}
	g := grower{factor: factor, seen: map[reached]bool{}}
	g.grow(p, 0)
	return out, g.grown
}

type grower struct {
	factor int
	grown  bool
	seen   map[reached]bool
}

// grow changes v, or what it refers to.
func (g *grower) grow(v reflect.Value, depth int) {
	if depth > mostLevels || v.Kind() != reflect.Struct && v.Kind() != reflect.Pointer && encodesItself(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if at := (reached{p: v.Pointer(), t: v.Type()}); !v.IsNil() && !g.seen[at] {
			g.seen[at] = true
			g.grow(v.Elem(), depth+1)
		}
	case reflect.Interface:
		if !v.IsNil() && v.CanSet() {
			v.Set(g.copied(v.Elem(), depth+1))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				g.grow(f, depth+1)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			if e := v.Index(i); e.CanSet() && !plain(e.Type()) {
				g.grow(e, depth+1)
			}
		}
	case reflect.Map:
		g.growMap(v, depth)
	case reflect.String:
		if v.CanSet() && v.Len() > 0 && v.Type().PkgPath() == "" {
			v.SetString(strings.Repeat(v.String(), g.factor))
			g.grown = true
		}
	case reflect.Slice:
		if n := v.Len(); v.CanSet() && n > 0 {
			long := reflect.MakeSlice(v.Type(), n*g.factor, n*g.factor)
			for i := range g.factor {
				reflect.Copy(long.Slice(i*n, (i+1)*n), v)
			}
			v.Set(long)
			g.grown = true
		}
	}
}

func (g *grower) growMap(v reflect.Value, depth int) {
	at := reached{p: v.Pointer(), t: v.Type()}
	if v.IsNil() || g.seen[at] {
		return
	}
	g.seen[at] = true
	for _, k := range v.MapKeys() {
		v.SetMapIndex(k, g.copied(v.MapIndex(k), depth+1))
	}
}

// copied is a grown copy of a value that cannot be changed where it is.
func (g *grower) copied(v reflect.Value, depth int) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	g.grow(out, depth)
	return out
}

// encodesItself is of types whose content may have a form of its own.
func encodesItself(t reflect.Type) bool {
	if t == reflect.TypeFor[json.Number]() {
		return true
	}
	for _, own := range []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.BinaryMarshaler]()} {
		if t.Implements(own) || reflect.PointerTo(t).Implements(own) {
			return true
		}
	}
	return false
}
