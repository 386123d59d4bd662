package fidelity

import (
	"encoding/json"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"time"
)

// zoo has a field of every kind, most of them below and beside each other.
type zoo struct {
	Bool bool
	Ints struct {
		A int8
		B int16
		C int32
		D int64
		E int
	}
	Uints struct {
		A uint8
		B uint16
		C uint32
		D uint64
		E uintptr
	}
	F32     float32
	F64     float64
	C64     complex64
	C128    complex128
	Str     string `json:"a string"`
	Colour  colour
	Bytes   []byte
	Array   [3]byte
	Grid    [][]float64
	Floats  []float32
	Flags   []flag
	Strs    []string
	Any     any
	Anys    []any
	Tree    map[string]any
	AnyKeys map[any]any
	FKeys   map[float64]string
	SKeys   map[[2]int16]bool
	PKeys   map[*int8]int
	People  map[string][]person
	When    time.Time
	Ptr     *time.Time
	For     time.Duration
	PP      **int
	Self    *zoo
	Big     *big.Int
	Addr    netip.Addr
	Number  json.Number
	Closed  closed
	Half    half
	Chan    chan int
	Func    func(int) int
	outerOf
}

type outerOf struct {
	Inner *outerOf
	Box   box
}

// A source makes choices from fuzz bytes; when they are used up, all are 0.
type source struct{ b []byte }

func (s *source) n(n int) int {
	if len(s.b) == 0 {
		return 0
	}
	c := s.b[0]
	s.b = s.b[1:]
	return int(c) % n
}

func (s *source) u64() (u uint64) {
	switch s.n(8) {
	case 0:
		return uint64(s.n(256))
	case 1:
		return math.MaxUint64 - uint64(s.n(4))
	case 2:
		return 1<<53 + uint64(s.n(4))
	case 3:
		return 1<<63 + uint64(s.n(4)) - 2
	}
	for range 8 {
		u = u<<8 | uint64(s.n(256))
	}
	return u
}

func (s *source) f64() float64 {
	special := []float64{0, negZ, 1, -1.5, 0.1, math.NaN(), nan2, math.Inf(1), math.Inf(-1), math.MaxFloat64, 5e-324, 1 << 53}
	if i := s.n(len(special) + 3); i < len(special) {
		return special[i]
	}
	return math.Float64frombits(s.u64())
}

func (s *source) str() string {
	parts := []string{"", "a", "\xff", "\uFFFD", "é", "\u2028", "<&>", "\x00", "key with spaces", "=cmd", "😀", "\xc0\xaf"}
	out := ""
	for range s.n(4) {
		out += parts[s.n(len(parts))]
	}
	return out
}

func (s *source) time() time.Time {
	zones := []*time.Location{time.UTC, berlin, time.FixedZone("", -3600), time.FixedZone("X\xff", 1)}
	switch s.n(6) {
	case 0:
		return time.Time{}
	case 1:
		return time.Unix(int64(s.u64()), int64(s.n(256))).In(zones[s.n(4)])
	}
	return t0.Add(time.Duration(s.u64() % 1e12)).In(zones[s.n(4)])
}

// types are what an interface may hold.
var types = []reflect.Type{
	nil, reflect.TypeFor[int](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[[]any](),
	reflect.TypeFor[map[string]any](), reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[uint64](),
	reflect.TypeFor[float32](), reflect.TypeFor[[]byte](), reflect.TypeFor[time.Time](), reflect.TypeFor[person](),
	reflect.TypeFor[*person](), reflect.TypeFor[human](), reflect.TypeFor[colour](), reflect.TypeFor[list](), reflect.TypeFor[map[any]any](),
	reflect.TypeFor[json.Number](), reflect.TypeFor[[2]int](), reflect.TypeFor[[]int](), reflect.TypeFor[*zoo](),
	reflect.TypeFor[box](), reflect.TypeFor[closed](), reflect.TypeFor[half](), reflect.TypeFor[complex64](), reflect.TypeFor[complex128](),
	reflect.TypeFor[*any](), reflect.TypeFor[selfPtr](), reflect.TypeFor[map[float64]string](), reflect.TypeFor[map[int]string](),
	reflect.TypeFor[time.Duration](), reflect.TypeFor[flag](), reflect.TypeFor[*big.Int](), reflect.TypeFor[chan int](), reflect.TypeFor[*anyEqual](),
	reflect.TypeFor[panicky](), reflect.TypeFor[zoo](), reflect.TypeFor[[]map[[2]int16]bool](), reflect.TypeFor[uintptr](),
}

// plainTypes are those that may be keys.
var plainTypes = []reflect.Type{
	nil, reflect.TypeFor[int](), reflect.TypeFor[string](), reflect.TypeFor[float64](), reflect.TypeFor[int8](),
	reflect.TypeFor[[2]int](), reflect.TypeFor[time.Time](), reflect.TypeFor[person](), reflect.TypeFor[bool](), reflect.TypeFor[complex128](),
}

// fill sets a value that can be set.
func (s *source) fill(v reflect.Value, depth int, among []reflect.Type) {
	if depth > 8 || len(s.b) == 0 {
		return
	}
	switch t := v.Type(); t {
	case reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(s.time()))
		return
	case reflect.TypeFor[big.Int]():
		v.Addr().Interface().(*big.Int).SetUint64(s.u64())
		return
	case reflect.TypeFor[netip.Addr]():
		v.Set(reflect.ValueOf(netip.AddrFrom4([4]byte{byte(s.n(256))}).WithZone("")))
		return
	case reflect.TypeFor[json.Number]():
		v.SetString([]string{"", "0", "-0", "1.50", "1e400", "x", "9007199254740993", "0.1"}[s.n(8)])
		return
	case reflect.TypeFor[closed]():
		v.Set(reflect.ValueOf(closed{[]int{s.n(3)}}))
		return
	case reflect.TypeFor[half]():
		v.Set(reflect.ValueOf(half{s.n(3), s.n(3)}))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(s.n(2) == 1)
	case reflect.String:
		v.SetString(s.str())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(s.f64())
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(s.f64(), s.f64()))
	case reflect.Interface:
		if t := among[s.n(len(among))]; t != nil {
			x := reflect.New(t).Elem()
			s.fill(x, depth+1, among)
			v.Set(x)
		}
	case reflect.Pointer:
		if s.n(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			s.fill(v.Elem(), depth+1, among)
		}
	case reflect.Slice:
		if n := s.n(5) - 1; n >= 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				s.fill(v.Index(i), depth+1, among)
			}
		}
	case reflect.Map:
		if n := s.n(5) - 1; n >= 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range n {
				k, x := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				s.fill(k, depth+1, plainTypes)
				s.fill(x, depth+1, among)
				v.SetMapIndex(k, x)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			s.fill(v.Index(i), depth+1, among)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				s.fill(v.Field(i), depth, among)
			} else if v.Type().Field(i).Anonymous {
				for j := range v.Field(i).NumField() {
					s.fill(v.Field(i).Field(j), depth+1, among)
				}
			}
		}
	case reflect.Chan:
		if s.n(2) == 1 {
			v.Set(reflect.MakeChan(v.Type(), 1))
		}
	case reflect.Func:
		if s.n(2) == 1 {
			v.Set(reflect.ValueOf(func(x int) int { return x }))
		}
	default:
		if v.CanInt() {
			v.SetInt(int64(s.u64()) >> (64 - v.Type().Bits()))
		} else {
			v.SetUint(s.u64() >> (64 - v.Type().Bits()))
		}
	}
}

func newZoo(data []byte) *zoo {
	z := new(zoo)
	s := &source{data}
	s.fill(reflect.ValueOf(z).Elem(), 0, types)
	switch s.n(12) { // cycles, of which there must not be too many
	case 1:
		z.Self = z
	case 2:
		z.Anys = append(z.Anys, z.Anys)
		if len(z.Anys) > 1 {
			z.Anys[0] = z.Anys
		}
	case 3:
		if z.Tree != nil {
			z.Tree["self"] = z.Tree
			z.Tree["list"] = []any{z.Tree, z}
		}
	case 4:
		var p any
		p = &p
		z.Any = p
	}
	return z
}

// noise writes 1 to 3 KB of choices from a seed, for tests without a fuzzer.
func noise(seed uint64) []byte {
	b := make([]byte, 1024+seed%2048)
	for i := range b {
		seed = seed*6364136223846793005 + 1442695040888963407
		b[i] = byte(seed >> 56)
	}
	return b
}
