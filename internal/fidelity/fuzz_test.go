package fidelity

import (
	"reflect"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// checkPair holds what is true of all values.
func checkPair(t *testing.T, a, b any) Result {
	t.Helper()
	r := Compare(a, b, Options{Max: 1000})
	switch r.Class {
	case Exact:
		require.Empty(t, r.Differences)
		require.Zero(t, r.Total)
	default:
		require.NotZero(t, r.Total)
		require.NotEmpty(t, r.Differences)
		lossy := false
		for _, d := range r.Differences {
			lossy = lossy || !d.Normalised
			require.True(t, utf8.ValidString(d.String()), "%q", d)
			require.Less(t, len(d.String()), 800)
			require.NotEqual(t, Kind(""), d.Kind)
		}
		require.Equal(t, lossy, r.Class == Lossy)
	}
	require.Equal(t, r.Class == Exact, Equal(a, b, Options{}))
	require.Equal(t, r.Class != Lossy, Keeps(a, b, Options{}))
	full := &walker{types: typeCache{}, visited: map[pair]struct{}{}}
	full.run(reflect.ValueOf(a), reflect.ValueOf(b))
	require.Equal(t, r.Class, full.result().Class, "the first pass decided otherwise")
	if reflect.DeepEqual(a, b) && r.Class != Exact {
		for _, d := range r.Differences {
			require.Contains(t, []Kind{EqualityPanic, SignOfZero}, d.Kind, "deeply equal, but %v", d)
		}
	}
	return r
}

// exact is the class, but for values whose own equality panics.
func exact(r Result) bool {
	for _, d := range r.Differences {
		if d.Kind != EqualityPanic {
			return false
		}
	}
	return true
}

func checkZoo(t *testing.T, data, other []byte) {
	a, b := newZoo(data), newZoo(data)
	require.True(t, Compare(a, a, Options{}).Class == Exact)
	r := checkPair(t, a, b)
	require.True(t, exact(r), "built alike, but %v", r.Differences)
	require.Equal(t, Hash(a), Hash(b), "built alike")
	require.Equal(t, Hash(a), Hash(a))

	// Every single change must show, in both directions, and in the hash.
	// A field that is changed to what it was is no change.
	c := newZoo(data)
	for _, m := range mutations(reflect.ValueOf(c).Elem()) {
		undo := m.apply()
		r := checkPair(t, a, c)
		require.False(t, exact(r), "%s changed unseen", m.what)
		require.False(t, exact(checkPair(t, c, a)), "%s changed unseen", m.what)
		require.NotEqual(t, Hash(a), Hash(c), "%s changed unseen", m.what)
		undo()
		require.True(t, exact(Compare(a, c, Options{})), "%s not undone", m.what)
	}

	// Any two values can be compared, in any way that they are wrapped.
	d := newZoo(other)
	checkPair(t, a, d)
	x, y := reflect.ValueOf(a).Elem(), reflect.ValueOf(d).Elem()
	for i := range x.NumField() {
		if x.Field(i).CanInterface() {
			for j := range min(y.NumField(), 40) {
				if y.Field(j).CanInterface() && (i*7+j)%11 == len(data)%11 {
					checkPair(t, x.Field(i).Interface(), y.Field(j).Interface())
				}
			}
		}
	}
}

func TestZoo(t *testing.T) {
	for seed := range uint64(6) {
		checkZoo(t, noise(seed), noise(seed+1000))
	}
}

func FuzzZoo(f *testing.F) {
	f.Add([]byte{}, []byte{1})
	for seed := range uint64(3) {
		f.Add(noise(seed)[:512], noise(seed + 100)[:512])
	}
	f.Fuzz(func(t *testing.T, data, other []byte) {
		if len(data) > 1<<12 || len(other) > 1<<12 {
			t.Skip("larger values take time and show nothing more")
		}
		checkZoo(t, data, other)
	})
}

// A mutation changes one place and returns what undoes it.
type mutation struct {
	what  string
	apply func() (undo func())
}

// mutations finds places that can be set: through structs, pointers, slices
// and arrays, and the entries of maps as a whole.
func mutations(root reflect.Value) []mutation {
	var ms []mutation
	met := map[any]bool{}
	add := func(what string, v reflect.Value, to reflect.Value) {
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		ms = append(ms, mutation{what, func() func() {
			v.Set(to)
			return func() { v.Set(old) }
		}})
	}
	var visit func(v reflect.Value, what string, depth int)
	visit = func(v reflect.Value, what string, depth int) {
		if len(ms) > 60 || depth > 12 || !v.CanSet() {
			return
		}
		zero := reflect.Zero(v.Type())
		switch v.Kind() {
		case reflect.Bool:
			add(what, v, reflect.ValueOf(!v.Bool()).Convert(v.Type()))
		case reflect.String:
			add(what, v, reflect.ValueOf(v.String()+"!").Convert(v.Type()))
		case reflect.Float32, reflect.Float64:
			if v.Float() == 0 {
				add(what+" sign", v, reflect.ValueOf(1/(1/v.Float())*-1).Convert(v.Type()))
			} else {
				add(what, v, zero)
			}
		case reflect.Complex64, reflect.Complex128:
			if v.Complex() != 0 {
				add(what, v, zero)
			}
		case reflect.Interface, reflect.Chan, reflect.Func:
			if !v.IsNil() {
				add(what+" nil", v, zero)
			}
		case reflect.Pointer:
			if v.IsNil() {
				add(what, v, reflect.New(v.Type().Elem()))
				return
			}
			add(what+" nil", v, zero)
			if !met[v.Interface()] {
				met[v.Interface()] = true
				visit(v.Elem(), what+"*", depth+1)
			}
		case reflect.Slice:
			if v.IsNil() {
				add(what+" empty", v, reflect.MakeSlice(v.Type(), 0, 0))
				return
			}
			add(what+" nil", v, zero)
			add(what+" longer", v, reflect.Append(v, reflect.Zero(v.Type().Elem())))
			for i := range v.Len() {
				visit(v.Index(i), what+"[]", depth+1)
			}
		case reflect.Array:
			for i := range v.Len() {
				visit(v.Index(i), what+"[]", depth+1)
			}
		case reflect.Map:
			if v.IsNil() {
				add(what+" empty", v, reflect.MakeMap(v.Type()))
				return
			}
			add(what+" nil", v, zero)
			for it := v.MapRange(); it.Next(); {
				if k, old := it.Key(), it.Value(); k.Equal(k) {
					ms = append(ms, mutation{what + " without a key", func() func() {
						v.SetMapIndex(k, reflect.Value{})
						return func() { v.SetMapIndex(k, old) }
					}})
				}
			}
		case reflect.Struct:
			switch v.Type() {
			case reflect.TypeFor[zoo](), reflect.TypeFor[person](), reflect.TypeFor[box](), reflect.TypeFor[outerOf](), reflect.TypeFor[half]():
				for i := range v.NumField() {
					visit(v.Field(i), what+"."+v.Type().Field(i).Name, depth+1)
				}
			default:
				if !v.IsZero() && v.CanInterface() && v.Type().PkgPath() != "math/big" {
					add(what+" zero", v, zero)
				}
			}
		default:
			if v.CanInt() {
				add(what, v, reflect.ValueOf(v.Int()^1).Convert(v.Type()))
			} else if v.CanUint() {
				add(what, v, reflect.ValueOf(v.Uint()^1).Convert(v.Type()))
			}
		}
	}
	visit(root, "", 0)
	return ms
}
