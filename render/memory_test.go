package render_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/render"
)

// memorable is a report on what two codecs cost in memory.
func memorable() *serbench.Report {
	s := newSample("memory")
	around := func(v, share float64) *serbench.Estimate {
		return &serbench.Estimate{Value: v, Min: ptr(v * (1 - share)), Max: ptr(v * (1 + share)), N: 5}
	}
	heaps := func(sizes []int64, sustained, cycles, gc, share float64) (out []serbench.HeapCost) {
		for i, size := range sizes {
			k := float64(1 + i)
			out = append(out, serbench.HeapCost{LiveHeap: size, SustainedNsPerOp: around(sustained*k, 0.1), CPUNsPerOp: around(1.2*sustained*k, 0.1),
				GCCyclesPerOp: around(cycles/k, 0), GCCPUNsPerOp: around(gc*k, 0.1), GCShare: ptr(share / k)})
		}
		return out
	}
	sizes := []int64{0, 64 << 20}
	for _, op := range []serbench.Op{serbench.OpEncode, serbench.OpDecode} {
		json := s.at("repository", "struct", op, "json", 1834, 0.004)
		used(json, 2012, 2, 512, 461)
		json.Memory = &serbench.MemoryCost{
			Large:     &serbench.LargeMessage{EncodedBytes: 1<<20 + 12345, Grown: true, AllocBytes: 9 << 20, ResultBytes: 3 << 20, PeakBytes: around(4.5*(1<<20), 0)},
			KeptBytes: around(120, 0.5), KeptBusyBytes: around(1<<20, 0.9), LiveHeaps: heaps(sizes, 2012, 1e-4, 400, 0.2),
		}
		msgp := s.at("repository", "struct", op, "msgp", 231.4, 0.002)
		used(msgp, 262.9, 1, 384, 373)
		msgp.Status = serbench.StatusLossy
		msgp.Memory = &serbench.MemoryCost{
			Large:     &serbench.LargeMessage{EncodedBytes: 1 << 20, Grown: true, AllocBytes: 2 << 20, ResultBytes: 1 << 20},
			LiveHeaps: heaps(sizes, 262.9, 0, 0, 0),
			Reasons:   []string{"peak: 3 collections fell into 3 runs of the op: too few to sample its peak", "kept: a <reason>"},
		}
		if op == serbench.OpDecode {
			json.Memory.HeldBytes, json.Memory.HeldRatio = around(912, 0.001), ptr(912/461.0)
			msgp.Memory.HeldBytes, msgp.Memory.HeldRatio = around(1024, 0.2), ptr(1024/373.0)
		}
	}
	s.at("repository", "struct", serbench.OpDecode, "plain", 99, 0.01).Estimates.FirstCallNs = &serbench.Estimate{Value: 40_321, N: 1}
	s.at("repository", "struct", serbench.OpDecode, "other", 98, 0.01).Estimates.FirstCallNs = &serbench.Estimate{Value: 1.5e6, N: 1}
	return &s.Report
}

func TestMemoryHasTablesInEachFormat(t *testing.T) {
	r := memorable()
	golden(t, "memory.txt", text(t, r))
	checkTables(t, text(t, r))
	var md, page, csv bytes.Buffer
	require.NoError(t, render.Markdown(&md, r, render.Options{}))
	golden(t, "memory.md", md.String())
	require.NoError(t, render.HTML(&page, r))
	for _, want := range []string{"<h2>memory: repository (struct)</h2>", "<h2>the collector&#39;s cost: repository (struct)</h2>", "4.50 MiB", "msgp (lossy)", "kept: a &lt;reason&gt;"} {
		assert.Contains(t, page.String(), want)
	}
	require.NoError(t, render.CSV(&csv, r, render.Options{Columns: []string{"op", "codec", "held_bytes_per_value", "large_alloc_bytes", "large_peak_bytes", "gc_live_heap_bytes", "gc_cycles_per_op"}}))
	assert.Contains(t, csv.String(), "decode,json,912,9437184,4.718592e+06,67108864,5e-05\r\n", "of the largest live heap")
	assert.Contains(t, csv.String(), "decode,plain,,,,,\r\n")
	for line := range strings.Lines(text(t, r)) {
		assert.LessOrEqual(t, len([]rune(line)), 110, line)
	}
	assert.NotContains(t, text(t, usual()), "live heap:", "no table where nothing was weighed")
}
