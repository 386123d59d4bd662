package fidelity

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"
)

// keyID returns a text that is equal for map keys of equal content: equal
// numbers of any type, times of one instant, pointers to equal values.
func keyID(k reflect.Value) string {
	switch k.Kind() {
	case reflect.Interface:
		if k.IsNil() {
			return "nil"
		}
		return keyID(k.Elem())
	case reflect.String:
		return "s" + k.String()
	case reflect.Bool:
		return "b" + strconv.FormatBool(k.Bool())
	case reflect.Struct:
		if k.Type() == reflect.TypeFor[time.Time]() && k.CanInterface() {
			t := timeOf(k)
			return fmt.Sprintf("t%d.%09d", t.Unix(), t.Nanosecond())
		}
	case reflect.Complex64, reflect.Complex128:
		c := k.Complex()
		return "c" + floatID(real(c)) + "," + floatID(imag(c))
	case reflect.Float32, reflect.Float64:
		return "n" + floatID(k.Float())
	}
	switch {
	case k.CanInt():
		return "n" + intID(strconv.FormatInt(k.Int(), 10))
	case k.CanUint():
		return "n" + intID(strconv.FormatUint(k.Uint(), 10))
	}
	sum := newHasher().sum(k)
	return "h" + string(sum[:])
}

// intID pads an integer so that keys sort by value as far as their text
// allows: negative ones first.
func intID(s string) string {
	if s[0] == '-' {
		return "-" + fmt.Sprintf("%020s", s[1:])
	}
	return fmt.Sprintf("p%020s", s)
}

func floatID(f float64) string {
	n := number{class: float, f: f + 0} // -0 + 0 is 0: as map keys they are one
	switch {
	case f >= -1<<63 && f < 1<<63 && f == math.Trunc(f):
		return intID(strconv.FormatInt(int64(f), 10))
	case f >= 0 && f < 1<<64 && f == math.Trunc(f):
		return intID(strconv.FormatUint(uint64(f), 10))
	}
	return "q" + strconv.FormatFloat(n.f, 'g', -1, 64)
}

// otherNumber reports whether two keys are numbers of different types.
func otherNumber(a, b reflect.Value) bool {
	a, b = unwrap(a), unwrap(b)
	return a.IsValid() && b.IsValid() && a.Type() != b.Type() && isNumeric(a) && isNumeric(b)
}

// keyAsText returns what a key looks like after it was made a string, and a
// string key as a codec that repairs it returns it.
func keyAsText(k reflect.Value) (string, bool) {
	switch {
	case !k.IsValid():
		return "", false
	case k.Kind() == reflect.String:
		return repair(k.String()), true
	case k.Kind() == reflect.Bool:
		return strconv.FormatBool(k.Bool()), true
	case k.CanInt():
		return strconv.FormatInt(k.Int(), 10), true
	case k.CanUint():
		return strconv.FormatUint(k.Uint(), 10), true
	case k.CanFloat():
		return strconv.FormatFloat(k.Float(), 'g', -1, k.Type().Bits()), true
	}
	return "", false
}
