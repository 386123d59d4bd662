package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

func TestRanksBySustainedTime(t *testing.T) {
	const heap = 64 << 20
	cell := func(codec string, low, sustained, high float64) serbench.Result {
		return serbench.Result{Op: serbench.OpEncode, Codec: codec, Status: serbench.StatusOK, Memory: &serbench.MemoryCost{LiveHeaps: []serbench.HeapCost{
			{LiveHeap: 0, SustainedNsPerOp: &serbench.Estimate{Value: 1000 - sustained}},
			{LiveHeap: heap, SustainedNsPerOp: &serbench.Estimate{Value: sustained, Min: &low, Max: &high}}}}}
	}
	report := &serbench.Report{Results: []serbench.Result{
		cell("slow", 290, 300, 310), cell("fast", 90, 100, 110), cell("faster", 80, 95, 105), {Codec: "failed", Op: serbench.OpEncode, Status: serbench.StatusFailed}}}
	assert.Equal(t, "faster 95 ns ~ fast 100 ns < slow 300 ns", ranking(report, serbench.OpEncode, heap))
	assert.Equal(t, "slow 700 ns < fast 900 ns < faster 905 ns", ranking(report, serbench.OpEncode, 0), "without a spread, by the figures alone")
	assert.Empty(t, ranking(report, serbench.OpDecode, heap))
}

func TestShowsMemoryAndSavesTheReport(t *testing.T) {
	var out bytes.Buffer
	file := filepath.Join(t.TempDir(), "r.json")
	require.Equal(t, 0, run([]string{"-live", "0", "-codec", "^json$", "-op", "decode", "-reps", "20", "-o", file}, &out, os.Stderr))
	for _, want := range []string{"memory: repository", "the collector's cost: repository", "decode  0         json "} {
		assert.Contains(t, out.String(), want)
	}
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	report, err := serbench.ReadReport(f)
	require.NoError(t, err)
	assert.NotNil(t, report.Results[0].Memory.HeldBytes)
}

func TestBadFlags(t *testing.T) {
	for _, args := range [][]string{{"-live", "x"}, {"-live", "-1"}, {"-o", "no/such/folder/x.json"}, {"-codec", "none-such"}, {"-budget"}} {
		var out bytes.Buffer
		assert.Equal(t, 2, run(args, &out, os.Stderr), args)
	}
	var out bytes.Buffer
	assert.NotEqual(t, 0, run([]string{"-live", "1,1"}, &out, os.Stderr), "a heap twice")
}
