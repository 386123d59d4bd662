package serbench

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench/internal/hostinfo"
)

func TestTheColdCorpusIsLargerThanTheCaches(t *testing.T) {
	const kib, mib = 1 << 10, 1 << 20
	for _, tc := range []struct {
		name     string
		l2, last int64
		limit    int64
		bytes    int64
		assumed  bool
		refused  string
	}{
		{"four times the last cache", 2 * mib, 32 * mib, 0, 128 * mib, false, ""},
		{"bounded", 2 * mib, 260 * mib, 0, 256 * mib, false, ""},
		{"a small machine", 256 * kib, mib, 0, 4 * mib, false, ""},
		{"unknown caches", 0, 0, 0, 128 * mib, true, ""},
		{"only one cache known", 0, 48 * kib, 0, 128 * mib, true, ""},
		{"half of the memory limit", 2 * mib, 32 * mib, 100 * mib, 50 * mib, false, ""},
		{"a memory limit that leaves too little", 2 * mib, 32 * mib, 15 * mib, 0, false, "8388608 bytes are needed"},
	} {
		p, err := planCold(hostinfo.Caches{L2: tc.l2, Last: tc.last}, tc.limit)
		if tc.refused != "" {
			assert.ErrorContains(t, err, tc.refused, tc.name)
			continue
		}
		require.NoError(t, err, tc.name)
		assert.Equal(t, tc.bytes, p.bytes, tc.name)
		assert.Equal(t, tc.assumed, p.assumed, tc.name)
	}
}

// coldSubject has n messages, of lengths that do not fit cache lines.
func coldSubject(n int) *subject {
	type text struct{ S string }
	values := make([]*text, n)
	for i := range values {
		values[i] = &text{strings.Repeat("x", i*13%200) + fmt.Sprint(i)}
	}
	p := NewPayload("texts", values...)
	s := &subject{codec: NewCodec("json", json.Marshal, json.Unmarshal), payload: p, values: p.values, status: StatusOK}
	for _, v := range s.values {
		msg, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		s.messages = append(s.messages, msg)
	}
	return s
}

func TestColdCopiesLieApartAndAreMetOnceEach(t *testing.T) {
	for _, values := range []int{1, 7, 50} {
		s := coldSubject(values)
		arena := make([]byte, 1<<20)
		c, err := newColdCorpus(s, coldPlan{Caches: hostinfo.Caches{L2: 64 << 10}}, arena, rand.New(rand.NewPCG(1, 2)))
		require.NoError(t, err)
		require.Len(t, c.values, values)
		assert.Greater(t, c.bytes(), int64(len(arena))-c.period)
		assert.LessOrEqual(t, c.bytes(), int64(len(arena)))

		side := &coldSide{subject: s, corpus: c, cold: true}
		require.NoError(t, side.prove())
		require.NoError(t, side.Prepare(len(c.order)))
		lines := map[uintptr]bool{}
		of := map[string]int{}
		half, early := len(c.order)/2, 0
		base := uintptr(unsafe.Pointer(unsafe.SliceData(arena)))
		for i, msg := range side.next.msgs {
			at := uintptr(unsafe.Pointer(unsafe.SliceData(msg))) - base
			for line := at / coldLine; line <= (at+uintptr(len(msg))-1)/coldLine; line++ {
				require.False(t, lines[line], "two copies in one line")
				lines[line] = true
			}
			assert.Equal(t, len(msg), cap(msg), "a decoder cannot reach its neighbour")
			of[string(msg)]++
			if i < half && at < uintptr(len(arena))/2 {
				early++
			}
		}
		require.Len(t, of, values)
		for _, msg := range s.messages {
			assert.Equal(t, len(c.order)/values, of[string(msg)], "as many copies of each")
		}
		assert.Greater(t, early, half*9/10, "what was written first comes first")
	}
}

func TestWarmAndColdDecodeTheSameValues(t *testing.T) {
	s := coldSubject(20)
	c, err := newColdCorpus(s, coldPlan{Caches: hostinfo.Caches{L2: 64 << 10}}, make([]byte, 1<<20), rand.New(rand.NewPCG(1, 2)))
	require.NoError(t, err)
	cold, warm := &coldSide{subject: s, corpus: c, cold: true}, &coldSide{subject: s, corpus: c}
	require.NoError(t, cold.Fresh())
	require.NoError(t, warm.Fresh())
	addresses := map[*byte]bool{}
	for range 3 { // the order goes on
		require.NoError(t, cold.Prepare(500))
		require.NoError(t, warm.Prepare(500))
		for i := range 500 {
			assert.Equal(t, cold.next.msgs[i], warm.next.msgs[i])
			addresses[unsafe.SliceData(warm.next.msgs[i])] = true
		}
	}
	assert.Len(t, addresses, 20, "one copy of each")
}

func TestColdDrawsAsManyValuesAsStayInCache(t *testing.T) {
	s := coldSubject(500)
	c, err := newColdCorpus(s, coldPlan{Caches: hostinfo.Caches{L2: 16 << 10}}, make([]byte, 1<<20), rand.New(rand.NewPCG(1, 2)))
	require.NoError(t, err)
	assert.LessOrEqual(t, c.period, int64(4<<10))
	assert.Greater(t, len(c.values), 10)

	_, err = newColdCorpus(s, coldPlan{Caches: hostinfo.Caches{L2: 64}}, make([]byte, 1<<20), rand.New(rand.NewPCG(1, 2)))
	assert.ErrorContains(t, err, "a quarter of the second-level cache")
}

func TestACodecThatDecodesOtherwiseElsewhereIsFound(t *testing.T) {
	s := coldSubject(5)
	s.codec = NewCodec("wrong", json.Marshal, func([]byte, any) error { return nil })
	c, err := newColdCorpus(s, coldPlan{Caches: hostinfo.Caches{L2: 64 << 10}}, make([]byte, 1<<20), rand.New(rand.NewPCG(1, 2)))
	require.NoError(t, err)
	assert.ErrorContains(t, (&coldSide{subject: s, corpus: c, cold: true}).prove(), "came back as another")
}
