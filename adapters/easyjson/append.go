package easyjson

import (
	"slices"

	"github.com/mailru/easyjson"
	"github.com/mailru/easyjson/jwriter"
)

// appendTo encodes behind dst, in place as far as dst has room.
//
// Note: easyjson can take a buffer in BuildBytes(dst), but that overwrites it
// from the start, and only copies into it what was encoded elsewhere. Giving
// dst to the writer as its first chunk spares that, at one condition: a chunk
// that overflows goes into easyjson's pool if its capacity is that of a pool,
// and a later message would be written over the caller's bytes.
func (c *codec) appendTo(dst []byte, m easyjson.Marshaler) ([]byte, error) {
	if pooled(cap(dst)) && len(dst) == cap(dst) {
		dst = slices.Grow(dst, 1)
	}
	chunk := dst
	if pooled(cap(dst)) {
		chunk = dst[: len(dst) : cap(dst)-1]
	}
	c.w = jwriter.Writer{}
	c.w.Buffer.Buf = chunk
	m.MarshalEasyJSON(&c.w)
	out, err := c.w.BuildBytes()
	c.w = jwriter.Writer{} // lets go of dst
	if err != nil {
		return dst, err
	}
	if len(out) == len(dst) {
		return dst, stub(m)
	}
	if pooled(cap(out)) { // or a message of that very size would never fit into what its predecessor left
		out = slices.Grow(out, cap(out)-len(out)+1)
	}
	return out, nil
}

// pooled reports whether easyjson has a pool for chunks of a capacity: the
// powers of two from 512 to 32,768. A program that sets other sizes with
// buffer.Init must not use Append.
func pooled(n int) bool {
	return n >= 512 && n <= 32768 && n&(n-1) == 0
}
