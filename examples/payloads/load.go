package payloads

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
)

// LoadPodcasts reads a file of the shape of Podcasts, such as the fourth
// seed's own. Errors name the file and the line.
func LoadPodcasts(file string) (*Podcasts, error) {
	var all Podcasts
	if err := loadJSON(file, &all); err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no entries: an array of podcasts is needed", file)
	}
	return &all, nil
}

// LoadGeo reads a GeoJSON file that holds a Feature with a MultiPolygon, such
// as the fourth seed's own. Integers in the properties become uint64, below
// zero int64, other numbers float64. Errors name the file and the line.
func LoadGeo(file string) (*Feature, error) {
	var raw struct {
		Type       string         `json:"type"`
		Properties map[string]any `json:"properties"`
		Geometry   struct {
			Type        string          `json:"type"`
			Coordinates [][][][]float64 `json:"coordinates"`
		} `json:"geometry"`
	}
	if err := loadJSON(file, &raw); err != nil {
		return nil, err
	}
	if raw.Type != "Feature" || raw.Geometry.Type != "MultiPolygon" {
		return nil, fmt.Errorf("%s: a GeoJSON Feature with a MultiPolygon is needed; found %q with %q", file, raw.Type, raw.Geometry.Type)
	}
	f := &Feature{Type: raw.Type, Properties: map[string]any{}, Geometry: MultiPolygon{Type: raw.Geometry.Type}}
	for key, v := range raw.Properties {
		plain, err := plainNumbers(v)
		if err != nil {
			return nil, fmt.Errorf("%s: properties.%s: %w", file, key, err)
		}
		f.Properties[key] = plain
	}
	f.Geometry.Coordinates = make([][][][2]float64, len(raw.Geometry.Coordinates))
	for i, polygon := range raw.Geometry.Coordinates {
		f.Geometry.Coordinates[i] = make([][][2]float64, len(polygon))
		for j, ring := range polygon {
			positions := make([][2]float64, len(ring))
			for k, p := range ring {
				if len(p) != 2 {
					return nil, fmt.Errorf("%s: geometry.coordinates[%d][%d][%d] has %d numbers, not a longitude and a latitude", file, i, j, k, len(p))
				}
				positions[k] = [2]float64{p[0], p[1]}
			}
			f.Geometry.Coordinates[i][j] = positions
		}
	}
	return f, nil
}

// loadJSON reads the one document in the file into v.
func loadJSON(file string, v any) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err // names the file
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	dec.DisallowUnknownFields()
	if len(bytes.TrimSpace(data)) == 0 {
		return fmt.Errorf("%s: the file is empty", file)
	}
	err = dec.Decode(v)
	offset := dec.InputOffset()
	if err == nil {
		if _, more := dec.Token(); more == io.EOF {
			return nil
		}
		err = errors.New("something follows the document")
	}
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		offset = syntax.Offset
	} else if kind := (*json.UnmarshalTypeError)(nil); errors.As(err, &kind) {
		offset = kind.Offset
	} else if errors.Is(err, io.ErrUnexpectedEOF) {
		offset, err = int64(len(data)), errors.New("the document is cut off")
	}
	before := string(data[:min(max(0, offset), int64(len(data)))])
	line := 1 + strings.Count(before, "\n")
	return fmt.Errorf("%s:%d:%d: %w", file, line, len(before)-strings.LastIndexByte(before, '\n'), err)
}

// plainNumbers puts Go's numbers in place of json.Number.
func plainNumbers(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		if n, err := strconv.ParseUint(v.String(), 10, 64); err == nil {
			return n, nil
		}
		if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil && n != 0 { // -0 is no integer
			return n, nil
		}
		x, err := v.Float64()
		if err != nil || math.IsInf(x, 0) {
			return nil, fmt.Errorf("%s is not within the range of float64", v)
		}
		return x, nil
	case []any:
		for i := range v {
			var err error
			if v[i], err = plainNumbers(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for key := range v {
			var err error
			if v[key], err = plainNumbers(v[key]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}
