package fidelity

import (
	"reflect"
	"strings"
	"unicode/utf8"
)

// strings compares two strings, of one type or of two.
func (w *walker) strings(a, b reflect.Value) {
	x, y := a.String(), b.String()
	if x == y {
		return
	}
	if a.Type() == b.Type() {
		m, ok1 := numberOf(a)
		n, ok2 := numberOf(b)
		if ok1 && ok2 {
			w.numberTexts(m, n)
			return
		}
	}
	if w.wantsLoss() {
		k := StringValue
		if isRepaired(x, y) {
			k = StringInvalidUTF8
		}
		want, got := describeStrings(x, y)
		w.add(k, want, got)
	}
}

// numberTexts compares two different texts of one number type.
func (w *walker) numberTexts(a, b number) {
	switch {
	case equalNumbers(a, b):
		w.reportValues(NumberKind, a.value, b.value)
	case w.wantsLoss():
		w.add(lossOf(a, b), describe(a.value), describe(b.value))
	}
}

// isRepaired reports whether got is want with the bytes that are not UTF-8
// replaced, singly or in runs, or dropped.
func isRepaired(want, got string) bool {
	if utf8.ValidString(want) {
		return false
	}
	return repair(want) == repair(got) || strings.ToValidUTF8(want, "") == got ||
		strings.ToValidUTF8(want, "?") == got || eachReplaced(want, '?') == got
}

// repair replaces each run of invalid bytes and replacement characters with
// one such character.
func repair(s string) string {
	var b strings.Builder
	last := false
	for _, r := range s {
		bad := r == utf8.RuneError
		if !bad || !last {
			b.WriteRune(r)
		}
		last = bad
	}
	return b.String()
}

func eachReplaced(s string, by rune) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError {
			return by
		}
		return r
	}, s)
}
