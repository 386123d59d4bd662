package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/serbench/serbench"
)

func TestRanksBySustainedTime(t *testing.T) {
	cell := func(codec string, sustained float64) serbench.Result {
		return serbench.Result{Op: serbench.OpEncode, Codec: codec, Estimates: serbench.Estimates{SustainedNsPerOp: &serbench.Estimate{Value: sustained}}}
	}
	var text bytes.Buffer
	report := &serbench.Report{Results: []serbench.Result{cell("slow", 300), cell("fast", 100), {Codec: "failed"}}}
	assert.NoError(t, write(&text, report, 64))
	assert.Less(t, strings.Index(text.String(), "fast"), strings.Index(text.String(), "slow"))
	assert.NotContains(t, text.String(), "failed")
}

func TestBadFlags(t *testing.T) {
	for _, args := range [][]string{{"-live", "x"}, {"-live", "0"}, {"-o", "x.json"}, {"-codec", "none-such"}} {
		var out bytes.Buffer
		assert.Equal(t, 2, run(args, &out, os.Stderr), args)
	}
}
