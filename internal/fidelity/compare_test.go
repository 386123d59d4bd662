package fidelity

import (
	"encoding/json"
	"math"
	"math/big"
	"net/netip"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type colour string
type flag bool
type list []any
type person struct {
	Name string `json:"name"`
	Age  int    `json:"age"`
}
type human person
type base struct {
	ID   int      `json:"id"`
	Tags []string `json:"tags,omitempty"`
}
type middle struct{ base }
type outer struct {
	middle
	When  time.Time `json:"created_at"`
	Odd   int       `json:"odd name"`
	Plain float64
}
type half struct { // Equal sees only what is hidden
	Shown  int
	hidden int
}

func (h half) Equal(o half) bool { return h.hidden == o.hidden }

type closed struct{ n []int }
type panicky struct{ why string }

func (p panicky) Equal(panicky) bool { panic(p.why) }

type anyEqual struct{ n int }

func (a *anyEqual) Equal(o any) bool { b, ok := o.(*anyEqual); return ok && a.n == b.n }

var (
	berlin = time.FixedZone("CET", 3600)
	t0     = time.Date(2024, 2, 29, 12, 30, 0, 123456789, time.UTC)
	negZ   = math.Copysign(0, -1)
	nan2   = math.Float64frombits(math.Float64bits(math.NaN()) ^ 1)
)

func boxed(v any) map[string]any { return map[string]any{"x": v} }
func ptr[T any](v T) *T          { return &v }

// one compares and expects exactly one difference.
func one(t *testing.T, want, got any, k Kind) Difference {
	t.Helper()
	r := Compare(want, got, Options{})
	require.Len(t, r.Differences, 1, "%v", r.Differences)
	d := r.Differences[0]
	assert.Equal(t, k, d.Kind, "%v", d)
	assert.Equal(t, 1, r.Total)
	assert.Equal(t, k.Normalised(), d.Normalised)
	if k.Normalised() {
		assert.Equal(t, Normalised, r.Class)
	} else {
		assert.Equal(t, Lossy, r.Class)
	}
	return d
}

func TestDifferences(t *testing.T) {
	ch := make(chan int)
	rows := []struct {
		reason    string
		want, got any
		kind      Kind
		line      string
	}{
		{"msgp reads an empty list for none", base{}, base{Tags: []string{}}, NilBecameEmpty, `.tags: nil -> empty (normalised)`},
		{"gob sends nothing for an empty list", base{Tags: []string{}}, base{}, EmptyBecameNil, `.tags: empty -> nil (normalised)`},
		{"also a map", struct{ M map[string]int }{map[string]int{}}, struct{ M map[string]int }{}, EmptyBecameNil, `.M: empty -> nil (normalised)`},
		{"JSON null for a nil list in a tree", boxed([]int(nil)), boxed(nil), TypedNil, `.x: []int nil -> nil (normalised)`},
		{"the other way round", boxed(nil), boxed((*int)(nil)), TypedNil, `.x: nil -> *int nil (normalised)`},
		{"nil pointers of two types", boxed((*int8)(nil)), boxed((*int)(nil)), TypedNil, `.x: *int8 nil -> *int nil (normalised)`},
		{"JSON reads all numbers as float64", boxed(5), boxed(5.0), NumberKind, `.x: int 5 -> float64 5 (normalised)`},
		{"BSON shrinks an int", boxed(5), boxed(int32(5)), NumberKind, `.x: int 5 -> int32 5 (normalised)`},
		{"a duration in a tree is its count", boxed(time.Second), boxed(1e9), NumberKind, `.x: time.Duration 1s -> float64 1000000000 (normalised)`},
		{"text brings a float32 back as float64", boxed(float32(0.1)), boxed(0.1), NumberKind, `.x: float32 0.1 -> float64 0.1 (normalised)`},
		{"json.Number is a number", boxed(0.1), boxed(json.Number("0.1")), NumberKind, `.x: float64 0.1 -> json.Number "0.1" (normalised)`},
		{"one number, two texts", json.Number("1.0"), json.Number("1e0"), NumberKind, `.: "1.0" -> "1e0" (normalised)`},
		{"complex of another width", boxed(complex64(1)), boxed(complex128(1)), NumberKind, `.x: complex64 (1+0i) -> complex128 (1+0i) (normalised)`},
		{"RFC 3339 keeps the offset only", t0.In(berlin), t0.In(time.FixedZone("", 3600)), TimeZone, `.: zone lost, instant kept (CET +01:00 -> +01:00) (normalised)`},
		{"msgp reads UTC", outer{When: t0.In(berlin)}, outer{When: t0}, TimeZone, `.created_at: zone lost, instant kept (CET +01:00 -> UTC) (normalised)`},
		{"a string type in a tree", boxed(colour("red")), boxed("red"), NamedType, `.x: fidelity.colour -> string (normalised)`},
		{"a bool type in a tree", boxed(flag(true)), boxed(true), NamedType, `.x: fidelity.flag -> bool (normalised)`},
		{"a struct type in a tree", boxed(person{"a", 1}), boxed(human{"a", 1}), NamedType, `.x: fidelity.person -> fidelity.human (normalised)`},
		{"BSON has list types of its own", boxed([]any{1}), boxed(list{1}), ContainerType, `.x: []any -> fidelity.list (normalised)`},
		{"typed lists become []any", boxed([]int{1, 2}), boxed([]any{1.0, 2.0}), ContainerType, `.x: []int -> []any (normalised)`},
		{"arrays too", boxed([2]int{1, 2}), boxed([]any{1.0, int8(2)}), ContainerType, `.x: [2]int -> []any (normalised)`},
		{"ugorji's default map type", boxed(map[string]any{"a": "b"}), boxed(map[any]any{"a": "b"}), ContainerType, `.x: map[string]any -> map[any]any (normalised)`},
		{"a map's numbers change with its type", boxed(map[string]int{"a": 1}), boxed(map[string]any{"a": 1.0}), ContainerType, `.x: map[string]int -> map[string]any (normalised)`},
		{"keys in interfaces", map[any]int{5: 1, 6: 2}, map[any]int{int8(5): 1, int8(6): 2}, KeyType, `.: keys of another type (int 5 -> int8 5) (normalised)`},
		{"pointers in a tree", boxed(&person{"a", 1}), boxed(person{"a", 1}), Indirection, `.x: *fidelity.person -> fidelity.person (normalised)`},

		{"float64 above 2^53", boxed(int64(9007199254740993)), boxed(9007199254740992.0), NumberPrecision, `.x: precision lost (int64 9007199254740993 -> float64 9007199254740992)`},
		{"and back", int64(9007199254740993), int64(9007199254740992), NumberPrecision, `.: precision lost (9007199254740993 -> 9007199254740992)`},
		{"uint64 max", boxed(uint64(math.MaxUint64)), boxed(float64(math.MaxUint64)), NumberPrecision, `.x: precision lost (uint64 18446744073709551615 -> float64 18446744073709551616)`},
		{"jsoniter's fastest keeps six digits", 0.30000000000000004, 0.3, NumberPrecision, `.: precision lost (0.30000000000000004 -> 0.3)`},
		{"and has no small numbers", 1e-7, 0.0, NumberPrecision, `.: precision lost (1e-07 -> 0)`},
		{"a subnormal flushed", math.SmallestNonzeroFloat64, 0.0, NumberPrecision, `.: precision lost (5e-324 -> 0)`},
		{"float32 on the way", 0.1, float64(float32(0.1)), NumberPrecision, `.: precision lost (0.1 -> 0.10000000149011612)`},
		{"cut to an integer", boxed(2.5), boxed(int64(2)), NumberPrecision, `.x: precision lost (float64 2.5 -> int64 2)`},
		{"more digits than a float64", boxed(json.Number("0.12345678901234567890123")), boxed(0.12345678901234568), NumberPrecision, `.x: precision lost (json.Number "0.12345678901234567890123" -> float64 0.12345678901234568)`},
		{"wrap-around", uint8(200), uint8(56), NumberValue, `.: 200 -> 56`},
		{"overflow across kinds", boxed(uint64(math.MaxUint64)), boxed(int64(-1)), NumberValue, `.x: uint64 18446744073709551615 -> int64 -1`},
		{"out of float64's range", boxed(json.Number("1e400")), boxed(math.MaxFloat64), NumberValue, `.x: json.Number "1e400" -> float64 1.7976931348623157e+308`},
		{"gob drops -0", negZ, 0.0, SignOfZero, `.: sign of zero lost (-0 -> 0)`},
		{"float32 too", float32(negZ), float32(0), SignOfZero, `.: sign of zero lost (-0 -> 0)`},
		{"an integer has no -0", boxed(negZ), boxed(0), SignOfZero, `.x: sign of zero lost (float64 -0 -> int 0)`},
		{"text has one", boxed(json.Number("-0")), boxed(0), SignOfZero, `.x: sign of zero lost (json.Number "-0" -> int 0)`},
		{"ugorji JSON writes null and reads 0", math.NaN(), 0.0, NaNLost, `.: NaN lost (NaN -> 0)`},
		{"null in a tree", boxed(math.NaN()), boxed(nil), NaNLost, `.x: NaN lost (float64 NaN -> nil)`},
		{"protojson's text", boxed(math.NaN()), boxed("NaN"), NaNLost, `.x: NaN lost (float64 NaN -> string "NaN")`},
		{"complex part", complex(1, math.NaN()), complex(1, 0), NaNLost, `.: NaN lost ((1+NaNi) -> (1+0i))`},
		{"infinity as null", math.Inf(1), 0.0, InfinityLost, `.: infinity lost (+Inf -> 0)`},
		{"in a tree", boxed(math.Inf(-1)), boxed(nil), InfinityLost, `.x: infinity lost (float64 -Inf -> nil)`},
		{"infinity as text", boxed(math.Inf(1)), boxed("Infinity"), InfinityLost, `.x: infinity lost (float64 +Inf -> string "Infinity")`},

		{"microseconds", outer{When: t0}, outer{When: t0.Truncate(time.Microsecond)}, TimeNanoseconds, `.created_at: nanoseconds lost (…789 -> …000)`},
		{"milliseconds (BSON)", t0, t0.Truncate(time.Millisecond), TimeNanoseconds, `.: nanoseconds lost (…456789 -> …000000)`},
		{"whole seconds (cbor)", t0, t0.Truncate(time.Second), TimeNanoseconds, `.: nanoseconds lost (…123456789 -> …000000000)`},
		{"rounded up into the next second", t0.Add(876543000), t0.Add(876543211), TimeNanoseconds, `.: nanoseconds lost (2024-02-29T12:30:00.999999789Z -> 2024-02-29T12:30:01.000000000Z)`},
		{"nanoseconds as int64 overflow in the year 1500", time.Date(1500, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2084, 7, 20, 0, 0, 0, 0, time.UTC), TimeValue, `.: 1500-01-01T00:00:00.000000000Z -> 2084-07-20T00:00:00.000000000Z`},
		{"wall clock kept, instant not", t0.In(berlin), t0.Add(time.Hour).In(berlin), TimeValue, `.: 2024-02-29T12:30:00.123456789Z -> 2024-02-29T13:30:00.123456789Z`},
		{"JSON in a tree", boxed(t0), boxed("2024-02-29T12:30:00.123456789Z"), TimeAsString, `.x: no longer a time (time.Time 2024-02-29T12:30:00.123456789Z -> string "2024-02-29T12:30:00.123456789Z")`},
		{"a Unix time in a tree", boxed(t0), boxed(int64(1709209800)), TimeAsNumber, `.x: no longer a time (time.Time 2024-02-29T12:30:00.123456789Z -> int64 1709209800)`},
		{"avro's milliseconds", 1500 * time.Microsecond, time.Millisecond, Duration, `.: 1.5ms -> 1ms`},

		{"JSON replaces", "a\xffb", "a\uFFFDb", StringInvalidUTF8, `.: invalid UTF-8 replaced ("a\xffb" -> "a�b")`},
		{"by the run", "a\xff\xfeb", "a\uFFFDb", StringInvalidUTF8, `.: invalid UTF-8 replaced ("a\xff\xfeb" -> "a�b")`},
		{"by the byte", "a\xff\xfeb", "a\uFFFD\uFFFDb", StringInvalidUTF8, `.: invalid UTF-8 replaced ("a\xff\xfeb" -> "a��b")`},
		{"by question marks", "a\xff\xfeb", "a??b", StringInvalidUTF8, `.: invalid UTF-8 replaced ("a\xff\xfeb" -> "a??b")`},
		{"dropped", "a\xffb", "ab", StringInvalidUTF8, `.: invalid UTF-8 replaced ("a\xffb" -> "ab")`},
		{"in a key", map[string]int{"a\xff": 1}, map[string]int{"a\uFFFD": 1}, StringInvalidUTF8, `["a\xff"]: invalid UTF-8 replaced ("a\xff" -> "a�")`},
		{"XML's line ends", "a\r\n", "a\n", StringValue, `.: "a\r\n" -> "a\n"`},
		{"through two named types", boxed(map[string]colour{"a": "b"}), boxed(map[string]colour{"a": "c"}), StringValue, `.x.a: "b" -> "c"`},
		{"bytes", []byte{1, 2, 3}, []byte{1, 0, 3}, BytesValue, `.: 0x010203 -> 0x010003`},
		{"byte arrays", [2]byte{1, 2}, [2]byte{1, 3}, BytesValue, `.: 0x0102 -> 0x0103`},
		{"old MessagePack raw", boxed([]byte("ab")), boxed("ab"), BytesAsString, `.x: no longer bytes ([]uint8 0x6162 -> string "ab")`},
		{"JSON in a tree", boxed([]byte{1, 2}), boxed("AQI="), BytesAsBase64, `.x: no longer bytes ([]uint8 0x0102 -> string "AQI=")`},
		{"ugorji's default strings", boxed("ab"), boxed([]byte("ab")), StringAsBytes, `.x: no longer a string (string "ab" -> []uint8 0x6162)`},
		{"a bool", person{}, person{}, "", ""},
		{"a flipped bool", true, false, Value, `.: true -> false`},
		{"in a tree of another type", boxed([]bool{true}), boxed([]bool{false}), Value, `.x[0]: true -> false`},
		{"lengths", []int{1, 2}, []int{1}, Length, `.: 2 elements -> 1 element`},
		{"all gone", []int{1, 2}, []int(nil), Length, `.: 2 elements -> nil`},
		{"a key gone", map[string]int{"a": 1, "b": 2}, map[string]int{"b": 2}, MissingKey, `.a: key missing (1 -> absent)`},
		{"a stale key", map[string]int{"b": 2}, map[string]int{"a": 1, "b": 2}, ExtraKey, `.a: key added (absent -> 1)`},
		{"a nil value is not a missing key", boxed(nil), map[string]any{}, MissingKey, `.x: key missing (nil -> absent)`},
		{"JSON keys are strings", map[any]int{5: 1, true: 2, 2.5: 3}, map[any]int{"5": 1, "true": 2, "2.5": 3}, KeyAsString, `.: keys became strings (bool true -> string "true")`},
		{"gob drops what is zero", struct{ P *int }{ptr(0)}, struct{ P *int }{}, ZeroPointerBecameNil, `.P: pointer to zero became nil (&0 -> nil)`},
		{"through two pointers", ptr(ptr(0)), (**int)(nil), ZeroPointerBecameNil, `.: pointer to zero became nil (&&0 -> nil)`},
		{"a value dropped", struct{ P *int }{ptr(7)}, struct{ P *int }{}, ValueBecameNil, `.P: &7 -> nil`},
		{"from an interface", boxed("a"), boxed(nil), ValueBecameNil, `.x: string "a" -> nil`},
		{"an empty list in a tree is something", boxed([]any{}), boxed(nil), ValueBecameNil, `.x: []any [] -> nil`},
		{"pointer made up", struct{ P *int }{}, struct{ P *int }{ptr(0)}, NilBecameValue, `.P: nil -> &0`},
		{"value made up", boxed(nil), boxed(0), NilBecameValue, `.x: nil -> int 0`},
		{"generic decoding", boxed(person{"a", 1}), boxed(map[string]any{"name": "a", "age": 1.0}), StructBecameMap, `.x: struct became map (fidelity.person {Name:"a" Age:1} -> map[string]any map[string]any of 2)`},
		{"pointer to struct, two findings", nil, nil, "", ""},
		{"a number as text", boxed(5), boxed("5"), TypeChanged, `.x: int 5 -> string "5"`},
		{"unrelated structs", boxed(person{}), boxed(base{}), TypeChanged, `.x: fidelity.person {Name:"" Age:0} -> fidelity.base {ID:0 Tags:nil}`},
		{"channels by being nil", &struct{ C chan int }{ch}, &struct{ C chan int }{}, Opaque, `.C: chan -> nil chan`},
		{"functions too", &struct{ F func() }{}, &struct{ F func() }{func() {}}, Opaque, `.F: nil func -> func`},
		{"own equality of a closed type", big.NewInt(5), big.NewInt(6), OwnEquality, `.: not equal by its own method ({neg:false abs:[5]} -> {neg:false abs:[6]})`},
		{"own equality beside exported fields", half{1, 2}, half{1, 3}, OwnEquality, `.: not equal by its own method ({Shown:1 hidden:2} -> {Shown:1 hidden:3})`},
		{"taking any", &anyEqual{1}, &anyEqual{2}, OwnEquality, `.: not equal by its own method ({n:1} -> {n:2})`},
		{"own equality that panics", panicky{"no comparison today"}, panicky{}, EqualityPanic, `.: its own equality panicked (Equal answers -> "no comparison today")`},
		{"closed types without one are read", closed{[]int{1}}, closed{[]int{2}}, NumberValue, `.n[0]: 1 -> 2`},
		{"embedded fields are those of the outer", outer{middle: middle{base{ID: 1}}}, outer{middle: middle{base{ID: 2}}}, NumberValue, `.id: 1 -> 2`},
		{"odd names are quoted", outer{Odd: 1}, outer{Odd: 2}, NumberValue, `["odd name"]: 1 -> 2`},
		{"other keys", map[[2]int]int{{1, 2}: 1}, map[[2]int]int{{1, 2}: 2}, NumberValue, `[[1 2]]: 1 -> 2`},
		{"int keys", map[int][]int{-3: {1}}, map[int][]int{-3: {2}}, NumberValue, `[-3][0]: 1 -> 2`},
	}
	seen := map[Kind]bool{}
	for _, row := range rows {
		t.Run(string(row.kind)+"/"+row.reason, func(t *testing.T) {
			if row.kind == "" {
				assert.Equal(t, Exact, Compare(row.want, row.got, Options{}).Class)
				return
			}
			d := one(t, row.want, row.got, row.kind)
			assert.Equal(t, row.line, d.String())
			seen[row.kind] = true
		})
	}
	for _, k := range Kinds() {
		assert.True(t, seen[k], "no row shows %s", k)
	}
}

func TestExact(t *testing.T) {
	now := time.Now()
	m := map[float64]string{math.NaN(): "a", nan2: "b", 1: "c"}
	n := map[float64]string{1: "c", math.NaN(): "b", nan2: "a"}
	rows := []struct {
		reason    string
		want, got any
	}{
		{"NaN is NaN, whatever its bits", math.NaN(), nan2},
		{"also in slices", []float64{math.NaN()}, []float64{nan2}},
		{"and in trees", boxed(math.NaN()), boxed(nan2)},
		{"and as keys", m, n},
		{"pointer keys are found by content", map[*int]int{ptr(1): 1, ptr(2): 2}, map[*int]int{ptr(2): 2, ptr(1): 1}},
		{"monotonic clocks are ignored", now, now.Round(0)},
		{"also if both have one", now, now.Add(time.Hour).Add(-time.Hour)},
		{"the identity of a Location is ignored", t0.In(berlin), t0.In(time.FixedZone("CET", 3600))},
		{"no values", nil, nil},
		{"hidden fields beside exported ones are not the codec's", struct{ A, b int }{1, 2}, struct{ A, b int }{1, 3}},
		{"functions are not compared", struct{ F func() }{func() {}}, struct{ F func() }{func() { panic(1) }}},
		{"big numbers by Cmp", ptr(*big.NewInt(0)), new(big.Int).Sub(big.NewInt(7), big.NewInt(7))},
		{"addresses by Compare", netip.MustParseAddr("fe80::1%eth0"), netip.MustParseAddr("fe80::1%eth0")},
		{"a copy of a hidden NaN", struct{ f float64 }{math.NaN()}, struct{ f float64 }{math.NaN()}},
		{"a zero-size element", [][0]int{{}, {}}, [][0]int{{}, {}}},
	}
	for _, row := range rows {
		t.Run(row.reason, func(t *testing.T) {
			r := Compare(row.want, row.got, Options{})
			assert.Equal(t, Result{Class: Exact}, Result{r.Class, nil, r.Total}, "%v", r.Differences)
			assert.Empty(t, r.Differences)
		})
	}
}

func TestTolerances(t *testing.T) {
	rows := []struct {
		reason    string
		want, got any
		opts      Options
		class     Class
	}{
		{"nil = empty", base{}, base{Tags: []string{}}, Options{NilEmpty: true}, Exact},
		{"but not = filled", base{}, base{Tags: []string{"a"}}, Options{NilEmpty: true}, Lossy},
		{"and a value in an interface is not nil", boxed([]any{}), boxed(nil), Options{NilEmpty: true}, Lossy},
		{"maps too", map[string]int(nil), map[string]int{}, Options{NilEmpty: true}, Exact},
		{"less than the precision", t0, t0.Truncate(time.Millisecond), Options{TimePrecision: time.Millisecond}, Exact},
		{"not as much as it", t0, t0.Add(time.Millisecond), Options{TimePrecision: time.Millisecond}, Lossy},
		{"the zone still shows", t0, t0.Truncate(time.Millisecond).In(berlin), Options{TimePrecision: time.Millisecond}, Normalised},
		{"centuries apart", time.Time{}, time.Unix(1<<60, 0).UTC(), Options{TimePrecision: time.Hour}, Lossy},
		{"kinds of numbers", boxed(5), boxed(5.0), Options{NumericKinds: true}, Exact},
		{"of keys", map[any]int{5: 1}, map[any]int{5.0: 1}, Options{NumericKinds: true}, Exact},
		{"but not other numbers", boxed(5), boxed(6.0), Options{NumericKinds: true}, Lossy},
	}
	for _, row := range rows {
		t.Run(row.reason, func(t *testing.T) {
			r := Compare(row.want, row.got, row.opts)
			assert.Equal(t, row.class, r.Class, "%v", r.Differences)
			assert.NotEqual(t, Exact, Compare(row.want, row.got, Options{}).Class, "the row shows nothing")
		})
	}
}

func TestLossesComeFirstAndAllAreCounted(t *testing.T) {
	want, got := make([]any, 100), make([]any, 100)
	for i := range want {
		want[i], got[i] = i, float64(i)
	}
	got[99] = 98.0
	r := Compare(want, got, Options{Max: 3})
	assert.Equal(t, Lossy, r.Class)
	assert.Equal(t, 100, r.Total)
	require.Len(t, r.Differences, 3)
	assert.Equal(t, "[99]: int 99 -> float64 98", r.Differences[0].String())
	assert.Equal(t, "[0]: int 0 -> float64 0 (normalised)", r.Differences[1].String())
	assert.Empty(t, Compare(want, got, Options{Max: -1}).Differences)
	assert.Len(t, Compare(want, got, Options{}).Differences, DefaultMax)
}

func TestPointerToStructThatBecameMapIsTwoFindings(t *testing.T) {
	r := Compare(boxed(&person{"a", 1}), boxed(map[string]any{"name": "a"}), Options{})
	require.Len(t, r.Differences, 2)
	assert.Equal(t, StructBecameMap, r.Differences[0].Kind)
	assert.Equal(t, Indirection, r.Differences[1].Kind)
}

func TestZoneAndPrecisionAreReportedApart(t *testing.T) {
	r := Compare(t0.In(berlin), t0.Truncate(time.Microsecond), Options{})
	require.Len(t, r.Differences, 2)
	assert.Equal(t, TimeNanoseconds, r.Differences[0].Kind)
	assert.Equal(t, TimeZone, r.Differences[1].Kind)
}

func TestOutputIsBounded(t *testing.T) {
	long := strings.Repeat("long\xff ", 1<<14)
	deepWant, deepGot := any(long+"a"), any(long+"b")
	for range 5000 {
		deepWant = map[string]any{strings.Repeat("k\xff", 500): deepWant}
		deepGot = map[string]any{strings.Repeat("k\xff", 500): deepGot}
	}
	wide := struct{ A, B any }{make([][][]map[string]int, 1<<16), long}
	for _, row := range [][2]any{
		{deepWant, deepGot},
		{boxed(wide), boxed(long)},
		{boxed(long), boxed(wide)},
		{[]byte(long), []byte(long[:len(long)-1] + "x")},
		{map[any]any{wide.B: wide.A}, map[any]any{}},
		{boxed(time.Unix(1<<62, 0)), boxed(time.Unix(-1<<62, 0))},
		{json.Number(strings.Repeat("9", 1<<16)), json.Number(strings.Repeat("8", 1<<16))},
	} {
		r := Compare(row[0], row[1], Options{})
		require.NotEmpty(t, r.Differences)
		for _, d := range r.Differences {
			for _, s := range []string{d.Path, d.Want, d.Got, d.String()} {
				assert.True(t, utf8.ValidString(s), "%q", s)
				assert.Less(t, len(s), 800)
			}
			assert.Less(t, len(d.Path), 220)
			assert.Less(t, len(d.Want), 220, d.Want)
			assert.Less(t, len(d.Got), 220, d.Got)
		}
	}
	d := one(t, long+"a", long+"b", StringValue)
	assert.Equal(t, `…"\xff long\xff long\xff long\xff a" (98305 bytes)`, d.Want, "shown around the difference")
}

func TestDifferencesComeInOneOrder(t *testing.T) {
	want, got := map[string]any{}, map[string]any{}
	for _, k := range strings.Split("the quick brown fox jumps over a lazy dog", " ") {
		want[k], got[k+"x"] = 1, 2
	}
	first := Compare(want, got, Options{})
	for range 20 {
		require.Equal(t, first, Compare(want, got, Options{}))
	}
	assert.Equal(t, ".a", first.Differences[0].Path)
}
