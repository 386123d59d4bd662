package serbench

import (
	"strconv"
	"strings"
)

// Op is what is timed.
type Op string

// The ops. In each of them nothing but the call and the stated bookkeeping is
// in the timed region.
const (
	// OpEncode is Marshal: each message in a buffer of its own.
	OpEncode Op = "encode"
	// OpDecode is Unmarshal into one target that is cleared by assignment
	// before each call: the top-level value is not allocated anew, everything
	// below it is.
	OpDecode Op = "decode"
	// OpRoundtrip is Marshal and then Unmarshal of what this rep encoded.
	OpRoundtrip Op = "roundtrip"
	// OpAppend is Append into one reused buffer. It needs an Appender.
	OpAppend Op = "append"
	// OpReuse is Unmarshal into the previous, uncleared target.
	OpReuse Op = "reuse"
	// OpStreamEncode and OpStreamDecode pass messages in order through one
	// Stream. They need a Streamer.
	OpStreamEncode Op = "stream-encode"
	OpStreamDecode Op = "stream-decode"
	// OpSend is Marshal and then Send through a transport, OpReceive is
	// Receive and then Unmarshal into a cleared target. A receive consumes
	// exactly what sends of the same codec produced, in order. They need
	// Runner.Transports.
	OpSend    Op = "send"
	OpReceive Op = "receive"
)

// Ops returns all ops, in the order in which reports list them.
func Ops() []Op {
	return []Op{OpEncode, OpDecode, OpRoundtrip, OpAppend, OpReuse, OpStreamEncode, OpStreamDecode, OpSend, OpReceive}
}

func (o Op) throughTransport() bool { return o == OpSend || o == OpReceive }

// DefaultOps are the ops of a Runner that names none; with transports, send
// and receive come behind them.
func DefaultOps() []Op { return []Op{OpEncode, OpDecode, OpRoundtrip} }

// quoteIfOdd leaves plain names as they are and quotes others, so that a name
// with a line break or an invisible character cannot forge a message.
func quoteIfOdd(s string) string {
	odd := func(r rune) bool { return r <= ' ' || r == '"' || !strconv.IsPrint(r) }
	if s == "" || strings.ContainsFunc(s, odd) {
		return strconv.Quote(s)
	}
	return s
}
