// Package protobuf adapts google.golang.org/protobuf for types that it
// generates: [New] in the binary format, [JSON] in its JSON, and [Dynamic] for
// messages that only a descriptor describes.
//
// A payload of messages should be compared by their own equality:
//
//	serbench.NewPayload("event", msg).With(serbench.Form("proto"), serbench.Equal(protobuf.Equal[pb.Event]))
package protobuf

import (
	"fmt"
	"reflect"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/internal/buildinfo"
	"github.com/serbench/serbench/internal/typecheck"
)

// New returns the codec of the binary format, named "protobuf". It is safe
// for concurrent use. The format has no end of its own: input that is cut at
// the edge of a field is a message with fewer fields, and joined messages are
// one.
func New() serbench.Codec {
	return &codec{
		name: "protobuf",
		info: serbench.Info{Format: "protobuf",
			CallPath: "proto.Marshal; append: MarshalOptions.MarshalAppend; proto.Unmarshal"},
		marshal:   proto.Marshal,
		append:    proto.MarshalOptions{}.MarshalAppend,
		unmarshal: proto.Unmarshal,
	}
}

// JSON returns the codec of protobuf's JSON, named "protojson". It is safe
// for concurrent use. The white space in its output differs on purpose from
// build to build, and its size with it.
func JSON() serbench.Codec {
	return &codec{
		name: "protojson",
		info: serbench.Info{Format: "json",
			CallPath: "protojson.Marshal; append: MarshalOptions.MarshalAppend; protojson.Unmarshal",
			Options:  map[string]string{"white space": "differs from build to build, and the size with it"}},
		marshal:   protojson.Marshal,
		append:    protojson.MarshalOptions{}.MarshalAppend,
		unmarshal: protojson.Unmarshal,
	}
}

// codec is a format of the library.
type codec struct {
	name      string
	info      serbench.Info
	marshal   func(proto.Message) ([]byte, error)
	append    func([]byte, proto.Message) ([]byte, error)
	unmarshal func([]byte, proto.Message) error
	refuse    func(proto.Message) string // or nil
}

var (
	_ serbench.Appender  = (*codec)(nil)
	_ serbench.Supporter = (*codec)(nil)
	_ serbench.Describer = (*codec)(nil)
	_ serbench.Cloner    = (*codec)(nil)
	_ serbench.Binder    = (*codec)(nil)
)

func (c *codec) Name() string          { return c.name }
func (c *codec) Clone() serbench.Codec { return c }

func (c *codec) Describe() serbench.Info {
	const module = "google.golang.org/protobuf"
	i := c.info
	i.Library, i.Version, i.Kind = module, buildinfo.Version(module), serbench.KindSchema
	return i
}

func (c *codec) Supports(v any) error {
	if _, err := c.message(v); err != nil {
		return err
	}
	if f := typecheck.Promoted(v, "ProtoReflect"); f != "" {
		return serbench.Unsupported(v, "is a message only by its embedded field "+f+" and would lose its other fields")
	}
	return nil
}

// message returns v as a message.
func (c *codec) message(v any) (proto.Message, error) {
	m, ok := v.(proto.Message)
	if rv := reflect.ValueOf(v); !ok || rv.Kind() != reflect.Pointer || rv.IsNil() {
		if why := typecheck.Pointer(v); why != "" {
			return nil, serbench.Unsupported(v, why)
		}
		return nil, serbench.Unsupported(v, "is no protobuf message; give the payload as one, or wrap the codec in serbench.Convert")
	}
	if c.refuse != nil {
		if why := c.refuse(m); why != "" {
			return nil, serbench.Unsupported(v, why)
		}
	}
	return m, nil
}

func (c *codec) Marshal(v any) ([]byte, error) {
	m, err := c.message(v)
	if err != nil {
		return nil, err
	}
	return c.marshal(m)
}

func (c *codec) Append(dst []byte, v any) ([]byte, error) {
	m, err := c.message(v)
	if err != nil {
		return dst, err
	}
	return c.appendTo(dst, m)
}

func (c *codec) appendTo(dst []byte, m proto.Message) ([]byte, error) {
	out, err := c.append(dst, m)
	if err != nil {
		return dst, err
	}
	return out, nil
}

func (c *codec) Unmarshal(data []byte, v any) error {
	m, err := c.message(v)
	if err != nil {
		return err
	}
	return c.unmarshal(data, m)
}

func (c *codec) Bind(v any) (serbench.Bound, error) {
	if err := c.Supports(v); err != nil {
		return serbench.Bound{}, err
	}
	m := v.(proto.Message)
	return serbench.Bound{
		Marshal:   func() ([]byte, error) { return c.marshal(m) },
		Append:    func(dst []byte) ([]byte, error) { return c.appendTo(dst, m) },
		Unmarshal: func(data []byte) error { return c.unmarshal(data, m) },
	}, nil
}

// Equal compares messages with proto.Equal; it is for [serbench.Equal].
func Equal[T any, M interface {
	*T
	proto.Message
}](want, got *T) error {
	if proto.Equal(M(want), M(got)) {
		return nil
	}
	return fmt.Errorf("proto.Equal: want %.100v, got %.100v", M(want), M(got))
}
