// Package variant makes values that differ from a given one: what a check
// needs that is handed a single value and must see whether anything depends
// on it. It works through exported fields, so that it only makes values that
// a program could have made.
package variant

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"time"
)

// mostNodes bounds what is looked at of a value.
const mostNodes = 10_000

// Change alters the n-th leaf (from 0: a number, bool, string or time) of what
// ptr points to, and reports whether there is one. Keys of maps stay.
func Change(ptr any, n int) bool {
	return each(ptr, n, alter)
}

// Fill puts size bytes of text, or numbers of about as many bytes, that no
// encoding can make much smaller into the n-th place that can hold them (a
// string, a slice of bytes or of integers), and reports whether there is one.
// The text has six bits per byte.
func Fill(ptr any, n, size int, seed uint64) bool {
	r := rand.New(rand.NewPCG(seed, 0xf111))
	return each(ptr, n, func(v reflect.Value) bool {
		switch {
		case v.Kind() == reflect.String:
			raw := make([]byte, size*3/4)
			for i := range raw {
				raw[i] = byte(r.Uint32())
			}
			v.SetString(base64.RawURLEncoding.EncodeToString(raw))
		case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
			raw := make([]byte, size)
			for i := range raw {
				raw[i] = byte(r.Uint32())
			}
			v.SetBytes(raw)
		case v.Kind() == reflect.Slice && (v.Type().Elem().Kind() == reflect.Int64 || v.Type().Elem().Kind() == reflect.Int):
			list := reflect.MakeSlice(v.Type(), size/8, size/8)
			for i := range size / 8 {
				list.Index(i).SetInt(int64(r.Uint64()))
			}
			v.Set(list)
		default:
			return false
		}
		return true
	})
}

// alter changes a leaf, to a value that is as likely to be valid.
func alter(v reflect.Value) bool {
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(v.Interface().(time.Time).Add(time.Hour)))
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.CanInt():
		v.SetInt(v.Int() ^ 1)
	case v.CanUint():
		v.SetUint(v.Uint() ^ 1)
	case v.CanFloat():
		f := v.Float() + 1
		if math.IsNaN(f) || math.IsInf(f, 0) || f == v.Float() {
			f = 1.5
		}
		v.SetFloat(f)
	case v.CanComplex():
		v.SetComplex(v.Complex() + 1)
	case v.Kind() == reflect.String:
		v.SetString(v.String() + "z")
	default:
		return false
	}
	return true
}

// each calls do on the places within *ptr until it was done n+1 times.
func each(ptr any, n int, do func(reflect.Value) bool) bool {
	p := reflect.ValueOf(ptr)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return false
	}
	w := walk{skip: n, do: do, seen: map[uintptr]bool{}}
	w.visit(p.Elem())
	return w.done
}

type walk struct {
	skip  int
	do    func(reflect.Value) bool
	done  bool
	nodes int
	seen  map[uintptr]bool // pointers, for cycles
}

func (w *walk) visit(v reflect.Value) {
	if w.done || !v.CanSet() || w.nodes >= mostNodes {
		return
	}
	w.nodes++
	if w.try(v) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || w.seen[v.Pointer()] {
			return
		}
		w.seen[v.Pointer()] = true
		w.visit(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			w.visit(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			w.visit(v.Index(i))
		}
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		inner := reflect.New(v.Elem().Type()).Elem()
		inner.Set(v.Elem())
		if w.visit(inner); w.done {
			v.Set(inner)
		}
	case reflect.Map:
		if m, ok := v.Interface().(map[string]any); ok {
			w.entries(m)
			return
		}
		for _, k := range sorted(v.MapKeys()) {
			inner := reflect.New(v.Type().Elem()).Elem()
			inner.Set(v.MapIndex(k))
			if w.visit(inner); w.done {
				v.SetMapIndex(k, inner)
				return
			}
		}
	}
}

// entries visits a map of the type that generic documents are made of, which
// can be large.
func (w *walk) entries(m map[string]any) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		inner := m[k]
		if w.visit(reflect.ValueOf(&inner).Elem()); w.done {
			m[k] = inner
		}
		if w.done || w.nodes >= mostNodes {
			return
		}
	}
}

// try does it to v, or counts it as one that is skipped.
func (w *walk) try(v reflect.Value) bool {
	was := reflect.New(v.Type()).Elem()
	was.Set(v)
	if !w.do(v) {
		return false
	}
	if w.skip > 0 {
		w.skip--
		v.Set(was)
		return true
	}
	w.done = true
	return true
}

func sorted(keys []reflect.Value) []reflect.Value {
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		return cmp.Compare(fmt.Sprint(a.Interface()), fmt.Sprint(b.Interface()))
	})
	return keys
}
