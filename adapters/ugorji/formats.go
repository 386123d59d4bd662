package ugorji

import (
	lib "github.com/ugorji/go/codec"

	"github.com/serbench/serbench"
)

// JSON returns the codec named "ugorji-json". NaN and infinities are written
// as null and read back as zero: the library has no setting that makes them an
// error. White space after a message is accepted.
func JSON(opts ...Option) serbench.Codec {
	h := new(lib.JsonHandle)
	h.MapKeyAsString = true
	return newCodec("json", h, &h.DecodeOptions, map[string]string{
		"MapKeyAsString": "true; otherwise keys that are numbers stand without quotes",
		"NaN":            "and infinities are written as null",
		"integers":       "in generic values come back as int64 or uint64",
	}, opts)
}

// MsgPack returns the codec named "ugorji-msgpack".
func MsgPack(opts ...Option) serbench.Codec {
	h := new(lib.MsgpackHandle)
	h.WriteExt = true
	return newCodec("msgpack", h, &h.DecodeOptions, map[string]string{
		"WriteExt": "true; strings come back as strings, []byte as []byte, times are written as times",
	}, opts)
}

// CBOR returns the codec named "ugorji-cbor". Times come back in UTC to the
// microsecond: the library rounds what it reads, whatever its settings.
func CBOR(opts ...Option) serbench.Codec {
	h := new(lib.CborHandle)
	h.TimeRFC3339 = true
	return newCodec("cbor", h, &h.DecodeOptions, map[string]string{
		"TimeRFC3339": "true; otherwise times are written as floating-point seconds",
		"time":        "read back to the microsecond",
	}, opts)
}

// Binc returns the codec named "ugorji-binc".
func Binc(opts ...Option) serbench.Codec {
	h := new(lib.BincHandle)
	return newCodec("binc", h, &h.DecodeOptions, map[string]string{
		"zero": "negative zero is written as zero",
	}, opts)
}

// Simple returns the codec named "ugorji-simple".
func Simple(opts ...Option) serbench.Codec {
	h := new(lib.SimpleHandle)
	return newCodec("simple", h, &h.DecodeOptions, map[string]string{}, opts)
}
