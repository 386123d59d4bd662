// Package all lists every codec that serbench has an adapter for, with its
// variants. Importing it builds all of their libraries into a program: it is
// for comparing them, examples and docs. A program that has chosen imports the
// adapters that it uses.
package all

import (
	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/avro"
	"github.com/serbench/serbench/adapters/bson"
	"github.com/serbench/serbench/adapters/cbor"
	"github.com/serbench/serbench/adapters/easyjson"
	"github.com/serbench/serbench/adapters/goccy"
	"github.com/serbench/serbench/adapters/jsoniter"
	"github.com/serbench/serbench/adapters/jsonv2"
	"github.com/serbench/serbench/adapters/msgp"
	"github.com/serbench/serbench/adapters/protobuf"
	"github.com/serbench/serbench/adapters/segmentio"
	"github.com/serbench/serbench/adapters/sonic"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/adapters/ugorji"
	"github.com/serbench/serbench/adapters/vmihailenco"
	"github.com/serbench/serbench/adapters/vtprotobuf"
)

// Codecs returns new instances of all codecs: first encoding/json, then by
// format. Not among them is protobuf.Dynamic, which is for one schema.
func Codecs() []serbench.Codec {
	return []serbench.Codec{
		stdlib.JSON(),
		jsonv2.New(), jsonv2.Default(),
		easyjson.New(),
		goccy.New(), goccy.Unordered(),
		sonic.New(), sonic.Default(), sonic.Fast(),
		segmentio.New(), segmentio.ZeroCopy(),
		jsoniter.New(), jsoniter.Fastest(),
		ugorji.JSON(), ugorji.JSON(ugorji.NewPerMessage()),
		protobuf.JSON(),

		msgp.New(), msgp.Tree(),
		vmihailenco.New(),
		ugorji.MsgPack(), ugorji.MsgPack(ugorji.NewPerMessage()),

		cbor.New(), cbor.Canonical(),
		ugorji.CBOR(), ugorji.CBOR(ugorji.NewPerMessage()),

		protobuf.New(),
		vtprotobuf.New(),
		bson.New(), bson.Default(),
		avro.New(), avro.Micros(),
		stdlib.Gob(),
		ugorji.Binc(), ugorji.Binc(ugorji.NewPerMessage()),
		ugorji.Simple(), ugorji.Simple(ugorji.NewPerMessage()),
		stdlib.XML(),
	}
}
