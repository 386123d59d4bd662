package fidelity

import (
	"math"
	"reflect"
	"strconv"
	"time"
)

// A number is a value of a numeric kind, or of a string type that says of
// itself that it is one by having the methods of json.Number.
type number struct {
	value reflect.Value
	class numberClass
	i     int64
	u     uint64
	f     float64 // also the nearest one to a decimal
	text  string
}

type numberClass byte

const (
	signed   numberClass = iota + 1
	unsigned             // above the range of int64; others are signed
	float
	decimal // text that is not an integer in range
)

type numeric interface {
	Float64() (float64, error)
	Int64() (int64, error)
}

func numberOf(v reflect.Value) (number, bool) {
	n := number{value: v}
	switch v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n.class, n.i = signed, v.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		n.setUint(v.Uint())
	case reflect.Float32, reflect.Float64:
		n.class, n.f = float, v.Float()
	case reflect.String:
		if !v.Type().Implements(reflect.TypeFor[numeric]()) {
			return n, false
		}
		return n, n.setText(v.String())
	default:
		return n, false
	}
	return n, true
}

func isNumeric(v reflect.Value) bool {
	_, ok := numberOf(v)
	return ok
}

func (n *number) setUint(u uint64) {
	if u <= math.MaxInt64 {
		n.class, n.i = signed, int64(u)
	} else {
		n.class, n.u = unsigned, u
	}
}

// setText reads a decimal. Its methods are not called, since they would
// round.
func (n *number) setText(s string) bool {
	if i, err := strconv.ParseInt(s, 10, 64); err == nil && (i != 0 || s[0] != '-') {
		n.class, n.i = signed, i
		return true
	}
	if u, err := strconv.ParseUint(s, 10, 64); err == nil {
		n.setUint(u)
		return true
	}
	if _, ok := parseDecimal(s); !ok {
		return false
	}
	n.class, n.text = decimal, s
	n.f, _ = strconv.ParseFloat(s, 64) // out of range: an infinity, and unequal to all others
	return true
}

func (n number) isFloat() bool { return n.class == float }
func (n number) isNaN() bool   { return n.class == float && math.IsNaN(n.f) }
func (n number) isInf() bool   { return n.class == float && math.IsInf(n.f, 0) }

func (n number) isZero() bool {
	switch n.class {
	case signed:
		return n.i == 0
	case float:
		return n.f == 0
	case decimal:
		d, _ := parseDecimal(n.text)
		return d.digits == ""
	}
	return false
}

// float64 returns the nearest float64.
func (n number) float64() float64 {
	switch n.class {
	case signed:
		return float64(n.i)
	case unsigned:
		return float64(n.u)
	}
	return n.f
}

// equalNumbers reports whether two numbers are mathematically equal, NaN to
// NaN, and zeros of one sign.
func equalNumbers(a, b number) bool {
	if a.class == decimal || b.class == decimal {
		return equalDecimals(a, b)
	}
	if a.class > b.class {
		a, b = b, a
	}
	switch {
	case a.class == float:
		return a.f == b.f && math.Signbit(a.f) == math.Signbit(b.f) || a.f != a.f && b.f != b.f
	case b.class != float:
		return a.class == b.class && a.i == b.i && a.u == b.u
	case b.f != math.Trunc(b.f) || b.f == 0 && math.Signbit(b.f):
		return false
	case a.class == signed:
		return b.f >= -1<<63 && b.f < 1<<63 && int64(b.f) == a.i
	default:
		return b.f >= 0 && b.f < 1<<64 && uint64(b.f) == a.u
	}
}

// shortestFloat32 reports whether b is what the shortest decimal form of the
// float32 a reads as. Text formats bring back a float32 in an interface so.
func shortestFloat32(a, b number) bool {
	if a.class != float || b.class != float || a.value.Kind() != reflect.Float32 {
		return false
	}
	f, err := strconv.ParseFloat(strconv.FormatFloat(a.f, 'g', -1, 32), 64)
	return err == nil && f == b.f
}

// sameNumber reports whether nothing is lost between two numbers.
func sameNumber(a, b number) bool {
	return equalNumbers(a, b) || shortestFloat32(a, b)
}

// numbers compares two numbers of one type.
func (w *walker) numbers(a, b reflect.Value) {
	switch k := a.Kind(); {
	case isComplex(k):
		w.complexes(a, b)
	case a.CanInt():
		if a.Int() == b.Int() {
			return
		}
		if a.Type() == reflect.TypeFor[time.Duration]() {
			w.report(Duration, time.Duration(a.Int()).String(), time.Duration(b.Int()).String())
			return
		}
		w.unequal(a, b)
	case a.CanUint():
		if a.Uint() != b.Uint() {
			w.unequal(a, b)
		}
	case a.CanFloat():
		x, y := a.Float(), b.Float()
		if math.Float64bits(x) != math.Float64bits(y) && (x == x || y == y) {
			w.unequal(a, b)
		}
	}
}

func (w *walker) unequal(a, b reflect.Value) {
	if w.wantsLoss() {
		x, _ := numberOf(a)
		y, _ := numberOf(b)
		w.add(lossOf(x, y), describe(a), describe(b))
	}
}

// numbersAcross compares two numbers of different types.
func (w *walker) numbersAcross(a, b number) {
	switch {
	case sameNumber(a, b):
		if !w.opts.NumericKinds {
			w.reportTypes(NumberKind, a.value, b.value)
		}
	case w.wantsLoss():
		w.add(lossOf(a, b), describeTyped(a.value), describeTyped(b.value))
	}
}

// lossOf says how two numbers that are not equal differ.
func lossOf(a, b number) Kind {
	switch {
	case a.isNaN():
		return NaNLost
	case a.isInf():
		return InfinityLost
	case a.isZero() && b.isZero():
		return SignOfZero
	case isRoundedNumber(a, b):
		return NumberPrecision
	}
	return NumberValue
}

// isRoundedNumber reports whether got is want after rounding: to float64, to
// float32, to an integer, or to some number of decimal digits.
func isRoundedNumber(want, got number) bool {
	if got.isNaN() || got.isInf() {
		return false
	}
	f := want.float64()
	is := func(x float64) bool {
		// Rounding a small negative number gives -0 or, in most decoders, 0.
		return equalNumbers(number{class: float, f: x}, got) || x == 0 && got.isZero()
	}
	if is(f) || is(float64(float32(f))) {
		return true
	}
	if !want.isFloat() && want.class != decimal {
		return false
	}
	if is(math.Trunc(f)) {
		return true
	}
	for digits := 3; digits <= 16; digits++ {
		if is(reformat(f, 'e', digits-1)) {
			return true
		}
	}
	for places := range 16 {
		if is(reformat(f, 'f', places)) {
			return true
		}
	}
	return false
}

func reformat(f float64, format byte, digits int) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(f, format, digits, 64), 64)
	return r
}

// complexes compares two complex numbers, also of different widths: the loss
// is that of the first part that differs.
func (w *walker) complexes(a, b reflect.Value) {
	x, y := a.Complex(), b.Complex()
	k, differ := lossOfFloats(real(x), real(y))
	if !differ {
		k, differ = lossOfFloats(imag(x), imag(y))
	}
	if differ {
		w.reportValues(k, a, b)
	}
}

func (w *walker) complexAcross(a, b reflect.Value) {
	if !w.opts.NumericKinds {
		w.reportTypes(NumberKind, a, b)
	}
	w.complexes(a, b)
}

func lossOfFloats(a, b float64) (Kind, bool) {
	x, y := number{class: float, f: a}, number{class: float, f: b}
	if equalNumbers(x, y) {
		return "", false
	}
	return lossOf(x, y), true
}
