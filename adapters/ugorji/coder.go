package ugorji

import (
	"bytes"
	"fmt"

	lib "github.com/ugorji/go/codec"
)

// coder encodes and decodes with one encoder and one decoder, or with new ones
// for each message.
//
// Note: the reused ones remember the last buffer, which they neither read nor
// write again, until the next call. Another Reset would make them forget it,
// but it is no small part of what a short message costs.
type coder struct {
	handle lib.Handle
	text   bool         // white space after a message is accepted
	enc    *lib.Encoder // nil: a new one for each message
	dec    *lib.Decoder
	out    []byte
}

func newCoder(c *codec) *coder {
	own := &coder{handle: c.handle, text: c.format == "json"}
	if !c.fresh {
		own.enc = lib.NewEncoderBytes(&own.out, c.handle)
		own.dec = lib.NewDecoderBytes(nil, c.handle)
	}
	return own
}

// encode encodes behind dst.
//
// Note: the library overwrites what it is given from the start, and writes in
// place only while that has room. So it gets the room behind dst; more output
// than room means that it is elsewhere.
func (c *coder) encode(dst []byte, v any) ([]byte, error) {
	room := dst[len(dst):]
	c.out = room
	var err error
	if c.enc == nil {
		err = lib.NewEncoderBytes(&c.out, c.handle).Encode(v)
	} else {
		c.enc.ResetBytes(&c.out)
		err = c.enc.Encode(v)
	}
	out := c.out
	c.out = nil
	switch {
	case err != nil:
		return dst, err
	case len(out) <= cap(room):
		return dst[:len(dst)+len(out)], nil
	case len(dst) == 0:
		return out, nil
	}
	return append(dst, out...), nil
}

func (c *coder) decode(data []byte, v any) error {
	dec := c.dec
	if dec == nil {
		dec = lib.NewDecoderBytes(data, c.handle)
	} else {
		dec.ResetBytes(data)
	}
	err := dec.Decode(v)
	if err != nil {
		return err
	}
	n := dec.NumBytesRead()
	if n == len(data) && (!c.text || data[0] == '{' || data[0] == '[') {
		return nil
	}
	if c.text {
		return atEndOfText(data, n)
	}
	return fmt.Errorf("ugorji: %d bytes after the message", len(data)-n)
}

const white = " \t\r\n"

// atEndOfText accepts white space behind the n bytes that were read. Of a
// number the byte that ends it is among them.
func atEndOfText(data []byte, n int) error {
	if first := bytes.TrimLeft(data, white); len(first) > 0 && (first[0] == '-' || first[0] >= '0' && first[0] <= '9') {
		n--
	}
	if rest := bytes.TrimLeft(data[min(n, len(data)):], white); len(rest) > 0 {
		return fmt.Errorf("ugorji: %d bytes after the message", len(rest))
	}
	return nil
}
