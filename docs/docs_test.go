// Package docs_test keeps docs/report.md and docs/report.schema.json complete.
package docs_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

var update = flag.Bool("update", false, "write report.schema.json anew")

type key struct {
	name     string
	optional bool
	typ      reflect.Type
}

// keysOf lists the JSON keys of a struct, those of embedded ones included.
func keysOf(t reflect.Type) (out []key) {
	if t == reflect.TypeFor[serbench.Tolerance]() { // has a JSON form of its own
		return []key{{"nil_empty", true, reflect.TypeFor[bool]()}, {"time_precision_ns", true, reflect.TypeFor[int64]()}, {"numeric_kinds", true, reflect.TypeFor[bool]()}}
	}
	for f := range t.Fields() {
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			out = append(out, keysOf(f.Type)...)
		case name != "" && name != "-":
			out = append(out, key{name, strings.Contains(rest, "omitempty"), f.Type})
		}
	}
	return out
}

// structs finds the struct types below a type, in the order of first use.
func structs(t reflect.Type, seen []reflect.Type) []reflect.Type {
	switch {
	case t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map:
		return structs(t.Elem(), seen)
	case t.Kind() != reflect.Struct || t == reflect.TypeFor[time.Time]() || slices.Contains(seen, t):
		return seen
	}
	seen = append(seen, t)
	for _, k := range keysOf(t) {
		seen = structs(k.typ, seen)
	}
	return seen
}

var (
	section = regexp.MustCompile(`(?m)^<!-- (\w+) -->$`)
	row     = regexp.MustCompile("(?m)^\\| `([a-z0-9_]+)` \\| ([^|]+) \\| ([^|]+) \\|$")
)

// documented reads report.md: type, key, meaning.
func documented(t *testing.T) map[string]map[string]string {
	text, err := os.ReadFile("report.md")
	require.NoError(t, err)
	out := map[string]map[string]string{}
	at := section.FindAllSubmatchIndex(text, -1)
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		keys := map[string]string{}
		for _, r := range row.FindAllSubmatch(text[m[1]:end], -1) {
			form, meaning := string(r[2]), string(r[3])
			keys[string(r[1])] = strings.ReplaceAll(meaning, "`", "") + " (" + form + ")"
		}
		out[string(text[m[2]:m[3]])] = keys
	}
	return out
}

func TestEveryKeyIsDocumented(t *testing.T) {
	doc := documented(t)
	types := structs(reflect.TypeFor[serbench.Report](), nil)
	require.Greater(t, len(types), 15)
	for _, typ := range types {
		var keys, told []string
		for _, k := range keysOf(typ) {
			keys = append(keys, k.name)
		}
		for k := range doc[typ.Name()] {
			told = append(told, k)
		}
		assert.ElementsMatch(t, keys, told, "report.md on %s", typ.Name())
	}
	assert.Len(t, doc, len(types), "report.md describes nothing else")
}

// schemaOf makes the JSON Schema of a type.
func schemaOf(t reflect.Type) map[string]any {
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Uint64:
		return map[string]any{"type": "integer", "minimum": 0}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schemaOf(t.Elem())}
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return map[string]any{"type": "string", "format": "date-time"}
		}
		return map[string]any{"$ref": "#/$defs/" + t.Name()}
	}
	panic("no schema for " + t.String())
}

func schema(t *testing.T) []byte {
	doc := documented(t)
	defs := map[string]any{}
	for _, typ := range structs(reflect.TypeFor[serbench.Report](), nil) {
		properties, required := map[string]any{}, []string{}
		for _, k := range keysOf(typ) {
			s := schemaOf(k.typ)
			s["description"] = doc[typ.Name()][k.name]
			properties[k.name] = s
			if !k.optional {
				required = append(required, k.name)
			}
		}
		// Keys are added within a version, so others are allowed.
		defs[typ.Name()] = map[string]any{"type": "object", "properties": properties, "required": required}
	}
	defs["Report"].(map[string]any)["properties"].(map[string]any)["schema"] = map[string]any{"const": serbench.SchemaVersion, "description": doc["Report"]["schema"]}
	b, err := json.MarshalIndent(map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title":   "serbench report, schema version 1",
		"$ref":    "#/$defs/Report",
		"$defs":   defs,
	}, "", "  ")
	require.NoError(t, err)
	return append(b, '\n')
}

func compiled(t *testing.T) *jsonschema.Schema {
	text, err := os.ReadFile("report.schema.json")
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("report.schema.json", doc))
	s, err := c.Compile("report.schema.json")
	require.NoError(t, err)
	return s
}

func TestSchema(t *testing.T) {
	if *update {
		require.NoError(t, os.WriteFile("report.schema.json", schema(t), 0o644))
	}
	text, err := os.ReadFile("report.schema.json")
	require.NoError(t, err)
	require.True(t, bytes.Equal(schema(t), text), "report.schema.json is not that of the types and of report.md; write it anew with -update and look at the difference")
	s := compiled(t)

	golden, err := os.ReadFile("../testdata/report.v1.json")
	require.NoError(t, err)
	var empty bytes.Buffer
	require.NoError(t, (&serbench.Report{}).WriteJSON(&empty))
	valid := func(text []byte) error {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, err)
		return s.Validate(v)
	}
	assert.NoError(t, valid(golden), "the golden report, which fills every key")
	assert.NoError(t, valid(empty.Bytes()), "the emptiest report")
	sample, err := os.ReadFile("samples/report.json")
	require.NoError(t, err)
	assert.NoError(t, valid(sample), "a real report")
	for _, c := range []struct{ name, old, new string }{
		{"a size as text", `"min":373`, `"min":"373"`},
		{"another version", `"schema": 1`, `"schema": 2`},
		{"a result without a status", `"status":"ok",`, ``},
		{"null for an array", `"ops":["encode","decode"]`, `"ops":null`},
	} {
		require.Contains(t, string(golden), c.old)
		assert.Error(t, valid([]byte(strings.Replace(string(golden), c.old, c.new, 1))), c.name)
	}
}

func TestSamplesAreReports(t *testing.T) {
	f, err := os.Open("samples/report.json")
	require.NoError(t, err)
	defer f.Close()
	r, err := serbench.ReadReport(f)
	require.NoError(t, err)
	assert.NotEmpty(t, r.Results)
}
