package payloads

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Flatten returns the feature with one flat array per ring. The nesting can be
// found again where each polygon is one ring; other features are an error,
// since their holes would become polygons.
func (f *Feature) Flatten() (*FlatFeature, error) {
	out := &FlatFeature{Properties: f.Properties, Geometry: make([][]float64, len(f.Geometry.Coordinates))}
	for i, polygon := range f.Geometry.Coordinates {
		if len(polygon) != 1 {
			return nil, fmt.Errorf("polygon %d has %d rings: a flat layout does not tell a hole from a polygon", i, len(polygon))
		}
		ring := make([]float64, 0, 2*len(polygon[0]))
		for _, p := range polygon[0] {
			ring = append(ring, p[0], p[1])
		}
		out.Geometry[i] = ring
	}
	return out, nil
}

// Nest is the way back from [Feature.Flatten].
func (f *FlatFeature) Nest() (*Feature, error) {
	out := &Feature{Type: "Feature", Properties: f.Properties, Geometry: MultiPolygon{Type: "MultiPolygon"}}
	out.Geometry.Coordinates = make([][][][2]float64, len(f.Geometry))
	for i, flat := range f.Geometry {
		if len(flat)%2 != 0 {
			return nil, fmt.Errorf("ring %d has %d numbers: one too many or too few", i, len(flat))
		}
		ring := make([][2]float64, len(flat)/2)
		for k := range ring {
			ring[k] = [2]float64{flat[2*k], flat[2*k+1]}
		}
		out.Geometry.Coordinates[i] = [][][2]float64{ring}
	}
	return out, nil
}

// Pack returns the feature with all numbers in one array.
func (f *FlatFeature) Pack() *PackedFeature {
	out := &PackedFeature{Properties: f.Properties, Ends: make([]uint32, len(f.Geometry))}
	for i, ring := range f.Geometry {
		out.Geometry = append(out.Geometry, ring...)
		out.Ends[i] = uint32(len(out.Geometry))
	}
	return out
}

// Flatten is the way back from [FlatFeature.Pack].
func (f *PackedFeature) Flatten() (*FlatFeature, error) {
	out := &FlatFeature{Properties: f.Properties, Geometry: make([][]float64, len(f.Ends))}
	start := 0
	for i, end := range f.Ends {
		if int(end) < start || int(end) > len(f.Geometry) {
			return nil, fmt.Errorf("ring %d ends at %d, not between %d and %d", i, end, start, len(f.Geometry))
		}
		out.Geometry[i] = append([]float64{}, f.Geometry[start:end]...)
		start = int(end)
	}
	if start != len(f.Geometry) {
		return nil, fmt.Errorf("%d numbers behind the last ring", len(f.Geometry)-start)
	}
	return out, nil
}

// Bytes returns the feature with one byte string per ring.
func (f *FlatFeature) Bytes() *BytesFeature {
	out := &BytesFeature{Properties: f.Properties, Geometry: make([][]byte, len(f.Geometry))}
	for i, ring := range f.Geometry {
		b := make([]byte, 0, 8*len(ring))
		for _, x := range ring {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
		out.Geometry[i] = b
	}
	return out
}

// Flatten is the way back from [FlatFeature.Bytes].
func (f *BytesFeature) Flatten() (*FlatFeature, error) {
	out := &FlatFeature{Properties: f.Properties, Geometry: make([][]float64, len(f.Geometry))}
	for i, b := range f.Geometry {
		if len(b)%8 != 0 {
			return nil, fmt.Errorf("ring %d has %d bytes, no whole number of doubles", i, len(b))
		}
		ring := make([]float64, len(b)/8)
		for k := range ring {
			ring[k] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*k:]))
		}
		out.Geometry[i] = ring
	}
	return out, nil
}

// Map returns the feature as a generic value.
func (f *Feature) Map() map[string]any {
	polygons := make([]any, len(f.Geometry.Coordinates))
	for i, polygon := range f.Geometry.Coordinates {
		rings := make([]any, len(polygon))
		for j, ring := range polygon {
			positions := make([]any, len(ring))
			for k, p := range ring {
				positions[k] = []any{p[0], p[1]}
			}
			rings[j] = positions
		}
		polygons[i] = rings
	}
	return map[string]any{
		"type": f.Type, "properties": f.Properties,
		"geometry": map[string]any{"type": f.Geometry.Type, "coordinates": polygons},
	}
}

// Map returns the feature as a generic value: its arrays are of any.
func (f *FlatFeature) Map() map[string]any {
	rings := make([]any, len(f.Geometry))
	for i, ring := range f.Geometry {
		rings[i] = list(ring)
	}
	return map[string]any{"properties": f.Properties, "geometry": rings}
}

// Map returns the feature as a generic value that holds a []float64, which no
// decoder of a generic value gives back.
func (f *PackedFeature) Map() map[string]any {
	return map[string]any{"properties": f.Properties, "geometry": f.Geometry, "ends": list(f.Ends)}
}

// Map returns the feature as a generic value that holds byte strings.
func (f *BytesFeature) Map() map[string]any {
	return map[string]any{"properties": f.Properties, "geometry": list(f.Geometry)}
}
