package fidelity

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	maxShown = 80 // bytes of a value, without the note on its length
	maxType  = 60 // bytes of a type
)

// describe shows a value in bounded length.
func describe(v reflect.Value) string { return describeIn(v, maxShown) }

func describeIn(v reflect.Value, size int) string {
	d := describer{size: size}
	d.value(v, 0)
	return cutMiddle(d.b.String(), size+maxType)
}

// describeTyped shows a value with its type: int64 5.
func describeTyped(v reflect.Value) string {
	if !v.IsValid() {
		return "nil"
	}
	return typeText(v) + " " + describe(v)
}

func typeText(v reflect.Value) string {
	if !v.IsValid() {
		return "nil"
	}
	s := strings.ReplaceAll(v.Type().String(), "interface {}", "any")
	return cutMiddle(strings.ToValidUTF8(s, "?"), maxType)
}

// A describer writes until the size is reached.
type describer struct {
	b    strings.Builder
	size int
}

func (d *describer) full() bool { return d.b.Len() >= d.size }

func (d *describer) value(v reflect.Value, depth int) {
	if !v.IsValid() {
		d.b.WriteString("nil")
		return
	}
	if depth > 8 {
		d.b.WriteString("…")
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		d.b.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Float32, reflect.Float64:
		d.b.WriteString(floatText(v.Float(), v.Type().Bits()))
	case reflect.Complex64, reflect.Complex128:
		d.b.WriteString(strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits()))
	case reflect.String:
		d.b.WriteString(quoteFrom(v.String(), 0, max(d.size-d.b.Len(), 16)))
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			d.b.WriteString("nil")
			return
		}
		if v.Kind() == reflect.Pointer {
			d.b.WriteByte('&')
		}
		d.value(v.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		d.sequence(v, depth)
	case reflect.Map:
		if v.IsNil() {
			d.b.WriteString("nil")
			return
		}
		fmt.Fprintf(&d.b, "%s of %d", typeText(v), v.Len())
	case reflect.Struct:
		d.structure(v, depth)
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		d.b.WriteString(nilness(v))
	default:
		switch {
		case v.Type() == reflect.TypeFor[time.Duration]():
			d.b.WriteString(time.Duration(v.Int()).String())
		case v.CanInt():
			d.b.WriteString(strconv.FormatInt(v.Int(), 10))
		default:
			d.b.WriteString(strconv.FormatUint(v.Uint(), 10))
		}
	}
}

// floatText is the shortest text of a float, but all digits of one that is an
// integer, so that it can be compared with an integer by eye.
func floatText(f float64, bits int) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e21 {
		return strconv.FormatFloat(f, 'f', 0, bits)
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

func (d *describer) sequence(v reflect.Value, depth int) {
	if isNil(v) {
		d.b.WriteString("nil")
		return
	}
	if isBytes(v) {
		want, _ := describeBytes(v.Bytes(), nil)
		d.b.WriteString(want)
		return
	}
	d.b.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			d.b.WriteByte(' ')
		}
		if d.full() {
			fmt.Fprintf(&d.b, "…] (%d elements)", v.Len())
			return
		}
		d.value(v.Index(i), depth+1)
	}
	d.b.WriteByte(']')
}

func (d *describer) structure(v reflect.Value, depth int) {
	if v.Type().ConvertibleTo(reflect.TypeFor[time.Time]()) && (v.CanAddr() || v.CanInterface()) {
		d.b.WriteString(cutMiddle(timeOf(v).Format(time.RFC3339Nano), maxShown))
		return
	}
	d.b.WriteByte('{')
	for i := range v.NumField() {
		if i > 0 {
			d.b.WriteByte(' ')
		}
		if d.full() {
			d.b.WriteString("…")
			break
		}
		d.b.WriteString(cutMiddle(v.Type().Field(i).Name, maxType) + ":")
		d.value(v.Field(i), depth+1)
	}
	d.b.WriteByte('}')
}

// quoteFrom quotes s from byte i on, at most about n bytes of the result, and
// states the length of what it cuts. The result is valid UTF-8.
func quoteFrom(s string, i, n int) string {
	var b strings.Builder
	if i > 0 {
		b.WriteString("…")
	}
	b.WriteByte('"')
	rest := s[i:]
	for rest != "" && b.Len() < n {
		_, size := utf8.DecodeRuneInString(rest)
		q := strconv.Quote(rest[:size])
		b.WriteString(q[1 : len(q)-1])
		rest = rest[size:]
	}
	b.WriteByte('"')
	if rest != "" {
		b.WriteString("…")
	}
	if rest != "" || i > 0 {
		fmt.Fprintf(&b, " (%d bytes)", len(s))
	}
	return b.String()
}

// describeStrings shows two strings around their first difference.
func describeStrings(a, b string) (want, got string) {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	if i = max(i-maxShown/4, 0); i <= maxShown/4 {
		i = 0
	}
	return quoteFrom(a, runeStart(a, i), maxShown), quoteFrom(b, runeStart(b, i), maxShown)
}

func runeStart(s string, i int) int {
	for i = min(i, len(s)); i > 0 && i < len(s) && !utf8.RuneStart(s[i]); i-- {
	}
	return i
}

// describeBytes shows two byte sequences in hexadecimal around their first
// difference.
func describeBytes(a, b []byte) (want, got string) {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	if b == nil || i < maxShown/4 {
		i = 0
	} else {
		i -= 4
	}
	return hexFrom(a, i), hexFrom(b, i)
}

func hexFrom(p []byte, i int) string {
	const n = maxShown / 2
	rest := p[min(i, len(p)):]
	switch {
	case i > 0:
		return fmt.Sprintf("0x…%x… (%d bytes, from byte %d)", rest[:min(n, len(rest))], len(p), i)
	case len(rest) > n:
		return fmt.Sprintf("0x%x… (%d bytes)", rest[:n], len(p))
	}
	return fmt.Sprintf("0x%x", rest)
}
