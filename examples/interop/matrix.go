package main

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/serbench/serbench"
)

// Outcomes of one message.
const (
	exact       = "exact"
	normalised  = "normalised"
	lossy       = "lossy"
	failed      = "error"
	panicked    = "panic"
	unsupported = "unsupported" // by the reader
)

// outcomes in the order of the cells.
var outcomes = []string{exact, normalised, lossy, failed, panicked, unsupported}

// A matrix is the codecs of one format, each of which reads all others.
type matrix struct {
	format string
	codecs []serbench.Codec
	inputs []serbench.Payload
	cells  [][][]outcome // [writer][reader][input]; "" where the writer has no message
}

type outcome struct{ what, why string }

func matrices(codecs []serbench.Codec, inputs []serbench.Payload) []matrix {
	var out []matrix
	for _, c := range codecs {
		format := c.(serbench.Describer).Describe().Format
		i := slices.IndexFunc(out, func(m matrix) bool { return m.format == format })
		if i < 0 {
			out = append(out, matrix{format: format, inputs: inputs})
			i = len(out) - 1
		}
		out[i].codecs = append(out[i].codecs, c)
	}
	out = slices.DeleteFunc(out, func(m matrix) bool { return len(m.codecs) < 2 })
	for i := range out {
		out[i].fill()
	}
	return out
}

func (m *matrix) fill() {
	m.cells = make([][][]outcome, len(m.codecs))
	for w, writer := range m.codecs {
		m.cells[w] = make([][]outcome, len(m.codecs))
		for r := range m.codecs {
			m.cells[w][r] = make([]outcome, len(m.inputs))
		}
		for i, p := range m.inputs {
			for turn := range turns {
				values, err := p.Values()
				if err != nil {
					continue
				}
				msg, err := writer.Marshal(values[0])
				if err != nil {
					continue
				}
				msg = bytes.Clone(msg)
				for r, reader := range m.codecs {
					o := read(reader, p, values[0], msg)
					if writer.Name() == "protojson" {
						o.why = "" // it varies its white space from build to build
					}
					cell := &m.cells[w][r][i]
					if turn > 0 && cell.why != o.why {
						o.why = "" // it depends on the order of keys, for one
					}
					if turn == 0 || rank(o) >= rank(*cell) {
						*cell = o
					}
				}
			}
		}
	}
}

// turns are how often each message is made: what differs from turn to turn is
// left out of the document, the worst outcome counts.
const turns = 4

// read decodes a message of another codec.
func read(c serbench.Codec, p serbench.Payload, want any, msg []byte) (o outcome) {
	defer func() {
		if r := recover(); r != nil {
			o = outcome{panicked, fmt.Sprint(r)}
		}
	}()
	if s, ok := c.(serbench.Supporter); ok {
		if err := s.Supports(want); err != nil {
			return outcome{what: unsupported}
		}
	}
	got := p.New()
	if err := c.Unmarshal(bytes.Clone(msg), got); errors.Is(err, errors.ErrUnsupported) {
		return outcome{what: unsupported}
	} else if err != nil {
		return outcome{failed, short(err.Error())}
	}
	f := p.Compare(want, got)
	o.what = string(f.Class)
	for _, d := range f.Differences {
		if !d.Normalised || f.Class == serbench.Normalised {
			o.why = short(fmt.Sprintf("%s %s (%s -> %s)", d.Path, d.Kind, d.Want, d.Got))
			if d.Kind == "own-equality" { // protobuf's text differs from build to build, on purpose
				o.why = d.Kind
			}
			break
		}
	}
	return o
}

var (
	addresses = regexp.MustCompile(`0x[0-9a-f]{6,}`)
	quoted    = regexp.MustCompile(`"[^"]{24,}"?`)
)

// short cuts what errors quote of the message.
func short(s string) string {
	s = strings.ReplaceAll(s, "unable to ", "cannot ") // json v2 says it either way, at random
	s = quoted.ReplaceAllString(addresses.ReplaceAllString(s, "0x"), `"…"`)
	s = strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "?")
	if r := []rune(s); len(r) > 120 {
		s = string(r[:120]) + "…"
	}
	return s
}

// count is how often each outcome occurs with a writer and a reader.
func (m *matrix) count(w, r int) map[string]int {
	n := map[string]int{}
	for _, o := range m.cells[w][r] {
		if o.what != "" {
			n[o.what]++
		}
	}
	return n
}
