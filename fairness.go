package serbench

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/serbench/serbench/internal/guard"
)

// Codes of the warnings that say, before anything is timed, that a figure is
// not what it seems.
const (
	// WarnHijacked: a type of the payload has a method that this codec calls
	// instead of encoding the fields, as easyjson generates by default.
	WarnHijacked = "hijacking-method"
	// WarnPromoted: a struct has such a method, or a generated one, only from
	// a field embedded in it; its other fields are lost.
	WarnPromoted = "promoted-method"
	// WarnInvalidJSON: the codec says that its format is json, and what it
	// wrote is not (RFC 8259: well-formed, in UTF-8).
	WarnInvalidJSON = "invalid-json"
)

// suspect puts on the subject what its types would do to the figures.
func (s *subject) suspect() {
	info := infoOf(s.codec)
	findings := guard.Promoted(s.payload.typ)
	if info.Kind == KindReflect || info.Kind == "" {
		findings = append(findings, guard.Hijackers(s.payload.typ, info.Format)...)
	}
	for _, f := range findings {
		at := f.Type.String()
		if f.Path != "" {
			at += " (" + f.Path + ")"
		}
		w := Warning{Code: WarnHijacked,
			Message: fmt.Sprintf("%s has a method %s, which such a codec calls instead of encoding the fields: the figures are partly that method's", at, f.Method),
			Advice:  "measure a type without it; easyjson leaves it out with -no_std_marshalers"}
		if f.Embedded != "" {
			w = Warning{Code: WarnPromoted,
				Message: fmt.Sprintf("%s has %s only from its embedded field %s, which knows nothing of the other fields", at, f.Method, f.Embedded),
				Advice:  "give the struct a method of its own, or the embedded field a name"}
		}
		s.warnings = append(s.warnings, w)
	}
}

// checkJSON looks at what a JSON codec wrote.
func (s *subject) checkJSON() {
	if infoOf(s.codec).Format != "json" {
		return
	}
	for i, msg := range s.messages {
		what := "is not well-formed JSON"
		switch {
		case len(msg) == 0:
			what = "is empty, which is not JSON"
		case !utf8.Valid(msg):
			what = "is not UTF-8, which JSON is"
		case json.Valid(msg):
			continue
		}
		s.warnings = append(s.warnings, Warning{Code: WarnInvalidJSON,
			Message: fmt.Sprintf("the message of value %d %s", i, what),
			Advice:  "other JSON decoders may refuse it"})
		return
	}
}

func infoOf(c Codec) Info {
	if d, ok := c.(Describer); ok {
		return d.Describe()
	}
	return Info{}
}
