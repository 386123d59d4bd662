package main

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/protobuf"
	"github.com/serbench/serbench/examples/payloads/payloadspb"
)

type pair struct{ A, B string }

func codec(name string, marshal func(any) ([]byte, error), unmarshal func([]byte, any) error) serbench.Codec {
	return serbench.NewCodec(name, marshal, unmarshal, serbench.WithInfo(serbench.Info{Format: "f"}))
}

func TestWhatAPairDoesWorseThanEachAlone(t *testing.T) {
	upper := func(v any) ([]byte, error) {
		data, err := json.Marshal(v)
		return []byte(strings.ToUpper(string(data))), err
	}
	lower := func(data []byte, v any) error { return json.Unmarshal([]byte(strings.ToLower(string(data))), v) }
	m := matrices([]serbench.Codec{
		codec("plain", json.Marshal, json.Unmarshal),
		codec("shouts", upper, lower),
		codec("picky", json.Marshal, func(data []byte, v any) error {
			if strings.Contains(string(data), "X") {
				return errors.New("too loud")
			}
			return json.Unmarshal(data, v)
		}),
		codec("panics", json.Marshal, func([]byte, any) error { panic("no") }),
		serbench.NewCodec("alone", json.Marshal, json.Unmarshal, serbench.WithInfo(serbench.Info{Format: "g"})),
	}, []serbench.Payload{serbench.NewPayload("p", &pair{"x", "y"})})
	require.Len(t, m, 1, "a format of one codec has no matrix")
	var cells [][]string
	for i := range m[0].codecs {
		var row []string
		for j := range m[0].codecs {
			row = append(row, m[0].cell(i, j))
		}
		cells = append(cells, row)
	}
	assert.Equal(t, [][]string{
		{"1e", "1e", "1e", "1P"},
		{"1l", "1e", "1E", "1P"},
		{"1e", "1e", "1e", "1P"},
		{"1e", "1e", "1e", "1P"},
	}, cells)
	var doc strings.Builder
	document(&doc, m)
	assert.Contains(t, doc.String(), "  - lossy: shouts read by plain: ")
	assert.Contains(t, doc.String(), "  - error: shouts read by picky: ` too loud `\n")
	assert.NotContains(t, doc.String(), "  - panic", "it does no better alone")
}

func TestADynamicMessageReadsAndWritesWhatGeneratedOnesDo(t *testing.T) {
	c := dynamic{}
	for _, p := range payloadspb.Payloads()[:4] {
		values, err := p.Values()
		require.NoError(t, err)
		want, err := protobuf.New().Marshal(values[0])
		require.NoError(t, err)
		msg, err := c.Marshal(values[0])
		require.NoError(t, err)
		assert.Len(t, msg, len(want), "the fields of a dynamic message come in any order")
		for _, in := range [][]byte{want, msg} {
			got := p.New()
			require.NoError(t, c.Unmarshal(in, got))
			assert.Equal(t, serbench.Exact, p.Compare(values[0], got).Class, p.Name())
		}
		assert.Error(t, c.Unmarshal([]byte{0x0a}, p.New()), "a field without its content")
	}
	_, err := c.Marshal(&pair{})
	assert.ErrorIs(t, err, errors.ErrUnsupported)
	assert.ErrorIs(t, c.Unmarshal(nil, &pair{}), errors.ErrUnsupported)
}
