package protobuf

import (
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/serbench/serbench"
)

// Dynamic returns the codec for values of [dynamicpb.Message], which need no
// generated code, named "protobuf-dynamic". A message is decoded as one that
// desc describes: the zero value of dynamicpb.Message does not know what it is.
func Dynamic(desc protoreflect.MessageDescriptor) serbench.Codec {
	c := New().(*codec)
	c.name = "protobuf-dynamic"
	c.info.CallPath = "proto.Marshal; append: MarshalOptions.MarshalAppend; dynamicpb.NewMessage, proto.Unmarshal"
	c.info.Options = map[string]string{"descriptor": string(desc.FullName())}
	c.refuse = func(m proto.Message) string {
		d, ok := m.(*dynamicpb.Message)
		switch {
		case !ok:
			return "is no dynamicpb.Message"
		case isZero(d):
			return "" // a target
		case d.Descriptor() != desc:
			return fmt.Sprintf("is a message %s, this codec is for %s", d.Descriptor().FullName(), desc.FullName())
		}
		return ""
	}
	c.marshal = func(m proto.Message) ([]byte, error) {
		if isZero(m.(*dynamicpb.Message)) {
			return nil, serbench.Unsupported(m, "has no descriptor; make it with dynamicpb.NewMessage")
		}
		return proto.Marshal(m)
	}
	appendTo := c.append
	c.append = func(dst []byte, m proto.Message) ([]byte, error) {
		if isZero(m.(*dynamicpb.Message)) {
			return nil, serbench.Unsupported(m, "has no descriptor; make it with dynamicpb.NewMessage")
		}
		return appendTo(dst, m)
	}
	c.unmarshal = func(data []byte, m proto.Message) error {
		*m.(*dynamicpb.Message) = *dynamicpb.NewMessage(desc)
		return proto.Unmarshal(data, m)
	}
	return c
}

// DynamicMessage returns m as a value that [Dynamic] encodes, a copy.
func DynamicMessage(m proto.Message) (*dynamicpb.Message, error) {
	data, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m)
	if err != nil {
		return nil, err
	}
	d := dynamicpb.NewMessage(m.ProtoReflect().Descriptor())
	return d, proto.UnmarshalOptions{AllowPartial: true}.Unmarshal(data, d)
}

func isZero(d *dynamicpb.Message) bool { return d.Type() == (*new(dynamicpb.Message)).Type() }
