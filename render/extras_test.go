package render_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/render"
)

// onRequest is a report with single calls and cold messages, and with reasons
// why there are none.
func onRequest() *serbench.Report {
	s := newSample("on request")
	s.Payloads = []serbench.PayloadInfo{{Name: "event", Form: "struct", Values: 1}}
	latency := func(calls int64, cycles uint64, ns ...float64) *serbench.Latency {
		l := &serbench.Latency{Calls: calls, MinNs: int64(ns[0] * 0.9), MeanNs: ns[0] * 1.05, MaxNs: int64(ns[len(ns)-1]), GCCycles: cycles, LiveHeap: 64 << 20, ClockNs: 30}
		for i, q := range []float64{0.5, 0.9, 0.99, 0.999} {
			if i == len(ns)-1 {
				l.Quantiles = append(l.Quantiles, serbench.LatencyQuantile{Q: q, EffectiveCalls: 950, Reason: "an interval needs 3688 independent calls; these count as 950: the budget ended"})
				break
			}
			share := []float64{0.002, 0.01, 0.05, 0.4}[i]
			l.Quantiles = append(l.Quantiles, serbench.LatencyQuantile{Q: q, Ns: ptr(ns[i]), LowNs: ptr(ns[i] * (1 - share)), HighNs: ptr(ns[i] * (1 + share)), Confidence: 0.95, EffectiveCalls: int(calls)})
		}
		return l
	}
	const dec = serbench.OpDecode
	s.at("event", "struct", dec, "json", 1834, 0.004).Latency = latency(10_000, 31, 1850, 1960, 5200, 41_000, 512_000)
	s.at("event", "struct", dec, "xml", 9211, 0.004).Latency = latency(1_000, 7, 9300, 9900, 31_000, 380_000)
	s.Results[1].Latency.GCCycles, s.Results[1].Latency.CallsPerGC = 0, 138_211.4
	s.at("event", "struct", dec, "msgp", 48, 0.002).Latency = &serbench.Latency{
		Reason: "an op of 48 ns is 1.6 times what reading the clock costs, 30 ns: a single call cannot be timed; 20 times, 600 ns, are needed"}
	cold := func(warm, ratio float64) *serbench.Cold {
		return &serbench.Cold{WarmNsPerOp: &serbench.Estimate{Value: warm}, ColdNsPerOp: &serbench.Estimate{Value: warm * ratio},
			Ratio:    &serbench.Estimate{Value: ratio, Low: ptr(ratio * 0.99), High: ptr(ratio * 1.01), Confidence: 0.95, N: 16},
			Messages: 1 << 20, Values: 1, CorpusBytes: 128 << 20, L2Bytes: 2 << 20, CacheBytes: 32 << 20}
	}
	s.Results[0].Cold = cold(1850, 1.062)
	s.Results[1].Cold = &serbench.Cold{Reason: "the budget ended before"}
	s.Results[2].Cold = cold(51, 3.31)
	s.Results[2].Cold.CacheBytes = 260 << 20
	return &s.Report
}

func TestTablesOnRequestGolden(t *testing.T) {
	r := onRequest()
	golden(t, "on-request.txt", text(t, r))
	var md strings.Builder
	require.NoError(t, render.Markdown(&md, r, render.Options{}))
	golden(t, "on-request.md", md.String())
}

func TestTablesOnRequestInHTML(t *testing.T) {
	r := onRequest()
	var b bytes.Buffer
	require.NoError(t, render.HTML(&b, r))
	for _, want := range []string{
		"single calls, under the process&#39;s own collector, GOGC=100, over a live heap of 64 MiB</h3>",
		"<h3>messages out of cache, from 128 MiB of copies</h3>", "p99.9", "cold/warm", "3.31", "380.0 µs", "a single call cannot be timed",
	} {
		assert.Contains(t, b.String(), want)
	}
	for i := range r.Results {
		r.Results[i].Latency, r.Results[i].Cold = nil, nil
	}
	b.Reset()
	require.NoError(t, render.HTML(&b, r))
	assert.NotContains(t, b.String(), "single calls")
	assert.NotContains(t, b.String(), "out of cache")
}

func TestTablesOnRequestInCSV(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, render.CSV(&b, onRequest(), render.Options{Columns: []string{"codec", "single_calls", "p50_ns", "p999_ns", "max_ns", "cold_ns_per_op", "cold_ratio"}}))
	got, err := csv.NewReader(&b).ReadAll()
	require.NoError(t, err)
	assert.ElementsMatch(t, [][]string{
		{"codec", "single_calls", "p50_ns", "p999_ns", "max_ns", "cold_ns_per_op", "cold_ratio"},
		{"msgp", "", "", "", "", "168.81", "3.31"},
		{"json", "10000", "1850", "41000", "512000", "1964.7", "1.062"},
		{"xml", "1000", "9300", "", "380000", "", ""},
	}, got)
}

// A report from elsewhere may lack anything.
func TestTablesOnRequestOfAHollowReport(t *testing.T) {
	r := onRequest()
	r.Results[0].Latency = &serbench.Latency{Calls: 3, Quantiles: []serbench.LatencyQuantile{{Q: 0.5}, {Q: 2, Ns: ptr(1.0)}}}
	r.Results[1].Latency = &serbench.Latency{}
	r.Results[0].Cold = &serbench.Cold{Ratio: &serbench.Estimate{}}
	r.Results[1].Cold = &serbench.Cold{}
	r.Environments = nil
	assert.NotEmpty(t, text(t, r))
	assert.NoError(t, render.Markdown(&bytes.Buffer{}, r, render.Options{}))
	assert.NoError(t, render.HTML(&bytes.Buffer{}, r))
}
