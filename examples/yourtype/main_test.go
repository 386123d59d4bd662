package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/examples/yourtype/model"
)

func TestTheTableSaysWhatIsMissing(t *testing.T) {
	var out bytes.Buffer
	assert.Equal(t, 0, run([]string{"-reps", "20", "-op", "encode,decode"}, &out, os.Stderr))
	for _, want := range []string{
		"order (struct), encode, 100 values", "receipt (struct), decode, 100 values",
		"skipped: easyjson: ", "skipped: msgp: ", "model.Receipt has no MarshalMsg",
	} {
		assert.Contains(t, out.String(), want)
	}
	if t.Failed() {
		t.Log(out.String())
	}
}

// Types whose methods hijack other codecs would spoil the comparison.
func TestTheGeneratedMethodsAreNoStandardOnes(t *testing.T) {
	for _, v := range []any{new(model.Order), new(model.Customer), new(model.Item)} {
		_, json := v.(interface{ MarshalJSON() ([]byte, error) })
		assert.False(t, json, "%T", v)
	}
	p := serbench.NewGenerated[model.Order]("order", 3, serbench.Generator{})
	assert.Equal(t, "struct", p.FormName())
}
