package serbench

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/serbench/serbench/internal/corpus"
)

// LoadOptions say how recorded messages become a payload. The zero value works: 0
// is the default of each setting, negative means none where it says so.
type LoadOptions struct {
	// Source names where the messages come from, such as a file; it stands in
	// errors and in the report.
	Source string

	Layout  Layout  // of JSON text; default: found out
	Numbers Numbers // what JSON numbers become inside any; default float64

	// AllowUnknown lets JSON objects have members that a struct lacks; they
	// are dropped. Otherwise such a member is an error, because messages
	// would be measured as smaller than they are.
	AllowUnknown bool

	// MaxValues and MaxBytes (of encoded messages) bound what is kept in
	// memory; defaults 1,000 and 8 MiB. Negative: no bound. Of more messages
	// a uniform random sample is drawn, in the order of the input, by Seed;
	// the payload's entry in the report says so. All messages are read, and
	// JSON is checked, whether kept or not.
	MaxValues int
	MaxBytes  int64
	Seed      uint64

	// MaxMessage bounds a single message, in bytes; default 1 GiB. Negative:
	// no bound.
	MaxMessage int64

	// Kept, if set, is called with each message that is kept, in the order of
	// the input, before it is decoded: to look at what decoding does not tell.
	// It keeps no reference to data. index counts all messages from 0; offset
	// is in bytes, as if the messages stood behind each other, or where the
	// text of a JSON value begins.
	Kept func(data []byte, index, offset int64)
}

// Layout is how values lie in a JSON text.
type Layout int

const (
	// LayoutAuto takes an array of objects for LayoutArray, several values
	// behind each other for LayoutLines, all else for LayoutDocument.
	LayoutAuto Layout = iota
	// LayoutDocument is one value, of any kind.
	LayoutDocument
	// LayoutArray is an array, whose elements are the values.
	LayoutArray
	// LayoutLines is one value per line, NDJSON. Left to LayoutAuto, values
	// may also span lines, if the first one does.
	LayoutLines
)

// Numbers says what a JSON number becomes where the target is an any.
type Numbers int

const (
	// NumbersFloat64: always a float64, as encoding/json has it.
	NumbersFloat64 Numbers = iota
	// NumbersInt64: where it is written without fraction and exponent, an
	// int64 if it fits, a uint64 if that fits; else a float64.
	NumbersInt64
)

// LoadError says where input could not be read. Line and Column count from 1,
// Column in bytes; they are 0 for input that has no lines. Offset is in bytes
// from 0.
type LoadError struct {
	Source       string
	Value        int64 // index of the message, from 0
	Offset       int64
	Line, Column int
	Expected     string // what should have been there; may be empty
	Err          error
}

func (e *LoadError) Error() string {
	var b strings.Builder
	b.WriteString("serbench: load")
	if e.Source != "" {
		b.WriteString(" " + quoteIfOdd(e.Source))
	}
	if e.Line > 0 {
		fmt.Fprintf(&b, ": line %d, column %d", e.Line, e.Column)
		fmt.Fprintf(&b, " (byte %d)", e.Offset)
	} else {
		fmt.Fprintf(&b, ": byte %d", e.Offset)
	}
	fmt.Fprintf(&b, ", message %d", e.Value)
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *LoadError) Unwrap() error { return e.Err }

// LoadJSON reads JSON text from r to its end and makes a payload of its
// values: one document, the elements of an array, or NDJSON. r is read once,
// message by message. Values are decoded by encoding/json; in an any, a
// map[string]any and a []any, numbers become what l.Numbers says. An error in
// the text, or a value that does not fit T, is a [*LoadError].
//
// What encoding/json alters without an error in the values that are kept is a
// warning on the payload's entry in the report, with how often and where
// first: numbers of more digits than a float64 has (looked for where T is a
// generic type), keys that stand twice in an object, of which the last counts,
// and text that is not valid Unicode.
//
// Small corpora get fresh copies in each block of a run, large ones are kept;
// the report says which.
func LoadJSON[T any](name string, r io.Reader, l LoadOptions) (Payload, error) {
	sample, err := l.sampleJSON(r)
	if err != nil {
		return Payload{}, err
	}
	p, err := payloadOf(name, sample, l, func(data []byte, v *T) error { return l.decodeJSON(data, v) })
	if err == nil {
		p.warnings = append(p.warnings, l.altered(sample, isGeneric(new(T)))...)
	}
	return p, err
}

// LoadJSONAny is [LoadJSON] into map[string]any if all values are objects,
// which more codecs can hold, and else into any.
func LoadJSONAny(name string, r io.Reader, l LoadOptions) (Payload, error) {
	sample, err := l.sampleJSON(r)
	if err != nil {
		return Payload{}, err
	}
	p, err := payloadOfAny(name, sample, l, func(data []byte) (v any, err error) {
		err = l.decodeJSON(data, &v)
		return v, err
	})
	if err == nil {
		p.warnings = append(p.warnings, l.altered(sample, true)...)
	}
	return p, err
}

// LoadMessages makes a payload of messages in any format. next returns the
// next message, which is copied if it is kept, and io.EOF behind the last;
// decode sets *v, a zero value, to its content and keeps no reference to data.
func LoadMessages[T any](name string, next func() ([]byte, error), decode func(data []byte, v *T) error, l LoadOptions) (Payload, error) {
	sample, err := l.sampleMessages(next)
	if err != nil {
		return Payload{}, err
	}
	return payloadOf(name, sample, l, decode)
}

// LoadMessagesAny is [LoadMessages] into map[string]any if that is what decode
// gives for all messages, and else into any.
func LoadMessagesAny(name string, next func() ([]byte, error), decode func(data []byte) (any, error), l LoadOptions) (Payload, error) {
	sample, err := l.sampleMessages(next)
	if err != nil {
		return Payload{}, err
	}
	return payloadOfAny(name, sample, l, decode)
}

// Defaults of LoadOptions.
const (
	defaultMaxValues  = 1000
	defaultMaxBytes   = 8 << 20
	defaultMaxMessage = 1 << 30
	// freshBytes is the size of the corpora that are decoded anew for each
	// block.
	freshBytes = 32 << 10
)

func (l LoadOptions) newSample() *corpus.Sample {
	return corpus.NewSample(orDefault(l.MaxValues, defaultMaxValues), int64(orDefault(int(l.MaxBytes), defaultMaxBytes)), l.Seed)
}

func (l LoadOptions) sampleJSON(r io.Reader) (*corpus.Sample, error) {
	if l.Layout < LayoutAuto || l.Layout > LayoutLines || l.Numbers < NumbersFloat64 || l.Numbers > NumbersInt64 {
		return nil, fmt.Errorf("serbench: load %s: there is no layout %d or no numbers %d", quoteIfOdd(l.Source), l.Layout, l.Numbers)
	}
	sample := l.newSample()
	s := corpus.NewSplitter(r, corpus.Layout(l.Layout), int64(orDefault(int(l.MaxMessage), defaultMaxMessage)))
	for {
		raw, pos, err := s.Next()
		n, _ := sample.Seen()
		switch {
		case errors.Is(err, io.EOF) && n == 0:
			return nil, l.failed(n, pos, errNoValues)
		case errors.Is(err, io.EOF):
			return sample, nil
		case err != nil:
			return nil, l.failed(n, pos, err)
		}
		sample.Add(raw, pos)
	}
}

var errNoValues = errors.New("there are no values")

func (l LoadOptions) sampleMessages(next func() ([]byte, error)) (*corpus.Sample, error) {
	sample := l.newSample()
	most := int64(orDefault(int(l.MaxMessage), defaultMaxMessage))
	var pos corpus.Position
	for {
		data, err := next()
		n, size := sample.Seen()
		pos.Offset = size
		switch {
		case errors.Is(err, io.EOF) && n == 0:
			return nil, l.failed(n, pos, errNoValues)
		case err == io.EOF: //nolint:errorlint // a wrapped one is the error of a message that is cut
			return sample, nil
		case err == nil && most > 0 && int64(len(data)) > most:
			err = fmt.Errorf("the message has %d bytes, more than MaxMessage, %d", len(data), most)
		}
		if err != nil {
			return nil, l.failed(n, pos, err)
		}
		sample.Add(data, pos)
	}
}

// failed is the error for what is wrong with message n, at pos unless the
// cause knows better.
func (l LoadOptions) failed(n int64, pos corpus.Position, err error) error {
	e := &LoadError{Source: l.Source, Value: n, Offset: pos.Offset, Line: pos.Line, Column: pos.Column, Err: err}
	if c := (*corpus.Error)(nil); errors.As(err, &c) {
		e.Offset, e.Line, e.Column, e.Expected = c.Offset, c.Line, c.Column, c.Expected
	}
	return e
}

// payloadOf decodes the sample.
func payloadOf[T any](name string, sample *corpus.Sample, l LoadOptions, decode func([]byte, *T) error) (Payload, error) {
	kept := sample.Messages()
	if l.Kept != nil {
		for _, m := range kept {
			l.Kept(m.Data, m.Index, m.Offset)
		}
	}
	all := func() ([]*T, error) {
		values := make([]*T, len(kept))
		for i, m := range kept {
			values[i] = new(T)
			if err := decode(m.Data, values[i]); err != nil {
				return nil, l.failed(m.Index, m.Position, within(err, m))
			}
		}
		return values, nil
	}
	values, err := all()
	if err != nil {
		return Payload{}, err
	}
	var p Payload
	if sample.Bytes() <= freshBytes {
		p = NewPayloadFunc(name, all)
	} else {
		p = NewPayload(name, values...)
	}
	p.source = l.Source
	if n, size := sample.Seen(); int(n) != len(kept) {
		how := fmt.Sprintf("%d of %d messages, %d of %d bytes, drawn at random with seed %d", len(kept), n, sample.Bytes(), size, l.Seed)
		p.source = strings.TrimPrefix(p.source+": "+how, ": ")
		p.warnings = append(p.warnings, Warning{Code: "sampled", Message: "a sample: " + how,
			Advice: "raise MaxValues and MaxBytes to measure more of the input"})
	}
	return p, nil
}

// payloadOfAny decodes the sample into maps if that is what all of it is.
func payloadOfAny(name string, sample *corpus.Sample, l LoadOptions, decode func([]byte) (any, error)) (Payload, error) {
	kept := sample.Messages()
	for _, m := range kept {
		v, err := decode(m.Data)
		if err != nil {
			return Payload{}, l.failed(m.Index, m.Position, within(err, m))
		}
		if _, isMap := v.(map[string]any); !isMap {
			return payloadOf(name, sample, l, func(data []byte, v *any) (err error) {
				*v, err = decode(data)
				return err
			})
		}
	}
	return payloadOf(name, sample, l, func(data []byte, m *map[string]any) error {
		v, err := decode(data)
		*m, _ = v.(map[string]any)
		return err
	})
}
