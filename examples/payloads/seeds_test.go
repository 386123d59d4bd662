package payloads

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tinylib/msgp/msgp"

	"github.com/serbench/serbench/internal/fidelity"
)

// messagePack is the size of v as MessagePack.
func messagePack(t *testing.T, v any) int {
	t.Helper()
	var data []byte
	var err error
	if m, ok := v.(msgp.Marshaler); ok {
		data, err = m.MarshalMsg(nil)
	} else {
		data, err = msgp.AppendIntf(nil, v)
	}
	require.NoError(t, err)
	return len(data)
}

func jsonText(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}

func layouts(t *testing.T, f *Feature) (*FlatFeature, *PackedFeature, *BytesFeature) {
	t.Helper()
	flat, err := f.Flatten()
	require.NoError(t, err)
	return flat, flat.Pack(), flat.Bytes()
}

// binHeaders is by how much Perl's Data::MessagePack is longer on "fat": it
// writes strings as binary, whose header is a byte longer than that of a short
// string, and there are 32 short ones (8 keys, 12 keys and 11 values of the
// small maps, and "me").
const binHeaders = 8 + 12 + 11 + 1

// The sizes are those of the originals, measured with their own libraries.
func TestSizesOfTheSeeds(t *testing.T) {
	geo := GeoValue()
	flat, packed, raw := layouts(t, geo)
	for _, tt := range []struct {
		name          string
		value, tree   any
		json, msgpack int // 0: not in the seeds
	}{
		{"fat", FatValue(), FatMap(), 2589, 1778 - binHeaders},
		{"podcasts", PodcastsValue(), PodcastsMap(*PodcastsValue()), 7603, 6904},
		{"geo", geo, geo.Map(), 205_637, 112_652},
		{"geo-flat", flat, flat.Map(), 193_822, 106_856},
		{"geo-bytes", raw, raw.Map(), 0, 95_311},
		{"geo-packed", packed, packed.Map(), 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.json > 0 {
				assert.Len(t, jsonText(t, tt.value), tt.json, "JSON of the struct")
				assert.Len(t, jsonText(t, tt.tree), tt.json, "JSON of the map")
			}
			if tt.msgpack > 0 {
				assert.Equal(t, tt.msgpack, messagePack(t, tt.value), "MessagePack of the struct")
				assert.Equal(t, tt.msgpack, messagePack(t, tt.tree), "MessagePack of the map")
			}
			assert.JSONEq(t, jsonText(t, tt.value), jsonText(t, tt.tree), "the forms hold the same")
		})
	}
}

// Ruby writes the two zeros of the floats as 0.0, Go as 0: 433 bytes there.
func TestTheSparseMessageAsJSON(t *testing.T) {
	const inRuby = 433
	text := jsonText(t, TestMessageMap(TestMessageValue()))
	assert.Len(t, text, inRuby-2*len(".0"))
	assert.JSONEq(t, text, jsonText(t, TestMessageValue()))
	assert.JSONEq(t, jsonText(t, TestMessageMap(TestMessageDense())), jsonText(t, TestMessageDense()))
}

func TestThePodcastsHaveTheOriginalsShape(t *testing.T) {
	var count struct{ strings, arrays, maps, bools, nulls int }
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			count.strings++
		case bool:
			count.bools++
		case nil:
			count.nulls++
		case []any:
			count.arrays++
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			count.maps++
			assert.Len(t, v, 12)
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(PodcastsMap(*PodcastsValue()))
	assert.Equal(t, struct{ strings, arrays, maps, bools, nulls int }{146, 14, 13, 13, 14}, count)
}

func TestTheFeatureHasTheOriginalsShape(t *testing.T) {
	f := GeoValue()
	assert.Len(t, f.Properties, 169)
	kinds := map[string]int{}
	for _, v := range f.Properties {
		switch v.(type) {
		case nil:
			kinds["null"]++
		case string:
			kinds["string"]++
		case int64, uint64:
			kinds["integer"]++
		case float64:
			kinds["float"]++
		}
	}
	assert.Equal(t, map[string]int{"string": 100, "null": 38, "integer": 27, "float": 4}, kinds)

	assert.Len(t, f.Geometry.Coordinates, 127)
	lon, lat := longitudeDigits(), latitudeDigits()
	positions := 0
	for _, polygon := range f.Geometry.Coordinates {
		require.Len(t, polygon, 1)
		ring := polygon[0]
		assert.Equal(t, ring[0], ring[len(ring)-1], "a ring is closed")
		positions += len(ring)
		for _, p := range ring {
			take(t, lon, p[0])
			take(t, lat, p[1])
		}
	}
	assert.Equal(t, 5753, positions)
	for _, d := range append(lon, lat...) {
		for _, left := range d.byFraction {
			assert.Zero(t, left, "the digits are distributed as the original's")
		}
	}
}

// take takes a number off the distribution.
func take(t *testing.T, kinds []digits, x float64) {
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(x, 'f', -1, 64), ".")
	for _, k := range kinds {
		n, err := strconv.Atoi(strings.TrimPrefix(whole, "-"))
		require.NoError(t, err)
		if strings.HasPrefix(whole, "-") == (k.sign == "-") && n >= k.low && n <= k.high {
			k.byFraction[len(fraction)]--
			return
		}
	}
	assert.Fail(t, "a number out of range", "%v", x)
}

func TestGeneratedPayloadsAreTheSameAtEachCall(t *testing.T) {
	assert.Equal(t, fidelity.Hash(GeoValue()), fidelity.Hash(GeoValue()))
	assert.Equal(t, fidelity.Hash(PodcastsValue()), fidelity.Hash(PodcastsValue()))
	assert.Equal(t, "60571ea0ff8b730b6e3", fidelity.Hash(GeoValue())[:19], "and in each version of Go: what changes here makes old reports incomparable")
	assert.Equal(t, "aaede1d733707caf046", fidelity.Hash(PodcastsValue())[:19])
}

// Each layout can be turned back into the nested feature: they carry equal
// information.
func TestLayoutsCarryEqualInformation(t *testing.T) {
	f := GeoValue()
	flat, packed, raw := layouts(t, f)
	for name, back := range map[string]func() (*FlatFeature, error){
		"flat":   func() (*FlatFeature, error) { return flat, nil },
		"packed": packed.Flatten, "bytes": raw.Flatten,
	} {
		got, err := back()
		require.NoError(t, err, name)
		nested, err := got.Nest()
		require.NoError(t, err, name)
		assert.Equal(t, f, nested, name)
	}
}

func TestLayoutsRefuseWhatTheyWouldLose(t *testing.T) {
	hole := &Feature{Geometry: MultiPolygon{Coordinates: [][][][2]float64{{{{1, 2}}}, {{{1, 2}}, {{3, 4}}}}}}
	_, err := hole.Flatten()
	assert.ErrorContains(t, err, "polygon 1 has 2 rings")
	_, err = (&FlatFeature{Geometry: [][]float64{{1}}}).Nest()
	assert.ErrorContains(t, err, "ring 0 has 1 numbers")
	_, err = (&BytesFeature{Geometry: [][]byte{{}, make([]byte, 12)}}).Flatten()
	assert.ErrorContains(t, err, "ring 1 has 12 bytes")
	for _, ends := range [][]uint32{{3}, {2, 1}, {1}} {
		_, err = (&PackedFeature{Geometry: []float64{1, 2}, Ends: ends}).Flatten()
		assert.Error(t, err, "ends %v", ends)
	}
}

func TestLoaders(t *testing.T) {
	write := func(text string) string {
		name := filepath.Join(t.TempDir(), "in.json")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	t.Run("what was written is read", func(t *testing.T) {
		all, err := LoadPodcasts(write(jsonText(t, PodcastsValue())))
		require.NoError(t, err)
		assert.Equal(t, PodcastsValue(), all)
		f, err := LoadGeo(write(jsonText(t, GeoValue())))
		require.NoError(t, err)
		assert.Equal(t, GeoValue(), f)
	})
	for _, tt := range []struct{ name, text, podcasts, geo string }{
		{"empty", " \n", "in.json: the file is empty", "in.json: the file is empty"},
		{"cut off", "[\n{\"_id\":", "in.json:2:8: the document is cut off", ""},
		{"malformed", "[\n  {\"_id\": nope}]", "in.json:2:13: invalid character", ""},
		{"two documents", "[]\n[]", "something follows", ""},
		{"another type", "[\n{\"_id\": 7}]", "in.json:2:10: json: cannot unmarshal number into Go struct field Podcast._id", ""},
		{"a field with no place", `[{"_id":"a","odd":1}]`, `unknown field "odd"`, ""},
		{"nothing in it", "[]", "no entries", ""},
		{"no MultiPolygon", `{"type":"Feature","geometry":{"type":"Point"}}`, "", `found "Feature" with "Point"`},
		{"no coordinates of two", `{"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[[[[1,2],[1,2,3]]]]}}`, "", "geometry.coordinates[0][0][1] has 3 numbers"},
		{"a number beyond float64", `{"type":"Feature","properties":{"n":1e999},"geometry":{"type":"MultiPolygon"}}`, "", "properties.n: 1e999 is not within"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := write(tt.text)
			if tt.podcasts != "" {
				_, err := LoadPodcasts(file)
				assert.ErrorContains(t, err, tt.podcasts)
			}
			if tt.geo != "" {
				_, err := LoadGeo(file)
				assert.ErrorContains(t, err, tt.geo)
			}
		})
	}
	_, err := PodcastPayloads("no-such-file")
	assert.ErrorContains(t, err, "no-such-file")
	_, err = GeoPayloads("no-such-file")
	assert.ErrorContains(t, err, "no-such-file")
}

func TestLoadedNumbersKeepTheirKind(t *testing.T) {
	name := filepath.Join(t.TempDir(), "geo.json")
	require.NoError(t, os.WriteFile(name, []byte(`{"type":"Feature","properties":{"big":18446744073709551615,"below":-99,"float":1.5,"list":[1],"map":{"n":2}},
		"geometry":{"type":"MultiPolygon","coordinates":[]}}`), 0o600))
	f, err := LoadGeo(name)
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"big": uint64(18446744073709551615), "below": int64(-99), "float": 1.5,
		"list": []any{uint64(1)}, "map": map[string]any{"n": uint64(2)}}, f.Properties)
}

// The originals' own files have the sizes of the seeds' tables too. They are
// not part of the project: name their folder to check.
func TestTheRealFiles(t *testing.T) {
	dir := os.Getenv("SERBENCH_SEED_FILES")
	if dir == "" {
		t.Skip("SERBENCH_SEED_FILES does not name the folder with sample-large.json and USA.geojson")
	}
	all, err := LoadPodcasts(filepath.Join(dir, "sample-large.json"))
	require.NoError(t, err)
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	require.NoError(t, enc.Encode(all))
	assert.Equal(t, 7603, text.Len()-1)
	assert.Equal(t, 6904, messagePack(t, all))

	f, err := LoadGeo(filepath.Join(dir, "USA.geojson"))
	require.NoError(t, err)
	flat, _, raw := layouts(t, f)
	assert.Len(t, jsonText(t, f), 205_637)
	assert.Equal(t, 112_652, messagePack(t, f))
	assert.Len(t, jsonText(t, flat), 193_822)
	assert.Equal(t, 106_856, messagePack(t, flat))
	assert.Equal(t, 95_311, messagePack(t, raw))
}
