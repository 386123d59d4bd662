package payloads

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// ringLengths are the numbers of positions of the original's 127 rings.
var ringLengths = [127]int{
	15, 17, 9, 7, 9, 7, 8, 7, 8, 14, 12, 6, 8, 61, 40, 125, 1618, 37, 16, 19, 23, 29, 44, 30, 18, 27, 24, 10, 13, 12, 11, 10,
	12, 11, 23, 11, 8, 22, 17, 13, 9, 13, 7, 11, 13, 9, 9, 7, 11, 20, 8, 12, 10, 61, 54, 53, 103, 33, 50, 38, 66, 20, 24, 21,
	21, 8, 14, 17, 27, 14, 24, 28, 15, 12, 10, 1990, 53, 13, 9, 8, 9, 9, 6, 13, 5, 7, 8, 6, 11, 11, 9, 11, 8, 7, 9, 7, 8, 9,
	8, 10, 13, 14, 10, 31, 7, 5, 8, 7, 9, 7, 5, 7, 6, 7, 8, 7, 6, 7, 7, 10, 7, 9, 8, 12, 10, 11, 8,
}

// digits says how many numbers of one kind have how many digits behind the
// point: byFraction[n] of n digits.
type digits struct {
	sign       string
	low, high  int // of the part before the point
	byFraction []int
}

// The distribution of digits in the original: it decides what a text format
// costs.
func longitudeDigits() []digits {
	return []digits{
		{"-", 100, 165, []int{0, 0, 1, 2, 9, 15, 35, 47, 116, 244, 545, 967, 1703, 0, 176, 0}},
		{"-", 66, 99, []int{0, 1, 2, 1, 1, 6, 18, 29, 56, 101, 137, 308, 455, 0, 709, 0}},
		{"", 172, 179, []int{0, 0, 0, 1, 0, 0, 2, 0, 2, 3, 8, 12, 0, 0, 41, 0}},
	}
}

func latitudeDigits() []digits {
	return []digits{{"", 18, 71, []int{0, 5, 6, 4, 10, 28, 51, 92, 217, 340, 505, 991, 1867, 7, 90, 1540}}}
}

// GeoValue returns the feature: as many polygons, positions and digits as the
// original, with coordinates of no country. It is the same at each call.
func GeoValue() *Feature {
	g := geoGen{textGen{rand.New(rand.NewPCG(127, 5753))}}
	f := &Feature{Type: "Feature", Properties: g.properties(), Geometry: MultiPolygon{Type: "MultiPolygon"}}
	f.Geometry.Coordinates = make([][][][2]float64, len(ringLengths))
	lon, lat := longitudeDigits(), latitudeDigits()
	// A ring ends where it starts, so its first position is there twice.
	for i, n := range ringLengths {
		ring := make([][2]float64, n)
		ring[0] = [2]float64{g.number(lon, 2), g.number(lat, 2)}
		ring[n-1] = ring[0]
		f.Geometry.Coordinates[i] = [][][2]float64{ring}
	}
	for i := range f.Geometry.Coordinates {
		ring := f.Geometry.Coordinates[i][0]
		for k := 1; k < len(ring)-1; k++ {
			ring[k] = [2]float64{g.number(lon, 1), g.number(lat, 1)}
		}
	}
	return f
}

type geoGen struct{ textGen }

// number draws one of the numbers that are left, of a kind of which there are
// times or more, and takes it off as often.
func (g geoGen) number(kinds []digits, times int) float64 {
	left := 0
	for _, k := range kinds {
		for _, n := range k.byFraction {
			if n >= times {
				left += n
			}
		}
	}
	at := g.IntN(left)
	for _, k := range kinds {
		for fraction, n := range k.byFraction {
			if n < times {
				continue
			}
			if at -= n; at < 0 {
				k.byFraction[fraction] -= times
				return g.withDigits(k, fraction)
			}
		}
	}
	panic("payloads: no digits are left") // the tables have as many as the rings
}

// withDigits returns a number whose shortest decimal form has the given
// digits. Not every text of 17 digits is the shortest for its number.
func (g geoGen) withDigits(d digits, fraction int) float64 {
	for {
		var b strings.Builder
		fmt.Fprintf(&b, "%s%d.", d.sign, d.low+g.IntN(d.high-d.low+1))
		for i := range fraction {
			least := 0
			if i == fraction-1 {
				least = 1
			}
			b.WriteByte(byte('0' + least + g.IntN(10-least)))
		}
		x, err := strconv.ParseFloat(b.String(), 64)
		if err == nil && strconv.FormatFloat(x, 'f', -1, 64) == b.String() {
			return x
		}
	}
}

// properties are 169, as in the original: 100 strings, 38 nulls, 27 integers
// and 4 other numbers, of the same lengths in sum.
func (g geoGen) properties() map[string]any {
	var values []any
	for _, s := range []struct{ count, length int }{{40, 3}, {24, 14}, {30, 15}, {6, 40}} {
		for range s.count {
			values = append(values, g.words(s.length))
		}
	}
	values = append(values, make([]any, 38)...)
	for _, n := range []int64{5, 2, 1, 2, 0, 0, 0, 4, 5, 1, 1, 314159265, 17, 2019, 27182818, 2019, 16180339, 16180339,
		-99, -99, 24, 13, 6, -99, 1, 0, 1414213562} {
		if n < 0 {
			values = append(values, n)
		} else {
			values = append(values, uint64(n))
		}
	}
	values = append(values, 1.7, 5.7, -97.123456, 39.654321)
	g.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
	props := make(map[string]any, len(values))
	for i, v := range values {
		name := "prop_"
		if i < 43 {
			name = "group_"
		}
		props[fmt.Sprintf("%s%03d", name, i+1)] = v
	}
	return props
}
