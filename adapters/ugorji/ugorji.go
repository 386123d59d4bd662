// Package ugorji adapts github.com/ugorji/go/codec in its five formats.
//
// Its own settings lose data in generic values: MessagePack strings come back
// as []byte, maps as map[any]any. The codecs here are set so that a struct or a
// map[string]any comes back as it was, as far as the library goes; their Info
// lists every setting and what remains.
package ugorji

import (
	"encoding"
	"encoding/json"
	"maps"
	"reflect"

	lib "github.com/ugorji/go/codec"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/internal/buildinfo"
	"github.com/serbench/serbench/internal/typecheck"
)

// An Option changes how a codec calls the library.
type Option func(*codec)

// NewPerMessage makes an encoder and a decoder anew for each message, instead
// of one of each that is Reset, and adds "-new" to the name.
func NewPerMessage() Option { return func(c *codec) { c.fresh = true } }

// codec is one format. Its methods use one encoder and one decoder, each
// bound instance has its own.
type codec struct {
	format  string
	handle  lib.Handle
	options map[string]string
	fresh   bool
	coder   *coder
	checked reflect.Type // the last type that Supports was glad of
}

var (
	_ serbench.Codec     = (*codec)(nil)
	_ serbench.Appender  = (*codec)(nil)
	_ serbench.Supporter = (*codec)(nil)
	_ serbench.Describer = (*codec)(nil)
	_ serbench.Cloner    = (*codec)(nil)
	_ serbench.Binder    = (*codec)(nil)
)

// newCodec gets what differs between the formats; every handle decodes generic
// maps into map[string]any.
func newCodec(format string, h lib.Handle, d *lib.DecodeOptions, options map[string]string, opts []Option) serbench.Codec {
	d.MapType = reflect.TypeFor[map[string]any]()
	options["MapType"] = "map[string]any"
	c := &codec{format: format, handle: h, options: options}
	for _, o := range opts {
		o(c)
	}
	c.coder = newCoder(c)
	return c
}

func (c *codec) Clone() serbench.Codec {
	own := *c
	own.coder = newCoder(c)
	return &own
}

func (c *codec) Name() string {
	if c.fresh {
		return "ugorji-" + c.format + "-new"
	}
	return "ugorji-" + c.format
}

func (c *codec) Describe() serbench.Info {
	const module = "github.com/ugorji/go/codec"
	i := serbench.Info{
		Format:   c.format,
		Library:  module,
		Version:  buildinfo.Version(module),
		Kind:     serbench.KindReflect,
		CallPath: "one Encoder, ResetBytes and Encode per message; one Decoder, ResetBytes and Decode per message",
		Options:  maps.Clone(c.options),
	}
	if c.fresh {
		i.CallPath = "NewEncoderBytes and Encode per message; NewDecoderBytes and Decode per message"
	}
	return i
}

// The library takes what a channel holds out of it, which its owner then
// lacks, and leaves out functions without a word.
var walk = typecheck.Walk{
	Tags: []string{"codec", "json"},
	Opaque: typecheck.Implements((*lib.Selfer)(nil), (*encoding.BinaryMarshaler)(nil),
		(*encoding.TextMarshaler)(nil), (*json.Marshaler)(nil)),
	Bad: func(t reflect.Type) bool {
		switch t.Kind() {
		case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
			return true
		}
		return false
	},
}

func (c *codec) Supports(v any) error {
	if why := typecheck.Pointer(v); why != "" {
		return serbench.Unsupported(v, why)
	}
	path, bad := walk.Find(reflect.TypeOf(v))
	switch {
	case bad == nil:
		return nil
	case path == "":
		return serbench.Unsupported(v, "cannot be encoded by ugorji without loss")
	}
	return serbench.Unsupported(v, "has a field "+path+" of type "+bad.String()+", which ugorji cannot encode without loss")
}

// check is Supports, remembering the last type.
func (c *codec) check(v any) error {
	if why := typecheck.Pointer(v); why != "" {
		return serbench.Unsupported(v, why)
	}
	if t := reflect.TypeOf(v); t != c.checked {
		if err := c.Supports(v); err != nil {
			return err
		}
		c.checked = t
	}
	return nil
}

func (c *codec) Marshal(v any) ([]byte, error) { return c.Append(nil, v) }

func (c *codec) Append(dst []byte, v any) ([]byte, error) {
	if err := c.check(v); err != nil {
		return dst, err
	}
	return c.coder.encode(dst, v)
}

func (c *codec) Unmarshal(data []byte, v any) error {
	if err := c.check(v); err != nil {
		return err
	}
	return c.coder.decode(data, v)
}

func (c *codec) Bind(v any) (serbench.Bound, error) {
	if err := c.Supports(v); err != nil {
		return serbench.Bound{}, err
	}
	own := newCoder(c)
	return serbench.Bound{
		Marshal:   func() ([]byte, error) { return own.encode(nil, v) },
		Append:    func(dst []byte) ([]byte, error) { return own.encode(dst, v) },
		Unmarshal: func(data []byte) error { return own.decode(data, v) },
	}, nil
}
