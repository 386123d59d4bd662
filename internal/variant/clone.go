package variant

import "reflect"

// mostLevels bounds how deep Clone goes, so that it does not end the process.
const mostLevels = 100_000

// Clone returns a copy of v that shares nothing with it which can be reached
// through exported fields; what is shared within v is shared within the copy.
// Unexported fields are copied as they stand. It reports false for values that
// are nested too deep.
func Clone[T any](v T) (T, bool) {
	c := cloner{seen: map[reached]reflect.Value{}}
	out := c.clone(reflect.ValueOf(&v).Elem(), 0)
	return out.Interface().(T), !c.tooDeep
}

type cloner struct {
	seen    map[reached]reflect.Value
	tooDeep bool
}

// reached is a pointer, map or slice that was met.
type reached struct {
	p   uintptr
	t   reflect.Type
	len int
}

func (c *cloner) clone(v reflect.Value, depth int) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	if depth > mostLevels {
		c.tooDeep = true
		return out
	}
	c.parts(out, v, depth+1)
	return out
}

// parts replaces what out, a plain copy of v, refers to by copies.
func (c *cloner) parts(out, v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice:
		if !v.IsNil() {
			c.reference(out, v, depth)
		}
	case reflect.Interface:
		if !v.IsNil() {
			out.Set(c.clone(v.Elem(), depth))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := out.Field(i); f.CanSet() {
				f.Set(c.clone(v.Field(i), depth))
			}
		}
	case reflect.Array:
		if plain(v.Type().Elem()) {
			return
		}
		for i := range v.Len() {
			out.Index(i).Set(c.clone(v.Index(i), depth))
		}
	}
}

func (c *cloner) reference(out, v reflect.Value, depth int) {
	at := reached{p: v.Pointer(), t: v.Type()}
	if v.Kind() == reflect.Slice {
		at.len = v.Len()
	}
	if known, ok := c.seen[at]; ok {
		out.Set(known)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		made := reflect.New(v.Type().Elem())
		out.Set(made.Convert(v.Type()))
		c.seen[at] = out
		made.Elem().Set(c.clone(v.Elem(), depth))
	case reflect.Map:
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		c.seen[at] = out
		for it := v.MapRange(); it.Next(); {
			out.SetMapIndex(c.clone(it.Key(), depth), c.clone(it.Value(), depth))
		}
	case reflect.Slice:
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		c.seen[at] = out
		reflect.Copy(out, v)
		if plain(v.Type().Elem()) {
			return
		}
		for i := range v.Len() {
			out.Index(i).Set(c.clone(v.Index(i), depth))
		}
	}
}

// plain reports whether values of the type refer to nothing that can change.
func plain(t reflect.Type) bool {
	k := t.Kind()
	return k >= reflect.Bool && k <= reflect.Complex128 || k == reflect.String
}
