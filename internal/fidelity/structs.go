package fidelity

import (
	"reflect"
	"time"
)

func (w *walker) structs(a, b reflect.Value) {
	t := w.types.of(a.Type())
	switch {
	case t.isTime:
		w.times(timeOf(a), timeOf(b))
		return
	case t.isZone:
		if x, y := zoneOf(a), zoneOf(b); x != y {
			w.report(StringValue, x, y)
		}
		return
	}
	if t.copied || t.equal != nil {
		a, b = addressable(a), addressable(b)
	}
	if t.equal != nil && t.allHidden {
		w.askOwn(t.equal, a, b)
		return
	}
	before := w.nLosses
	for _, f := range t.fields {
		w.field(f, f.get(a), f.get(b))
		if w.stop {
			return
		}
	}
	if t.equal != nil && w.nLosses == before {
		w.askOwn(t.equal, a, b)
	}
}

func (w *walker) field(f field, a, b reflect.Value) {
	if f.inline {
		if a.Kind() == reflect.Struct && !w.types.of(a.Type()).isTime {
			w.walk(a, b)
			return
		}
		if a.Kind() == reflect.Pointer && !a.IsNil() && !b.IsNil() && a.Type().Elem().Kind() == reflect.Struct {
			w.walk(a, b)
			return
		}
	}
	w.push(step{name: f.name})
	w.walk(a, b)
	w.pop()
}

func (w *walker) askOwn(e *ownEquality, a, b reflect.Value) {
	equal, panicked := e.ask(a, b)
	switch {
	case panicked != "":
		w.report(EqualityPanic, e.method.Name+" answers", panicked)
	case !equal:
		w.reportValues(OwnEquality, a, b)
	}
}

// timeOf returns the time that v is, whose type has time.Time's layout.
func timeOf(v reflect.Value) time.Time {
	if v.CanAddr() {
		return *(*time.Time)(v.Addr().UnsafePointer())
	}
	return v.Convert(reflect.TypeFor[time.Time]()).Interface().(time.Time)
}

func zoneOf(v reflect.Value) string {
	return (*time.Location)(addressable(v).Addr().UnsafePointer()).String()
}
