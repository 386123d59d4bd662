package serbench_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

type number struct{ N uint64 }

// hopping is a codec whose messages are 16 KiB, of which decode reads a word
// in each of 256 lines, one after the other: a message that is not in cache
// costs 256 loads that wait for each other.
func hopping(name string, turns int) serbench.Codec {
	const size, line = 16 << 10, 64
	return serbench.NewCodec(name, func(v any) ([]byte, error) {
		msg := make([]byte, size)
		// A cycle through all lines: 77 is odd, so it has no divisor with 256.
		for at, i := 0, 0; i < size/line; i++ {
			next := (at + 77*line) % size
			binary.NativeEndian.PutUint64(msg[at:], uint64(next))
			at = next
		}
		binary.LittleEndian.PutUint64(msg[8:], v.(*number).N)
		return msg, nil
	}, func(data []byte, v any) error {
		if len(data) != size {
			return errors.New("no message of this codec")
		}
		at := uint64(0)
		if turns == 0 {
			at = hop(data, size/line)
		}
		x := uint64(1)
		for range turns { // arithmetic that reads nothing
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
		}
		v.(*number).N = binary.LittleEndian.Uint64(data[8+at:]) + x - x
		return nil
	})
}

// hop follows the indices in data. The race detector would take longer for
// each than memory does.
//
//go:norace
func hop(data []byte, times int) (at uint64) {
	base := unsafe.Pointer(unsafe.SliceData(data))
	for range times {
		at = *(*uint64)(unsafe.Add(base, at))
	}
	return at
}

func TestColdMessagesCostACodecThatReadsThemAndNoOther(t *testing.T) {
	r := serbench.Runner{Seed: 1, Cold: true, Reps: 300, Ops: []serbench.Op{serbench.OpDecode, serbench.OpEncode}}
	report, err := r.Run(t.Context(), []serbench.Codec{hopping("reads", 0), hopping("computes", 20_000)},
		[]serbench.Payload{serbench.NewPayload("number", &number{1}, &number{2}, &number{3})})
	require.NoError(t, err)
	assert.True(t, report.Config.Cold)
	reads, computes := result(t, report, "reads", serbench.OpDecode).Cold, result(t, report, "computes", serbench.OpDecode).Cold
	for _, c := range []*serbench.Cold{reads, computes} {
		require.NotNil(t, c)
		require.NotNil(t, c.Ratio, c.Reason)
		t.Logf("cold %.0f ns, warm %.0f ns, ratio %.2f (%.2f to %.2f), corpus %d MiB, caches %d and %d KiB", c.ColdNsPerOp.Value, c.WarmNsPerOp.Value,
			c.Ratio.Value, *c.Ratio.Low, *c.Ratio.High, c.CorpusBytes>>20, c.L2Bytes>>10, c.CacheBytes>>10)
		assert.Equal(t, 3, c.Values)
		assert.GreaterOrEqual(t, c.CorpusBytes, 4*c.L2Bytes)
		assert.Equal(t, c.Messages*16<<10, c.CorpusBytes)
	}
	assert.Greater(t, reads.Ratio.Value, 1.5, "it waits for memory")
	assert.InDelta(t, 1, computes.Ratio.Value, 0.3, "it reads nothing")
	assert.Greater(t, reads.Ratio.Value, 1.3*computes.Ratio.Value)
	assert.Nil(t, result(t, report, "reads", serbench.OpEncode).Cold, "decode alone")
}

// A codec that knows the addresses of the messages it has seen, and takes
// longer for one that it has not: the warm side must see few, the cold side
// ever new ones.
func TestColdMessagesAreAtEverNewAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := map[*byte]bool{}
		codec := serbench.NewCodec("knows", json.Marshal, func(data []byte, v any) error {
			if len(data) > 0 {
				if p := unsafe.SliceData(data); !seen[p] {
					seen[p] = true
					time.Sleep(2 * time.Millisecond)
				}
			}
			time.Sleep(time.Millisecond)
			return json.Unmarshal(data, v)
		})
		r := serbench.Runner{Seed: 1, Cold: true, Reps: 50, Ops: []serbench.Op{serbench.OpDecode}}
		report, err := r.Run(t.Context(), []serbench.Codec{codec}, []serbench.Payload{eventPayload()})
		require.NoError(t, err)
		c := report.Results[0].Cold
		require.NotNil(t, c)
		require.NotNil(t, c.Ratio, c.Reason)
		assert.InDelta(t, 3e6, c.ColdNsPerOp.Value, 1e3)
		assert.InDelta(t, 1e6, c.WarmNsPerOp.Value, 1e5)
		assert.InDelta(t, 3, c.Ratio.Value, 0.1)
		assert.LessOrEqual(t, *c.Ratio.Low, c.Ratio.Value)
	})
}

func TestColdIsRefusedWithTheReason(t *testing.T) {
	big := serbench.NewPayload("big", &reading{Sensor: strings.Repeat("a", 2<<20)})
	r := serbench.Runner{Cold: true, Reps: 1, Ops: []serbench.Op{serbench.OpDecode}}
	report, err := r.Run(t.Context(), []serbench.Codec{jsonCodec("a")}, []serbench.Payload{big})
	require.NoError(t, err)
	require.NotNil(t, report.Results[0].Cold)
	assert.Nil(t, report.Results[0].Cold.Ratio)
	assert.Contains(t, report.Results[0].Cold.Reason, "a quarter of the second-level cache")

	r.MemoryLimit = 4 << 20
	report, err = r.Run(t.Context(), []serbench.Codec{jsonCodec("a")}, []serbench.Payload{eventPayload()})
	require.NoError(t, err)
	require.NotNil(t, report.Results[0].Cold)
	assert.Contains(t, report.Results[0].Cold.Reason, "MemoryLimit")
}

func TestACodecThatFailsOutOfCacheLosesItsFigures(t *testing.T) {
	calls := 0
	broken := serbench.NewCodec("broken", json.Marshal, func(data []byte, v any) error {
		if calls++; calls > 400 {
			return errors.New("out of ink")
		}
		return json.Unmarshal(data, v)
	})
	r := serbench.Runner{Cold: true, Reps: 100, Ops: []serbench.Op{serbench.OpDecode}}
	report, err := r.Run(t.Context(), []serbench.Codec{broken}, []serbench.Payload{eventPayload()})
	require.ErrorContains(t, err, "decode out of cache: ")
	assert.Equal(t, serbench.StatusFailed, report.Results[0].Status)
	assert.Nil(t, report.Results[0].Cold)
	assert.Nil(t, report.Results[0].Estimates.NsPerOp)
}
