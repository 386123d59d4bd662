package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/all"
	"github.com/serbench/serbench/examples/payloads/zoo"
)

// cases by kind of outcome, with codecs that give it.
func TestMarks(t *testing.T) {
	lossless := func(name string, marshal func(any) ([]byte, error), unmarshal func([]byte, any) error) serbench.Codec {
		return serbench.NewCodec(name, marshal, unmarshal, serbench.WithInfo(serbench.Info{Format: "json", Library: "l"}))
	}
	p := serbench.NewPayload("p", &zoo.Ints{V: []int64{1}})
	for _, tt := range []struct {
		name string
		c    serbench.Codec
		want outcome
	}{
		{"kept", lossless("a", json.Marshal, json.Unmarshal), outcome{markExact, ""}},
		{"lost", lossless("b", json.Marshal, func([]byte, any) error { return nil }), outcome{markChanged, ".v: length, 1 elements → nil"}},
		{"error to encode", lossless("c", func(any) ([]byte, error) { return nil, errors.New("no\u00a0way") }, nil), outcome{markNoEncode, "no way"}},
		{"error to decode", lossless("d", json.Marshal, func([]byte, any) error { return errors.New("no") }), outcome{markNoDecode, "no"}},
		{"unsupported", lossless("e", nil, nil), outcome{markUnsupported, "unsupported: type zoo.Ints cannot be encoded: the codec has no marshal function"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := try(tt.c, p)
			assert.Equal(t, tt.want.mark, got.mark)
			if tt.want.mark != markChanged {
				assert.Equal(t, tt.want.note, got.note)
			}
		})
	}
}

func TestTwinsShareAColumn(t *testing.T) {
	c := func(name, library string) serbench.Codec {
		return serbench.NewCodec(name, json.Marshal, json.Unmarshal, serbench.WithInfo(serbench.Info{Format: "json", Library: library}))
	}
	columns := matrix([]serbench.Codec{c("a", "x"), c("b", "y"), c("a-new", "x")}, zoo.Cases()[:3])
	require.Len(t, columns, 2)
	assert.Equal(t, []string{"a", "a-new"}, columns[0].names)
	assert.Equal(t, []string{"b"}, columns[1].names)
}

func TestWriteAndCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("encodes all values with all codecs three times")
	}
	file := filepath.Join(t.TempDir(), "fidelity.md")
	require.Error(t, run(nil, "", file), "no such file")
	require.NoError(t, run(nil, file, ""))
	require.NoError(t, run(nil, "", file), "the same each time")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, bytes.Replace(data, []byte("| bool | ·"), []byte("| bool | c"), 1), 0o644))
	err = run(nil, "", file)
	require.ErrorContains(t, err, "is not current from line")
	for _, c := range all.Codecs() {
		assert.Contains(t, string(data), c.Name())
	}
	for _, k := range zoo.Cases() {
		assert.Equal(t, len(sections), strings.Count(string(data), "\n| "+cell(k.Name)+" |"), k.Name)
	}
}

func TestTextIsData(t *testing.T) {
	assert.Equal(t, `a\|b&lt;c`, cell("a|b<c"))
	assert.Equal(t, "`` a`b ``", code("a`b"))
	assert.Equal(t, 160, len([]rune(clean(strings.Repeat("é", 1000)))))
}
