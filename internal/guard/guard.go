// Package guard finds, before anything is timed, what would make a codec's
// figures those of something else: methods of the payload's types that a
// codec calls instead of encoding fields, and methods that a struct only has
// from a field embedded in it.
package guard

import (
	"reflect"
	"slices"
	"strings"

	"github.com/serbench/serbench/internal/typecheck"
)

// A Finding is a method that stands in a codec's way.
type Finding struct {
	Path     string // from the payload's type, such as "Items[].At"; "" is the type itself
	Type     reflect.Type
	Method   string
	Embedded string // the field that Method comes from, if it is not the type's own
}

// own are the methods that codecs of a format look for on a type, and call
// instead of encoding its fields.
var own = map[string][]string{
	"json":    {"MarshalJSON", "UnmarshalJSON", "MarshalJSONTo", "UnmarshalJSONFrom", "MarshalText", "UnmarshalText"},
	"xml":     {"MarshalXML", "UnmarshalXML", "MarshalText", "UnmarshalText"},
	"gob":     {"GobEncode", "GobDecode", "MarshalBinary", "UnmarshalBinary"},
	"bson":    {"MarshalBSON", "UnmarshalBSON", "MarshalBSONValue", "UnmarshalBSONValue"},
	"msgpack": {"EncodeMsgpack", "DecodeMsgpack", "MarshalMsgpack", "UnmarshalMsgpack", "MarshalBinary", "UnmarshalBinary", "MarshalText", "UnmarshalText"},
	"cbor":    {"MarshalCBOR", "UnmarshalCBOR", "MarshalBinary", "UnmarshalBinary", "MarshalText", "UnmarshalText"},
	"avro":    {"MarshalText", "UnmarshalText"},
}

// common are those of a format that is not in own.
var common = []string{"MarshalBinary", "UnmarshalBinary", "MarshalText", "UnmarshalText", "MarshalJSON", "UnmarshalJSON"}

// generated are the methods by which a type supports a generated codec.
var generated = []string{"MarshalMsg", "MarshalEasyJSON", "MarshalVT", "ProtoReflect"}

// Hijackers finds types within t that encode themselves for a codec of a
// format that looks at fields by reflection, one finding per type. Types of
// the standard library, such as time.Time, are meant to.
func Hijackers(t reflect.Type, format string) []Finding {
	methods := own[format]
	if methods == nil {
		methods = common
	}
	w := walk{methods: methods, seen: map[reflect.Type]bool{}}
	w.visit(t, "")
	return w.found
}

// Promoted finds a method for a generated codec that the struct t only has
// from an embedded field: its other fields would be lost.
func Promoted(t reflect.Type) []Finding {
	for _, m := range generated {
		if f := typecheck.Promoted(reflect.New(t).Interface(), m); f != "" {
			return []Finding{{Type: t, Method: m, Embedded: f}}
		}
	}
	return nil
}

type walk struct {
	methods []string
	seen    map[reflect.Type]bool
	found   []Finding
}

func (w *walk) visit(t reflect.Type, path string) {
	if w.seen[t] {
		return
	}
	w.seen[t] = true
	if t.Name() != "" && t.Kind() != reflect.Interface {
		if meant(t) {
			return
		}
		if m := w.method(t); m != "" {
			w.found = append(w.found, Finding{
				Path: strings.TrimPrefix(path, "."), Type: t, Method: m,
				Embedded: typecheck.Promoted(reflect.New(t).Interface(), m),
			})
			return // what is below it the method decides
		}
	}
	switch t.Kind() {
	case reflect.Pointer:
		w.visit(t.Elem(), path)
	case reflect.Slice, reflect.Array:
		w.visit(t.Elem(), path+"[]")
	case reflect.Map:
		w.visit(t.Key(), path+"[key]")
		w.visit(t.Elem(), path+"[]")
	case reflect.Struct:
		for f := range t.Fields() {
			if f.IsExported() || f.Anonymous {
				w.visit(f.Type, path+"."+f.Name)
			}
		}
	}
}

func (w *walk) method(t reflect.Type) string {
	pt := reflect.PointerTo(t)
	for _, m := range w.methods {
		if _, ok := pt.MethodByName(m); ok {
			return m
		}
	}
	return ""
}

// meant reports whether a type of the standard library is one that codecs
// are expected to know, or to ask.
func meant(t reflect.Type) bool {
	return slices.Contains([]string{"time", "math/big", "encoding/json", "encoding/json/jsontext", "net", "net/netip", "net/url", "log/slog", "regexp"}, t.PkgPath())
}
