package main

import (
	"bytes"
	"encoding/gob"
	"encoding/xml"
	"reflect"
	"slices"

	fxcbor "github.com/fxamacker/cbor/v2"
	"github.com/tinylib/msgp/msgp"
	twmb "github.com/twmb/avro"
	ugo "github.com/ugorji/go/codec"
	"github.com/vmihailenco/msgpack/v5"
	"go.mongodb.org/mongo-driver/v2/bson"
	"google.golang.org/protobuf/proto"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/avro"
	bsonadapter "github.com/serbench/serbench/adapters/bson"
	"github.com/serbench/serbench/adapters/cbor"
	msgpadapter "github.com/serbench/serbench/adapters/msgp"
	"github.com/serbench/serbench/adapters/protobuf"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/adapters/ugorji"
	"github.com/serbench/serbench/adapters/vmihailenco"
	"github.com/serbench/serbench/adapters/vtprotobuf"
	"github.com/serbench/serbench/examples/payloads"
	"github.com/serbench/serbench/examples/payloads/payloadspb"
)

func binaryPairs() []pair {
	json, pack, cb, binc, simple := new(ugo.JsonHandle), new(ugo.MsgpackHandle), new(ugo.CborHandle), new(ugo.BincHandle), new(ugo.SimpleHandle)
	json.MapKeyAsString, pack.WriteExt, cb.TimeRFC3339 = true, true, true
	for _, o := range []*ugo.DecodeOptions{&json.DecodeOptions, &pack.DecodeOptions, &cb.DecodeOptions, &binc.DecodeOptions, &simple.DecodeOptions} {
		o.MapType = reflect.TypeFor[map[string]any]()
	}
	return []pair{
		{ugorji.JSON(), directUgorji(json), structs},
		{msgpadapter.New(), directMsgp, structs},
		{msgpadapter.Tree(), directMsgpTree, maps},
		{vmihailenco.New(), directVmihailenco, structs},
		{ugorji.MsgPack(), directUgorji(pack), structs},
		{cbor.New(), directCBOR, structs},
		{ugorji.CBOR(), directUgorji(cb), structs},
		{protobuf.New(), directProtobuf, messages},
		{vtprotobuf.New(), directVTProtobuf, messages},
		{bsonadapter.New(), directBSON, structs},
		{bsonadapter.Default(), directBSONDefault, structs},
		{avro.New(), directAvro, structs},
		{stdlib.Gob(), directGob, structs},
		{ugorji.Binc(), directUgorji(binc), structs},
		{ugorji.Simple(), directUgorji(simple), structs},
		{stdlib.XML(), directXML, structs},
	}
}

func directUgorji(h ugo.Handle) func(v any) serbench.Bound {
	return func(v any) serbench.Bound {
		var out []byte
		enc, dec := ugo.NewEncoderBytes(&out, h), ugo.NewDecoderBytes(nil, h)
		return serbench.Bound{
			Marshal: func() ([]byte, error) {
				out = nil
				enc.ResetBytes(&out)
				err := enc.Encode(v)
				return out, err
			},
			Append: func(dst []byte) ([]byte, error) {
				out = dst
				enc.ResetBytes(&out)
				err := enc.Encode(v)
				return out, err
			},
			Unmarshal: func(data []byte) error {
				dec.ResetBytes(data)
				return dec.Decode(v)
			},
		}
	}
}

// directMsgp has the concrete types, as a program has.
func directMsgp(v any) serbench.Bound {
	switch v := v.(type) {
	case *payloads.Document:
		return serbench.Bound{
			Marshal: func() ([]byte, error) { return v.MarshalMsg(nil) },
			Append:  func(dst []byte) ([]byte, error) { return v.MarshalMsg(dst) },
			Unmarshal: func(data []byte) error {
				_, err := v.UnmarshalMsg(data)
				return err
			},
		}
	case *payloads.Event:
		return serbench.Bound{
			Marshal: func() ([]byte, error) { return v.MarshalMsg(nil) },
			Append:  func(dst []byte) ([]byte, error) { return v.MarshalMsg(dst) },
			Unmarshal: func(data []byte) error {
				_, err := v.UnmarshalMsg(data)
				return err
			},
		}
	}
	panic("no such payload")
}

func directMsgpTree(v any) serbench.Bound {
	m := v.(*map[string]any)
	return serbench.Bound{
		Marshal: func() ([]byte, error) { return msgp.AppendMapStrIntf(nil, *m) },
		Append:  func(dst []byte) ([]byte, error) { return msgp.AppendMapStrIntf(dst, *m) },
		Unmarshal: func(data []byte) (err error) {
			*m, _, err = msgp.ReadMapStrIntfBytes(data, *m)
			return err
		},
	}
}

func directVmihailenco(v any) serbench.Bound {
	w, r := new(writer), new(bytes.Reader)
	enc, dec := msgpack.NewEncoder(w), msgpack.NewDecoder(r)
	into := func(dst []byte) ([]byte, error) {
		w.b = dst
		enc.Reset(w)
		enc.SetCustomStructTag("json")
		err := enc.Encode(v)
		return w.b, err
	}
	return serbench.Bound{
		Marshal: func() ([]byte, error) { return into(nil) },
		Append:  into,
		Unmarshal: func(data []byte) error {
			r.Reset(data)
			dec.Reset(r)
			dec.SetCustomStructTag("json")
			return dec.Decode(v)
		},
	}
}

func directCBOR(v any) serbench.Bound {
	enc, encErr := fxcbor.EncOptions{Time: fxcbor.TimeRFC3339Nano, TimeTag: fxcbor.EncTagRequired}.UserBufferEncMode()
	dec, decErr := fxcbor.DecOptions{MaxNestedLevels: 1000, MaxArrayElements: 1<<31 - 1, MaxMapPairs: 1<<31 - 1,
		DefaultMapType: reflect.TypeFor[map[string]any](), UTF8: fxcbor.UTF8DecodeInvalid}.DecMode()
	must(encErr, decErr)
	return serbench.Bound{
		Marshal: func() ([]byte, error) { return enc.Marshal(v) },
		Append: func(dst []byte) ([]byte, error) {
			buf := bytes.NewBuffer(dst)
			err := enc.MarshalToBuffer(v, buf)
			return buf.Bytes(), err
		},
		Unmarshal: func(data []byte) error { return dec.Unmarshal(data, v) },
	}
}

func directProtobuf(v any) serbench.Bound {
	m := v.(proto.Message)
	return serbench.Bound{
		Marshal:   func() ([]byte, error) { return proto.Marshal(m) },
		Append:    func(dst []byte) ([]byte, error) { return proto.MarshalOptions{}.MarshalAppend(dst, m) },
		Unmarshal: func(data []byte) error { return proto.Unmarshal(data, m) },
	}
}

// directVTProtobuf has the concrete types, as a program has.
func directVTProtobuf(v any) serbench.Bound {
	switch v := v.(type) {
	case *payloadspb.Document:
		return serbench.Bound{
			Marshal: func() ([]byte, error) { return v.MarshalVT() },
			Append: func(dst []byte) ([]byte, error) {
				n := v.SizeVT()
				dst = slices.Grow(dst, n)[:len(dst)+n]
				_, err := v.MarshalToSizedBufferVT(dst[len(dst)-n:])
				return dst, err
			},
			Unmarshal: func(data []byte) error {
				v.Reset()
				return v.UnmarshalVT(data)
			},
		}
	case *payloadspb.Event:
		return serbench.Bound{
			Marshal: func() ([]byte, error) { return v.MarshalVT() },
			Append: func(dst []byte) ([]byte, error) {
				n := v.SizeVT()
				dst = slices.Grow(dst, n)[:len(dst)+n]
				_, err := v.MarshalToSizedBufferVT(dst[len(dst)-n:])
				return dst, err
			},
			Unmarshal: func(data []byte) error {
				v.Reset()
				return v.UnmarshalVT(data)
			},
		}
	}
	panic("no such payload")
}

func directBSON(v any) serbench.Bound {
	w := new(writer)
	enc := bson.NewEncoder(bson.NewDocumentWriter(w))
	enc.UseJSONStructTags()
	registry := bson.NewRegistry()
	enc.SetRegistry(registry)
	into := func(dst []byte) ([]byte, error) {
		w.b = dst
		err := enc.Encode(v)
		return w.b, err
	}
	return serbench.Bound{
		Marshal: func() ([]byte, error) { return into(nil) },
		Append:  into,
		Unmarshal: func(data []byte) error {
			if err := bson.Raw(data).Validate(); err != nil {
				return err
			}
			dec := bson.NewDecoder(bson.NewDocumentReader(bytes.NewReader(data)))
			dec.UseJSONStructTags()
			dec.DefaultDocumentMap()
			dec.BinaryAsSlice()
			dec.SetRegistry(registry)
			return dec.Decode(v)
		},
	}
}

func directBSONDefault(v any) serbench.Bound {
	w := new(writer)
	enc := bson.NewEncoder(bson.NewDocumentWriter(w))
	into := func(dst []byte) ([]byte, error) {
		w.b = dst
		err := enc.Encode(v)
		return w.b, err
	}
	return serbench.Bound{
		Marshal:   func() ([]byte, error) { return into(nil) },
		Append:    into,
		Unmarshal: func(data []byte) error { return bson.Unmarshal(data, v) },
	}
}

func directAvro(v any) serbench.Bound {
	schema, err := avro.SchemaOf(reflect.TypeOf(v).Elem())
	must(err)
	var s *twmb.Schema = schema
	return serbench.Bound{
		Marshal: func() ([]byte, error) { return s.Encode(v) },
		Append:  func(dst []byte) ([]byte, error) { return s.AppendEncode(dst, v) },
		Unmarshal: func(data []byte) error {
			_, err := s.Decode(data, v)
			return err
		},
	}
}

func directGob(v any) serbench.Bound {
	into := func(dst []byte) ([]byte, error) {
		w := &writer{dst}
		err := gob.NewEncoder(w).Encode(v)
		return w.b, err
	}
	return serbench.Bound{
		Marshal:   func() ([]byte, error) { return into(nil) },
		Append:    into,
		Unmarshal: func(data []byte) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(v) },
	}
}

func directXML(v any) serbench.Bound {
	w := new(writer)
	return serbench.Bound{
		Marshal: func() ([]byte, error) { return xml.Marshal(v) },
		Append: func(dst []byte) ([]byte, error) {
			w.b = dst
			err := xml.NewEncoder(w).Encode(v)
			return w.b, err
		},
		Unmarshal: func(data []byte) error { return xml.NewDecoder(bytes.NewReader(data)).Decode(v) },
	}
}
