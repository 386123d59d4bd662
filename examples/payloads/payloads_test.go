package payloads

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/mailru/easyjson"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tinylib/msgp/msgp"
)

// generatedType is what both generators give a type.
type generatedType interface {
	msgp.Marshaler
	msgp.Unmarshaler
	msgp.Sizer
	easyjson.Marshaler
	easyjson.Unmarshaler
}

// values are of every type here that has generated methods, with no field at
// its zero value if full.
func values(full bool) map[string]generatedType {
	vs := map[string]generatedType{
		"Document": RepositoryValue(), "Repository": &RepositoryValue().Repository, "Event": EventValue(),
		"TestMessage": filled[TestMessage](), "TestMessage2": &TestMessage2{Foo: 1}, "Fat": FatValue(), "FatPair": &FatValue().B3z,
		"Podcasts": &Podcasts{(*PodcastsValue())[0], *filled[Podcast]()}, "Podcast": &(*PodcastsValue())[0],
		"FlatFeature": smallGeo(), "PackedFeature": smallGeo().Pack(), "BytesFeature": smallGeo().Bytes(),
	}
	nested, _ := smallGeo().Nest()
	vs["Feature"], vs["MultiPolygon"] = nested, &nested.Geometry
	if full {
		vs["Document"], vs["Repository"], vs["Event"] = filled[Document](), filled[Repository](), filled[Event]()
		vs["FatPair"], vs["Podcast"] = filled[FatPair](), filled[Podcast]()
	}
	return vs
}

// smallGeo has properties that every codec gives back as they were.
func smallGeo() *FlatFeature {
	return &FlatFeature{Properties: map[string]any{"name": "café", "none": nil}, Geometry: [][]float64{{-1.5, 2.25, 3, 4}, {5, 6}}}
}

// filled gives every field a value that no other field has.
func filled[T any]() *T {
	v, n := new(T), 0
	var fill func(reflect.Value)
	fill = func(rv reflect.Value) {
		n++
		switch rv.Kind() {
		case reflect.Struct:
			for i := range rv.NumField() {
				fill(rv.Field(i))
			}
		case reflect.String:
			rv.SetString(strings.Repeat("x", n))
		case reflect.Uint, reflect.Uint8, reflect.Uint32, reflect.Uint64:
			rv.SetUint(uint64(n))
		case reflect.Int32, reflect.Int64:
			rv.SetInt(int64(-n))
		case reflect.Float32, reflect.Float64:
			rv.SetFloat(float64(n) / 4)
		case reflect.Slice:
			rv.Set(reflect.MakeSlice(rv.Type(), 2, 2))
			fill(rv.Index(0))
			fill(rv.Index(1))
		case reflect.Pointer:
			rv.Set(reflect.New(rv.Type().Elem()))
			fill(rv.Elem())
		case reflect.Bool:
			rv.SetBool(true)
		default:
			panic("filled does not know " + rv.Kind().String())
		}
	}
	fill(reflect.ValueOf(v).Elem())
	return v
}

func TestGeneratedMethodsLoseNoField(t *testing.T) {
	for _, full := range []bool{false, true} {
		for name, v := range values(full) {
			t.Run(name, func(t *testing.T) {
				data, err := v.MarshalMsg(nil)
				require.NoError(t, err)
				got := zero(v)
				rest, err := got.UnmarshalMsg(data)
				require.NoError(t, err)
				assert.Empty(t, rest)
				assert.Equal(t, v, got, "msgp")

				text, err := easyjson.Marshal(v)
				require.NoError(t, err)
				got = zero(v)
				require.NoError(t, easyjson.Unmarshal(text, got))
				assert.Equal(t, v, got, "easyjson")

				std, err := json.Marshal(v)
				require.NoError(t, err)
				assert.JSONEq(t, string(std), string(text), "easyjson writes what encoding/json writes")
			})
		}
	}
}

func zero(like generatedType) generatedType {
	return reflect.New(reflect.TypeOf(like).Elem()).Interface().(generatedType)
}

func TestSizes(t *testing.T) {
	for _, tt := range []struct {
		name          string
		v             generatedType
		tree          map[string]any
		json, msgpack int
	}{
		{"repository", RepositoryValue(), RepositoryMap(), 461, 373},
		{"event", EventValue(), EventMap(), 70, 54},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, err := json.Marshal(tt.v)
			require.NoError(t, err)
			assert.Len(t, text, tt.json, "JSON of the struct")
			text, err = json.Marshal(tt.tree)
			require.NoError(t, err)
			assert.Len(t, text, tt.json, "JSON of the map")
			data, err := tt.v.MarshalMsg(nil)
			require.NoError(t, err)
			assert.Len(t, data, tt.msgpack, "MessagePack of the struct")
			data, err = msgp.AppendIntf(nil, tt.tree)
			require.NoError(t, err)
			assert.Len(t, data, tt.msgpack, "MessagePack of the map")
		})
	}
}

func TestTheOriginalBytes(t *testing.T) {
	const event = `{"host":"app-01","service":"http","type":"service","state":"critical"}`
	text, err := json.Marshal(EventValue())
	require.NoError(t, err)
	assert.Equal(t, event, string(text))
	text, err = json.Marshal(RepositoryValue())
	require.NoError(t, err)
	assert.Equal(t, `{"repository":{"watchers":173,"has_wiki":true,"url":"https://github.com/flori/json","open_issues":21,`+
		`"homepage":"http://flori.github.com/json","has_issues":true,"forks":35,"fork":false,"language":"Ruby",`+
		`"integrate_branch":"master","created_at":"2009/08/24 15:21:39 -0700","master_branch":"master","size":572,`+
		`"private":false,"name":"json","owner":"flori","has_downloads":true,"pushed_at":"2011/07/08 07:34:34 -0700",`+
		`"description":"JSON implementation for Ruby"}}`, string(text))
}

func TestFormsHoldTheSame(t *testing.T) {
	for name, forms := range map[string][]any{
		"repository": {RepositoryValue(), RepositoryMap()},
		"event":      {EventValue(), EventMap(), EventStrings()},
	} {
		first, err := json.Marshal(forms[0])
		require.NoError(t, err)
		for _, form := range forms[1:] {
			text, err := json.Marshal(form)
			require.NoError(t, err)
			assert.JSONEq(t, string(first), string(text), name)
		}
	}
}

func TestValuesAreTheCallers(t *testing.T) {
	assert.NotSame(t, RepositoryValue(), RepositoryValue())
	m := RepositoryMap()
	clear(m["repository"].(map[string]any))
	assert.NotEmpty(t, RepositoryMap()["repository"])
}

// A type with one of these would be encoded by it, whatever codec is named.
func TestTypesDoNotHijackTheStandardLibrary(t *testing.T) {
	hijackers := []string{
		"MarshalJSON", "UnmarshalJSON", "MarshalJSONTo", "UnmarshalJSONFrom",
		"MarshalText", "UnmarshalText", "AppendText",
		"MarshalBinary", "UnmarshalBinary", "AppendBinary",
		"GobEncode", "GobDecode",
		"MarshalXML", "UnmarshalXML", "MarshalXMLAttr", "UnmarshalXMLAttr",
		"MarshalYAML", "UnmarshalYAML", "MarshalCBOR", "UnmarshalCBOR", "MarshalBSON", "UnmarshalBSON",
		"MarshalBSONValue", "UnmarshalBSONValue", "EncodeMsgpack", "DecodeMsgpack", "MarshalMsgpack", "UnmarshalMsgpack",
		"CodecEncodeSelf", "CodecDecodeSelf",
	}
	for name, v := range values(false) {
		methods := map[string]bool{}
		for m := range reflect.TypeOf(v).Methods() {
			methods[m.Name] = true
		}
		require.True(t, methods["MarshalMsg"], "the methods are found")
		for _, h := range hijackers {
			assert.False(t, methods[h], "%s has %s", name, h)
		}
	}
}

func TestGeneratedFilesAreComplete(t *testing.T) {
	var files []string
	for _, pattern := range []string{"*_easyjson.go", "*_msgp.go"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.Len(t, found, 6, pattern)
		files = append(files, found...)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.False(t, bytes.Contains(text, []byte("TEMPORARY AUTOGENERATED FILE")), "%s is the stub of a failed run", name)
		assert.True(t, bytes.Contains(text, []byte("DO NOT EDIT")), name)
	}
}
