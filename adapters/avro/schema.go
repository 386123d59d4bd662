package avro

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/twmb/avro"
)

// SchemaOf returns the schema that [New] uses for values of a type. Fields
// are named by their avro tag or in Go, as the library finds them; those with
// the tag json:"-" are left out.
func SchemaOf(t reflect.Type) (*avro.Schema, error) { return schemaOf(t, "timestamp-nanos") }

func schemaOf(t reflect.Type, times string) (*avro.Schema, error) {
	i := inference{times: times, names: map[reflect.Type]string{}, used: map[string]bool{}}
	node, err := i.node(t, "")
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(node)
	if err != nil {
		return nil, err
	}
	return avro.Parse(string(text))
}

type inference struct {
	times string // the logical type of a time.Time
	names map[reflect.Type]string
	used  map[string]bool
}

type object map[string]any

// node returns the schema of t as the value whose JSON it is. path leads to t.
func (i *inference) node(t reflect.Type, path string) (any, error) {
	if t == reflect.TypeFor[time.Time]() {
		return object{"type": "long", "logicalType": i.times}, nil
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean", nil
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Uint8, reflect.Uint16:
		return "int", nil
	case reflect.Int, reflect.Int64, reflect.Uint, reflect.Uint32, reflect.Uint64:
		return "long", nil
	case reflect.Float32:
		return "float", nil
	case reflect.Float64:
		return "double", nil
	case reflect.String:
		return "string", nil
	case reflect.Pointer:
		return i.nullable(i.node(t.Elem(), path))
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return []any{"null", "bytes"}, nil
		}
		items, err := i.node(t.Elem(), path+"[]")
		return i.nullable(object{"type": "array", "items": items}, err)
	case reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			if name, ok := i.name(t, "bytes"); ok {
				return object{"type": "fixed", "name": name, "size": t.Len()}, nil
			}
			return i.names[t], nil
		}
		items, err := i.node(t.Elem(), path+"[]")
		return object{"type": "array", "items": items}, err
	case reflect.Map:
		if t.Key().Kind() == reflect.String {
			values, err := i.node(t.Elem(), path+"[]")
			return i.nullable(object{"type": "map", "values": values}, err)
		}
	case reflect.Struct:
		return i.record(t, path)
	}
	if path == "" {
		return nil, fmt.Errorf("there is none for %v", t)
	}
	return nil, fmt.Errorf("there is none for %s of type %v", strings.TrimPrefix(path, "."), t)
}

// nullable is node or null; unions do not nest.
func (i *inference) nullable(node any, err error) (any, error) {
	if _, union := node.([]any); union || err != nil {
		return node, err
	}
	return []any{"null", node}, nil
}

func (i *inference) record(t reflect.Type, path string) (any, error) {
	name, first := i.name(t, "record")
	if !first {
		return name, nil
	}
	fields, err := i.fields(t, path, []any{})
	return object{"type": "record", "name": name, "fields": fields}, err
}

func (i *inference) fields(t reflect.Type, path string, out []any) ([]any, error) {
	for f := range t.Fields() {
		tag, _, _ := strings.Cut(f.Tag.Get("avro"), ",")
		if tag == "-" || f.Tag.Get("json") == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		if f.Anonymous && tag == "" && f.Type.Kind() == reflect.Struct && f.Type != reflect.TypeFor[time.Time]() {
			var err error
			if out, err = i.fields(f.Type, path+"."+f.Name, out); err != nil {
				return nil, err
			}
			continue
		}
		node, err := i.node(f.Type, path+"."+f.Name)
		if err != nil {
			return nil, err
		}
		if tag == "" {
			tag = f.Name
		}
		out = append(out, object{"name": tag, "type": node})
	}
	return out, nil
}

var validName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// name returns the name of a type's definition, and whether this is its first
// use: later ones refer to it by name.
func (i *inference) name(t reflect.Type, otherwise string) (name string, first bool) {
	if name, ok := i.names[t]; ok {
		return name, false
	}
	name = t.Name()
	if !validName.MatchString(name) {
		name = otherwise
	}
	for n, base := 2, name; i.used[name]; n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	i.names[t], i.used[name] = name, true
	return name, true
}
