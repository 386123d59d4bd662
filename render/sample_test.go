package render_test

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/serbench/serbench"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench/render"
)

var update = flag.Bool("update", false, "write the golden files of this package anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := "testdata/" + name
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "run go test -update once")
	assert.Equal(t, string(want), got, "see what -update changes")
}

func text(t testing.TB, r *serbench.Report) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, render.Text(&b, r))
	return b.String()
}

func ptr[T any](v T) *T { return &v }

// sample builds reports by hand.
type sample struct{ serbench.Report }

func newSample(title string) *sample {
	return &sample{serbench.Report{
		Schema: 1, Title: title,
		Started: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), ElapsedNs: 18_234_000_000,
		Environments: []serbench.Environment{{
			ID: "here", GoVersion: "go1.26.0", GOOS: "linux", GOARCH: "amd64", GOAMD64: "v1", CPUModel: "Example CPU", CPUs: 2, GOMAXPROCS: 2, GOGC: "100",
			FloorNs: map[serbench.Op]float64{serbench.OpDecode: 3.4, serbench.OpEncode: 2.1},
		}},
		Config: serbench.Config{Mode: "precision", Seed: 42, LiveHeap: 64 << 20},
	}}
}

// at adds a cell that took ns per op, ± a share; 0 gives no interval.
func (s *sample) at(payload, form string, op serbench.Op, codec string, ns, share float64) *serbench.Result {
	e := &serbench.Estimate{Value: ns, N: 1}
	if share > 0 {
		e.Low, e.High, e.Confidence, e.N = ptr(ns*(1-share)), ptr(ns*(1+share)), 0.95, 23
	}
	s.Results = append(s.Results, serbench.Result{
		ID: strings.Join([]string{payload, form, codec, string(op)}, "/"), Environment: "here",
		Payload: payload, Form: form, Codec: codec, Op: op, Parallelism: 1, Status: serbench.StatusOK,
		Estimates: serbench.Estimates{NsPerOp: e},
	})
	return &s.Results[len(s.Results)-1]
}

// without adds a cell that has no figures.
func (s *sample) without(payload, form string, op serbench.Op, codec string, status serbench.Status, reason string) {
	r := s.at(payload, form, op, codec, 0, 0)
	r.Estimates, r.Status, r.Reason = serbench.Estimates{}, status, reason
}

// used sets what stands beside the time.
func used(r *serbench.Result, sustained, allocs, bytes float64, size int) {
	r.Estimates.SustainedNsPerOp = &serbench.Estimate{Value: sustained}
	r.Estimates.AllocsPerOp, r.Estimates.AllocBytesPerOp = &serbench.Estimate{Value: allocs}, &serbench.Estimate{Value: bytes}
	r.Encoded = &serbench.EncodedSize{Min: size, Mean: float64(size), Max: size}
}

// compare adds the comparison of two results, by their numbers.
func (s *sample) compare(a, b int, verdict serbench.Verdict, share float64) {
	x, y := &s.Results[a], &s.Results[b]
	v := x.Estimates.NsPerOp.Value / y.Estimates.NsPerOp.Value
	s.Comparisons = append(s.Comparisons, serbench.Comparison{
		A: x.ID, B: y.ID, Ratio: &v, Low: ptr(v * (1 - share)), High: ptr(v * (1 + share)), Level: 0.05, Margin: 0.01, Verdict: verdict,
	})
}

// usual is what most reports are like: two forms, all pairs compared, one
// codec that loses something, one that cannot, one that fails.
func usual() *serbench.Report {
	s := newSample("codecs on repository")
	s.Payloads = []serbench.PayloadInfo{
		{Name: "repository", Form: "struct", Values: 1},
		{Name: "repository", Form: "map", Values: 1, Warnings: []serbench.Warning{{Code: "few-values", Message: "one value: a branch predictor can learn it by heart"}}},
		{Name: "events", Form: "struct", Values: 1000},
	}
	const enc, dec = serbench.OpEncode, serbench.OpDecode
	used(s.at("repository", "struct", enc, "json", 1834, 0.004), 2012, 2, 512, 461)
	used(s.at("repository", "struct", enc, "msgp", 231.4, 0.002), 262.9, 1, 384, 373)
	used(s.at("repository", "struct", enc, "easyjson", 535.1, 0.013), 601, 2.5, 520.25, 461)
	used(s.at("repository", "struct", enc, "ugorji-json", 537.8, 0.01), 611, 2, 480, 461)
	lossy := s.at("repository", "struct", enc, "ugorji-simple", 655.2, 0.003)
	used(lossy, 701.5, 1, 416, 380)
	lossy.Status = serbench.StatusLossy
	lossy.Fidelity = &serbench.Fidelity{Class: serbench.Lossy, Total: 7, Differences: []serbench.Difference{
		{Path: "created_at", Kind: "time-precision", Want: "05.123456789", Got: "05"},
		{Path: "tags", Kind: "empty-nil", Normalised: true},
		{Path: "owner.id", Kind: "number-value", Want: "9007199254740993", Got: "9007199254740992"},
		{Path: "a", Kind: "x"}, {Path: "b", Kind: "x"},
	}}
	s.without("repository", "struct", enc, "broken", serbench.StatusFailed, "panic: index out of range [3] with length 3")
	s.compare(0, 1, serbench.Slower, 0.009)
	s.compare(1, 2, serbench.Faster, 0.012)
	s.compare(1, 3, serbench.Faster, 0.012)
	s.compare(0, 2, serbench.Slower, 0.012)
	s.compare(3, 0, serbench.Faster, 0.012)
	s.compare(2, 3, serbench.Undecided, 0.02)
	s.Results[2].Warnings = []serbench.Warning{{Code: "two-modes", Message: "the samples have two modes", Advice: "look at them over time"}}
	s.Results[3].Warnings = s.Results[2].Warnings

	used(s.at("repository", "map", enc, "json", 4321, 0.01), 5000, 40, 2048, 461)
	for _, c := range []string{"msgp", "easyjson"} {
		s.without("repository", "map", enc, c, serbench.StatusSkipped, "unsupported: type map[string]interface {} has no generated methods")
	}
	normal := s.at("repository", "map", dec, "ugorji-cbor", 12_345, 0.15)
	normal.Fidelity = &serbench.Fidelity{Class: serbench.Normalised}
	s.at("repository", "map", dec, "json", 9_876_543, 0.01)
	s.at("events", "struct", enc, "gob", 71.25, 0.01).Encoded = &serbench.EncodedSize{Min: 44, Mean: 44.057, Max: 101, FirstBytes: 101}
	s.without("events", "struct", dec, "gob", serbench.StatusNotRun, "")
	s.Interrupted = true
	return &s.Report
}
