package fidelity

import (
	"fmt"
	"reflect"
	"strings"
	"time"
	"unsafe"
)

// typeCache holds what is known of the struct types that a walk has met.
type typeCache map[reflect.Type]*structType

type structType struct {
	fields    []field // those to be walked
	isTime    bool    // time.Time or a type defined as it
	isZone    bool    // time.Location
	copied    bool    // some fields can be read of an addressable struct only
	hidden    bool    // has unexported fields
	allHidden bool    // has no other fields
	equal     *ownEquality
}

type field struct {
	index  int
	name   string
	inline bool // an embedded struct whose fields appear as those of the outer
	open   bool // unexported
}

func (c typeCache) of(t reflect.Type) *structType {
	if s, ok := c[t]; ok {
		return s
	}
	s := &structType{
		isTime: t.ConvertibleTo(reflect.TypeFor[time.Time]()),
		isZone: t == reflect.TypeFor[time.Location](),
	}
	c[t] = s
	exported := 0
	for i := range t.NumField() {
		if walked(t.Field(i)) {
			exported++
		} else {
			s.hidden = true
		}
	}
	s.allHidden = s.hidden && exported == 0
	if s.hidden && !s.isTime {
		s.equal = ownEqualityOf(t)
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Name == "_" || !walked(f) && !s.allHidden {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		inline := f.Anonymous && name == ""
		if name == "" || name == "-" {
			name = f.Name
		}
		s.fields = append(s.fields, field{index: i, name: name, inline: inline, open: !f.IsExported()})
		s.copied = s.copied || !f.IsExported()
	}
	return s
}

// walked reports whether a field is exported or embeds a struct, the exported
// fields of which are promoted.
func walked(f reflect.StructField) bool {
	if f.IsExported() {
		return true
	}
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return f.Anonymous && t.Kind() == reflect.Struct
}

// addressable returns v, or a copy of it if it has no address.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// get returns the field of v, which is addressable if the field is open.
// Values that it returns are never read-only in the sense of reflect, so that
// their methods may be called.
func (f field) get(v reflect.Value) reflect.Value {
	x := v.Field(f.index)
	if f.open {
		x = reflect.NewAt(x.Type(), unsafe.Pointer(x.UnsafeAddr())).Elem()
	}
	return x
}

// ownEquality is a method by which a type says whether two values are equal.
type ownEquality struct {
	method  reflect.Method
	pointer bool // the receiver is a pointer
	address bool // the argument is a pointer
	order   bool // the result is an int that is 0 for equal values
}

func ownEqualityOf(t reflect.Type) *ownEquality {
	for _, recv := range []reflect.Type{t, reflect.PointerTo(t)} {
		// Note: constant names let the linker drop the other methods of all
		// types of the program.
		equal, ok1 := recv.MethodByName("Equal")
		cmp, ok2 := recv.MethodByName("Cmp")
		compare, ok3 := recv.MethodByName("Compare")
		if ok1 && fits(equal, t, reflect.Bool) {
			return newOwnEquality(equal, recv, false)
		}
		if ok2 && fits(cmp, t, reflect.Int) {
			return newOwnEquality(cmp, recv, true)
		}
		if ok3 && fits(compare, t, reflect.Int) {
			return newOwnEquality(compare, recv, true)
		}
	}
	return nil
}

func fits(m reflect.Method, t reflect.Type, result reflect.Kind) bool {
	f := m.Type
	if f.NumIn() != 2 || f.NumOut() != 1 || f.IsVariadic() || f.Out(0).Kind() != result {
		return false
	}
	arg := f.In(1)
	return arg == t || arg == reflect.PointerTo(t) || result == reflect.Bool && arg == reflect.TypeFor[any]()
}

func newOwnEquality(m reflect.Method, recv reflect.Type, order bool) *ownEquality {
	pointer := recv.Kind() == reflect.Pointer
	arg := m.Type.In(1)
	address := arg.Kind() == reflect.Pointer || arg.Kind() == reflect.Interface && pointer
	return &ownEquality{method: m, pointer: pointer, address: address, order: order}
}

// ask calls the method. The values are addressable. A panic of it, which is
// not our code, is returned as text.
func (e *ownEquality) ask(a, b reflect.Value) (equal bool, panicked string) {
	defer func() {
		if r := recover(); r != nil {
			panicked = panicText(r)
		}
	}()
	if e.pointer {
		a = a.Addr()
	}
	if e.address {
		b = b.Addr()
	}
	out := e.method.Func.Call([]reflect.Value{a, b})[0]
	if e.order {
		return out.Int() == 0, ""
	}
	return out.Bool(), ""
}

// panicText shows the value of a panic. Its methods, which are as foreign as
// the one that panicked, are called only for the types of the runtime and of
// fmt.Errorf.
func panicText(r any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("panic of type %T", r)
		}
	}()
	if err, ok := r.(error); ok {
		return quoteFrom(err.Error(), 0, maxShown)
	}
	return describe(reflect.ValueOf(r))
}
