package fidelity

import (
	"math"
	"reflect"
	"slices"
)

// quickTree is dynamic in the first pass, for the types that generic
// documents are made of without reflection.
func (w *walker) quickTree(a, b any) {
	if w.stop || sameScalar(a, b) {
		return
	}
	switch x := a.(type) {
	case []any:
		if y, ok := b.([]any); ok && w.quickDown(len(x) == len(y), x == nil, y == nil) {
			w.quickElements(x, y)
			w.up()
			return
		}
	case map[string]any:
		if y, ok := b.(map[string]any); ok && w.quickDown(len(x) == len(y), x == nil, y == nil) {
			w.quickEntries(x, y)
			w.up()
			return
		}
	}
	w.dynamic(reflect.ValueOf(a), reflect.ValueOf(b))
}

// quickDown is down and enter for two lists or maps.
func (w *walker) quickDown(sameLength, nilA, nilB bool) bool {
	w.refs++
	w.stop = w.stop || !sameLength || nilA != nilB && !w.opts.NilEmpty || w.refs > quickRefs || w.depth >= maxDepth
	if !w.stop {
		w.depth++
	}
	return !w.stop
}

func (w *walker) quickElements(a, b []any) {
	for i, x := range a {
		w.quickTree(x, b[i])
		if w.stop {
			return
		}
	}
}

func (w *walker) quickEntries(a, b map[string]any) {
	if len(a) != len(b) {
		w.stop = true
		return
	}
	for k, x := range a {
		y, ok := b[k]
		w.stop = w.stop || !ok
		w.quickTree(x, y)
		if w.stop {
			return
		}
	}
}

// treeEntries walks two maps that have the same keys, in the order of these;
// it reports false, and does nothing, for others.
func (w *walker) treeEntries(a, b map[string]any) bool {
	if len(a) != len(b) {
		return false
	}
	keys := make([]string, 0, len(a)) // of entries that are not equal at a glance
	for k, x := range a {
		y, ok := b[k]
		if !ok {
			return false
		}
		if !sameScalar(x, y) {
			keys = append(keys, k)
		}
	}
	if w.until == all {
		slices.Sort(keys)
	}
	for i, k := range keys {
		w.push(step{text: &keys[i]})
		w.dynamic(reflect.ValueOf(a[k]), reflect.ValueOf(b[k]))
		w.pop()
		if w.stop {
			return true
		}
	}
	return true
}

func (w *walker) treeElements(a, b []any) {
	for i, x := range a {
		if sameScalar(x, b[i]) {
			continue
		}
		w.push(step{index: i})
		w.dynamic(reflect.ValueOf(x), reflect.ValueOf(b[i]))
		w.pop()
		if w.stop {
			return
		}
	}
}

// sameScalar reports whether two values are equal and of one of the types
// that generic documents are made of. It leaves NaN to others.
func sameScalar(a, b any) bool {
	switch x := a.(type) {
	case nil:
		return b == nil
	case string:
		y, ok := b.(string)
		return ok && x == y
	case float64:
		y, ok := b.(float64)
		return ok && math.Float64bits(x) == math.Float64bits(y)
	case int64:
		y, ok := b.(int64)
		return ok && x == y
	case int:
		y, ok := b.(int)
		return ok && x == y
	case bool:
		y, ok := b.(bool)
		return ok && x == y
	}
	return false
}
