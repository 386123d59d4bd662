package serbench_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

// noisy gives a result blocks of samples around ns, with a spread per block
// and per sample.
func noisy(res *serbench.Result, rng *rand.Rand, ns float64, blocks int) {
	res.Samples = nil
	var sum float64
	for b := range blocks {
		level := ns * math.Exp(0.01*rng.NormFloat64())
		for round := range 4 {
			t := level * math.Exp(0.02*math.Abs(rng.NormFloat64()))
			res.Samples = append(res.Samples, serbench.Sample{Block: b, Round: round, Reps: 1000, ElapsedNs: int64(1000 * t)})
			sum += t
		}
	}
	res.Estimates.NsPerOp = &serbench.Estimate{Value: sum / float64(4*blocks), N: blocks}
}

func manyCells(seed uint64, n int, ns func(i int) float64) *serbench.Report {
	rng := rand.New(rand.NewPCG(seed, 1))
	r := newCells(0.01)
	for i := range n {
		res := r.add(fmt.Sprint("payload ", i/10), serbench.OpEncode, fmt.Sprint("codec ", i%10), 1, 0, 100)
		noisy(res, rng, ns(i), 16)
	}
	return &r.Report
}

func TestDiffTellsATrueChangeFromChance(t *testing.T) {
	steady := func(int) float64 { return 1000 }
	one := func(i int) float64 {
		if i == 7 {
			return 1150
		}
		return 1000
	}
	wrong, found, covered := 0, 0, 0
	const trials = 60
	for trial := range uint64(trials) {
		old := manyCells(2*trial, 20, steady)
		d, err := serbench.Diff(old, manyCells(2*trial+1, 20, one), serbench.DiffOptions{})
		require.NoError(t, err)
		require.Equal(t, 20, d.Tests)
		for i, c := range d.Changes {
			switch {
			case i == 7:
				if c.Time.Significant(0.05) {
					found++
				}
				if *c.Time.Low <= 1.15 && 1.15 <= *c.Time.High {
					covered++
				}
			case c.Time.Significant(0.05):
				wrong++
			}
		}
	}
	assert.GreaterOrEqual(t, found, 50, "15 %% against a spread of 1 %% per block is seen nearly each time: where 16 blocks look correlated, they prove less")
	assert.LessOrEqual(t, wrong, 8, "at a level of 5 %% over all, about 3 in 60 diffs")
	assert.GreaterOrEqual(t, covered, 52, "the interval of 95 %% holds the truth")
}

// The engine takes the faster half of a block's batches; a comparison of its
// reports with a report's own figures must not find what those do not show.
func TestDiffValuesBlocksAsTheEngineDid(t *testing.T) {
	const quiet, disturbed = 100_000, 300_000
	run := func(mode string, values, slow int) *serbench.Report {
		r := newCells(0.01)
		r.Config.Mode = mode
		res := r.add("p", serbench.OpEncode, "json", 1, 0, 100)
		r.Payloads = []serbench.PayloadInfo{{Name: "p", Form: res.Form, Values: values}}
		for b := range 16 {
			for round := range 8 {
				ns := int64(quiet + b)
				if round < slow {
					ns = disturbed
				}
				res.Samples = append(res.Samples, serbench.Sample{Block: b, Round: round, Reps: 1000, ElapsedNs: ns})
			}
		}
		res.Estimates.NsPerOp = &serbench.Estimate{Value: 100, N: 16}
		return &r.Report
	}
	for _, test := range []struct {
		name     string
		old, new *serbench.Report
		ratio    float64
		why      string
	}{
		{"precision", run("precision", 1, 0), run("precision", 1, 4), 1, "half of the batches is undisturbed"},
		{"reps", run("reps", 1, 0), run("reps", 1, 4), 2, "the median of fixed plans"},
		{"one of each", run("precision", 1, 0), run("reps", 1, 4), 2, "the same value on both sides"},
		{"a corpus", run("precision", 7, 0), run("precision", 7, 4), 2, "the faster half would be the cheap values"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d, err := serbench.Diff(test.old, test.new, serbench.DiffOptions{})
			require.NoError(t, err)
			assert.InEpsilon(t, test.ratio, d.Changes[0].Time.Ratio, 1e-3, test.why)
		})
	}
}

func TestDiffWithoutSamplesUsesTheIntervals(t *testing.T) {
	old, new := newCells(0), newCells(0)
	for codec, ns := range map[string]float64{"same": 1000, "slower": 1500} {
		old.add("p", serbench.OpEncode, codec, 1000, 10, 0)
		new.add("p", serbench.OpEncode, codec, ns, 10, 0)
	}
	old.add("p", serbench.OpEncode, "bare", 1000, 0, 0)
	new.add("p", serbench.OpEncode, "bare", 9000, 0, 0)
	d, err := serbench.Diff(&old.Report, &new.Report, serbench.DiffOptions{})
	require.NoError(t, err)
	for _, c := range d.Changes {
		switch c.Codec {
		case "same":
			assert.InDelta(t, 1, c.Time.P, 1e-9)
			assert.Less(t, *c.Time.Low, 1.0)
			assert.Greater(t, *c.Time.High, 1.0)
		case "slower":
			assert.Less(t, c.Time.P, 1e-9)
			assert.InEpsilon(t, 1.5, c.Time.Ratio, 1e-12)
			assert.Greater(t, *c.Time.Low, 1.45)
		case "bare":
			assert.InDelta(t, 1, c.Time.P, 0, "two figures alone prove nothing")
			assert.Nil(t, c.Time.Low)
		}
	}
}

// alter applies a change to one of two equal reports.
func alter(change func(old, new *serbench.Report)) (old, new *serbench.Report) {
	old, new = sampleReport(), sampleReport()
	change(old, new)
	return old, new
}

func TestGate(t *testing.T) {
	slower := func(by float64) func(old, new *serbench.Report) {
		return func(old, new *serbench.Report) {
			noisy(&old.Results[0], rand.New(rand.NewPCG(1, 1)), 1000, 16)
			noisy(&new.Results[0], rand.New(rand.NewPCG(2, 2)), 1000*by, 16)
			old.Results[0].Launches, new.Results[0].Launches = nil, nil
		}
	}
	for _, c := range []struct {
		name   string
		limits serbench.Limits
		change func(old, new *serbench.Report)
		fails  string // kind of the finding that fails, "" if none
		says   string
	}{
		{"the same report twice passes", serbench.Limits{}, func(_, _ *serbench.Report) {}, "", ""},
		{"30 % slower fails", serbench.Limits{}, slower(1.3), "time", "takes"},
		{"5 % slower, if certain, is below the limit", serbench.Limits{}, slower(1.05), "", ""},
		{"5 % slower fails at a limit of 2 %", serbench.Limits{Time: 0.02}, slower(1.05), "time", "%"},
		{"30 % slower passes where times are not judged", serbench.Limits{Time: -1}, slower(1.3), "", ""},
		{"30 % faster is only told", serbench.Limits{}, slower(1 / 1.3), "", "takes"},
		{"30 % slower on a machine that drifted by 40 % is only told", serbench.Limits{}, func(old, new *serbench.Report) {
			slower(1.3)(old, new)
			new.Environments[0].GroupDrift = map[string]float64{"repository/struct/encode": 1.4}
		}, "", "not certain, since the machine itself changed by a factor of 1.4"},
		{"one byte more fails", serbench.Limits{}, func(_, new *serbench.Report) {
			new.Results[0].Encoded.Mean, new.Results[0].Encoded.Max, new.Results[0].Encoded.Min = 374, 374, 374
		}, "size", "encodes to 374"},
		{"a larger largest message fails though the mean is the same", serbench.Limits{}, func(_, new *serbench.Report) { new.Results[0].Encoded.Max = 375 }, "size", "373..375"},
		{"one byte more within the limit passes", serbench.Limits{Size: 0.01}, func(_, new *serbench.Report) { new.Results[0].Encoded.Mean = 374 }, "", "encodes to 374"},
		{"one byte less is told", serbench.Limits{}, func(_, new *serbench.Report) { new.Results[0].Encoded.Mean = 372 }, "", "was 373"},
		{"one allocation more fails", serbench.Limits{}, func(_, new *serbench.Report) {
			new.Results[0].Estimates.AllocsPerOp.Value = 2
			new.Results[0].Counters = nil
		}, "allocs", "2 allocs/op, was 1: +100.0 %"},
		{"from nothing to something fails without a division", serbench.Limits{}, func(old, new *serbench.Report) {
			old.Results[0].Estimates.AllocsPerOp.Value = 0
			old.Results[0].Counters = nil
		}, "allocs", "1 allocs/op, was 0"},
		{"a share of a pooled buffer more passes", serbench.Limits{}, func(old, new *serbench.Report) {
			old.Results[0].Estimates.AllocBytesPerOp.Value, new.Results[0].Estimates.AllocBytesPerOp.Value = 384.02, 384.31
		}, "", ""},
		{"a new loss fails", serbench.Limits{}, func(_, new *serbench.Report) {
			new.Results[0].Fidelity = &serbench.Fidelity{Class: serbench.Lossy, Total: 1, Differences: []serbench.Difference{{Path: "id", Kind: "number-value"}}}
		}, "fidelity", "number-value at id"},
		{"a new loss passes if allowed", serbench.Limits{AllowFidelity: true}, func(_, new *serbench.Report) {
			new.Results[0].Fidelity = &serbench.Fidelity{Class: serbench.Lossy, Total: 1}
		}, "", "fidelity lossy"},
		{"another loss of the same number fails", serbench.Limits{}, func(_, new *serbench.Report) { new.Results[2].Fidelity.Differences[0].Path = "updated_at" }, "fidelity", "updated_at"},
		{"a loss that is gone is told", serbench.Limits{}, func(_, new *serbench.Report) {
			new.Results[2].Fidelity, new.Results[2].Status = &serbench.Fidelity{Class: serbench.Exact}, serbench.StatusOK
		}, "", "fidelity exact"},
		{"a cell that fails now", serbench.Limits{}, func(_, new *serbench.Report) {
			new.Results[0].Status, new.Results[0].Reason, new.Results[0].Estimates = serbench.StatusFailed, "panic: x", serbench.Estimates{}
		}, "status", "status failed, was ok: panic: x"},
		{"a cell that is lossy now", serbench.Limits{}, func(_, new *serbench.Report) { new.Results[0].Status = serbench.StatusLossy }, "status", "lossy"},
		{"a cell that works now is told", serbench.Limits{}, func(_, new *serbench.Report) { new.Results[3].Status = serbench.StatusOK }, "", "status ok, was failed"},
		{"a missing cell fails", serbench.Limits{}, func(_, new *serbench.Report) { new.Results, new.Comparisons = new.Results[1:], nil }, "missing", "is missing, was ok"},
		{"a missing cell passes if allowed", serbench.Limits{AllowMissing: true}, func(_, new *serbench.Report) { new.Results = new.Results[1:] }, "", "is missing"},
		{"a cell that never had figures may go", serbench.Limits{}, func(_, new *serbench.Report) { new.Results = append(new.Results[:3], new.Results[4:]...) }, "", "is missing, was failed"},
		{"a new cell is told", serbench.Limits{}, func(old, _ *serbench.Report) { old.Results = old.Results[1:] }, "", "is new"},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, new := alter(c.change)
			d, err := serbench.Diff(old, new, serbench.DiffOptions{})
			require.NoError(t, err)
			findings, err := serbench.Gate(d, c.limits)
			require.NoError(t, err)
			var failing, all []string
			for _, f := range findings {
				if f.Fails {
					failing = append(failing, string(f.Kind))
				}
				all = append(all, f.Message)
			}
			assert.Equal(t, c.fails != "", serbench.Failed(findings))
			if c.fails != "" {
				assert.Equal(t, []string{c.fails}, failing)
			}
			text := strings.Join(all, "\n")
			assert.Contains(t, text, c.says)
			assert.NotContains(t, text, "NaN")
			assert.NotContains(t, text, "Inf")
			if c.says == "" {
				assert.Empty(t, all)
			}
		})
	}
}

func TestGateErrors(t *testing.T) {
	d, err := serbench.Diff(sampleReport(), &serbench.Report{}, serbench.DiffOptions{})
	require.NoError(t, err)
	findings, err := serbench.Gate(d, serbench.Limits{})
	assert.ErrorContains(t, err, "nothing to compare")
	assert.NotEmpty(t, findings, "and what is missing is told all the same")
	_, err = serbench.Gate(nil, serbench.Limits{})
	assert.Error(t, err)
	_, err = serbench.Gate(d, serbench.Limits{Size: math.NaN()})
	assert.ErrorContains(t, err, "Limits.Size")
}

func TestDiffErrors(t *testing.T) {
	twice := sampleReport()
	again := twice.Results[0]
	again.ID = "again"
	twice.Results = append(twice.Results, again)
	_, err := serbench.Diff(sampleReport(), twice, serbench.DiffOptions{})
	assert.ErrorContains(t, err, "the new report has this cell twice")
	assert.ErrorContains(t, err, "codec msgp")
	_, err = serbench.Diff(nil, twice, serbench.DiffOptions{})
	assert.Error(t, err)
	_, err = serbench.Diff(sampleReport(), sampleReport(), serbench.DiffOptions{Level: 2})
	assert.ErrorContains(t, err, "level 2")
}

func TestDiffWarnsOfWhatDiffersBesides(t *testing.T) {
	for _, c := range []struct {
		change   func(r *serbench.Report)
		contains []string
	}{
		{func(r *serbench.Report) { r.Payloads[0].Hash = "sha256:11" }, []string{"payload repository (struct)", "sha256:00ff", "sha256:11"}},
		{func(r *serbench.Report) { r.Environments[0].GoVersion = "go1.27.0" }, []string{"Go version: old go1.26.0, new go1.27.0"}},
		{func(r *serbench.Report) { r.Environments[0].CPUModel = "Other" }, []string{"CPU: old Example CPU @ 3.00GHz, new Other"}},
		{func(r *serbench.Report) { r.Environments[0].ID, r.Environments[0].GOGC = "linux", "off" }, []string{"GOGC: old 100, new off"}},
		{func(r *serbench.Report) { r.Config.LiveHeap = 0 }, []string{"setting live_heap_bytes: old 67108864, new 0"}},
		{func(r *serbench.Report) { r.Codecs[0].Version = "v1.7.0" }, []string{"codec msgp version: old v1.6.5, new v1.7.0"}},
	} {
		new := sampleReport()
		c.change(new)
		d, err := serbench.Diff(sampleReport(), new, serbench.DiffOptions{})
		require.NoError(t, err)
		all := ""
		for _, w := range d.Warnings {
			all += w.Message + "\n"
		}
		for _, s := range c.contains {
			assert.Contains(t, all, s)
		}
	}
	new := sampleReport()
	new.Interrupted, new.Config.Seed, new.Config.BudgetNs = true, 1, 1
	d, err := serbench.Diff(sampleReport(), new, serbench.DiffOptions{})
	require.NoError(t, err)
	assert.Len(t, d.Warnings, 1, "seed and budget do not count; an interrupted run does")
}

func TestDiffIsQuick(t *testing.T) {
	old, new := manyCells(1, 5000, func(int) float64 { return 1000 }), manyCells(2, 5000, func(int) float64 { return 1000 })
	start := time.Now()
	d, err := serbench.Diff(old, new, serbench.DiffOptions{})
	require.NoError(t, err)
	assert.Len(t, d.Changes, 5000)
	t.Logf("5,000 cells, 64 samples each: %v", time.Since(start)) // the goal is 1 s; times are not asserted
}
