package fidelity

import (
	"encoding/base64"
	"reflect"
)

// unwrap returns what an interface holds; the zero Value stands for nil.
func unwrap(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface {
		return v.Elem()
	}
	return v
}

// dynamic compares two values whose types may differ.
func (w *walker) dynamic(a, b reflect.Value) {
	if w.stop {
		return
	}
	a, b = unwrap(a), unwrap(b)
	switch {
	case !a.IsValid() && !b.IsValid():
	case !a.IsValid():
		if isNil(b) {
			w.reportTypes(TypedNil, a, b)
		} else {
			w.reportTypes(NilBecameValue, a, b)
		}
	case !b.IsValid():
		w.becameNil(a, b)
	case a.Type() == b.Type():
		w.walk(a, b)
	default:
		w.across(a, b)
	}
}

func (w *walker) becameNil(a, b reflect.Value) {
	k := ValueBecameNil
	if n, ok := numberOf(a); ok && n.isNaN() {
		k = NaNLost
	} else if ok && n.isInf() {
		k = InfinityLost
	} else if isNil(a) {
		k = TypedNil
	}
	w.reportTypes(k, a, b)
}

// across compares two values of different types, neither of which is nil.
func (w *walker) across(a, b reflect.Value) {
	if x, ok := numberOf(a); ok {
		if y, ok := numberOf(b); ok {
			w.numbersAcross(x, y)
			return
		}
		if x.isNaN() {
			w.reportTypes(NaNLost, a, b)
			return
		}
		if x.isInf() {
			w.reportTypes(InfinityLost, a, b)
			return
		}
	}
	ak, bk := a.Kind(), b.Kind()
	switch {
	case ak == reflect.Pointer || bk == reflect.Pointer:
		w.pointersAcross(a, b)
	case ak == reflect.String && bk == reflect.String && !isNumeric(a) && !isNumeric(b):
		w.reportTypesOnly(NamedType, a, b)
		w.strings(a, b)
	case ak == reflect.Bool && bk == reflect.Bool:
		w.reportTypesOnly(NamedType, a, b)
		if a.Bool() != b.Bool() {
			w.reportValues(Value, a, b)
		}
	case isComplex(ak) && isComplex(bk):
		w.complexAcross(a, b)
	case w.isTime(a) && w.isTime(b):
		w.reportTypesOnly(NamedType, a, b)
		w.times(timeOf(a), timeOf(b))
	case w.isTime(a) && bk == reflect.String:
		w.reportTypes(TimeAsString, a, b)
	case w.isTime(a) && isNumeric(b):
		w.reportTypes(TimeAsNumber, a, b)
	case isBytes(a) && bk == reflect.String:
		w.bytesToString(a, b)
	case ak == reflect.String && isBytes(b):
		k := TypeChanged
		if a.String() == string(b.Bytes()) {
			k = StringAsBytes
		}
		w.reportTypes(k, a, b)
	case isSequence(ak) && isSequence(bk):
		w.sequencesAcross(a, b)
	case ak == reflect.Map && bk == reflect.Map:
		w.mapsAcross(a, b)
	case ak == reflect.Struct && bk == reflect.Map:
		w.reportTypes(StructBecameMap, a, b)
	case ak == reflect.Struct && bk == reflect.Struct && a.Type().ConvertibleTo(b.Type()):
		w.reportTypesOnly(NamedType, a, b)
		w.walk(a.Convert(b.Type()), b)
	case isNil(a) && isNil(b):
		w.reportTypes(TypedNil, a, b)
	default:
		w.reportTypes(TypeChanged, a, b)
	}
}

// pointersAcross compares a pointer with a value, or two pointers of
// different types.
func (w *walker) pointersAcross(a, b reflect.Value) {
	ak, bk := a.Kind(), b.Kind()
	switch {
	case isNil(a) && isNil(b):
		w.reportTypes(TypedNil, a, b)
		return
	case ak == reflect.Pointer && a.IsNil():
		w.reportTypes(NilBecameValue, a, b)
		return
	case bk == reflect.Pointer && b.IsNil():
		w.reportTypes(ValueBecameNil, a, b)
		return
	}
	if ak != bk {
		w.reportTypesOnly(Indirection, a, b)
	}
	if !w.down(a, b) {
		return
	}
	defer w.up()
	if ak == reflect.Pointer && bk == reflect.Pointer && !w.enter(a, b) {
		return
	}
	// A pointer may lead to itself by way of its own type; such a one ends
	// here when the other side is no pointer.
	if ak != bk && leadsNowhere(a) || ak != bk && leadsNowhere(b) {
		w.reportTypes(TypeChanged, a, b)
		return
	}
	if ak == reflect.Pointer {
		a = a.Elem()
	}
	if bk == reflect.Pointer {
		b = b.Elem()
	}
	w.dynamic(a, b)
}

// leadsNowhere reports whether v is the start of a long chain of pointers and
// interfaces, such as one that ends in itself.
func leadsNowhere(v reflect.Value) bool {
	for range 64 {
		if k := v.Kind(); k != reflect.Pointer && k != reflect.Interface {
			return false
		}
		v = v.Elem()
	}
	return true
}

func (w *walker) bytesToString(a, b reflect.Value) {
	x, y := a.Bytes(), b.String()
	k := TypeChanged
	switch {
	case string(x) == y:
		k = BytesAsString
	case y == base64.StdEncoding.EncodeToString(x), y == base64.RawStdEncoding.EncodeToString(x),
		y == base64.URLEncoding.EncodeToString(x), y == base64.RawURLEncoding.EncodeToString(x):
		k = BytesAsBase64
	}
	w.reportTypes(k, a, b)
}

// reportTypesOnly is report for values of which only the type matters.
func (w *walker) reportTypesOnly(k Kind, a, b reflect.Value) {
	if k.Normalised() && w.wantsNorm() || !k.Normalised() && w.wantsLoss() {
		w.add(k, typeText(a), typeText(b))
	}
}

func (w *walker) isTime(v reflect.Value) bool {
	return v.Kind() == reflect.Struct && w.types.of(v.Type()).isTime
}

func isBytes(v reflect.Value) bool {
	return v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8
}

func isSequence(k reflect.Kind) bool { return k == reflect.Slice || k == reflect.Array }

func isComplex(k reflect.Kind) bool { return k == reflect.Complex64 || k == reflect.Complex128 }
