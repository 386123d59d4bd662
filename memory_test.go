package serbench_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

// zeros is a value that is as large as its short message says.
type zeros struct{ B []byte }

const oneMiB = 1 << 20

// zerosCodec encodes the number of zeros in 8 bytes.
func zerosCodec(encode func(), opts ...serbench.CodecOption) serbench.Codec {
	return serbench.NewCodec("zeros", func(v any) ([]byte, error) {
		encode()
		return binary.BigEndian.AppendUint64(nil, uint64(len(v.(*zeros).B))), nil
	}, func(data []byte, v any) error {
		if len(data) != 8 {
			return errors.New("8 bytes are needed")
		}
		v.(*zeros).B = make([]byte, binary.BigEndian.Uint64(data))
		return nil
	}, opts...)
}

// rawCodec encodes the bytes as they are, and has a hook in each direction.
func rawCodec(name string, encode func(v *zeros), decode func(v *zeros) error) serbench.Codec {
	return serbench.NewCodec(name, func(v any) ([]byte, error) {
		encode(v.(*zeros))
		return slices.Clone(v.(*zeros).B), nil
	}, func(data []byte, v any) error {
		if len(data) == 0 {
			return errors.New("empty")
		}
		v.(*zeros).B = slices.Clone(data)
		return decode(v.(*zeros))
	})
}

func nothing(*zeros) {}

func weighed(t *testing.T, r serbench.Runner, c serbench.Codec, p serbench.Payload) (*serbench.Report, error) {
	t.Helper()
	r.Memory = true
	if r.Reps == 0 {
		r.Reps = 20
	}
	if len(r.Ops) == 0 {
		r.Ops = []serbench.Op{serbench.OpEncode, serbench.OpDecode}
	}
	return r.Run(t.Context(), []serbench.Codec{c}, []serbench.Payload{p})
}

func TestADecodedValueIsWeighedToTheByte(t *testing.T) {
	report, err := weighed(t, serbench.Runner{}, zerosCodec(func() {}), serbench.NewPayload("mib", &zeros{make([]byte, oneMiB)}))
	require.NoError(t, err)
	m := result(t, report, "zeros", serbench.OpDecode).Memory
	require.NotNil(t, m)
	require.NotNil(t, m.HeldBytes, m.Reasons)
	assert.InDelta(t, oneMiB+24, m.HeldBytes.Value, oneMiB/1000, "1 MiB and the slice's header")
	assert.InEpsilon(t, m.HeldBytes.Value/8, *m.HeldRatio, 1e-9)
	assert.GreaterOrEqual(t, m.HeldBytes.N, 2)
	assert.Nil(t, result(t, report, "zeros", serbench.OpEncode).Memory.HeldBytes, "an encoded message is as large as it is")
}

func TestAValueThatAliasesItsMessageKeepsAllOfIt(t *testing.T) {
	alias := serbench.NewCodec("alias", func(v any) ([]byte, error) {
		return append(make([]byte, 64<<10), v.(*zeros).B...), nil
	}, func(data []byte, v any) error {
		if len(data) < 64<<10 {
			return errors.New("cut off")
		}
		v.(*zeros).B = data[64<<10:]
		return nil
	})
	report, err := weighed(t, serbench.Runner{}, alias, serbench.NewPayload("ten", &zeros{[]byte("0123456789")}))
	require.NoError(t, err)
	m := result(t, report, "alias", serbench.OpDecode).Memory
	require.NotNil(t, m.HeldBytes, m.Reasons)
	assert.InEpsilon(t, 72<<10, m.HeldBytes.Value, 0.03, "64 KiB and 10 bytes, in the size class of 72 KiB")
}

func TestWhatACodecKeepsOfALargeMessage(t *testing.T) {
	const large = 256 << 10 // a message of that length is no usual one
	var hoard []byte
	codec := rawCodec("hoarder", func(v *zeros) {
		if len(v.B) > large && hoard == nil {
			hoard = make([]byte, 8*oneMiB)
		}
	}, func(*zeros) error { return nil })
	report, err := weighed(t, serbench.Runner{}, codec, serbench.NewPayload("small", &zeros{make([]byte, 100)}))
	require.NoError(t, err)
	runtime.KeepAlive(hoard)
	m := result(t, report, "hoarder", serbench.OpEncode).Memory
	require.NotNil(t, m.Large, m.Reasons)
	assert.True(t, m.Large.Grown)
	assert.InEpsilon(t, 3*oneMiB, m.Large.EncodedBytes, 0.1, "the small message, repeated until it has 4 MiB in JSON, where bytes are a third longer")
	assert.InDelta(t, 8*oneMiB, m.KeptBytes.Value, oneMiB/8)
	assert.InDelta(t, 8*oneMiB, m.KeptBusyBytes.Value, oneMiB/8)
	m = result(t, report, "hoarder", serbench.OpDecode).Memory
	assert.InDelta(t, 0, m.KeptBytes.Value, oneMiB/8, "decode keeps nothing")
}

// spender encodes with three working copies of what it is given, and makes
// two more that it drops before.
type spender struct{ copies [3][]byte }

// It does so elsewhere: of a function that is stopped midway the collector
// keeps all that stood in its frame.
//
//go:noinline
func (s *spender) copy(i int, b []byte) { s.copies[i] = slices.Clone(b) }

func (s *spender) encode(v *zeros) {
	b := v.B
	for range 2 {
		s.copy(0, b)
		s.copies[0] = nil
	}
	for i := range s.copies {
		s.copy(i, b)
	}
	s.copies[0] = nil
	s.copy(0, b)
	time.Sleep(30 * time.Millisecond) // that collections find all three
	s.copies = [3][]byte{}
}

func TestThePeakOfOneLargeMessage(t *testing.T) {
	report, err := weighed(t, serbench.Runner{Ops: encodeOnly, Reps: 1, Plan: serbench.Plan{WarmupReps: -1}}, rawCodec("spender", new(spender).encode, func(*zeros) error { return nil }), serbench.NewPayload("large", &zeros{make([]byte, oneMiB)}))
	require.NoError(t, err)
	m := result(t, report, "spender", serbench.OpEncode).Memory
	require.NotNil(t, m.Large, m.Reasons)
	assert.EqualValues(t, oneMiB, m.Large.EncodedBytes)
	assert.False(t, m.Large.Grown)
	assert.InEpsilon(t, 7*oneMiB, m.Large.AllocBytes, 0.01, "six copies and the message, counted")
	assert.InEpsilon(t, oneMiB, m.Large.ResultBytes, 0.01, "the message is left")
	require.NotNil(t, m.Large.PeakBytes, m.Reasons)
	assert.InDelta(t, 3*oneMiB, m.Large.PeakBytes.Value, oneMiB, "three copies at most at once, sampled: never above")
	assert.Nil(t, m.KeptBytes)
	assert.Contains(t, strings.Join(m.Reasons, "; "), "kept: ")
}

func TestGarbageIsChargedByTheCollectionsThatItMakes(t *testing.T) {
	const garbage = 64 << 10
	codec := serbench.NewCodec("wasteful", func(v any) ([]byte, error) {
		b := make([]byte, garbage-1024)
		return append(b[:0:1024], v.(*zeros).B...), nil
	}, func(data []byte, v any) error {
		if len(data) != 3 {
			return errors.New("3 bytes are needed")
		}
		copy(v.(*zeros).B[:cap(v.(*zeros).B)], data)
		v.(*zeros).B = append(make([]byte, 0, 3), data...)
		return nil
	})
	report, err := weighed(t, serbench.Runner{Ops: []serbench.Op{serbench.OpEncode}, MemoryHeaps: []int64{64 << 20, 0}}, codec, serbench.NewPayload("abc", &zeros{[]byte("abc")}))
	require.NoError(t, err)
	m := result(t, report, "wasteful", serbench.OpEncode).Memory
	require.Len(t, m.LiveHeaps, 2, "in rising order")
	small, large := m.LiveHeaps[0], m.LiveHeaps[1]
	assert.Zero(t, small.LiveHeap)
	assert.EqualValues(t, 64<<20, large.LiveHeap)
	// With GOGC at 100 a heap of 64 MiB grows by as much until it is collected.
	assert.InEpsilon(t, garbage/float64(64<<20), large.GCCyclesPerOp.Value, 0.35)
	assert.Greater(t, small.GCCyclesPerOp.Value, 2*large.GCCyclesPerOp.Value, "collections get rarer")
	for _, h := range m.LiveHeaps {
		assert.Positive(t, h.GCCPUNsPerOp.Value)
		assert.Positive(t, h.SustainedNsPerOp.Value)
		if h.GCShare != nil {
			assert.Greater(t, *h.GCShare, 0.0)
			assert.Less(t, *h.GCShare, 1.0)
		}
	}
	perCollection := func(h serbench.HeapCost) float64 { // the least: waiting for a processor only adds
		return *h.GCCPUNsPerOp.Min / h.GCCyclesPerOp.Value
	}
	assert.Greater(t, perCollection(large), 2*perCollection(small), "and dearer")
	assert.Zero(t, report.Config.LiveHeap)
	assert.Equal(t, []int64{0, 64 << 20}, report.Config.MemoryHeaps)
}

func TestMemoryThatCannotBeWeighedIsRefusedWithTheReason(t *testing.T) {
	type number struct{ N int64 }
	fixed := serbench.NewCodec("fixed", func(v any) ([]byte, error) { return binary.BigEndian.AppendUint64(nil, uint64(v.(*number).N)), nil }, func(data []byte, v any) error {
		if len(data) != 8 {
			return errors.New("8 bytes are needed")
		}
		v.(*number).N = int64(binary.BigEndian.Uint64(data))
		return nil
	})
	report, err := weighed(t, serbench.Runner{}, fixed, serbench.NewPayload("number", &number{7}))
	require.NoError(t, err)
	res := result(t, report, "fixed", serbench.OpDecode)
	reasons := strings.Join(res.Memory.Reasons, "; ")
	assert.InEpsilon(t, 16, res.Memory.HeldBytes.Value, 0.1, "a block of 16 bytes, which the runtime shares between the value and its message")
	assert.Contains(t, reasons, "kept: the payload has no small values beside its large one, and nothing in them can grow")
	const others = 4 << 10 // what the runtime itself may allocate meanwhile
	assert.Less(t, res.Memory.Large.AllocBytes, int64(others))
	if peak := res.Memory.Large.PeakBytes; peak != nil {
		assert.Less(t, peak.Value, float64(others))
	} else {
		assert.Contains(t, reasons, "peak", "a figure that is left out has its reason")
	}
	assert.Nil(t, res.Memory.KeptBytes)
}

func TestACodecThatCannotDoALargeMessageLosesOnlyThoseFigures(t *testing.T) {
	for name, tc := range map[string]struct {
		large  func(v *zeros) error
		reason string
	}{
		"an error": {func(*zeros) error { return errors.New("longer than 64 KiB") }, "longer than 64 KiB"},
		"a panic":  {func(*zeros) error { panic("ouch") }, "panic: ouch"},
		"a loss":   {func(v *zeros) error { v.B = v.B[:10]; return nil }, "it does not come back"},
	} {
		t.Run(name, func(t *testing.T) {
			codec := rawCodec("small", nothing, func(v *zeros) error {
				if len(v.B) < 64<<10 {
					return nil
				}
				return tc.large(v)
			})
			report, err := weighed(t, serbench.Runner{Ops: []serbench.Op{serbench.OpDecode}}, codec, serbench.NewPayload("small", &zeros{make([]byte, 100)}))
			require.NoError(t, err)
			res := result(t, report, "small", serbench.OpDecode)
			assert.Equal(t, serbench.StatusOK, res.Status)
			assert.NotNil(t, res.Estimates.NsPerOp)
			assert.NotNil(t, res.Memory.HeldBytes)
			assert.NotEmpty(t, res.Memory.LiveHeaps)
			assert.Nil(t, res.Memory.Large)
			assert.Nil(t, res.Memory.KeptBytes)
			assert.Contains(t, strings.Join(res.Memory.Reasons, "; "), tc.reason)
		})
	}
}

func TestACodecThatFailsWhileItIsWeighedHasNoFigures(t *testing.T) {
	for name, tc := range map[string]struct {
		runner serbench.Runner
		late   func(v *zeros) error
		says   string
	}{
		"an error":       {serbench.Runner{}, func(*zeros) error { return errors.New("tired") }, "tired"},
		"a panic":        {serbench.Runner{}, func(*zeros) error { panic("ouch") }, "panic: ouch"},
		"the goroutine":  {serbench.Runner{}, func(*zeros) error { runtime.Goexit(); return nil }, "Goexit"},
		"a hang":         {serbench.Runner{CallLimit: 200 * time.Millisecond}, func(*zeros) error { select {} }, "did not return"},
		"endless memory": {serbench.Runner{MemoryLimit: 32 << 20}, flood(), "more than the limit"},
	} {
		t.Run(name, func(t *testing.T) {
			decodes := 0
			codec := rawCodec("tiring", nothing, func(v *zeros) error {
				if decodes++; decodes > 100 {
					return tc.late(v)
				}
				return nil
			})
			tc.runner.Ops = []serbench.Op{serbench.OpDecode}
			before := debug.SetGCPercent(77)
			report, err := weighed(t, tc.runner, codec, serbench.NewPayload("small", &zeros{make([]byte, 100)}))
			assert.Equal(t, 77, debug.SetGCPercent(before), "the process's settings are restored")
			assert.ErrorContains(t, err, tc.says)
			res := result(t, report, "tiring", serbench.OpDecode)
			assert.Equal(t, serbench.StatusFailed, res.Status)
			assert.Nil(t, res.Memory)
			assert.Nil(t, res.Estimates.NsPerOp, "no number for what failed")
		})
	}
}

// flood allocates until it holds far more than it may.
func flood() func(*zeros) error {
	return func(*zeros) error {
		var hoard [][]byte
		for range 2000 {
			b := make([]byte, oneMiB)
			for i := 0; i < len(b); i += 4 << 10 {
				b[i] = 1
			}
			hoard = append(hoard, b)
			time.Sleep(time.Millisecond)
			if len(hoard) > 400 { // it was abandoned long ago
				return errors.New("the end")
			}
		}
		runtime.KeepAlive(hoard)
		return nil
	}
}

func TestMemorySettingsAreChecked(t *testing.T) {
	for says, r := range map[string]serbench.Runner{
		"MemoryHeaps: has no effect":       {MemoryHeaps: []int64{0}},
		"MemoryHeaps: -1":                  {Memory: true, MemoryHeaps: []int64{-1}},
		"MemoryHeaps: 9223372036854775807": {Memory: true, MemoryHeaps: []int64{math.MaxInt64}},
		"MemoryHeaps: 5 is named twice":    {Memory: true, MemoryHeaps: []int64{5, 5}},
	} {
		_, err := r.Run(t.Context(), []serbench.Codec{jsonCodec("json")}, []serbench.Payload{eventPayload()})
		assert.ErrorContains(t, err, says)
	}
	report, err := run(t, serbench.Runner{Memory: true, LiveHeap: 1 << 20, Ops: []serbench.Op{serbench.OpAppend, serbench.OpRoundtrip}}, []serbench.Codec{jsonCodec("json")}, eventPayload())
	require.NoError(t, err)
	assert.Equal(t, []int64{0, 1 << 20}, report.Config.MemoryHeaps)
	res := result(t, report, "json", serbench.OpRoundtrip)
	require.Len(t, res.Memory.LiveHeaps, 2, "the cost of the collector is measured of every op")
	assert.Equal(t, res.Estimates.SustainedNsPerOp.Value, res.Memory.LiveHeaps[1].SustainedNsPerOp.Value, "over LiveHeap it is the same measurement")
	assert.Nil(t, res.Memory.Large, "what one message takes is measured of encode and decode")
	assert.Nil(t, result(t, report, "json", serbench.OpAppend).Memory, "what was skipped has none")

	report, err = run(t, serbench.Runner{}, []serbench.Codec{jsonCodec("json")}, eventPayload())
	require.NoError(t, err)
	assert.Nil(t, report.Results[0].Memory, "nothing is weighed unasked")
}

func TestMemoryEndsWhenTheRunDoes(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := serbench.Runner{Memory: true, Reps: 10, OnEvent: func(e serbench.Event) {
		if e.Phase == "memory" {
			cancel()
		}
	}}
	report, err := r.Run(ctx, []serbench.Codec{jsonCodec("a"), jsonCodec("b")}, []serbench.Payload{eventPayload()})
	assert.ErrorIs(t, err, context.Canceled)
	assert.True(t, report.Interrupted)
	weighed := 0
	for _, res := range report.Results {
		assert.NotEqual(t, serbench.StatusFailed, res.Status)
		assert.NotNil(t, res.Estimates.NsPerOp)
		if res.Memory != nil {
			weighed++
		}
	}
	assert.Equal(t, 1, weighed)
}

func TestMemoryIsWeighedInEachLaunch(t *testing.T) {
	report, err := serbench.Runner{Memory: true, MemoryHeaps: []int64{0, 4 << 20}, Launches: 2, Reps: 20, Ops: []serbench.Op{serbench.OpDecode}}.
		Run(t.Context(), childCodec("json"), childPayloads()[:1])
	require.NoError(t, err)
	m := result(t, report, "json", serbench.OpDecode).Memory
	require.NotNil(t, m)
	require.NotNil(t, m.HeldBytes, m.Reasons)
	assert.Equal(t, 2, m.HeldBytes.N, "the launch is the unit")
	assert.InEpsilon(t, 96, m.HeldBytes.Value, 0.5, "a struct of four short strings")
	require.NotNil(t, m.Large, m.Reasons)
	assert.Positive(t, m.Large.AllocBytes)
	require.Len(t, m.LiveHeaps, 2)
	assert.EqualValues(t, 4<<20, m.LiveHeaps[1].LiveHeap)
	assert.Equal(t, 2, m.LiveHeaps[1].GCCyclesPerOp.N)
}
