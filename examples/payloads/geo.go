package payloads

//go:generate go tool msgp -file geo.go -o geo_msgp.go -tests=false -d "tag json" -v
//go:generate go tool easyjson -all -no_std_marshalers -output_filename geo_easyjson.go geo.go

// Feature is the document with many numbers of the fourth seed, as GeoJSON has
// it: the outline of a country in 127 polygons of one ring each, 5,753
// positions. 205,637 bytes as JSON, 112,652 as MessagePack.
type Feature struct {
	Type       string         `json:"type"`
	Properties map[string]any `json:"properties"`
	Geometry   MultiPolygon   `json:"geometry"`
}

// MultiPolygon has its positions by polygon and ring: longitude and latitude
// in degrees.
type MultiPolygon struct {
	Type        string           `json:"type"`
	Coordinates [][][][2]float64 `json:"coordinates"`
}

// FlatFeature has one flat array per ring: longitude, latitude, longitude, and
// so on.
type FlatFeature struct {
	Properties map[string]any `json:"properties"`
	Geometry   [][]float64    `json:"geometry"`
}

// PackedFeature has all numbers in one array, and the index at which each
// ring ends.
type PackedFeature struct {
	Properties map[string]any `json:"properties"`
	Geometry   []float64      `json:"geometry"`
	Ends       []uint32       `json:"ends"`
}

// BytesFeature has one byte string per ring: its numbers as IEEE 754 doubles,
// least significant byte first.
type BytesFeature struct {
	Properties map[string]any `json:"properties"`
	Geometry   [][]byte       `json:"geometry"`
}
