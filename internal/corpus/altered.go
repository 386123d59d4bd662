package corpus

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Altered counts what encoding/json alters without an error when it reads text
// into generic values.
type Altered struct {
	Rounded    Count // numbers with digits that float64 does not hold
	Duplicates Count // keys that stand in their object before; the last value wins
	Invalid    Count // strings with bytes or escapes that are no Unicode text: U+FFFD

	// Integers says that whole numbers become an int64 or uint64 if they fit.
	Integers bool

	raw  []byte
	at   int
	keys []map[string]struct{} // of the objects that are open, reused
}

// Count of places, and what the first looks like.
type Count struct {
	N     int64
	First Position
	Text  string
}

func (c *Count) add(pos Position, before []byte, text string) {
	if c.N++; c.N == 1 {
		if len(text) > 40 {
			text = text[:37] + "..."
		}
		c.First, c.Text = pos.After(before), text
	}
}

// Scan looks through one valid JSON text that begins at pos.
func (a *Altered) Scan(raw []byte, pos Position) {
	a.raw, a.at = raw, 0
	var open []bool // objects and arrays; true: object
	key := false    // a string that comes now is a key
	depth := 0      // objects that are open
	for a.at < len(raw) {
		switch c := raw[a.at]; c {
		case '{':
			open, key = append(open, true), true
			if depth == len(a.keys) {
				a.keys = append(a.keys, map[string]struct{}{})
			} else {
				clear(a.keys[depth])
			}
			depth++
		case '[':
			open, key = append(open, false), false
		case '}', ']':
			if c == '}' {
				depth--
			}
			open = open[:len(open)-1]
		case ',':
			key = len(open) > 0 && open[len(open)-1]
		case ':':
			key = false
		case '"':
			start := a.at
			text, bad := a.text()
			if bad {
				a.Invalid.add(pos, raw[:start], string(raw[start:a.at]))
			}
			if key {
				if _, seen := a.keys[depth-1][text]; seen {
					a.Duplicates.add(pos, raw[:start], string(raw[start:a.at]))
				}
				a.keys[depth-1][text] = struct{}{}
			}
			continue
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			start := a.at
			for a.at < len(raw) && strings.IndexByte("+-.0123456789eE", raw[a.at]) >= 0 {
				a.at++
			}
			if n := string(raw[start:a.at]); !a.holds(n) {
				a.Rounded.add(pos, raw[:start], n)
			}
			continue
		}
		a.at++
	}
}

// text reads the string that begins here as encoding/json would.
func (a *Altered) text() (s string, bad bool) {
	start, escaped := a.at+1, false
	for a.at++; a.raw[a.at] != '"'; a.at++ {
		if a.raw[a.at] == '\\' {
			escaped = true
			if a.at++; a.raw[a.at] == 'u' {
				bad = a.surrogate() || bad
			}
		}
	}
	inside := a.raw[start:a.at]
	a.at++
	bad = bad || !utf8.Valid(inside)
	if !escaped && !bad {
		return string(inside), false
	}
	_ = json.Unmarshal(a.raw[start-1:a.at], &s) // valid, so says who calls
	return s, bad
}

// surrogate reads the digits of \u, and reports half of a pair.
func (a *Altered) surrogate() (alone bool) {
	r := a.hex(a.at + 1)
	a.at += 4
	if !utf16.IsSurrogate(r) {
		return false
	}
	if a.at+2 < len(a.raw) && a.raw[a.at+1] == '\\' && a.raw[a.at+2] == 'u' &&
		utf16.DecodeRune(r, a.hex(a.at+3)) != utf8.RuneError {
		a.at += 6
		return false
	}
	return true
}

func (a *Altered) hex(at int) rune {
	n, _ := strconv.ParseUint(string(a.raw[at:min(at+4, len(a.raw))]), 16, 32)
	return rune(n)
}

// holds reports whether the value that a number becomes gives the number's
// digits back.
func (a *Altered) holds(n string) bool {
	if len(n) <= 15 && !strings.ContainsAny(n, "eE") {
		return true
	}
	if a.Integers && !strings.ContainsAny(n, ".eE") {
		if _, err := strconv.ParseInt(n, 10, 64); err == nil {
			return true
		}
		if _, err := strconv.ParseUint(n, 10, 64); err == nil {
			return true
		}
	}
	f, err := strconv.ParseFloat(n, 64)
	if err != nil {
		return true // refused by who decodes
	}
	digits := significant(n)
	if digits == "" {
		return true // zero
	}
	return significant(strconv.FormatFloat(f, 'e', len(digits)-1, 64)) == digits
}

// significant are the digits of a number without zeros at either end.
func significant(n string) string {
	if i := strings.IndexAny(n, "eE"); i >= 0 {
		n = n[:i]
	}
	return strings.Trim(strings.ReplaceAll(strings.TrimPrefix(n, "-"), ".", ""), "0")
}
