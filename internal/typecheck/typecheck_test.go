package typecheck

import (
	"encoding"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestPointer(t *testing.T) {
	var nilInt *int
	n := 1
	for _, tt := range []struct {
		name string
		v    any
		want string
	}{
		{"a pointer to a value", &n, ""},
		{"a pointer to a nil map is a value", new(map[string]int), ""},
		{"a pointer to a nil interface is a value", new(any), ""},
		{"nil", nil, "cannot be encoded or decoded: pass a pointer to a value"},
		{"not a pointer", n, "is not a pointer; pass a pointer to it"},
		{"a map is not a pointer", map[string]int{}, "is not a pointer; pass a pointer to it"},
		{"a nil pointer", nilInt, "came as a nil pointer; pass a pointer to a value"},
		{"a pointer to a nil pointer", &nilInt, "came as a pointer to a nil pointer; pass a pointer to a value"},
	} {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, Pointer(tt.v)) })
	}
}

type node struct {
	Next *node
	Done chan int `json:"done"`
}

type Embedded struct{ Bad func() }

type opaque struct{ C chan int }

func (opaque) MarshalText() ([]byte, error) { return nil, nil }

func TestWalkFind(t *testing.T) {
	w := Walk{
		Tags:   []string{"codec", "json"},
		Opaque: Implements((*encoding.TextMarshaler)(nil)),
		Bad:    func(t reflect.Type) bool { return t.Kind() == reflect.Chan || t.Kind() == reflect.Func },
	}
	for _, tt := range []struct {
		name string
		v    any
		path string
		bad  any
	}{
		{"plain fields", struct{ A, B int }{}, "", nil},
		{"the type itself", make(chan int), "", make(chan int)},
		{"a field of a recursive type", node{}, "Done", make(chan int)},
		{"through slice, map, array and pointer", struct{ A []map[string][2]*node }{}, "A[][][].Done", make(chan int)},
		{"an embedded struct", struct{ Embedded }{}, "Embedded.Bad", func() {}},
		{"an unexported field is not encoded", struct{ c chan int }{}, "", nil},
		{"a field named -", struct {
			C chan int `json:"-"`
		}{}, "", nil},
		{"the first tag wins", struct {
			C chan int `codec:"-" json:"c"`
		}{}, "", nil},
		{"omitzero: only the value can tell", struct {
			C chan int `json:"c,omitzero"`
		}{}, "", nil},
		{"a type that encodes itself", struct{ O opaque }{}, "", nil},
		{"a time", time.Time{}, "", nil},
		{"an interface may hold anything", struct{ V any }{}, "", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path, bad := w.Find(reflect.TypeOf(tt.v))
			assert.Equal(t, tt.path, path)
			assert.Equal(t, reflect.TypeOf(tt.bad), bad)
		})
	}
}

type valueMethod struct{ A, B int }

func (v valueMethod) Encode() int { return v.A + v.B }

type pointerMethod struct{ A, B int }

//go:noinline
func (p *pointerMethod) Encode() int { return p.A }

type encoder interface{ Encode() int }

type (
	embedsValue struct {
		valueMethod
		Own int
	}
	embedsPointer struct {
		*pointerMethod
		Own int
	}
	embedsAddressed struct {
		pointerMethod
		Own int
	}
	embedsInterface struct {
		encoder
		Own int
	}
	embedsAlone   struct{ valueMethod }
	embedsInDepth struct {
		embedsValue
		More int
	}
	overrides struct {
		valueMethod
		Own int
	}
	overridesByPointer struct {
		pointerMethod
		Own int
	}
)

func (o overrides) Encode() int           { return o.Own }
func (o *overridesByPointer) Encode() int { return o.Own }

// These begin with inlined code of another function.
type inlinesBesideAnother struct {
	valueMethod
	Own int
}

func (i inlinesBesideAnother) Encode() int { return i.valueMethod.Encode() }

type inlinesByPointer struct {
	pointerMethod
	Own int
}

func (i *inlinesByPointer) Encode() int { return i.get() }
func (i *inlinesByPointer) get() int    { return i.Own }

func TestPromoted(t *testing.T) {
	for _, tt := range []struct {
		name string
		v    encoder
		want string
	}{
		{"own method, value receiver", &valueMethod{}, ""},
		{"own method, pointer receiver", &pointerMethod{}, ""},
		{"own method beside an embedded one, value receiver", &overrides{}, ""},
		{"own method beside an embedded one, pointer receiver", &overridesByPointer{}, ""},
		{"own method that begins with inlined code", &inlinesBesideAnother{}, ""},
		{"own method that begins with inlined code, pointer receiver", &inlinesByPointer{}, ""},
		{"nothing to lose", &embedsAlone{}, ""},
		{"embedded with a value receiver", &embedsValue{}, "valueMethod"},
		{"embedded pointer", &embedsPointer{}, "pointerMethod"},
		{"embedded with a pointer receiver", &embedsAddressed{}, "pointerMethod"},
		{"embedded interface", &embedsInterface{}, "encoder"},
		{"embedded two levels deep", &embedsInDepth{}, "embedsValue"},
	} {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, Promoted(tt.v, "Encode")) })
	}
	assert.Empty(t, Promoted(nil, "Encode"))
	assert.Empty(t, Promoted(3, "Encode"))
	assert.Empty(t, Promoted(&embedsValue{}, "NoSuchMethod"))
}
