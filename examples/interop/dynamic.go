package main

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/protobuf"
)

// dynamic is protobuf.Dynamic, which is for one schema and for values that
// know it, on generated messages of any: fields pass between a generated and a
// dynamic message by reflection, never as bytes, so that what is written and
// read is the work of the dynamic one alone.
type dynamic struct{}

func (dynamic) Name() string { return "protobuf-dynamic" }

func (dynamic) Describe() serbench.Info { return serbench.Info{Format: "protobuf"} }

func (dynamic) Supports(v any) error {
	_, err := schema(v)
	return err
}

func (dynamic) Marshal(v any) ([]byte, error) {
	desc, err := schema(v)
	if err != nil {
		return nil, err
	}
	m := dynamicpb.NewMessage(desc)
	proto.Merge(m, v.(proto.Message))
	return protobuf.Dynamic(desc).Marshal(m)
}

func (dynamic) Unmarshal(data []byte, v any) error {
	desc, err := schema(v)
	if err != nil {
		return err
	}
	m := new(dynamicpb.Message)
	if err := protobuf.Dynamic(desc).Unmarshal(data, m); err != nil {
		return err
	}
	to := v.(proto.Message)
	proto.Reset(to)
	proto.Merge(to, m)
	if !proto.Equal(to, m) {
		return fmt.Errorf("what a dynamic message of %s holds did not fit into a generated one", desc.FullName())
	}
	return nil
}

func schema(v any) (protoreflect.MessageDescriptor, error) {
	m, ok := v.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("%w: %T is no message", errors.ErrUnsupported, v)
	}
	return m.ProtoReflect().Descriptor(), nil
}
