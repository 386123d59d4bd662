package render

import (
	"math"
	"strconv"
	"strings"

	"github.com/serbench/serbench"
)

// none stands where there is no figure.
const none = "-"

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// significant writes v with the given number of significant digits, at most
// three decimals, and never an exponent.
func significant(v float64, digits int) string {
	if !finite(v) {
		return none
	}
	if v == 0 {
		return "0"
	}
	// The exponent after rounding: 9.9996 has the one of 10.00.
	e := strconv.FormatFloat(v, 'e', digits-1, 64)
	exponent, _ := strconv.Atoi(e[strings.IndexByte(e, 'e')+1:])
	s := strconv.FormatFloat(v, 'f', min(3, max(0, digits-1-exponent)), 64)
	if strings.Trim(s, "-0.") == "" {
		return "<0.001"
	}
	return s
}

type unit struct {
	name string
	size float64 // in the base unit
}

var (
	timeUnits = []unit{{"ns", 1}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}}
	sizeUnits = []unit{{"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}}
)

// fitting is the largest unit in which v is at least 1 once it is rounded to
// four digits.
func fitting(units []unit, v float64) unit {
	best := units[0]
	for _, u := range units {
		if math.Abs(v)/u.size >= 0.99995 {
			best = u
		}
	}
	return best
}

func in(u unit, v float64) string {
	if !finite(v) {
		return none
	}
	return significant(v/u.size, 4) + " " + u.name
}

// timeText writes a time, given in nanoseconds, in the unit that suits it.
func timeText(ns float64) string { return in(fitting(timeUnits, ns), ns) }

// columnUnit is the unit in which all times of a column are easiest to
// compare: the one that suits the smallest. ok is false if they are too far
// apart to share one.
func columnUnit(ns []float64) (u unit, ok bool) {
	smallest, largest := math.Inf(1), 0.0
	for _, v := range ns {
		if finite(v) && v > 0 {
			smallest, largest = min(smallest, v), max(largest, v)
		}
	}
	if largest == 0 {
		return timeUnits[0], true
	}
	u = fitting(timeUnits, smallest)
	return u, largest/u.size < 1e5
}

// timeColumn writes times so that they line up; nil has no figure.
func timeColumn(estimates []*serbench.Estimate) []string {
	var values []float64
	for _, e := range estimates {
		if e != nil {
			values = append(values, e.Value)
		}
	}
	u, shared := columnUnit(values)
	cells := make([]string, len(estimates))
	for i, e := range estimates {
		switch {
		case e == nil:
			cells[i] = none
		case shared:
			cells[i] = in(u, e.Value)
		default:
			cells[i] = timeText(e.Value)
		}
	}
	return alignPoints(cells)
}

// intervalText writes the interval of a time: as a share of the value while
// that says enough, else by its ends.
func intervalText(e *serbench.Estimate) string {
	if e == nil || e.Low == nil || e.High == nil || !finite(*e.Low) || !finite(*e.High) || !finite(e.Value) {
		return ""
	}
	off := max(e.Value-*e.Low, *e.High-e.Value)
	if e.Value > 0 && off >= 0 && off <= 0.1*e.Value {
		return "±" + strconv.FormatFloat(100*off/e.Value, 'f', 1, 64) + " %"
	}
	u := fitting(timeUnits, *e.High)
	return significant(*e.Low/u.size, 3) + ".." + significant(*e.High/u.size, 3) + " " + u.name
}

// ratioTexts writes a ratio and its ends with the same decimals: three below 2,
// where a difference of a per cent matters, else three digits.
func ratioTexts(ratio float64, ends ...float64) []string {
	decimals := 0
	switch a := math.Abs(ratio); {
	case a < 1.9995:
		decimals = 3
	case a < 9.995:
		decimals = 2
	case a < 99.95:
		decimals = 1
	}
	var texts []string
	for i, v := range append([]float64{ratio}, ends...) {
		switch {
		case !finite(v):
			texts = append(texts, none)
			continue
		case i > 0 && v > 9999: // an end that is far away says no more than that
			texts = append(texts, ">9999")
			continue
		case i > 0 && v > 0 && v < 0.0005:
			texts = append(texts, "<0.001")
			continue
		}
		texts = append(texts, strconv.FormatFloat(v, 'f', decimals, 64))
	}
	return texts
}

// sizeText writes a number of bytes, exactly below 10 KiB.
func sizeText(bytes float64) string {
	if math.Abs(bytes) < 10<<10 {
		return plainNumber(bytes) + " B"
	}
	u := fitting(sizeUnits, bytes)
	return plainNumber(bytes/u.size) + " " + u.name
}

// encodedText writes the sizes of a corpus: mean, and where they differ, the
// smallest and the largest.
func encodedText(e *serbench.EncodedSize) string {
	switch {
	case e == nil:
		return none
	case e.Min == e.Max:
		return sizeText(e.Mean)
	default:
		return sizeText(e.Mean) + " (" + strconv.Itoa(e.Min) + ".." + strconv.Itoa(e.Max) + ")"
	}
}

// countText writes a count per op; above a million it is a size, if it counts
// bytes, or has a decimal prefix.
func countText(e *serbench.Estimate, bytes bool) string {
	switch {
	case e == nil:
		return none
	case math.Abs(e.Value) < 1e6:
		return plainNumber(e.Value)
	case bytes:
		return in(fitting(sizeUnits, e.Value), e.Value)
	default:
		return in(fitting([]unit{{"M", 1e6}, {"G", 1e9}, {"T", 1e12}}, e.Value), e.Value)
	}
}

// plainNumber writes whole numbers in full and others with four digits.
func plainNumber(v float64) string {
	if r := math.Round(v); math.Abs(v-r) < 1e-9*max(1, math.Abs(v)) {
		return strconv.FormatFloat(r+0, 'f', 0, 64) // +0: no "-0"
	}
	s := significant(v, 4)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// alignPoints pads numbers, with or without a unit, so that once they stand
// flush right their decimal points stand below each other.
func alignPoints(cells []string) []string {
	decimals, units := 0, 0
	for _, c := range cells {
		number, u, _ := strings.Cut(c, " ")
		if _, frac, ok := strings.Cut(number, "."); ok {
			decimals = max(decimals, 1+len(frac))
		}
		units = max(units, width(u))
	}
	aligned := make([]string, len(cells))
	for i, c := range cells {
		number, u, _ := strings.Cut(c, " ")
		if c == "" || c == none {
			aligned[i] = c
			continue
		}
		_, frac, hasPoint := strings.Cut(number, ".")
		used := len(frac)
		if hasPoint {
			used++
		}
		if units > 0 {
			u = " " + padRight(u, units)
		}
		aligned[i] = number + spaces(decimals-used) + u
	}
	return aligned
}
