package serbench

import (
	"strings"
)

// Error says where in a run something went wrong. Fields that do not apply
// are empty. Use errors.As to reach it and errors.Is for the cause.
type Error struct {
	Codec   string
	Payload string
	Form    string
	Op      Op
	Err     error
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("serbench: ")
	for _, p := range []struct{ label, name string }{
		{"codec ", e.Codec}, {"payload ", e.Payload}, {"form ", e.Form}, {"op ", string(e.Op)},
	} {
		if p.name != "" {
			b.WriteString(p.label + quoteIfOdd(p.name) + ": ")
		}
	}
	if e.Err != nil {
		b.WriteString(e.Err.Error())
	} else {
		b.WriteString("unknown error")
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
