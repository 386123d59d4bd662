package payloadspb

import (
	"fmt"
	"maps"
	"slices"

	"github.com/serbench/serbench/examples/payloads"
)

// FromTestMessage sets to from from.
func FromTestMessage(to *TestMessage, from *payloads.TestMessage) error {
	sub := func(m *payloads.TestMessage2) *TestMessage2 {
		if m == nil {
			return nil
		}
		return &TestMessage2{Foo: m.Foo}
	}
	to.OptionalInt32, to.OptionalInt64 = from.OptionalInt32, from.OptionalInt64
	to.OptionalUint32, to.OptionalUint64 = from.OptionalUint32, from.OptionalUint64
	to.OptionalBool, to.OptionalFloat, to.OptionalDouble = from.OptionalBool, from.OptionalFloat, from.OptionalDouble
	to.OptionalString, to.OptionalBytes, to.OptionalMsg = from.OptionalString, from.OptionalBytes, sub(from.OptionalMsg)
	to.RepeatedInt32, to.RepeatedInt64 = from.RepeatedInt32, from.RepeatedInt64
	to.RepeatedUint32, to.RepeatedUint64 = from.RepeatedUint32, from.RepeatedUint64
	to.RepeatedBool, to.RepeatedFloat, to.RepeatedDouble = from.RepeatedBool, from.RepeatedFloat, from.RepeatedDouble
	to.RepeatedString, to.RepeatedBytes = from.RepeatedString, from.RepeatedBytes
	to.RepeatedMsg = nil
	for i := range from.RepeatedMsg {
		to.RepeatedMsg = append(to.RepeatedMsg, sub(&from.RepeatedMsg[i]))
	}
	return nil
}

// FromFat sets to from from.
func FromFat(to *Fat, from *payloads.Fat) error {
	pair := func(p payloads.FatPair) *FatPair { return &FatPair{Foo: p.Foo, Ooooooooooooooooiaodi: p.Long} }
	to.Bar = make([]uint32, len(from.Bar))
	for i, n := range from.Bar {
		to.Bar[i] = uint32(n)
		if uint(to.Bar[i]) != n {
			return fmt.Errorf("bar[%d]: %d is no uint32", i, n)
		}
	}
	to.Baz, to.B1Z, to.B2Z = pair(from.Baz), pair(from.B1z), pair(from.B2z)
	to.B3Z, to.B4Z, to.C5Z = pair(from.B3z), pair(from.B4z), pair(from.C5z)
	to.Me = from.Me
	return nil
}

// FromPodcasts sets to from from.
func FromPodcasts(to *Podcasts, from *payloads.Podcasts) error {
	to.Podcasts = make([]*Podcast, len(*from))
	for i, p := range *from {
		to.Podcasts[i] = &Podcast{Id: p.ID, Author: p.Author, CreatedAt: p.CreatedAt, Description: p.Description,
			Image: p.Image, Keywords: p.Keywords, Language: p.Language, Permalink: p.Permalink, Published: p.Published,
			Title: p.Title, UpdatedAt: p.UpdatedAt, Url: p.URL}
	}
	return nil
}

// properties in the order of their names.
func properties(from map[string]any) ([]*Property, error) {
	var out []*Property
	for _, name := range slices.Sorted(maps.Keys(from)) {
		p := &Property{Name: name}
		switch v := from[name].(type) {
		case nil:
		case string:
			p.Value = &Property_Text{v}
		case int64:
			p.Value = &Property_Integer{v}
		case uint64:
			if v > 1<<63-1 {
				return nil, fmt.Errorf("property %s: %d is no int64", name, v)
			}
			p.Value = &Property_Integer{int64(v)}
		case float64:
			p.Value = &Property_Number{v}
		default:
			return nil, fmt.Errorf("property %s: there is no place for a %T", name, v)
		}
		out = append(out, p)
	}
	return out, nil
}

// FromFeature sets to from from.
func FromFeature(to *Feature, from *payloads.Feature) (err error) {
	to.Type = from.Type
	to.Geometry = &MultiPolygon{Type: from.Geometry.Type, Polygons: make([]*Polygon, len(from.Geometry.Coordinates))}
	for i, polygon := range from.Geometry.Coordinates {
		p := &Polygon{Rings: make([]*Ring, len(polygon))}
		for j, ring := range polygon {
			r := &Ring{Positions: make([]*Position, len(ring))}
			for k, at := range ring {
				r.Positions[k] = &Position{Longitude: at[0], Latitude: at[1]}
			}
			p.Rings[j] = r
		}
		to.Geometry.Polygons[i] = p
	}
	to.Properties, err = properties(from.Properties)
	return err
}

// FromFlatFeature sets to from from.
func FromFlatFeature(to *FlatFeature, from *payloads.FlatFeature) (err error) {
	to.Geometry = make([]*FlatRing, len(from.Geometry))
	for i, ring := range from.Geometry {
		to.Geometry[i] = &FlatRing{Numbers: ring}
	}
	to.Properties, err = properties(from.Properties)
	return err
}

// FromPackedFeature sets to from from.
func FromPackedFeature(to *PackedFeature, from *payloads.PackedFeature) (err error) {
	to.Geometry, to.Ends = from.Geometry, from.Ends
	to.Properties, err = properties(from.Properties)
	return err
}

// FromBytesFeature sets to from from.
func FromBytesFeature(to *BytesFeature, from *payloads.BytesFeature) (err error) {
	to.Geometry = from.Geometry
	to.Properties, err = properties(from.Properties)
	return err
}
