package probe

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var limits = Limits{Time: 100 * time.Millisecond, MemoryFactor: 64, MemoryBase: 16 << 20}

func msgs() [][]byte { return [][]byte{[]byte(`{"a":1}`), []byte(`{"a":[1,2,3]}`)} }

func TestAttacksAreTheSameEachTime(t *testing.T) {
	for _, format := range []string{"json", "msgpack", "cbor", "bson", "protobuf", "gob", "avro", "xml", "binc", ""} {
		a, b := Attacks(format, msgs(), nil, 1, 1000), Attacks(format, msgs(), nil, 1, 1000)
		require.Len(t, b, len(a))
		classes := map[Class]bool{}
		for i := range a {
			require.Equal(t, a[i].Name, b[i].Name)
			require.Equal(t, a[i].Input(), b[i].Input(), a[i].Name)
			classes[a[i].Class] = true
		}
		assert.True(t, classes[Own] && classes[Truncated] && classes[Flipped] && classes[Random] && classes[Length], format)
	}
	assert.NotEmpty(t, Attacks("json", [][]byte{{}}, nil, 1, 1000), "an empty message can be attacked")
}

func TestNestsAreMessages(t *testing.T) {
	for _, n := range nestsOf("json", nil) {
		if n.Name != "arrays without an end" {
			assert.True(t, json.Valid(n.make(50)), "%s: %s", n.Name, n.make(50))
		}
	}
	doc := bsonNest(3, 0x03, "a")
	depth := 0
	for ; len(doc) > 5; depth++ {
		require.Equal(t, len(doc), int(binary.LittleEndian.Uint32(doc)), "each document says its size")
		require.Equal(t, byte(0), doc[len(doc)-1])
		doc = doc[7 : len(doc)-1]
	}
	assert.Equal(t, 3, depth)
	for msg := protobufNest(300, 0x0a); len(msg) > 0; {
		require.Equal(t, byte(0x0a), msg[0])
		n, k := binary.Uvarint(msg[1:])
		require.Equal(t, len(msg)-1-k, int(n), "each message says its size")
		msg = msg[1+k:]
	}
}

func TestDerive(t *testing.T) {
	n, ok := Derive("x", [3][]byte{[]byte(`[]`), []byte(`[[]]`), []byte(`[[[]]]`)})
	require.True(t, ok)
	assert.Equal(t, `[[[[[]]]]]`, string(n.make(4)))
	_, ok = Derive("x", [3][]byte{[]byte(`1`), []byte(`12`), []byte(`3`)})
	assert.False(t, ok)
	_, ok = Derive("x", [3][]byte{{}, []byte("a"), []byte("aa")})
	assert.False(t, ok)
}

func TestVerdicts(t *testing.T) {
	equal := func(Attack) bool { return true }
	other := func(Attack) bool { return false }
	var sink []byte
	for name, tt := range map[string]struct {
		class  Class
		decode Decoder
		want   Verdict
	}{
		"an error":                             {Flipped, func([]byte) (func(Attack) bool, error) { return equal, errors.New("no") }, Refused},
		"some value":                           {Flipped, func([]byte) (func(Attack) bool, error) { return other, nil }, Accepted},
		"a cut message as another value":       {Truncated, func([]byte) (func(Attack) bool, error) { return other, nil }, Wrong},
		"a cut message as the same value":      {Truncated, func([]byte) (func(Attack) bool, error) { return equal, nil }, Accepted},
		"an error for the message itself":      {Own, func([]byte) (func(Attack) bool, error) { return equal, errors.New("no") }, Wrong},
		"a panic":                              {Random, func([]byte) (func(Attack) bool, error) { panic("no") }, Panic},
		"memory, with an error":                {Length, func([]byte) (func(Attack) bool, error) { sink = make([]byte, 32<<20); return equal, errors.New("no") }, Memory},
		"no answer":                            {Random, func([]byte) (func(Attack) bool, error) { time.Sleep(time.Second); return equal, nil }, Slow},
		"a panic when the value is looked at":  {Truncated, func([]byte) (func(Attack) bool, error) { return func(Attack) bool { panic("no") }, nil }, Panic},
		"a large input may take memory for it": {Random, func([]byte) (func(Attack) bool, error) { sink = make([]byte, 8<<20); return equal, nil }, Accepted},
	} {
		a := Attack{Class: tt.class, Input: func() []byte { return []byte("0123456789") }}
		assert.Equal(t, tt.want, a.Judge(context.Background(), 0, limits, tt.decode).Verdict, name)
	}
	_ = sink
}

func TestTheSmallestInputIsFound(t *testing.T) {
	decode := func(in []byte) (func(Attack) bool, error) {
		if bytes.Contains(in, []byte("x!")) {
			panic("no")
		}
		return nil, errors.New("no")
	}
	a := Attack{Class: Random, Input: func() []byte { return []byte("some bytes x! and more of them") }}
	assert.Equal(t, "x!", string(a.Judge(context.Background(), 0, limits, decode).Input))
}

func TestLargerOnesAreLeftOutAfterADeath(t *testing.T) {
	as := Attacks("json", msgs(), nil, 1, 1_000_000)
	first := 0
	for as[first].Class != Nested {
		first++
	}
	outcomes := []Outcome{{Index: first, Verdict: Killed, Size: 200}}
	next := Next(as, outcomes)
	assert.NotEqual(t, as[first].Series, as[next].Series)
	for range mostDeaths {
		outcomes = append(outcomes, Outcome{Index: next, Verdict: Slow, Size: 300})
		if next = Next(as, outcomes); next < 0 {
			break
		}
	}
	assert.Equal(t, -1, next, "a class is given up after some deaths")
	found := Collect(as, outcomes)
	last := found[len(found)-1]
	assert.Equal(t, Killed, last.Worst)
	assert.Equal(t, 200, last.Size)
	assert.Positive(t, last.Left, "what was left out is counted")
}
