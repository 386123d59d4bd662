package fidelity

import "strings"

// Difference is one place where two values differ.
type Difference struct {
	// Path leads to the place: ".owner.tags[3]", with the names of json tags,
	// else of fields. Odd names and keys are quoted: ["a b"]. It is empty for
	// the value itself and cut in the middle beyond about 200 bytes.
	Path string
	Kind Kind
	// Want and Got show the two values in at most about 200 bytes of valid
	// UTF-8 each; a longer value is cut, around the first difference if it is
	// a string, and its length stated.
	Want, Got string
	// Normalised: nothing is lost. It is Kind.Normalised().
	Normalised bool
}

// String returns the difference as a line for people:
//
//	.created_at: nanoseconds lost (…789 -> …000)
//	.tags: empty -> nil (normalised)
//	.id: precision lost (int64 9007199254740993 -> float64 9007199254740992)
func (d Difference) String() string {
	var b strings.Builder
	if d.Path == "" {
		b.WriteByte('.')
	}
	b.WriteString(d.Path)
	b.WriteString(": ")
	want, got := d.Want, d.Got
	if d.Kind == TimeNanoseconds {
		want, got = tailOfFraction(want, got)
	}
	change := want + " -> " + got
	switch phrase := d.Kind.Phrase(); {
	case phrase == "":
		b.WriteString(change)
	case want == "" && got == "":
		b.WriteString(phrase)
	default:
		b.WriteString(phrase + " (" + change + ")")
	}
	if d.Normalised {
		b.WriteString(" (normalised)")
	}
	return b.String()
}

// tailOfFraction cuts two times that end in nine decimals and Z to the groups
// of three decimals from the first that differs.
func tailOfFraction(want, got string) (string, string) {
	const tail = len("123456789Z")
	n := len(want) - tail
	if len(want) != len(got) || n < 0 || want[:n] != got[:n] {
		return want, got
	}
	a, b := want[n:n+9], got[n:n+9]
	for len(a) > 3 && a[:3] == b[:3] {
		a, b = a[3:], b[3:]
	}
	return "…" + a, "…" + b
}
