package fidelity

import (
	"reflect"
	"slices"
	"unsafe"
)

const (
	maxDepth  = 2000    // levels on the stack; what lies deeper is walked afterwards
	quickRefs = 1 << 17 // pointers, slices and maps that the first pass enters
)

// extent says how far the second pass goes.
type extent byte

const (
	all extent = iota
	firstLoss
	firstDifference
)

// A walker goes through two values in step. visited is nil in the first pass,
// which sets stop at the first difference.
type walker struct {
	opts    Options
	types   typeCache
	visited map[pair]struct{}
	until   extent
	stop    bool
	refs    int

	prefix string // path to the value that steps start from
	steps  []step
	depth  int
	later  []deferred

	losses, norms   []Difference
	nLosses, nNorms int
}

// A pair of references that were met together.
type pair struct {
	a, b   unsafe.Pointer
	ta, tb reflect.Type
	na, nb int
}

// deferred is a pair of values nested too deeply for the stack.
type deferred struct {
	path string
	a, b reflect.Value
}

func (w *walker) run(a, b reflect.Value) {
	w.dynamic(a, b)
	for len(w.later) > 0 && !w.stop {
		last := len(w.later) - 1
		d := w.later[last]
		w.later = w.later[:last]
		w.prefix, w.steps, w.depth = d.path, w.steps[:0], 0
		w.dynamic(d.a, d.b)
	}
}

func (w *walker) result() Result {
	r := Result{Class: Exact, Total: w.nLosses + w.nNorms}
	switch {
	case w.nLosses > 0:
		r.Class = Lossy
	case w.nNorms > 0:
		r.Class = Normalised
	}
	r.Differences = slices.Concat(w.losses, w.norms)
	if len(r.Differences) > w.opts.Max {
		r.Differences = r.Differences[:w.opts.Max:w.opts.Max]
	}
	return r
}

// quick reports whether this is the first pass.
func (w *walker) quick() bool { return w.visited == nil }

// wantsLoss counts a loss and reports whether it is to be described. A
// caller asks before it does any work for the description.
func (w *walker) wantsLoss() bool {
	if w.quick() {
		w.stop = true
		return false
	}
	w.nLosses++
	if w.until != all {
		w.stop = true
		return false
	}
	return len(w.losses) < w.opts.Max
}

func (w *walker) wantsNorm() bool {
	if w.quick() {
		w.stop = true
		return false
	}
	w.nNorms++
	if w.until == firstDifference {
		w.stop = true
		return false
	}
	return len(w.norms) < w.opts.Max
}

// add lists a difference that wantsLoss or wantsNorm has counted.
func (w *walker) add(k Kind, want, got string) {
	d := Difference{Path: w.path(), Kind: k, Want: want, Got: got, Normalised: k.Normalised()}
	if d.Normalised {
		w.norms = append(w.norms, d)
	} else {
		w.losses = append(w.losses, d)
	}
}

func (w *walker) report(k Kind, want, got string) {
	if k.Normalised() && w.wantsNorm() || !k.Normalised() && w.wantsLoss() {
		w.add(k, want, got)
	}
}

// reportValues is report for values that are shown as they are.
func (w *walker) reportValues(k Kind, a, b reflect.Value) {
	if k.Normalised() && w.wantsNorm() || !k.Normalised() && w.wantsLoss() {
		w.add(k, describe(a), describe(b))
	}
}

// reportTypes is report for values that are shown with their types.
func (w *walker) reportTypes(k Kind, a, b reflect.Value) {
	if k.Normalised() && w.wantsNorm() || !k.Normalised() && w.wantsLoss() {
		w.add(k, describeTyped(a), describeTyped(b))
	}
}

func (w *walker) push(s step) { w.steps = append(w.steps, s) }
func (w *walker) pop()        { w.steps = w.steps[:len(w.steps)-1] }

// down is called before the parts of two values are walked. If the stack is
// too deep it puts the pair off and returns false.
func (w *walker) down(a, b reflect.Value) bool {
	if w.depth < maxDepth {
		w.depth++
		return true
	}
	if w.quick() {
		w.stop = true
	} else {
		w.later = append(w.later, deferred{w.path(), a, b})
	}
	return false
}

func (w *walker) up() { w.depth-- }

// enter reports whether two references (pointers, maps, slices) have to be
// walked: not if they are one, or were met together before.
func (w *walker) enter(a, b reflect.Value) bool {
	p := pair{a: a.UnsafePointer(), b: b.UnsafePointer(), ta: a.Type(), tb: b.Type()}
	if a.Kind() == reflect.Slice {
		p.na = a.Len()
	}
	if b.Kind() == reflect.Slice {
		p.nb = b.Len()
	}
	if p.a == p.b && p.ta == p.tb && p.na == p.nb {
		return false
	}
	if w.quick() {
		w.refs++
		w.stop = w.stop || w.refs > quickRefs
		return !w.stop
	}
	if _, met := w.visited[p]; met {
		return false
	}
	w.visited[p] = struct{}{}
	return true
}

// walk compares two values of one type.
func (w *walker) walk(a, b reflect.Value) {
	if w.stop {
		return
	}
	switch a.Kind() {
	case reflect.Bool:
		if a.Bool() != b.Bool() {
			w.reportValues(Value, a, b)
		}
	case reflect.String:
		w.strings(a, b)
	case reflect.Chan, reflect.Func, reflect.UnsafePointer:
		if a.IsNil() != b.IsNil() {
			w.report(Opaque, nilness(a), nilness(b))
		}
	case reflect.Interface:
		w.dynamic(a.Elem(), b.Elem())
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Array, reflect.Struct:
		if !w.down(a, b) {
			return
		}
		switch a.Kind() {
		case reflect.Pointer:
			w.pointers(a, b)
		case reflect.Slice:
			w.slices(a, b)
		case reflect.Map:
			w.maps(a, b)
		case reflect.Array:
			w.arrays(a, b)
		default:
			w.structs(a, b)
		}
		w.up()
	default:
		w.numbers(a, b)
	}
}

func nilness(v reflect.Value) string {
	if v.IsNil() {
		return "nil " + v.Kind().String()
	}
	return v.Kind().String()
}

func (w *walker) pointers(a, b reflect.Value) {
	switch {
	case a.IsNil() && b.IsNil():
	case a.IsNil():
		w.reportValues(NilBecameValue, a, b)
	case b.IsNil():
		if pointsToZero(a) {
			w.reportValues(ZeroPointerBecameNil, a, b)
		} else {
			w.reportValues(ValueBecameNil, a, b)
		}
	case w.enter(a, b):
		w.walk(a.Elem(), b.Elem())
	}
}

// pointsToZero reports whether a pointer leads to a zero value, also through
// more pointers.
func pointsToZero(v reflect.Value) bool {
	for range 16 {
		if v.Kind() != reflect.Pointer || v.IsNil() {
			return v.IsZero()
		}
		v = v.Elem()
	}
	return false
}
