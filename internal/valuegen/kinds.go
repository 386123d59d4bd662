package valuegen

import (
	"encoding/json"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"strconv"
	"time"
)

// fillBasic sets booleans, numbers and strings.
func (f *filler) fillBasic(v reflect.Value, src source, name string) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(src.bits()&1 == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(f.integer(src, v.Type().Bits(), name))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(f.unsigned(src, v.Type().Bits(), name))
	case reflect.Float32:
		v.SetFloat(float64(float32(f.float(src))))
	case reflect.Float64:
		v.SetFloat(f.float(src))
	case reflect.Complex64, reflect.Complex128:
		re, im := f.float(src.child("re")), f.float(src.child("im"))
		if v.Kind() == reflect.Complex64 {
			re, im = float64(float32(re)), float64(float32(im))
		}
		v.SetComplex(complex(re, im))
	case reflect.String:
		v.SetString(f.text(src, name))
	}
}

// integer has about as many numbers of each length in bits, as real data has,
// within the kind's and the settings' range; one in eight is negative.
func (f *filler) integer(src source, size int, name string) int64 {
	low, high := math.Ldexp(-1, size-1), math.Ldexp(1, size-1)-1
	low, high = max(low, math.Ceil(f.Numbers[0])), min(high, math.Floor(f.Numbers[1]))
	if !(low <= high) {
		return 0
	}
	x := magnitude(src, size-1, name)
	if low < 0 && src.below(8) == 0 && !isIdentifier(name) {
		x = -x
	}
	if fx := float64(x); fx < low || fx > high {
		return fold(src, low, high)
	}
	return x
}

func (f *filler) unsigned(src source, size int, name string) uint64 {
	low, high := max(0, math.Ceil(f.Numbers[0])), min(math.Ldexp(1, size)-1, math.Floor(f.Numbers[1]))
	if !(low <= high) {
		return 0
	}
	x := uint64(magnitude(src, min(size, 63), name))
	if fx := float64(x); fx < low || fx > high {
		return uint64(fold(src, low, high))
	}
	return x
}

// fold draws evenly from a range that the usual numbers miss.
func fold(src source, low, high float64) int64 {
	width := high - low
	if width >= 1<<62 {
		width = 1 << 62
	}
	return int64(low) + int64(src.below(uint64(width)+1))
}

// magnitude is a number of at most size bits; identifiers are long.
func magnitude(src source, size int, name string) int64 {
	most := min(size, 40) // counts, sizes and milliseconds
	least := 1
	if isIdentifier(name) {
		least = min(size, 20)
	}
	n := src.between(min(least, most), most)
	return int64(src.bits() >> (64 - uint(n)))
}

// float is a decimal number of a few digits, as people and sensors write
// them, or one of full precision.
func (f *filler) float(src source) float64 {
	low, high := f.Numbers[0], f.Numbers[1]
	if low <= -1e6 && high >= 1e6 {
		low, high = -1e6, 1e6
	}
	x := low + float64(src.share()*(high-low)) // converted: never fused, the same on every platform
	if src.below(2) == 0 {
		if y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', 2, 64), 64); err == nil && y >= low && y <= high {
			return y
		}
	}
	return x
}

// known sets the standard library's types that keep their content in
// unexported fields or give it a form.
func (f *filler) known(v reflect.Value, src source) bool {
	if v.Type().PkgPath() == "" || !v.CanAddr() {
		return false
	}
	switch p := v.Addr().Interface().(type) {
	case *time.Time:
		*p = f.time(src)
	case *time.Duration:
		*p = (time.Duration(src.below(uint64(time.Hour))) / f.TimeStep) * f.TimeStep
	case *json.Number:
		*p = json.Number(strconv.FormatInt(magnitude(src, 63, ""), 10))
	case *json.RawMessage:
		*p = json.RawMessage(`{"n":` + strconv.FormatUint(src.below(1e6), 10) + `}`)
	case *big.Int:
		p.SetUint64(src.bits())
	case *big.Rat:
		p.SetFrac64(magnitude(src, 40, ""), int64(1+src.below(1000)))
	case *big.Float:
		p.SetFloat64(f.float(src))
	case *netip.Addr:
		*p = address(src)
	case *netip.AddrPort:
		*p = netip.AddrPortFrom(address(src), uint16(1024+src.below(60000)))
	case *url.URL:
		*p = url.URL{Scheme: "https", Host: word(src) + ".example.com", Path: "/" + word(src) + "/" + strconv.FormatUint(src.below(1e6), 10)}
	default:
		return false
	}
	return true
}

func address(src source) netip.Addr {
	// 198.18.0.0/15 is set aside for benchmarks (RFC 2544).
	return netip.AddrFrom4([4]byte{198, byte(18 + src.below(2)), byte(src.bits()), byte(src.bits())})
}

// time is in UTC, within the settings' range.
func (f *filler) time(src source) time.Time {
	from, to := f.Times[0], f.Times[1]
	seconds := to.Unix() - from.Unix()
	t := from.Add(0)
	if seconds > 0 {
		t = time.Unix(from.Unix()+int64(src.below(uint64(seconds))), int64(src.below(1e9)))
	}
	t = t.UTC().Truncate(f.TimeStep)
	if t.Before(from) {
		t = from.UTC()
	}
	return t
}

// anything is a value as generic decoders give it: nil, bool, float64,
// string, []any, map[string]any.
func (f *filler) anything(src source, name string, depth int) any {
	kinds := uint64(8)
	if depth+1 >= f.MaxDepth || depth >= 4 {
		kinds = 6
	}
	switch src.below(kinds) {
	case 0:
		return nil
	case 1:
		return src.bits()&1 == 1
	case 2, 3:
		return f.float(src)
	case 4, 5:
		return f.text(src, name)
	case 6:
		list := make([]any, src.between(f.MinLen, f.MaxLen))
		for i := range list {
			list[i] = f.anything(src.at(uint64(i)), singular(name), depth+1)
		}
		return list
	}
	n := src.between(f.MinLen, f.MaxLen)
	m := make(map[string]any, n)
	for i := range n {
		key := keyText(src.child("key").at(uint64(i)), i)
		m[key] = f.anything(src.at(uint64(i)), key, depth+1)
	}
	return m
}
