package serbench

import (
	"errors"
	"fmt"
	"strings"
)

// A Codec turns Go values into bytes and back.
//
// Rules for implementers; adapters/codectest checks each of them:
//
//   - v is always a non-nil pointer to the payload's type, for both methods.
//   - Every call returns: no panic, no endless recursion, whatever it is given.
//   - Marshal returns one self-contained message in a slice that belongs to
//     the caller with all of its capacity: no later call reads or writes it.
//     Marshal only reads v, and no later call reads it.
//   - Unmarshal decodes exactly one whole message into *v. Input that is cut
//     short or has bytes after the message is an error. Unmarshal only reads
//     data; neither later calls nor the decoded value read data afterwards.
//     What was decoded is the caller's: no later call writes to it, unless it
//     is given the same v.
//   - What a call was given it may refer to until the next call at most, as a
//     reused encoder does: a reference that is neither read nor written
//     through costs the caller some memory and nothing else. Beyond that the
//     garbage collector can free it.
//   - A value that the codec cannot handle (a type without generated methods,
//     nil, a pointer to nil, something that is not a pointer) is an error that
//     wraps [errors.ErrUnsupported], made with [Unsupported]; it is not a panic.
//   - An error leaves the codec as it was.
//   - Calls on one codec are not concurrent unless it implements [Cloner].
//
// More abilities are optional interfaces, found by type assertion: [Appender],
// [Supporter], [Describer], [Cloner], [Binder], [Streamer].
type Codec interface {
	// Name identifies the codec within a run: library[-format][-variant], in
	// lower case, without slash or space, such as "ugorji-cbor".
	Name() string
	Marshal(v any) ([]byte, error)
	Unmarshal(data []byte, v any) error
}

// An Appender encodes behind dst and returns the extended slice, as append
// does. The bytes of dst up to its length are left as they are, and when
// Append has returned no later call reads or writes any of the array; a mere
// reference to it is allowed as it is to v, see [Codec]. On error it returns
// dst unchanged in length and content.
type Appender interface {
	Append(dst []byte, v any) ([]byte, error)
}

// A Supporter says before any call whether it can handle v, a pointer to the
// payload's type: nil, or an error made with [Unsupported]. A codec that does
// not implement it is simply tried.
type Supporter interface {
	Supports(v any) error
}

// A Describer tells what is behind a codec. The Info is constant.
type Describer interface {
	Describe() Info
}

// A Cloner can be used by several goroutines: Clone returns the instance for
// one more of them. A codec that is safe for concurrent use returns itself.
type Cloner interface {
	Clone() Codec
}

// A Binder prepares a codec for one value (to encode) or one target (to
// decode into), so that work that a real program does once, such as looking
// up an interface or making an encoder, stays outside of the timing. Each
// call gives fresh state, used by one goroutine. v must not be nil; it may be
// written to between calls, and the next call sees what was written.
type Binder interface {
	Bind(v any) (Bound, error)
}

// Bound holds the operations on one bound value. The rules of Codec and
// Appender hold for each. A nil func means that this codec has no bound form
// of it; then the method of the codec itself is used.
type Bound struct {
	Marshal   func() ([]byte, error)
	Append    func(dst []byte) ([]byte, error)
	Unmarshal func(data []byte) error
}

// A Streamer has state that lives from message to message, such as the type
// definitions that gob sends once.
type Streamer interface {
	NewStream() Stream
}

// A Stream encodes or decodes messages in order; the n-th message decoded
// must be the n-th encoded, by a stream of the same codec. One stream is used
// either to encode or to decode, by one goroutine. Encode appends to dst
// under the rules of [Appender].
type Stream interface {
	Encode(dst []byte, v any) ([]byte, error)
	Decode(data []byte, v any) error
}

// Kind says how a codec gets at the fields of a value.
type Kind string

// The kinds of codec. A custom codec may use a word of its own.
const (
	KindReflect   Kind = "reflect"   // reflection at run time, also with caches or a JIT
	KindGenerated Kind = "generated" // methods generated for the type
	KindSchema    Kind = "schema"    // types generated from, or bound to, a schema
)

// Info describes a codec. Empty fields are unknown.
type Info struct {
	Format   string            `json:"format,omitempty"`    // json, msgpack, cbor, ...
	Library  string            `json:"library,omitempty"`   // module path, or package path in the standard library
	Version  string            `json:"version,omitempty"`   // of the library, from build information
	Kind     Kind              `json:"kind,omitempty"`      //
	CallPath string            `json:"call_path,omitempty"` // the functions of the library that are called
	Options  map[string]string `json:"options,omitempty"`   // what differs from the library's defaults, and notes on it
}

// A CodecOption adds to a codec made by [NewCodec].
type CodecOption func(*funcCodec)

// Concurrent states that both functions may be called from several goroutines
// at once.
func Concurrent() CodecOption { return func(c *funcCodec) { c.concurrent = true } }

// WithInfo sets what the codec tells about itself in reports.
func WithInfo(info Info) CodecOption { return func(c *funcCodec) { c.info = info } }

// NewCodec makes a Codec of two functions that keep the rules of [Codec]. A
// nil function gives a codec whose method says that it is unsupported.
func NewCodec(name string, marshal func(v any) ([]byte, error), unmarshal func(data []byte, v any) error, opts ...CodecOption) Codec {
	c := &funcCodec{name: name, marshal: marshal, unmarshal: unmarshal}
	for _, o := range opts {
		o(c)
	}
	if c.marshal == nil {
		c.marshal = func(v any) ([]byte, error) {
			return nil, Unsupported(v, "cannot be encoded: the codec has no marshal function")
		}
	}
	if c.unmarshal == nil {
		c.unmarshal = func(_ []byte, v any) error {
			return Unsupported(v, "cannot be decoded: the codec has no unmarshal function")
		}
	}
	if c.concurrent {
		return concurrentCodec{c}
	}
	return c
}

type funcCodec struct {
	name       string
	marshal    func(any) ([]byte, error)
	unmarshal  func([]byte, any) error
	info       Info
	concurrent bool
}

func (c *funcCodec) Name() string                       { return c.name }
func (c *funcCodec) Marshal(v any) ([]byte, error)      { return c.marshal(v) }
func (c *funcCodec) Unmarshal(data []byte, v any) error { return c.unmarshal(data, v) }
func (c *funcCodec) Describe() Info                     { return c.info }

type concurrentCodec struct{ *funcCodec }

func (c concurrentCodec) Clone() Codec { return c }

// Unsupported returns the error for a value that a codec cannot handle. It
// wraps [errors.ErrUnsupported]; why says what is missing, and, where there
// is one, the remedy: "has no MarshalMsg; run msgp".
func Unsupported(v any, why string) error {
	return &unsupportedError{typ: strings.TrimPrefix(fmt.Sprintf("%T", v), "*"), why: why}
}

type unsupportedError struct{ typ, why string }

func (e *unsupportedError) Error() string { return "unsupported: type " + e.typ + " " + e.why }
func (e *unsupportedError) Unwrap() error { return errors.ErrUnsupported }
