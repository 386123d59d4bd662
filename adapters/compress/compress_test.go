package compress_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/compress"
)

func TestMessagesComeBack(t *testing.T) {
	for _, c := range compress.All() {
		for name, msg := range map[string][]byte{"empty": {}, "one byte": {7}, "text": []byte(strings.Repeat("serializer ", 1000)), "no pattern": pseudoRandom(5000)} {
			t.Run(c.Name()+"/"+name, func(t *testing.T) {
				for range 2 { // state is reset in between
					packed, err := c.Compress([]byte("before"), msg)
					require.NoError(t, err)
					require.True(t, bytes.HasPrefix(packed, []byte("before")), "appends")
					back, err := c.Decompress([]byte("head"), packed[6:])
					require.NoError(t, err)
					assert.Equal(t, "head"+string(msg), string(back))
				}
				packed, _ := c.Compress(nil, msg)
				if name == "text" {
					assert.Less(t, len(packed), len(msg)/10)
				}
			})
		}
		_, err := c.Decompress(nil, []byte("this is no compressed message"))
		assert.Error(t, err, c.Name())
	}
}

func pseudoRandom(n int) []byte {
	b, x := make([]byte, n), uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return b
}

func TestLevels(t *testing.T) {
	_, err := compress.Gzip(10)
	assert.Error(t, err)
	_, err = compress.Zstd(0)
	assert.ErrorContains(t, err, "level 0")
	c, err := compress.Zstd(19)
	require.NoError(t, err)
	assert.Equal(t, "zstd-19", c.Name())
}

type text struct{ S string }

func lines() serbench.Codec {
	return serbench.NewCodec("lines",
		func(v any) ([]byte, error) { return []byte(v.(*text).S), nil },
		func(data []byte, v any) error {
			if len(data) == 0 {
				return errors.New("empty")
			}
			v.(*text).S = string(data)
			return nil
		})
}

type broken struct{ serbench.Compressor }

func (broken) Name() string                             { return "broken" }
func (broken) Decompress(dst, _ []byte) ([]byte, error) { return append(dst, "something else"...), nil }

func TestRunnerMeasuresCompression(t *testing.T) {
	p := serbench.NewPayload("text", &text{strings.Repeat("abc ", 100)}, &text{strings.Repeat("abd ", 200)})
	r, err := serbench.Runner{
		Ops: []serbench.Op{serbench.OpEncode}, Time: 2 * time.Millisecond,
		Compressors: append(compress.All(), broken{compress.S2()}),
	}.Run(context.Background(), []serbench.Codec{lines()}, []serbench.Payload{p})
	require.NoError(t, err)
	e := r.Results[0].Encoded
	require.Len(t, e.Compressions, 4)
	for _, c := range e.Compressions[:3] {
		assert.Empty(t, c.Reason)
		assert.Positive(t, c.CompressNs, c.Algorithm)
		assert.Positive(t, c.DecompressNs, c.Algorithm)
		assert.Less(t, c.MessageBytes, e.Mean/2, c.Algorithm)
		assert.Less(t, int64(c.CorpusBytes), e.Total/2, c.Algorithm)
		assert.Equal(t, c.CorpusBytes, e.Compressed[c.Algorithm])
		through, ok := serbench.MessagesPerSecond(&r.Results[0], serbench.Link{BitsPerSecond: 1e6, Compression: c.Algorithm})
		require.True(t, ok)
		assert.Equal(t, serbench.BoundByLink, through.Bottleneck)
		assert.InEpsilon(t, 1e6/8/c.MessageBytes, through.PerSecond, 1e-9)
	}
	assert.Contains(t, e.Compressions[3].Reason, "did not come back", "a compressor that loses the message gets no figures")
	assert.Zero(t, e.Compressions[3].CompressNs)
	assert.NotContains(t, e.Compressed, "broken")
}

func TestRunnerRefusesCompressors(t *testing.T) {
	p := serbench.NewPayload("text", &text{"x"})
	_, err := serbench.Runner{Compressors: []serbench.Compressor{nil, compress.S2(), compress.S2()}}.Run(context.Background(), []serbench.Codec{lines()}, []serbench.Payload{p})
	assert.ErrorContains(t, err, "Compressors[0] is nil")
	assert.ErrorContains(t, err, `"s2" is named twice`)
}
