package main

import (
	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/bson"
	"github.com/serbench/serbench/adapters/cbor"
	"github.com/serbench/serbench/adapters/goccy"
	"github.com/serbench/serbench/adapters/jsoniter"
	"github.com/serbench/serbench/adapters/jsonv2"
	"github.com/serbench/serbench/adapters/msgp"
	"github.com/serbench/serbench/adapters/segmentio"
	"github.com/serbench/serbench/adapters/sonic"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/adapters/ugorji"
	"github.com/serbench/serbench/adapters/vmihailenco"
)

// codecs that take values in generic form.
func codecs() []serbench.Codec {
	return []serbench.Codec{
		stdlib.JSON(), jsonv2.New(), goccy.New(), sonic.New(), segmentio.New(), jsoniter.New(), ugorji.JSON(),
		msgp.Tree(), vmihailenco.New(), ugorji.MsgPack(),
		cbor.New(), ugorji.CBOR(),
		bson.New(), stdlib.Gob(), ugorji.Binc(), ugorji.Simple(),
	}
}
