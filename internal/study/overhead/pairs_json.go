package main

import (
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/bytedance/sonic"
	sonicencoder "github.com/bytedance/sonic/encoder"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
	goccy "github.com/goccy/go-json"
	jsoniter "github.com/json-iterator/go"
	"github.com/mailru/easyjson"
	"github.com/mailru/easyjson/jlexer"
	"github.com/mailru/easyjson/jwriter"
	segmentio "github.com/segmentio/encoding/json"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/serbench/serbench"
	easyjsonadapter "github.com/serbench/serbench/adapters/easyjson"
	goccyadapter "github.com/serbench/serbench/adapters/goccy"
	jsoniteradapter "github.com/serbench/serbench/adapters/jsoniter"
	jsonv2adapter "github.com/serbench/serbench/adapters/jsonv2"
	"github.com/serbench/serbench/adapters/protobuf"
	segmentioadapter "github.com/serbench/serbench/adapters/segmentio"
	sonicadapter "github.com/serbench/serbench/adapters/sonic"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/examples/payloads"
)

func jsonPairs() []pair {
	return []pair{
		{stdlib.JSON(), directJSON, structs},
		{jsonv2adapter.New(), directJSONv2, structs},
		{easyjsonadapter.New(), directEasyjson, structs},
		{goccyadapter.New(), directGoccy, structs},
		{sonicadapter.New(), directSonic, structs},
		{sonicadapter.Default(), directSonicDefault, structs},
		{segmentioadapter.New(), directSegmentio, structs},
		{jsoniteradapter.New(), directJsoniter, structs},
		{protobuf.JSON(), directProtoJSON, messages},
	}
}

func directJSON(v any) serbench.Bound {
	w := new(writer)
	enc := json.NewEncoder(w)
	return serbench.Bound{
		Marshal: func() ([]byte, error) { return json.Marshal(v) },
		Append: func(dst []byte) ([]byte, error) {
			w.b = dst
			err := enc.Encode(v)
			return w.b, err
		},
		Unmarshal: func(data []byte) error { return json.Unmarshal(data, v) },
	}
}

func directJSONv2(v any) serbench.Bound {
	opts := jsonv2.JoinOptions(jsonv2.FormatNilSliceAsNull(true), jsonv2.FormatNilMapAsNull(true), jsonv1.FormatDurationAsNano(true))
	w := new(writer)
	enc := jsontext.NewEncoder(w, opts)
	return serbench.Bound{
		Marshal: func() ([]byte, error) { return jsonv2.Marshal(v, opts) },
		Append: func(dst []byte) ([]byte, error) {
			w.b = dst
			enc.Reset(w, opts)
			err := jsonv2.MarshalEncode(enc, v)
			return w.b, err
		},
		Unmarshal: func(data []byte) error { return jsonv2.Unmarshal(data, v, opts) },
	}
}

// directEasyjson has the concrete types, as a program has.
func directEasyjson(v any) serbench.Bound {
	switch v := v.(type) {
	case *payloads.Document:
		return serbench.Bound{
			Marshal: func() ([]byte, error) { return easyjson.Marshal(v) },
			Append: func(dst []byte) ([]byte, error) {
				var w jwriter.Writer
				w.Buffer.Buf = dst
				v.MarshalEasyJSON(&w)
				return w.BuildBytes()
			},
			Unmarshal: func(data []byte) error {
				l := jlexer.Lexer{Data: data}
				v.UnmarshalEasyJSON(&l)
				return l.Error()
			},
		}
	case *payloads.Event:
		return serbench.Bound{
			Marshal: func() ([]byte, error) { return easyjson.Marshal(v) },
			Append: func(dst []byte) ([]byte, error) {
				var w jwriter.Writer
				w.Buffer.Buf = dst
				v.MarshalEasyJSON(&w)
				return w.BuildBytes()
			},
			Unmarshal: func(data []byte) error {
				l := jlexer.Lexer{Data: data}
				v.UnmarshalEasyJSON(&l)
				return l.Error()
			},
		}
	}
	panic("no such payload")
}

func directGoccy(v any) serbench.Bound {
	w := new(writer)
	enc := goccy.NewEncoder(w)
	return serbench.Bound{
		Marshal: func() ([]byte, error) { return goccy.Marshal(v) },
		Append: func(dst []byte) ([]byte, error) {
			w.b = dst
			err := enc.Encode(v)
			return w.b, err
		},
		Unmarshal: func(data []byte) error { return goccy.Unmarshal(data, v) },
	}
}

func directSonic(v any) serbench.Bound {
	const flags = sonicencoder.SortMapKeys | sonicencoder.CompactMarshaler
	var scratch []byte
	return serbench.Bound{
		Marshal: func() ([]byte, error) { return sonic.ConfigStd.Marshal(v) },
		Append: func(dst []byte) ([]byte, error) {
			scratch = scratch[:0]
			if err := sonicencoder.EncodeInto(&scratch, v, flags); err != nil {
				return dst, err
			}
			if !utf8.Valid(scratch) {
				return dst, errNotUTF8
			}
			return sonicencoder.HTMLEscape(slices.Grow(dst, len(scratch)*3/2+64), scratch), nil
		},
		Unmarshal: func(data []byte) error { return sonic.ConfigStd.Unmarshal(data, v) },
	}
}

func directSonicDefault(v any) serbench.Bound {
	var buf []byte
	return serbench.Bound{
		Marshal: func() ([]byte, error) { return sonic.ConfigDefault.Marshal(v) },
		Append: func(dst []byte) ([]byte, error) {
			buf = dst
			err := sonicencoder.EncodeInto(&buf, v, 0)
			return buf, err
		},
		Unmarshal: func(data []byte) error { return sonic.ConfigDefault.Unmarshal(data, v) },
	}
}

func directSegmentio(v any) serbench.Bound {
	return serbench.Bound{
		Marshal: func() ([]byte, error) { return segmentio.Marshal(v) },
		Append: func(dst []byte) ([]byte, error) {
			return segmentio.Append(dst, v, segmentio.EscapeHTML|segmentio.SortMapKeys)
		},
		Unmarshal: func(data []byte) error { return segmentio.Unmarshal(data, v) },
	}
}

func directJsoniter(v any) serbench.Bound {
	api := jsoniter.ConfigCompatibleWithStandardLibrary
	s := jsoniter.NewStream(api, nil, 0)
	return serbench.Bound{
		Marshal: func() ([]byte, error) { return api.Marshal(v) },
		Append: func(dst []byte) ([]byte, error) {
			s.SetBuffer(dst)
			s.WriteVal(v)
			return s.Buffer(), s.Error
		},
		Unmarshal: func(data []byte) error { return api.Unmarshal(data, v) },
	}
}

func directProtoJSON(v any) serbench.Bound {
	m := v.(proto.Message)
	return serbench.Bound{
		Marshal:   func() ([]byte, error) { return protojson.Marshal(m) },
		Append:    func(dst []byte) ([]byte, error) { return protojson.MarshalOptions{}.MarshalAppend(dst, m) },
		Unmarshal: func(data []byte) error { return protojson.Unmarshal(data, m) },
	}
}
