// Package sonic adapts github.com/bytedance/sonic.
package sonic

import (
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/bytedance/sonic"
	"github.com/bytedance/sonic/encoder"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapt"
)

// New returns sonic set to be compatible with encoding/json, named "sonic".
func New() serbench.Codec {
	return newCodec("sonic", sonic.ConfigStd, "ConfigStd",
		encoder.EscapeHTML|encoder.SortMapKeys|encoder.CompactMarshaler|encoder.ValidateString)
}

// Default returns sonic as it comes, named "sonic-default". It writes invalid
// UTF-8 as it is, which is not JSON, and the strings that it decodes are
// parts of a copy of the whole input.
func Default() serbench.Codec {
	return newCodec("sonic-default", sonic.ConfigDefault, "ConfigDefault: invalid UTF-8 is passed on", 0)
}

// Fast returns sonic's fastest configuration, named "sonic-fast": as
// [Default], and it does not check what a json.Marshaler wrote, nor fields
// that it skips.
func Fast() serbench.Codec {
	return newCodec("sonic-fast", sonic.ConfigFastest, "ConfigFastest: invalid UTF-8 is passed on, skipped fields are not checked",
		encoder.NoValidateJSONMarshaler)
}

func newCodec(name string, api sonic.API, config string, flags encoder.Options) serbench.Codec {
	calls := "API.Marshal; append: encoder.EncodeInto; API.Unmarshal"
	if flags&encoder.EscapeHTML != 0 {
		calls = "API.Marshal; append: encoder.EncodeInto a kept buffer, encoder.HTMLEscape; API.Unmarshal"
	}
	return adapt.New(adapt.Library{
		Name: name,
		Info: serbench.Info{Format: "json", Library: "github.com/bytedance/sonic", Options: map[string]string{"config": config},
			CallPath: calls},
		Types:  adapt.JSON(),
		Refuse: refusal(sonic.APIKind),
		New: func(v *any) serbench.Bound {
			e := &appender{flags: flags}
			calls := serbench.Bound{
				Marshal:   func() ([]byte, error) { return api.Marshal(*v) },
				Append:    func(dst []byte) ([]byte, error) { return e.append(dst, *v) },
				Unmarshal: func(data []byte) error { return api.Unmarshal(data, *v) },
			}
			if flags&second != 0 {
				calls.Append = func(dst []byte) ([]byte, error) { return e.appendInTwo(dst, *v) }
			}
			return calls
		},
	})
}

// appender encodes behind a buffer.
//
// Note: with EscapeHTML or ValidateString, EncodeInto makes a new buffer of all
// that is in the one that it was given. So the message is encoded into a kept
// buffer without them, and escaped into its place. HTMLEscape must find room
// there: growing dst, it only thinks of the length of its source, and panics
// if dst holds more than that.
type appender struct {
	flags   encoder.Options
	scratch []byte
	tail    []byte
}

// room is what the library wants behind a message.
const room = 64

// second are the options that are done in a second pass.
const second = encoder.EscapeHTML | encoder.ValidateString

func (e *appender) append(dst []byte, v any) ([]byte, error) {
	e.tail = dst[len(dst):]
	err := encoder.EncodeInto(&e.tail, v, e.flags)
	tail := e.tail
	e.tail = nil
	if err != nil {
		return dst, err
	}
	return join(dst, tail), nil
}

func (e *appender) appendInTwo(dst []byte, v any) ([]byte, error) {
	e.scratch = e.scratch[:0]
	if err := encoder.EncodeInto(&e.scratch, v, e.flags&^second); err != nil {
		return dst, err
	}
	if !utf8.Valid(e.scratch) {
		corrected, err := encoder.Encode(v, e.flags)
		return adapt.OrDst(dst, append(dst, corrected...), err)
	}
	return encoder.HTMLEscape(slices.Grow(dst, len(e.scratch)*3/2+room), e.scratch), nil
}

func refusal(kind int) func(reflect.Type) string {
	return func(reflect.Type) string {
		if kind != sonic.UseSonicJSON {
			return "is not encoded: sonic has no code for this platform and Go version and would call encoding/json under its own name"
		}
		return ""
	}
}

// join appends tail to dst, if it is not in dst's array behind it already.
// Then the library found too little room there: the result has as much as it
// took, so that the next message goes in place.
func join(dst, tail []byte) []byte {
	n := len(dst) + len(tail)
	switch {
	case len(dst) == 0:
		return tail
	case n <= cap(dst) && len(tail) > 0 && &tail[0] == &dst[:n][len(dst)]:
		return dst[:n]
	}
	return append(slices.Grow(dst, cap(tail)), tail...)
}
