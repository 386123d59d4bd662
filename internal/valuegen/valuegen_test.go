package valuegen

import (
	"encoding/json"
	"flag"
	"io"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden file: a break of the promise that seeds keep their content")

func usual() Settings {
	return Settings{Seed: 1, MinLen: 1, MaxLen: 4, MinText: 4, MaxText: 40, NilShare: 0.25, MaxDepth: 16,
		Numbers: [2]float64{-math.MaxFloat64, math.MaxFloat64}, TimeStep: 1,
		Times: [2]time.Time{time.Unix(946684800, 0), time.Unix(1893456000, 0)}}
}

func fill[T any](t *testing.T, s Settings, i int) (T, []Gap) {
	t.Helper()
	var v T
	gaps, err := s.Fill(&v, i)
	require.NoError(t, err)
	return v, gaps
}

type customer struct {
	ID       int64
	Name     string
	Email    string
	Website  string
	Token    string
	Born     time.Time
	Parent   *customer
	Children []*customer
	Tags     map[string]string
	Extra    any
}

// The content is part of the contract: reports of different versions of Go
// are compared by its hash.
func TestTheSameSeedGivesTheSameContentForEver(t *testing.T) {
	type order struct {
		ID    uint64            `json:"id"`
		Email string            `json:"email"`
		Price float64           `json:"price"`
		Count int8              `json:"count"`
		Paid  bool              `json:"paid"`
		At    time.Time         `json:"at"`
		Wait  time.Duration     `json:"wait"`
		Raw   []byte            `json:"raw"`
		Tags  []string          `json:"tags"`
		Attrs map[string]string `json:"attrs"`
		Note  any               `json:"note"`
		Sizes [3]float32        `json:"sizes"`
	}
	v, gaps := fill[order](t, usual(), 0)
	assert.Empty(t, gaps)
	got, err := json.Marshal(v)
	require.NoError(t, err)
	golden := filepath.Join("testdata", "order.json")
	if *update {
		require.NoError(t, os.WriteFile(golden, append(got, '\n'), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, strings.TrimSpace(string(want)), string(got))
	again, _ := fill[order](t, usual(), 0)
	assert.Equal(t, v, again)
}

func TestAFieldKeepsItsContentWhenOthersComeAndGo(t *testing.T) {
	type before struct{ A, B string }
	type after struct {
		New  []int
		B, A string
	}
	b, _ := fill[before](t, usual(), 3)
	a, _ := fill[after](t, usual(), 3)
	assert.Equal(t, b.A, a.A)
	assert.Equal(t, b.B, a.B)
}

func TestValuesAreDistinct(t *testing.T) {
	ids, tokens, texts := map[int64]bool{}, map[string]bool{}, map[string]bool{}
	for i := range 1000 {
		v, _ := fill[customer](t, usual(), i)
		ids[v.ID], tokens[v.Token] = true, true
		text, err := json.Marshal(v)
		require.NoError(t, err)
		texts[string(text)] = true
	}
	assert.Greater(t, len(ids), 990, "identifiers")
	assert.Len(t, tokens, 1000)
	assert.Len(t, texts, 1000)
}

func TestSeedsDiffer(t *testing.T) {
	a, b := usual(), usual()
	b.Seed = 2
	x, _ := fill[customer](t, a, 0)
	y, _ := fill[customer](t, b, 0)
	assert.NotEqual(t, x.ID, y.ID)
	assert.NotEqual(t, x.Token, y.Token)
}

func TestNamesSuggestContent(t *testing.T) {
	v, _ := fill[customer](t, usual(), 0)
	assert.Contains(t, v.Email, "@example.com")
	_, err := url.ParseRequestURI(v.Website)
	assert.NoError(t, err)
	assert.Contains(t, v.Name, " ")
	assert.Positive(t, v.ID)
}

func TestSettingsAreKept(t *testing.T) {
	type all struct {
		Text  string
		Email string
		Bytes []byte
		List  []int16
		Map   map[string]float64
		Ptr   *int
		At    time.Time
		Wait  time.Duration
		N     int64
		U     uint32
		F     float32
	}
	s := usual()
	s.MinLen, s.MaxLen, s.MinText, s.MaxText = 2, 3, 5, 7
	s.NilShare, s.ASCII, s.TimeStep = 0, true, time.Second
	s.Numbers = [2]float64{100, 120}
	for i := range 300 {
		v, gaps := fill[all](t, s, i)
		require.Empty(t, gaps)
		for _, text := range []string{v.Text, v.Email, string(v.Bytes)} {
			require.GreaterOrEqual(t, len(text), 5)
			require.LessOrEqual(t, len(text), 7)
		}
		for _, n := range []int{len(v.List), len(v.Map)} {
			require.Contains(t, []int{2, 3}, n)
		}
		require.Equal(t, -1, strings.IndexFunc(v.Text, func(r rune) bool { return r > 127 }))
		require.NotNil(t, v.Ptr)
		require.Zero(t, v.At.Nanosecond())
		require.Zero(t, v.Wait%time.Second)
		require.False(t, v.At.Before(s.Times[0]) || v.At.After(s.Times[1]))
		for _, x := range []float64{float64(v.N), float64(v.U), float64(v.F), float64(*v.Ptr), float64(v.List[0])} {
			require.GreaterOrEqual(t, x, 100.0)
			require.LessOrEqual(t, x, 120.0)
		}
	}
	s.NilShare = 1
	v, _ := fill[all](t, s, 0)
	assert.Nil(t, v.Ptr)
}

func TestTextIsValidUTF8AndSometimesBeyondASCII(t *testing.T) {
	beyond := 0
	for i := range 1000 {
		v, _ := fill[struct{ Remark string }](t, usual(), i)
		require.True(t, utf8.ValidString(v.Remark), "%q", v.Remark)
		require.GreaterOrEqual(t, len(v.Remark), 4)
		require.LessOrEqual(t, len(v.Remark), 40)
		if len(v.Remark) != utf8.RuneCountInString(v.Remark) {
			beyond++
		}
	}
	assert.InDelta(t, 125, beyond, 40, "one in eight")
}

type tree struct {
	Name     string
	Left     *tree
	Children []tree
	ByName   map[string]*tree
}

func (n *tree) count() int {
	if n == nil {
		return 0
	}
	sum := 1 + n.Left.count()
	for i := range n.Children {
		sum += n.Children[i].count()
	}
	for _, c := range n.ByName {
		sum += c.count()
	}
	return sum
}

func TestTypesThatContainThemselvesEnd(t *testing.T) {
	sum := 0
	for i := range 50 {
		v, _ := fill[tree](t, usual(), i)
		n := v.count()
		require.Less(t, n, 5000)
		sum += n
	}
	assert.Greater(t, sum, 100, "they begin, too")
	type list []list
	v, _ := fill[list](t, usual(), 0)
	assert.NotEmpty(t, v)
	type chain *chain
	_, gaps := fill[chain](t, usual(), 0)
	assert.Empty(t, gaps)
}

func TestListsHoldNoNil(t *testing.T) {
	s := usual()
	s.NilShare = 1
	v, _ := fill[struct {
		List []*int
		Map  map[string]*string
		Ptr  *int
	}](t, s, 0)
	assert.Nil(t, v.Ptr)
	assert.NotContains(t, v.List, (*int)(nil))
	for _, e := range v.Map {
		assert.NotNil(t, e)
	}
}

type secret struct{ _, _ int }

func TestWhatCannotBeFilledIsNamed(t *testing.T) {
	type holder struct {
		Out    io.Writer
		Ch     chan int
		Fn     func()
		Hidden secret
		Many   []io.Reader
		OK     string
	}
	v, gaps := fill[holder](t, usual(), 0)
	var paths []string
	for _, g := range gaps {
		paths = append(paths, g.Path)
		assert.NotEmpty(t, g.Why)
	}
	assert.ElementsMatch(t, []string{"Out", "Ch", "Fn", "Hidden", "Many[]"}, paths)
	assert.NotEmpty(t, v.OK)
}

func TestMakeOverridesTheKind(t *testing.T) {
	type colour string
	type shape struct {
		Colours []colour
		Out     io.Writer
	}
	s := usual()
	s.Make = map[reflect.Type]func(uint64) any{
		reflect.TypeFor[colour]():    func(n uint64) any { return []colour{"red", "green"}[n%2] },
		reflect.TypeFor[io.Writer](): func(uint64) any { return io.Discard },
	}
	v, gaps := fill[shape](t, s, 0)
	assert.Empty(t, gaps)
	assert.Equal(t, io.Discard, v.Out)
	assert.Subset(t, []colour{"red", "green"}, v.Colours)

	s.Make[reflect.TypeFor[colour]()] = func(uint64) any { return 5 }
	_, err := s.Fill(new(shape), 0)
	assert.ErrorContains(t, err, "Colours[]")
	assert.ErrorContains(t, err, "returned a int")
}

func TestKnownTypes(t *testing.T) {
	type known struct {
		Int  big.Int
		Rat  *big.Rat
		Addr netip.Addr
		URL  url.URL
		Num  json.Number
		Raw  json.RawMessage
	}
	s := usual()
	s.NilShare = 0
	v, gaps := fill[known](t, s, 0)
	assert.Empty(t, gaps)
	assert.NotZero(t, v.Int.Sign())
	assert.NotZero(t, v.Rat.Sign())
	assert.True(t, v.Addr.IsValid())
	assert.Equal(t, "https", v.URL.Scheme)
	assert.True(t, json.Valid(v.Raw))
	_, err := v.Num.Int64()
	assert.NoError(t, err)
}

func TestEveryBasicKindIsFilled(t *testing.T) {
	type kinds struct {
		I8  []int8
		I16 []int16
		I32 []int32
		I64 []int64
		I   []int
		U8  [9]uint8
		U16 []uint16
		U32 []uint32
		U64 []uint64
		U   []uint
		F32 []float32
		F64 []float64
		C64 []complex64
		C   []complex128
		B   []bool
		S   []string
		M   map[int8]map[bool]string
		MA  map[any]int
		A   []any
	}
	s := usual()
	s.MinLen, s.MaxLen = 40, 40
	v, gaps := fill[kinds](t, s, 0)
	assert.Empty(t, gaps)
	rv := reflect.ValueOf(v)
	for i := range rv.NumField() {
		f := rv.Field(i)
		zero := 0
		if f.Kind() == reflect.Map {
			assert.NotZero(t, f.Len(), rv.Type().Field(i).Name)
			continue
		}
		for k := range f.Len() {
			if f.Index(k).IsZero() {
				zero++
			}
		}
		assert.Less(t, zero, f.Len()*3/4, "%s: mostly zero", rv.Type().Field(i).Name)
	}
}

func TestWrongSettingsAreNamed(t *testing.T) {
	for name, spoil := range map[string]func(*Settings){
		"MinLen":   func(s *Settings) { s.MinLen = 9 },
		"MinText":  func(s *Settings) { s.MinText = 99 },
		"NilShare": func(s *Settings) { s.NilShare = math.NaN() },
		"MaxDepth": func(s *Settings) { s.MaxDepth = 0 },
		"Numbers":  func(s *Settings) { s.Numbers = [2]float64{2, 1} },
		"Times":    func(s *Settings) { s.Times[0] = s.Times[1].Add(1) },
		"TimeStep": func(s *Settings) { s.TimeStep = -1 },
		"Make":     func(s *Settings) { s.Make = map[reflect.Type]func(uint64) any{nil: nil} },
	} {
		s := usual()
		spoil(&s)
		_, err := s.Fill(new(int), 0)
		assert.ErrorContains(t, err, name)
	}
	s := usual()
	for _, v := range []any{nil, 5, (*int)(nil)} {
		_, err := s.Fill(v, 0)
		assert.ErrorContains(t, err, "not a pointer")
	}
}

func TestSplit(t *testing.T) {
	for name, want := range map[string]string{
		"UserID": "user id", "HTTPServerURL": "http server url", "created_at": "created at", "x": "x", "": "", "IDs": "i ds",
	} {
		assert.Equal(t, want, strings.Join(split(name), " "), name)
	}
}

// Several formats have no nil in a list, so where the depth ends a list of
// pointers is empty.
func TestAListOfPointersHoldsNoNilWhereTheDepthEnds(t *testing.T) {
	type leaf struct{ N int }
	type node struct{ Leaves []*leaf }
	type tree struct{ Nodes []*node }
	for depth := 1; depth < 9; depth++ {
		set := usual()
		set.MaxDepth = depth
		var v tree
		_, err := set.Fill(&v, 0)
		require.NoError(t, err)
		for _, n := range v.Nodes {
			require.NotNil(t, n, "depth %d", depth)
			for _, l := range n.Leaves {
				require.NotNil(t, l, "depth %d", depth)
			}
		}
	}
}
