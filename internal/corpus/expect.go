package corpus

import "strings"

// expectations turn what encoding/json says it was doing into what it was
// looking for.
var expectations = []struct{ said, expected string }{
	{"looking for beginning of value", "a value"},
	{"looking for beginning of object key string", `a key in double quotes`},
	{"after object key:value pair", `',' or '}' behind a member of the object`},
	{"after object key", `':' behind a key`},
	{"after array element", `',' or ']' behind an element of the array`},
	{"in string escape code", `one of "\/bfnrtu behind a backslash`},
	{`in \u hexadecimal character escape`, `four hexadecimal digits behind \u`},
	{"in string literal", "control characters in a string to be escaped"},
	{"after decimal point in numeric literal", "a digit behind the decimal point"},
	{"in exponent of numeric literal", "a digit in the exponent"},
	{"in numeric literal", "a digit"},
	{"in literal true", "true"},
	{"in literal false", "false"},
	{"in literal null", "null"},
	{"after top-level value", "the end of the value"},
	{"unexpected end of JSON input", "the rest of the value"},
}

func expectation(said string) string {
	for _, e := range expectations {
		if strings.Contains(said, e.said) {
			return e.expected
		}
	}
	return "valid JSON (" + said + ")"
}
