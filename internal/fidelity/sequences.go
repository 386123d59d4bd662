package fidelity

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"unsafe"
)

func (w *walker) slices(a, b reflect.Value) {
	if !w.lengths(a, b) {
		return
	}
	n, elem := a.Len(), a.Type().Elem()
	same := func() bool { return sameElements(elem.Kind(), a.UnsafePointer(), b.UnsafePointer(), n, elem.Size()) }
	if elem == reflect.TypeFor[any]() {
		x, y := unsafe.Slice((*any)(a.UnsafePointer()), n), unsafe.Slice((*any)(b.UnsafePointer()), n)
		if w.quick() {
			if w.enter(a, b) {
				w.quickElements(x, y)
			}
			return
		}
		if slices.EqualFunc(x, y, sameScalar) || !w.enter(a, b) {
			return
		}
		w.treeElements(x, y)
		return
	}
	// A short slice is compared faster than noted as met.
	const short = 1024
	if n <= short && same() || !w.enter(a, b) || n > short && same() {
		return
	}
	w.elements(a, b)
}

func (w *walker) arrays(a, b reflect.Value) {
	n, elem := a.Len(), a.Type().Elem()
	if n > 0 && a.CanAddr() && b.CanAddr() && sameElements(elem.Kind(), a.Addr().UnsafePointer(), b.Addr().UnsafePointer(), n, elem.Size()) {
		return
	}
	w.elements(a, b)
}

// elements compares two sequences of one type and length. Bytes are one value,
// other elements are walked.
func (w *walker) elements(a, b reflect.Value) {
	if a.Type().Elem().Kind() == reflect.Uint8 {
		x, y := bytesOf(a), bytesOf(b)
		if !bytes.Equal(x, y) && w.wantsLoss() {
			want, got := describeBytes(x, y)
			w.add(BytesValue, want, got)
		}
		return
	}
	for i := range a.Len() {
		w.push(step{index: i})
		w.walk(a.Index(i), b.Index(i))
		w.pop()
		if w.stop {
			return
		}
	}
}

// sequencesAcross compares two sequences of different types, found in
// interfaces.
func (w *walker) sequencesAcross(a, b reflect.Value) {
	w.reportTypesOnly(ContainerType, a, b)
	if !w.lengths(a, b) || !w.down(a, b) {
		return
	}
	defer w.up()
	if a.Kind() == reflect.Slice && b.Kind() == reflect.Slice && !w.enter(a, b) {
		return
	}
	for i := range a.Len() {
		w.push(step{index: i})
		w.element(a.Index(i), b.Index(i))
		w.pop()
		if w.stop {
			return
		}
	}
}

// element compares elements of two containers. If those have different element
// types, the types of equal numbers changed with them and are not reported.
func (w *walker) element(a, b reflect.Value) {
	if a.Type() != b.Type() {
		x, ok1 := numberOf(unwrap(a))
		y, ok2 := numberOf(unwrap(b))
		if ok1 && ok2 && sameNumber(x, y) {
			return
		}
	}
	w.dynamic(a, b)
}

// lengths reports differences between nil, empty and filled slices or maps,
// and returns whether there are as many elements, and some.
func (w *walker) lengths(a, b reflect.Value) bool {
	n, m := a.Len(), b.Len()
	switch {
	case n != m:
		if w.wantsLoss() {
			w.add(Length, lengthText(a), lengthText(b))
		}
	case n == 0 && isNil(a) != isNil(b) && !w.opts.NilEmpty:
		if isNil(a) {
			w.report(NilBecameEmpty, "nil", "empty")
		} else {
			w.report(EmptyBecameNil, "empty", "nil")
		}
	}
	return n == m && n > 0
}

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return v.IsNil()
	}
	return false
}

func lengthText(v reflect.Value) string {
	if isNil(v) {
		return "nil"
	}
	one, many := "element", "elements"
	switch {
	case v.Kind() == reflect.Map:
		one, many = "entry", "entries"
	case v.Type().Elem().Kind() == reflect.Uint8:
		one, many = "byte", "bytes"
	}
	if v.Len() == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", v.Len(), many)
}

// bytesOf returns the content of a slice or array of a type of kind uint8.
func bytesOf(v reflect.Value) []byte {
	if v.Kind() == reflect.Array {
		v = addressable(v)
	}
	return v.Bytes()
}

// sameElements reports whether n > 0 elements of a plain kind are equal, in
// one go. For other kinds it returns false.
func sameElements(k reflect.Kind, a, b unsafe.Pointer, n int, size uintptr) bool {
	switch k {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		bytesLong := n * int(size)
		return bytes.Equal(unsafe.Slice((*byte)(a), bytesLong), unsafe.Slice((*byte)(b), bytesLong))
	case reflect.Float64:
		x, y := unsafe.Slice((*float64)(a), n), unsafe.Slice((*float64)(b), n)
		for i, f := range x {
			if math.Float64bits(f) != math.Float64bits(y[i]) && (f == f || y[i] == y[i]) {
				return false
			}
		}
		return true
	case reflect.Float32:
		x, y := unsafe.Slice((*float32)(a), n), unsafe.Slice((*float32)(b), n)
		for i, f := range x {
			if math.Float32bits(f) != math.Float32bits(y[i]) && (f == f || y[i] == y[i]) {
				return false
			}
		}
		return true
	case reflect.String:
		x, y := unsafe.Slice((*string)(a), n), unsafe.Slice((*string)(b), n)
		for i, s := range x {
			if s != y[i] {
				return false
			}
		}
		return true
	}
	return false
}
