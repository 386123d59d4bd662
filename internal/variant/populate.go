package variant

import "reflect"

// StaleKey is the key that Populate puts into maps of strings.
const StaleKey = "serbench-stale"

// mostDepth bounds how deep Populate goes into types that hold themselves.
const mostDepth = 4

// Populate fills what ptr points to, as a target that was used before is: no
// number is 0, no string, slice or map empty and no pointer nil, as far as
// exported fields reach. Interfaces without methods hold a string.
func Populate(ptr any) {
	if p := reflect.ValueOf(ptr); p.Kind() == reflect.Pointer && !p.IsNil() {
		populate(p.Elem(), 0)
	}
}

func populate(v reflect.Value, depth int) {
	if !v.CanSet() || depth > mostDepth {
		return
	}
	switch {
	case v.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(77)
	case v.CanUint():
		v.SetUint(77)
	case v.CanFloat():
		v.SetFloat(77)
	case v.CanComplex():
		v.SetComplex(77)
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("stale")
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		populate(v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			populate(v.Field(i), depth+1)
		}
	case reflect.Array:
		for i := range v.Len() {
			populate(v.Index(i), depth+1)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 3, 8))
		for i := range v.Len() {
			populate(v.Index(i), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		populate(k, depth+1)
		populate(e, depth+1)
		if k.Kind() == reflect.String {
			k.SetString(StaleKey)
		}
		if k.Comparable() {
			v.SetMapIndex(k, e)
		}
	case reflect.Interface:
		if v.NumMethod() == 0 {
			v.Set(reflect.ValueOf("stale"))
		}
	}
}
