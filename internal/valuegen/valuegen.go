// Package valuegen fills Go values of any type with distinct, plausible
// content, from a seed. The same seed gives the same content in every version
// of Go and on every platform, and a field keeps its content when fields are
// added or removed beside it.
package valuegen

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// Settings of a generator, all resolved: there are no defaults here.
type Settings struct {
	Seed             uint64
	MinLen, MaxLen   int     // elements of slices and maps
	MinText, MaxText int     // bytes of strings and of []byte
	NilShare         float64 // of pointers that are nil
	MaxDepth         int     // of nested values
	Numbers          [2]float64
	Times            [2]time.Time
	TimeStep         time.Duration // times and durations are multiples of it
	ASCII            bool
	// Make returns the values of a type, where they cannot or must not be
	// made up, from a random number.
	Make map[reflect.Type]func(random uint64) any
}

// Check returns what is wrong with the settings, each named.
func (s Settings) Check() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if s.MinLen < 0 || s.MinLen > s.MaxLen {
		bad("MinLen %d is not between 0 and MaxLen, %d", s.MinLen, s.MaxLen)
	}
	if s.MinText < 0 || s.MinText > s.MaxText {
		bad("MinText %d is not between 0 and MaxText, %d", s.MinText, s.MaxText)
	}
	if !(s.NilShare >= 0 && s.NilShare <= 1) {
		bad("NilShare %v is not a share", s.NilShare)
	}
	if s.MaxDepth < 1 {
		bad("MaxDepth %d is below 1", s.MaxDepth)
	}
	if !(s.Numbers[0] <= s.Numbers[1]) {
		bad("Numbers: %v is not below %v", s.Numbers[0], s.Numbers[1])
	}
	if s.Times[1].Before(s.Times[0]) {
		bad("Times: %v is after %v", s.Times[0], s.Times[1])
	}
	if s.TimeStep <= 0 {
		bad("TimeStep %v is not above 0", s.TimeStep)
	}
	for t, f := range s.Make {
		if t == nil || f == nil {
			bad("Make: the entry for %v is nil", t)
		}
	}
	return errors.Join(errs...)
}

// A Gap is a place that was left at its zero value, with the reason.
type Gap struct{ Path, Why string }

// Fill sets *v, v a non-nil pointer, to the i-th value of the settings' seed,
// and returns the places that it had to leave at zero, each once.
func (s Settings) Fill(v any, i int) ([]Gap, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		return nil, fmt.Errorf("%T is not a pointer to a value", v)
	}
	f := &filler{Settings: s, on: map[reflect.Type]int{}, seen: map[string]bool{}}
	rv.Elem().SetZero()
	f.fill(rv.Elem(), newSource(s.Seed).at(uint64(i)), "", "", 0)
	return f.gaps, f.err
}

// filler is one call of Fill.
type filler struct {
	Settings
	on   map[reflect.Type]int // named types that are being filled: recursion
	seen map[string]bool
	gaps []Gap
	err  error
}

func (f *filler) leave(path, format string, args ...any) {
	if !f.seen[path] {
		f.seen[path] = true
		f.gaps = append(f.gaps, Gap{Path: path, Why: fmt.Sprintf(format, args...)})
	}
}

// fill sets v. name is that of the nearest field and suggests the content.
func (f *filler) fill(v reflect.Value, src source, path, name string, depth int) {
	t := v.Type()
	if f.made(v, src, path) || f.known(v, src) {
		return
	}
	if t.Name() != "" {
		f.on[t]++
		defer func() { f.on[t]-- }()
	}
	switch t.Kind() {
	case reflect.Struct:
		f.fillStruct(v, src, path, depth)
	case reflect.Pointer:
		element := strings.HasSuffix(path, "[]") // of a list or map: those hold no nil
		switch {
		case depth >= f.MaxDepth:
		case !element && f.on[t.Elem()] > 0 && f.on[t.Elem()] > int(src.below(3)):
		case element || src.share() >= f.NilShare:
			p := reflect.New(t.Elem())
			f.fill(p.Elem(), src.child("*"), path, name, depth+1)
			v.Set(p)
		}
	case reflect.Slice:
		f.fillSlice(v, src, path, name, depth)
	case reflect.Array:
		for i := range t.Len() {
			f.fill(v.Index(i), src.at(uint64(i)), path+"[]", name, depth+1)
		}
	case reflect.Map:
		f.fillMap(v, src, path, name, depth)
	case reflect.Interface:
		if t.NumMethod() > 0 {
			f.leave(path, "an interface with methods, %v: name its values with Make", t)
			return
		}
		if x := f.anything(src, name, depth); x != nil {
			v.Set(reflect.ValueOf(x))
		}
	case reflect.Chan, reflect.Func, reflect.UnsafePointer, reflect.Uintptr:
		f.leave(path, "a %v has no content", t.Kind())
	default:
		f.fillBasic(v, src, name)
	}
}

// made uses the caller's own function for the type.
func (f *filler) made(v reflect.Value, src source, path string) bool {
	mk := f.Make[v.Type()]
	if mk == nil {
		return false
	}
	x := reflect.ValueOf(mk(src.bits()))
	switch {
	case !x.IsValid():
	case x.Type().AssignableTo(v.Type()):
		v.Set(x)
	case f.err == nil:
		f.err = fmt.Errorf("%s: Make for %v returned a %v", orRoot(path), v.Type(), x.Type())
	}
	return true
}

func orRoot(path string) string {
	if path == "" {
		return "the value"
	}
	return path
}

func (f *filler) fillStruct(v reflect.Value, src source, path string, depth int) {
	t := v.Type()
	exported := 0
	for i := range t.NumField() {
		field := t.Field(i)
		if !field.IsExported() && (!field.Anonymous || field.Type.Kind() != reflect.Struct) {
			continue
		}
		exported++
		p := field.Name
		if path != "" {
			p = path + "." + field.Name
		}
		f.fill(v.Field(i), src.child(field.Name), p, field.Name, depth+1)
	}
	if exported == 0 && t.NumField() > 0 {
		f.leave(path, "%v has no exported field: name its values with Make", t)
	}
}

// length of a container of elem: shorter the more often the element's type is
// already being filled, so that recursive types end.
func (f *filler) length(src source, elem reflect.Type, depth int) int {
	for elem.Kind() == reflect.Pointer {
		elem = elem.Elem()
		depth++ // it must not be nil
	}
	low, high := f.MinLen, f.MaxLen
	if within := f.on[elem]; within > 0 {
		low, high = 0, high>>min(within, 62)
	}
	if depth >= f.MaxDepth {
		return 0
	}
	return src.between(min(low, high), high)
}

func (f *filler) fillSlice(v reflect.Value, src source, path, name string, depth int) {
	t := v.Type()
	if t.Elem().Kind() == reflect.Uint8 && t.Elem().PkgPath() == "" {
		b := make([]byte, src.between(f.MinText, f.MaxText))
		for i := range b {
			b[i] = byte(src.bits())
		}
		v.SetBytes(b)
		return
	}
	n := f.length(src, t.Elem(), depth)
	s := reflect.MakeSlice(t, n, n)
	for i := range n {
		f.fill(s.Index(i), src.at(uint64(i)), path+"[]", singular(name), depth+1)
	}
	v.Set(s)
}

func (f *filler) fillMap(v reflect.Value, src source, path, name string, depth int) {
	t := v.Type()
	n := f.length(src, t.Elem(), depth)
	m := reflect.MakeMapWithSize(t, n)
	keys, values := src.child("key"), src.child("value")
	for i := 0; m.Len() < n && i < 4*n; i++ { // bool and int8 keys run out
		k := reflect.New(t.Key()).Elem()
		if k.Kind() == reflect.String && k.Type() == reflect.TypeFor[string]() {
			k.SetString(keyText(keys.at(uint64(i)), i))
		} else {
			f.fill(k, keys.at(uint64(i)), path+"[key]", "key", depth+1)
		}
		if !k.Comparable() { // a list or map in an any
			continue
		}
		e := reflect.New(t.Elem()).Elem()
		f.fill(e, values.at(uint64(i)), path+"[]", singular(name), depth+1)
		m.SetMapIndex(k, e)
	}
	if n > 0 && m.Len() == 0 {
		f.leave(path, "keys of %v cannot be made", t)
	}
	v.Set(m)
}
