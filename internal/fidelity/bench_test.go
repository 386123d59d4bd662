package fidelity

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// polygons has the shape of the geo payload: 127 polygons, 5,753 pairs of
// coordinates, about 200 KB as JSON.
func polygons() [][][]float64 {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([][][]float64, 127)
	for i := range 5753 {
		p := &out[i%len(out)]
		*p = append(*p, []float64{r.Float64()*360 - 180, r.Float64()*180 - 90})
	}
	return out
}

func tree(v [][][]float64) any {
	var out []any
	for _, p := range v {
		var ring []any
		for _, q := range p {
			ring = append(ring, []any{q[0], q[1]})
		}
		out = append(out, ring)
	}
	return map[string]any{"type": "Feature", "geometry": map[string]any{"coordinates": out}}
}

type record struct {
	ID     int64          `json:"id"`
	Name   string         `json:"name"`
	Tags   []string       `json:"tags"`
	When   time.Time      `json:"when"`
	Nested *record        `json:"nested"`
	Extra  map[string]any `json:"extra"`
}

func newRecord() *record {
	r := &record{ID: 1, Name: "serbench", Tags: []string{"a", "b"}, When: t0, Extra: map[string]any{"a": 1, "b": "c"}}
	c := *r
	r.Nested = &c
	return r
}

func BenchmarkCompare(b *testing.B) {
	lossy := polygons()
	lossy[5][5][1] = math.Pi
	whole := tree(polygons())
	whole.(map[string]any)["id"] = 1
	read := tree(polygons())
	read.(map[string]any)["id"] = 1.0
	big, big2 := make([]float64, 1e6), make([]float64, 1e6)
	for _, row := range []struct {
		name      string
		want, got any
	}{
		{"geo-exact", ptr(polygons()), ptr(polygons())},
		{"geo-lossy", ptr(polygons()), ptr(lossy)},
		{"geo-tree-exact", tree(polygons()), tree(polygons())},
		{"geo-tree-normalised", whole, read},
		{"record-exact", newRecord(), newRecord()},
		{"floats-1e6", &big, &big2},
	} {
		b.Run(row.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Compare(row.want, row.got, Options{})
			}
		})
	}
}

func BenchmarkHash(b *testing.B) {
	geo, geoTree, rec := polygons(), tree(polygons()), newRecord()
	for _, row := range []struct {
		name string
		v    any
	}{{"geo", &geo}, {"geo-tree", geoTree}, {"record", rec}} {
		b.Run(row.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Hash(row.v)
			}
		})
	}
}
