// Package compress makes the algorithms of github.com/klauspost/compress
// serbench compressors: gzip, zstd and s2, the three that Go services use
// between a codec and a line or a store.
package compress

import (
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"

	"github.com/serbench/serbench"
)

// All returns gzip, zstd and s2 at their default levels.
func All() []serbench.Compressor {
	return []serbench.Compressor{must(Gzip(gzip.DefaultCompression)), must(Zstd(3)), S2()}
}

func must(c serbench.Compressor, err error) serbench.Compressor {
	if err != nil {
		panic(err) // the default levels are valid
	}
	return c
}

// Gzip compresses at a level from 1 to 9, or -1 for the default. Encoder and
// decoder are reset from message to message, as a server keeps them.
func Gzip(level int) (serbench.Compressor, error) {
	w, err := gzip.NewWriterLevel(io.Discard, level)
	if err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	name := "gzip"
	if level != gzip.DefaultCompression {
		name = fmt.Sprintf("gzip-%d", level)
	}
	return &gzipper{name: name, w: w}, nil
}

type gzipper struct {
	name string
	w    *gzip.Writer
	r    gzip.Reader
	in   bytes.Reader
}

func (g *gzipper) Name() string { return g.name }

func (g *gzipper) Compress(dst, src []byte) ([]byte, error) {
	out := bytes.NewBuffer(dst)
	g.w.Reset(out)
	if _, err := g.w.Write(src); err != nil {
		return dst, err
	}
	err := g.w.Close()
	return out.Bytes(), err
}

func (g *gzipper) Decompress(dst, src []byte) ([]byte, error) {
	g.in.Reset(src)
	if err := g.r.Reset(&g.in); err != nil {
		return dst, err
	}
	out := bytes.NewBuffer(dst)
	_, err := out.ReadFrom(&g.r)
	return out.Bytes(), err
}

// Zstd compresses at a level of the zstd command, 1 to 22; the library has
// four steps, and the nearest is taken. It uses one goroutine.
func Zstd(level int) (serbench.Compressor, error) {
	if level < 1 || level > 22 {
		return nil, fmt.Errorf("compress: zstd level %d is not one of 1 to 22", level)
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(level)), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	name := "zstd"
	if level != 3 {
		name = fmt.Sprintf("zstd-%d", level)
	}
	return &zstder{name, w, r}, nil
}

type zstder struct {
	name string
	w    *zstd.Encoder
	r    *zstd.Decoder
}

func (z *zstder) Name() string                               { return z.name }
func (z *zstder) Compress(dst, src []byte) ([]byte, error)   { return z.w.EncodeAll(src, dst), nil }
func (z *zstder) Decompress(dst, src []byte) ([]byte, error) { return z.r.DecodeAll(src, dst) }

// S2 compresses in the block format, which is for single messages.
func S2() serbench.Compressor { return s2er{} }

type s2er struct{}

func (s2er) Name() string { return "s2" }

func (s2er) Compress(dst, src []byte) ([]byte, error) {
	n := s2.MaxEncodedLen(len(src))
	if n < 0 {
		return dst, fmt.Errorf("compress: s2 cannot hold a message of %d bytes", len(src))
	}
	at := len(dst)
	dst = append(dst, make([]byte, n)...)
	return dst[:at+len(s2.Encode(dst[at:], src))], nil
}

func (s2er) Decompress(dst, src []byte) ([]byte, error) {
	n, err := s2.DecodedLen(src)
	if err != nil {
		return dst, err
	}
	at := len(dst)
	dst = append(dst, make([]byte, n)...)
	out, err := s2.Decode(dst[at:], src)
	return dst[:at+len(out)], err
}
