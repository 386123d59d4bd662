package serbench_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

// What was subtracted from a short time can be more than the time: such a
// report is read, where any other with a time below zero is refused.
func TestTimesBelowZeroWhereACostWasSubtracted(t *testing.T) {
	const results = `"results": [{"elapsed_ns": -7, "samples": [{"reps": 1, "elapsed_ns": -7}]}]}`
	for _, key := range []string{"subtract_clock_cost", "subtract_noop"} {
		r, err := serbench.ReadReport(strings.NewReader(`{"schema": 1, "config": {"` + key + `": true}, ` + results))
		require.NoError(t, err, key)
		assert.Equal(t, int64(-7), r.Results[0].Samples[0].ElapsedNs)
	}
	_, err := serbench.ReadReport(strings.NewReader(`{"schema": 1, ` + results))
	assert.ErrorContains(t, err, "below zero")
}

// The plans of the seeds, each in small.
func TestPlansOfTheSeeds(t *testing.T) {
	payload := serbench.NewPayload("event", &event{"app-01", "http", "service", "critical"})
	for _, tt := range []struct {
		name   string
		runner serbench.Runner
		check  func(*testing.T, *serbench.Report, *serbench.Result)
	}{
		{"bench_press", serbench.Runner{Author: "A. N. Other", Summary: "which?", Reps: 500, Plan: serbench.Plan{Declared: true}},
			func(t *testing.T, r *serbench.Report, res *serbench.Result) {
				assert.Equal(t, [2]string{"A. N. Other", "which?"}, [2]string{r.Author, r.Summary})
				assert.Equal(t, int64(500), res.Reps)
			}},
		{"Benchmark.bm", serbench.Runner{Reps: 500, Plan: serbench.Plan{Declared: true, WarmupReps: -1}},
			func(t *testing.T, _ *serbench.Report, res *serbench.Result) {
				require.Len(t, res.Counters, 1)
				assert.Equal(t, int64(500), res.Counters[0].Reps)
				assert.NotNil(t, res.Counters[0].WallNs)
			}},
		{"nodemark", serbench.Runner{Time: 5 * time.Millisecond, KeepSamples: 50, Plan: serbench.Plan{Declared: true, BatchReps: 1, DropSamples: 5, MinSamples: 10, SubtractClock: true, WarmupReps: -1}},
			func(t *testing.T, _ *serbench.Report, res *serbench.Result) {
				assert.GreaterOrEqual(t, res.Reps, int64(10))
				assert.LessOrEqual(t, len(res.Samples), 50)
				assert.Equal(t, res.Reps > 50, res.Thinned)
				require.NotNil(t, res.Estimates.NsPerOp.Stddev)
				assert.Equal(t, float64(res.ElapsedNs)/float64(res.Reps), *res.Estimates.NsPerOp.Mean)
			}},
		{"cmpthese", serbench.Runner{CPUTime: 20 * time.Millisecond, Plan: serbench.Plan{Declared: true, SubtractNoop: true}},
			func(t *testing.T, r *serbench.Report, res *serbench.Result) {
				assert.True(t, r.Config.SubtractNoop)
				require.NotNil(t, res.Estimates.CPUNsPerOp)
				assert.GreaterOrEqual(t, res.Estimates.CPUNsPerOp.Value*float64(res.Reps), 19.9e6)
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := tt.runner
			r.Ops, r.Collector = []serbench.Op{serbench.OpEncode}, serbench.CollectorLeave
			report, err := r.Run(t.Context(), []serbench.Codec{jsonCodec("json"), jsonCodec("other")}, []serbench.Payload{payload})
			require.NoError(t, err)
			require.Len(t, report.Results, 2)
			for i := range report.Results {
				require.Equal(t, serbench.StatusOK, report.Results[i].Status)
				tt.check(t, report, &report.Results[i])
			}
			var text strings.Builder
			require.NoError(t, report.WriteJSON(&text))
			_, err = serbench.ReadReport(strings.NewReader(text.String()))
			assert.NoError(t, err, "what was written is read")
		})
	}
}

func TestPlanSettingsThatContradict(t *testing.T) {
	payload := []serbench.Payload{serbench.NewPayload("event", &event{})}
	_, err := serbench.Runner{Plan: serbench.Plan{SubtractNoop: true}}.Run(t.Context(), []serbench.Codec{jsonCodec("json")}, payload)
	assert.ErrorContains(t, err, "SubtractNoop need Reps, Time or CPUTime")
	_, err = serbench.Runner{Reps: 5, Parallelism: []int{1, 2}, Plan: serbench.Plan{SubtractNoop: true}}.Run(t.Context(), []serbench.Codec{jsonCodec("json")}, payload)
	assert.ErrorContains(t, err, "in one goroutine, not in [1 2]")
}
