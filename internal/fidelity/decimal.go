package fidelity

import (
	"strconv"
	"strings"
)

// A decimalText is a decimal number as 0.digits × 10^exp, without zeros at the
// ends of digits; zero has none.
type decimalText struct {
	negative bool
	digits   string
	exp      int
}

// parseDecimal reads a number as in JSON, a little more freely: leading zeros,
// a plus sign and a missing digit on one side of the point are accepted. An
// exponent beyond a million is refused.
func parseDecimal(s string) (d decimalText, ok bool) {
	rest := s
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		d.negative = rest[0] == '-'
		rest = rest[1:]
	}
	mantissa := rest
	if i := strings.IndexAny(rest, "eE"); i >= 0 {
		mantissa = rest[:i]
		e, err := strconv.Atoi(rest[i+1:])
		if err != nil || e > 1e6 || e < -1e6 {
			return d, false
		}
		d.exp = e
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := whole + fraction
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return d, false
	}
	d.exp += len(whole)
	trimmed := strings.TrimLeft(digits, "0")
	d.exp -= len(digits) - len(trimmed)
	d.digits = strings.TrimRight(trimmed, "0")
	if d.digits == "" {
		d.exp = 0
	}
	return d, true
}

// equalDecimals compares two numbers, at least one of which is text. A float
// stands for its shortest decimal form: 0.1 equals the text 0.1.
func equalDecimals(a, b number) bool {
	x, ok1 := decimalOf(a)
	y, ok2 := decimalOf(b)
	return ok1 && ok2 && x == y
}

func decimalOf(n number) (decimalText, bool) {
	switch n.class {
	case signed:
		return parseDecimal(strconv.FormatInt(n.i, 10))
	case unsigned:
		return parseDecimal(strconv.FormatUint(n.u, 10))
	case decimal:
		return parseDecimal(n.text)
	}
	bits := 64
	if n.value.IsValid() {
		bits = n.value.Type().Bits()
	}
	return parseDecimal(strconv.FormatFloat(n.f, 'e', -1, bits)) // refuses NaN and infinities
}
