package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/examples/payloads/zoo"
	"github.com/serbench/serbench/examples/payloads/zoo/zoopb"
)

// Marks of the table.
const (
	markExact       = "·"
	markNormalised  = "n"
	markChanged     = "c"
	markNoEncode    = "E"
	markNoDecode    = "D"
	markUnsupported = "-"
)

// outcome is what a codec does to a case.
type outcome struct {
	mark string
	note string // what changed, or the error
}

// column is a codec, and those of the same library and format that do the
// same to every case.
type column struct {
	names    []string
	infos    []serbench.Info
	outcomes []outcome // one per case
}

// special reports whether a codec is for other types than most of the cases.
func (c column) special() bool {
	n := 0
	for _, o := range c.outcomes {
		if o.mark == markUnsupported {
			n++
		}
	}
	return n > len(c.outcomes)/2
}

func matrix(codecs []serbench.Codec, cases []zoo.Case) []column {
	var columns []column
	for _, c := range codecs {
		var info serbench.Info
		if d, ok := c.(serbench.Describer); ok {
			info = d.Describe()
		}
		col := column{names: []string{c.Name()}, infos: []serbench.Info{info}}
		for _, k := range cases {
			o := outcome{mark: markUnsupported} // no place in the schema, which the document says once
			if with := forCase(c, k); with != nil {
				o = try(with, k.Payload)
			}
			col.outcomes = append(col.outcomes, o)
		}
		twin := slices.IndexFunc(columns, func(o column) bool {
			return o.infos[0].Library == info.Library && o.infos[0].Format == info.Format && slices.Equal(o.outcomes, col.outcomes)
		})
		if twin >= 0 {
			columns[twin].names = append(columns[twin].names, c.Name())
			columns[twin].infos = append(columns[twin].infos, info)
			continue
		}
		columns = append(columns, col)
	}
	return columns
}

// forCase returns the codec that takes the case's type: c itself, or, if it
// only knows messages, c behind the conversion, or nil.
func forCase(c serbench.Codec, k zoo.Case) serbench.Codec {
	if !messagesOnly(c) {
		return c
	}
	return zoopb.Convert(c, k.Payload.Type())
}

// messagesOnly reports whether a codec encodes nothing but messages.
func messagesOnly(c serbench.Codec) bool {
	return slices.Contains([]string{"protobuf", "protojson", "vtprotobuf"}, c.Name())
}

// try encodes and decodes each value of the payload, as the check before a
// timing does.
func try(c serbench.Codec, p serbench.Payload) outcome {
	values, err := p.Values()
	if err != nil {
		return outcome{markNoEncode, clean(err.Error())}
	}
	for _, v := range values {
		if s, ok := c.(serbench.Supporter); ok {
			if err := s.Supports(v); err != nil {
				return refused(err, markNoEncode)
			}
		}
		data, err := c.Marshal(v)
		if err != nil {
			return refused(err, markNoEncode)
		}
		got := p.New()
		if err := c.Unmarshal(data, got); err != nil {
			return refused(err, markNoDecode)
		}
		f := p.Compare(v, got)
		if f.Class == serbench.Exact {
			continue
		}
		mark := markChanged
		if f.Class == serbench.Normalised {
			mark = markNormalised
		}
		return outcome{mark, differences(f)}
	}
	return outcome{mark: markExact}
}

func refused(err error, mark string) outcome {
	if errors.Is(err, errors.ErrUnsupported) {
		mark = markUnsupported
	}
	return outcome{mark, clean(err.Error())}
}

func differences(f serbench.Fidelity) string {
	var parts []string
	for _, d := range f.Differences {
		if len(parts) == 2 {
			parts = append(parts, fmt.Sprintf("and %d more", f.Total-2))
			break
		}
		parts = append(parts, clean(fmt.Sprintf("%s: %s, %s → %s", d.Path, d.Kind, d.Want, d.Got)))
	}
	return strings.Join(parts, "; ")
}

var unregistered = regexp.MustCompile(`holds a \S+( \{\})? in an interface`)

// clean makes one short line of a text. Some libraries word their errors at
// random, so that nobody compares them: with a no-break space (protobuf), or
// with "unable to" for "cannot" (jsonv2). Which of two unregistered types gob
// meets first in a map is chance too.
func clean(s string) string {
	s = strings.NewReplacer("\u00a0", " ", "unable to", "cannot").Replace(s)
	s = unregistered.ReplaceAllString(s, "holds an unregistered type in an interface")
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 160 {
		s = string(r[:157]) + "..."
	}
	return s
}
