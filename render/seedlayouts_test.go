package render_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/render"
)

// seedSample builds reports as the plans of the seeds leave them behind.
type seedSample struct{ serbench.Report }

func (s *seedSample) took(codec string, op serbench.Op, reps, elapsedNs int64) *serbench.Result {
	s.Results = append(s.Results, serbench.Result{
		ID: fmt.Sprint(len(s.Results)), Environment: "env1", Payload: "repository", Form: "map", Codec: codec, Op: op,
		Parallelism: 1, Status: serbench.StatusOK, Reps: reps, ElapsedNs: elapsedNs,
		Samples:   []serbench.Sample{{Reps: reps, ElapsedNs: elapsedNs}},
		Estimates: serbench.Estimates{NsPerOp: &serbench.Estimate{Value: float64(elapsedNs) / float64(max(1, reps)), Mean: ptr(float64(elapsedNs) / float64(max(1, reps)))}},
	})
	return &s.Results[len(s.Results)-1]
}

func (s *seedSample) didNot(codec string, op serbench.Op, status serbench.Status, reason string) {
	r := s.took(codec, op, 0, 0)
	r.Status, r.Reason, r.Samples, r.Estimates = status, reason, nil, serbench.Estimates{}
}

func seedReport() *seedSample {
	return &seedSample{serbench.Report{
		Schema: 1, Started: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC),
		Environments: []serbench.Environment{{
			ID: "env1", GoVersion: "go1.26.0", GOOS: "linux", GOARCH: "amd64", GOAMD64: "v1", GOGC: "100", OS: "Debian GNU/Linux 12",
			CPUModel: "Example CPU @ 3.00GHz", CPUs: 2, MemoryBytes: 8 << 30, ClockResolution: 30, ClockCost: 29.5,
			Modules: map[string]string{"github.com/tinylib/msgp": "v1.6.5"},
		}},
	}}
}

func lossOf(path, kind string) *serbench.Fidelity {
	return &serbench.Fidelity{Class: serbench.Lossy, Total: 1, Differences: []serbench.Difference{{Path: path, Kind: kind}}}
}

func layout(t *testing.T, write func(io.Writer, *serbench.Report) error, r *serbench.Report) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, write(&b, r))
	return b.String()
}

// By hand, from trunc((t - fastest) / t * 100):
//
//	msgp 0.064 s, json-b 0.07: 0.006 / 0.07 = 8.57 %: 8
//	json 0.212345678: 0.148345678 / 0.212345678 = 69.86 %: 69
//
// and for decode: one alone saves nothing, 0 %.
func TestBenchPress(t *testing.T) {
	s := seedReport()
	s.Title, s.Author, s.Summary = "JSON and MessagePack", "A. N. Other", "which is faster for one document?"
	s.Config.Launches = 1
	s.Codecs = []serbench.CodecInfo{
		{Name: "json", Info: serbench.Info{Library: "encoding/json"}},
		{Name: "json-b", Info: serbench.Info{Library: "example.com/b", Version: "v0.1.0"}},
		{Name: "msgp", Info: serbench.Info{Library: "github.com/tinylib/msgp", Version: "v1.6.5"}},
		{Name: "own"},
	}
	const enc, dec = serbench.OpEncode, serbench.OpDecode
	s.took("json", enc, 10_000, 212_345_678)
	s.took("json-b", enc, 10_000, 70_000_000)
	s.took("msgp", enc, 10_000, 64_000_000)
	loser := s.took("cheap", enc, 10_000, 1_000_000)
	loser.Status, loser.Fidelity = serbench.StatusLossy, lossOf("repository.size", "number-value")
	s.took("cut-short", enc, 4_000, 1_000_000).Status = serbench.StatusPartial
	s.didNot("own", enc, serbench.StatusSkipped, "unsupported: a map\nhas no methods")
	s.took("json", dec, 10_000, 2_000_000_000)
	golden(t, "benchpress.txt", layout(t, render.BenchPress, &s.Report))
}

func TestBenchPressOfSeveralEnvironments(t *testing.T) {
	s := seedReport()
	s.Title = "Encode"
	s.Environments = append(s.Environments,
		serbench.Environment{ID: "go1.25", GoVersion: "go1.25.4", GOOS: "linux", GOARCH: "amd64"},
		serbench.Environment{ID: "tinygo", GoVersion: "tinygo0.40"},
		serbench.Environment{ID: "wasm", GoVersion: "go1.26.0", GOOS: "wasip1", GOARCH: "wasm"})
	s.took("json", serbench.OpEncode, 10_000, 1_500_000_000)
	s.took("msgp", serbench.OpEncode, 10_000, 1_000_000_000)
	s.took("json", serbench.OpEncode, 10_000, 10_000).Environment = "go1.25"
	s.took("msgp", serbench.OpEncode, 10_000, 30_000).Environment = "go1.25"
	s.didNot("json", serbench.OpEncode, serbench.StatusFailed, "fork/exec: not implemented")
	s.Results[4].Environment = "tinygo"
	golden(t, "benchpress-environments.txt", layout(t, render.BenchPress, &s.Report))
}

func TestNamesInBenchPressAreData(t *testing.T) {
	s := seedReport()
	s.Title = "odd\nnames"
	s.took("a\nFastest", serbench.OpEncode, 10, 1000)
	s.took("日本", serbench.OpEncode, 10, 2000)
	out := layout(t, render.BenchPress, &s.Report)
	assert.Contains(t, out, `"a\nFastest"`)
	assert.Contains(t, out, "    \"a\\nFastest\"    1.0e-06 secs    Fastest\n    日本            2.0e-06 secs    50% Slower\n")
}

func nodemarkResult(s *seedSample, codec string, mean, stddev float64, calls int64, size int) *serbench.Result {
	r := s.took(codec, serbench.OpEncode, calls, int64(mean*float64(calls)))
	r.Samples = []serbench.Sample{{Reps: 1, ElapsedNs: int64(mean)}, {Reps: 1, ElapsedNs: -3}}
	r.Estimates.NsPerOp = &serbench.Estimate{Value: mean, Mean: &mean, Stddev: &stddev}
	r.Encoded = &serbench.EncodedSize{Min: size, Mean: float64(size), Max: size}
	return r
}

// By hand, from round(1e9 / mean) and 2 * sqrt(sum((x-mean)^2)) / n / mean,
// where the sum is (n - 1) * stddev^2:
//
//	json: 1e9/18700 = 53475.9: 53,476; 2*9350*sqrt(4566)/4567/18700 = 0.014796: ±1.48%
//	msgp: 1e9/810000 = 1234.57: 1,235; 2*40500*sqrt(99)/100/810000 = 0.0099499: ±0.99%
//	even: 1e9/1e6 = 1,000; 2*60000*sqrt(3)/4/1e6 = 0.05196: ±5.2% (no zero at the end)
//	MB/s: 7603 bytes in 18.7 µs = 406.58; 112652 in 810 µs = 139.08
func TestNodemark(t *testing.T) {
	s := seedReport()
	s.Config.SubtractCost = true
	s.Payloads = []serbench.PayloadInfo{{Name: "podcasts"}, {Name: "geo"}, {Name: "geo-bytes", Origin: "geo"}}
	nodemarkResult(s, "json", 18_700, 9_350, 4567, 7603).Payload = "podcasts"
	nodemarkResult(s, "msgp", 9.99, 1, 100_000, 6904).Payload = "podcasts"
	nodemarkResult(s, "json", 1e6, 60_000, 4, 205_637).Payload = "geo"
	nodemarkResult(s, "msgp", 810_000, 40_500, 100, 112_652).Payload = "geo"
	r := nodemarkResult(s, "json", 1e6, 0, 4, 100_000)
	r.Payload, r.Status, r.Fidelity = "geo-bytes", serbench.StatusLossy, lossOf("geometry[0]", "type")
	nodemarkResult(s, "msgp", 10, 10, 4, 95_311).Payload = "geo-bytes"
	s.didNot("gob", serbench.OpEncode, serbench.StatusFailed, "gob: type not registered for interface: map[string]interface {}, and more words")
	s.Results[6].Payload = "geo-bytes"
	golden(t, "nodemark.txt", layout(t, render.Nodemark, &s.Report))
}

func TestNodemarkUnits(t *testing.T) {
	s := seedReport()
	nodemarkResult(s, "json", 18_712.5, 0, 4567, 7603)
	for _, tt := range []struct {
		unit      string
		precision int
		want      string
	}{
		{"ns", 0, "18712 ns ±0% (4567 samples)"},
		{"us", 2, "18.71 us ±0% (4567 samples)"},
		{"ms", 3, "0.019 ms ±0% (4567 samples)"},
		{"s", 6, "0.000019 s ±0% (4567 samples)"},
		{"ops/sec", 0, "53,440 ops/sec ±0% (4567 samples)"},
	} {
		var b strings.Builder
		require.NoError(t, render.NodemarkTable{Unit: tt.unit, Precision: tt.precision}.Write(&b, &s.Report))
		assert.Contains(t, b.String(), tt.want)
	}
	assert.ErrorContains(t, render.NodemarkTable{Unit: "min"}.Write(io.Discard, &s.Report), `"min" is no unit`)
	assert.ErrorContains(t, render.NodemarkTable{Precision: 7}.Write(io.Discard, &s.Report), "precision of 7")
	s.took("batches", serbench.OpEncode, 100, 1e6)
	assert.Contains(t, layout(t, render.Nodemark, &s.Report), "refused: the samples are of several calls each")
}

// The ± is that of the formula on real samples too.
func TestNodemarkErrorAgainstItsFormula(t *testing.T) {
	samples := []float64{90, 100, 110, 130, 95, 99, 250}
	n, sum := float64(len(samples)), 0.0
	for _, x := range samples {
		sum += x
	}
	mean, squares := sum/n, 0.0
	for _, x := range samples {
		squares += (x - mean) * (x - mean)
	}
	want := 100 * 2 * math.Sqrt(squares) / n / mean
	s := seedReport()
	nodemarkResult(s, "json", mean, math.Sqrt(squares/(n-1)), int64(n), 1)
	assert.Contains(t, layout(t, render.Nodemark, &s.Report), fmt.Sprintf("±%.2f%% (7 samples)", want))
}

func cpuResult(s *seedSample, codec string, reps int64, cpuNs float64) *serbench.Result {
	r := s.took(codec, serbench.OpEncode, reps, 1_050_000_000)
	r.Estimates.CPUNsPerOp = &serbench.Estimate{Value: cpuNs}
	return r
}

// By hand, from round(100 * row / column - 100):
//
//	rates: gob 1e9/20000 = 50000, json 100000, msgp 1e9/3000 = 333333
//	gob/json -50, gob/msgp 100*0.15-100 = -85; json/gob 100, json/msgp -70;
//	msgp/gob 566.67: 567, msgp/json 233.33: 233
//
// and the widths: names 4, rates 8; the three columns 4 wide, none wider: no
// evening out is left to do.
func TestCmpthese(t *testing.T) {
	s := seedReport()
	s.Config.Mode, s.Config.SubtractNoop = "cpu-time", true
	cpuResult(s, "gob", 51_000, 20_000)
	cpuResult(s, "json", 102_000, 10_000)
	cpuResult(s, "msgp", 350_000, 3_000)
	r := cpuResult(s, "cheap", 900_000, 1_000)
	r.Status, r.Fidelity = serbench.StatusLossy, lossOf("bar[0]", "number-value")
	s.didNot("bson", serbench.OpEncode, serbench.StatusFailed, "no document")
	golden(t, "cmpthese.txt", layout(t, render.Cmpthese, &s.Report))
}

// As Perl's own Benchmark.pm 1.23 printed it for cases of these rates: columns
// are widened from the narrowest until the chart has 80 columns.
func TestCmptheseEvensColumnsOut(t *testing.T) {
	s := seedReport()
	s.Config.Mode = "cpu-time"
	for _, c := range []struct {
		name string
		rate float64
	}{{"jsonpp", 1031}, {"data-messagepack", 55_123}, {"storable", 30_444}, {"json", 40_960}, {"bson", 2310.5}} {
		cpuResult(s, c.name, int64(c.rate*1.07), 1e9/c.rate)
	}
	golden(t, "cmpthese-even.txt", layout(t, render.Cmpthese, &s.Report))
}

func TestCmptheseOfSlowCases(t *testing.T) {
	s := seedReport()
	s.Config.Mode = "cpu-time"
	for _, c := range []struct {
		name string
		ns   float64
	}{{"slow", 12_340_000_000}, {"slower", 250e9}, {"fast", 25_000_000}} {
		cpuResult(s, c.name, 3, c.ns)
	}
	out := layout(t, render.Cmpthese, &s.Report)
	// The median case, slow, makes 0.08 per second: seconds per iteration for all.
	assert.Contains(t, out, `slow: (warning: too few iterations for a reliable count)
            slower: (warning: too few iterations for a reliable count)
            fast: (warning: too few iterations for a reliable count)
         s/iter  slower    slow    fast
slower      250      --    -95%   -100%
slow       12.3   1926%      --   -100%
fast   2.50e-02 999900%  49260%      --
`)
}

func TestCmptheseWarnsOfFewIterations(t *testing.T) {
	for _, tt := range []struct {
		name   string
		reps   int64
		wallNs int64
		cpuNs  float64 // per op
		warned bool
	}{
		{"enough", 1000, 900e6, 500_000, false},
		{"fewer than four", 3, 9e9, 1e9, true},
		{"short and few", 999, 999e6, 900_000, true},
		{"few, but long", 999, 1000e6, 900_000, false},
		{"hardly any CPU time", 1000, 5e9, 399_000, true},
	} {
		s := seedReport()
		s.Config.Mode = "cpu-time"
		r := cpuResult(s, tt.name, tt.reps, tt.cpuNs)
		r.ElapsedNs = tt.wallNs
		assert.Equal(t, tt.warned, strings.Contains(layout(t, render.Cmpthese, &s.Report), "too few iterations"), tt.name)
	}
}

func TestCmptheseSaysByWhichClock(t *testing.T) {
	s := seedReport()
	s.took("json", serbench.OpEncode, 2000, 2_000_000_000)
	assert.Contains(t, layout(t, render.Cmpthese, &s.Report), "Rates are per second of wall time")
	s.took("zero", serbench.OpEncode, 2000, 0)
	assert.Contains(t, layout(t, render.Cmpthese, &s.Report), "zero: no rate, its time is 0")
}

var seedLayouts = map[string]func(io.Writer, *serbench.Report) error{
	"benchpress": render.BenchPress, "nodemark": render.Nodemark, "cmpthese": render.Cmpthese,
}

// The three percentages are not interchangeable: each layout names its own.
func TestLayoutsNameTheirPercentage(t *testing.T) {
	s := seedReport()
	nodemarkResult(s, "json", 18_700, 9_350, 4567, 7603)
	for name, write := range seedLayouts {
		out := layout(t, write, &s.Report)
		for other := range seedLayouts {
			named := map[string]string{"benchpress": "bench_press", "nodemark": "nodemark", "cmpthese": "cmpthese"}[other] + "'s percentage"
			assert.Equal(t, name == other, strings.Contains(out, named), "%s in %s", named, name)
		}
	}
}

func TestLayoutsOfOddReports(t *testing.T) {
	full := errors.New("disk full")
	for name, write := range seedLayouts {
		assert.Error(t, write(io.Discard, nil), name)
		layout(t, write, &serbench.Report{})
		r, w := io.Pipe()
		require.NoError(t, r.CloseWithError(full))
		assert.ErrorIs(t, write(w, usual()), full, name)
		out := layout(t, write, usual())
		assert.NotContains(t, out, "NaN", name)
		assert.NotContains(t, strings.ReplaceAll(out, "Information", ""), "Inf", name)
	}
}

func FuzzSeedLayouts(f *testing.F) {
	f.Add("name", "reason", int64(1), int64(2), 3.0, 4.0)
	f.Add("\u202e\n", "\x1b[31m", int64(-1), int64(math.MaxInt64), -1.0, 1e300)
	f.Fuzz(func(t *testing.T, codec, reason string, reps, ns int64, mean, stddev float64) {
		s := seedReport()
		s.Title, s.Author, s.Summary = reason, codec, reason
		s.Config.Mode = "cpu-time"
		s.Payloads = []serbench.PayloadInfo{{Name: codec, Origin: reason}, {Name: "repository", Origin: codec}}
		s.took(codec, serbench.OpEncode, reps, ns)
		r := nodemarkResult(s, codec+"x", mean, stddev, reps, 5)
		r.Estimates.CPUNsPerOp = &serbench.Estimate{Value: mean}
		cpuResult(s, "other", 5, stddev).Payload = codec
		s.didNot(reason, serbench.Op(codec), serbench.StatusSkipped, reason)
		for name, write := range seedLayouts {
			for _, c := range layout(t, write, &s.Report) {
				if c < ' ' && c != '\n' || c == '\u202e' {
					t.Fatalf("%s: %q got through", name, c)
				}
			}
		}
	})
}
