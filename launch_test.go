package serbench_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

// quick makes children short.
func quick(launches int) serbench.Runner {
	return serbench.Runner{Ops: []serbench.Op{serbench.OpEncode}, Reps: 120, Launches: launches, Seed: 1, ChildTime: time.Minute}
}

func events() []serbench.Payload { return childPayloads()[:1] }

func TestLaunchesAreMeasuredInProcessesOfTheirOwn(t *testing.T) {
	r := quick(4)
	rep, err := r.Run(t.Context(), childCodec("json", "json-b", "sleeper"), events())
	require.NoError(t, err)
	require.Len(t, rep.Results, 3)
	for _, res := range rep.Results {
		require.Equal(t, serbench.StatusOK, res.Status, res.Reason)
		assert.EqualValues(t, 4*120, res.Reps)
		require.Len(t, res.Launches, 4)
		var reps int64
		for i, l := range res.Launches {
			assert.Equal(t, i+1, l.Launch)
			assert.Greater(t, l.ProcessNs, l.ElapsedNs, "a process lasts longer than its timed ops")
			reps += l.Reps
		}
		assert.Equal(t, res.Reps, reps)
		e := res.Estimates.NsPerOp
		require.NotNil(t, e)
		assert.Equal(t, 4, e.N, "the launch is the unit")
		require.NotNil(t, e.Low)
		assert.Less(t, *e.Low, e.Value)
		assert.NotEmpty(t, res.CallPath)
		assert.Equal(t, 70, res.Encoded.Max+len(`{"host":"","service":"","type":"","state":""}`)-len(`{"Host":"","Service":"","Type":"","State":""}`), "%+v", res.Encoded)
		assert.Equal(t, serbench.Exact, res.Fidelity.Class)
		assert.True(t, slices.IsSortedFunc(res.Samples, func(a, b serbench.Sample) int { return a.Block - b.Block }))
	}
	require.Len(t, rep.Comparisons, 2)
	sleeper := rep.Comparisons[1]
	assert.Equal(t, serbench.Faster, sleeper.Verdict, "%+v: json against one that sleeps, %v", sleeper, sleeper.Ratio)
	assert.Equal(t, 4, sleeper.Blocks)
	var b bytes.Buffer
	require.NoError(t, rep.WriteJSON(&b))
	back, err := serbench.ReadReport(&b)
	require.NoError(t, err)
	assert.Equal(t, rep.Results[0].Launches, back.Results[0].Launches)
}

func TestLaunchesInEveryMode(t *testing.T) {
	for name, r := range map[string]serbench.Runner{
		"precision": {Budget: 3 * time.Second},
		"time":      {Time: 20 * time.Millisecond},
		"cpu-time":  {CPUTime: 20 * time.Millisecond},
	} {
		r.Ops, r.Launches, r.LiveHeap = []serbench.Op{serbench.OpDecode}, 2, 1<<20
		rep, err := r.Run(t.Context(), childCodec("json", "json-b"), events())
		require.NoError(t, err, name)
		assert.Equal(t, name, rep.Config.Mode)
		for _, res := range rep.Results {
			require.Equal(t, serbench.StatusOK, res.Status, res.Reason)
			assert.Len(t, res.Launches, 2, name)
			assert.NotNil(t, res.Estimates.AllocsPerOp)
			assert.NotNil(t, res.Estimates.SustainedNsPerOp)
		}
		assert.Contains(t, rep.Environments[0].FloorNs, serbench.OpDecode, "the children's floors")
	}
}

// Between launches, not within: two processes that differ widen the interval
// even where each is sure of itself.
func TestOneLaunchKnowsNoVarianceBetweenLaunches(t *testing.T) {
	rep, err := quick(1).Run(t.Context(), childCodec("json", "json-b"), events())
	require.NoError(t, err)
	for _, res := range rep.Results {
		assert.Nil(t, res.Estimates.NsPerOp.Low)
		assert.True(t, slices.ContainsFunc(res.Warnings, func(w serbench.Warning) bool { return w.Code == "one-launch" }))
	}
	require.Len(t, rep.Comparisons, 1)
	assert.Equal(t, serbench.Undecided, rep.Comparisons[0].Verdict)
	assert.Equal(t, "1 of at least 3 launches", rep.Comparisons[0].Reason)
}

func TestACodecThatHarmsItsProcessHarmsOnlyItsCell(t *testing.T) {
	for _, c := range []struct {
		codec  string
		set    func(*serbench.Runner)
		status serbench.Status
		reason string
	}{
		{"panics", nil, serbench.StatusFailed, "panic: no codec"},
		{"panics-elsewhere", nil, serbench.StatusFailed, "child process: panic: exit status 2: panic: in a goroutine"},
		{"overflows", func(r *serbench.Runner) { r.ChildMemory = 128 << 20 }, serbench.StatusFailed, "child process: stack overflow"},
		{"exits", nil, serbench.StatusFailed, "exit status 0 without an answer"},
		{"hangs", func(r *serbench.Runner) { r.CallLimit = 200 * time.Millisecond }, serbench.StatusFailed, "did not return within 200ms"},
		{"hangs", func(r *serbench.Runner) { r.CallLimit, r.ChildTime = -1, time.Second }, serbench.StatusFailed, "did not end within 1s and was killed"},
		{"hoards", func(r *serbench.Runner) { r.ChildMemory, r.MemoryLimit = 128<<20, -1 }, serbench.StatusFailed, "child process: out of memory"},
		{"dies-late", nil, serbench.StatusFailed, "exit status 7 without an answer"},
		{"forges", nil, serbench.StatusFailed, "the child's report: 0 results instead of one"},
		{"scrawls", nil, serbench.StatusFailed, "the child's report: "},
		{"impersonates", nil, serbench.StatusFailed, `it is of "event/struct/json/encode", not of "event/struct/impersonates/encode"`},
		{"fails", nil, serbench.StatusFailed, "broken by design"},
		{"unsupporting", nil, serbench.StatusSkipped, "has no such method"},
		{"floods", nil, serbench.StatusOK, ""},
	} {
		t.Run(c.codec, func(t *testing.T) {
			r := quick(2)
			r.Reps = 60
			if c.set != nil {
				c.set(&r)
			}
			rep, err := r.Run(t.Context(), childCodec("json", c.codec, "json-b"), events())
			bad := rep.Results[1]
			assert.Equal(t, c.status, bad.Status)
			assert.Contains(t, bad.Reason, c.reason)
			if c.status == serbench.StatusFailed {
				var e *serbench.Error
				require.ErrorAs(t, err, &e)
				assert.Equal(t, c.codec, e.Codec)
				assert.Equal(t, serbench.OpEncode, e.Op)
				assert.Empty(t, bad.Samples, "no figures of what failed")
				assert.Nil(t, bad.Estimates.NsPerOp)
				assert.Empty(t, bad.Launches)
			} else {
				require.NoError(t, err)
			}
			for _, i := range []int{0, 2} {
				assert.Equal(t, serbench.StatusOK, rep.Results[i].Status, "its neighbour")
				assert.EqualValues(t, 120, rep.Results[i].Reps)
			}
		})
	}
}

func TestAProgramWithoutServeChildIsToldTheTwoLines(t *testing.T) {
	t.Setenv("SERBENCH_TEST_NO_SERVE", "1") // the child runs these tests, and finds itself out
	started := time.Now()
	rep, err := quick(5).Run(t.Context(), childCodec("json", "json-b"), events())
	require.Error(t, err)
	assert.Contains(t, err.Error(), "served, err := serbench.ServeChild(ctx, codecs, payloads)\n\tif served || err != nil { return }")
	assert.Contains(t, err.Error(), "TestMain")
	for _, res := range rep.Results {
		assert.Equal(t, serbench.StatusFailed, res.Status)
	}
	assert.Less(t, time.Since(started), 50*time.Second, "one child shows it for all")
}

func TestInsideAChildRunStartsNothing(t *testing.T) {
	t.Setenv("SERBENCH_CHILD", "served")
	rep, err := quick(2).Run(t.Context(), childCodec("json"), events())
	require.NotNil(t, rep)
	assert.ErrorContains(t, err, "did not return after, or did not call, ServeChild")
}

func TestTheChildHasOtherData(t *testing.T) {
	mine := serbench.NewPayload("changed", &event{Host: "as the parent has it"})
	_, err := quick(2).Run(t.Context(), childCodec("json"), []serbench.Payload{mine})
	assert.ErrorContains(t, err, "other content than the parent's")
	unknown := serbench.NewPayload("unknown", &event{})
	_, err = quick(2).Run(t.Context(), childCodec("json"), []serbench.Payload{unknown})
	assert.ErrorContains(t, err, `has no payload "unknown" in form "struct"`)
	_, err = quick(2).Run(t.Context(), []serbench.Codec{jsonCodec("stranger")}, events())
	assert.ErrorContains(t, err, `has no codec "stranger"`)
}

func TestCancelledLaunchesKeepWhatWasMeasured(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := quick(1000)
	n := 0
	r.OnEvent = func(serbench.Event) {
		if n++; n == 5 {
			cancel()
		}
	}
	rep, err := r.Run(ctx, childCodec("json", "json-b"), events())
	require.ErrorIs(t, err, context.Canceled)
	assert.True(t, rep.Interrupted)
	for _, res := range rep.Results {
		assert.Equal(t, serbench.StatusPartial, res.Status)
		assert.NotEmpty(t, res.Launches)
		assert.NotNil(t, res.Estimates.NsPerOp)
	}
}

func TestLaunchSettingsThatContradict(t *testing.T) {
	for _, c := range []struct {
		r    serbench.Runner
		want string
	}{
		{serbench.Runner{Launches: -1}, "Runner.Launches"},
		{serbench.Runner{ChildMemory: -1}, "Runner.ChildMemory"},
		{serbench.Runner{Launches: 2, SelfCheck: true}, "Runner.SelfCheck"},
	} {
		_, err := c.r.Run(t.Context(), childCodec("json"), events())
		assert.ErrorContains(t, err, c.want)
	}
}

func TestAHundredLaunchesLeaveNothing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	goroutines := runtime.NumGoroutine()
	r := quick(34)
	r.Reps = 1
	_, err := r.Run(t.Context(), childCodec("json", "json-b", "dies-late"), events())
	require.NoError(t, err)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+1 }, 5*time.Second, 10*time.Millisecond)
}

func TestReasonsStayReadable(t *testing.T) {
	r := quick(1)
	rep, err := r.Run(t.Context(), childCodec("panics-elsewhere"), events())
	require.Error(t, err)
	assert.Less(t, len(rep.Results[0].Reason), 4096)
	assert.True(t, strings.Contains(rep.Results[0].Reason, "standard error ends:"))
	assert.False(t, errors.Is(err, context.Canceled))
}

// BenchmarkLaunchOfACell prints what a child costs beyond the timed ops: the
// whole process, from its start to its end, for one rep.
func BenchmarkLaunchOfACell(b *testing.B) {
	r := quick(1)
	r.Reps = 1
	var process int64
	for b.Loop() {
		rep, err := r.Run(b.Context(), childCodec("json"), events())
		if err != nil {
			b.Fatal(err)
		}
		process += rep.Results[0].Launches[0].ProcessNs
	}
	b.ReportMetric(float64(process)/float64(b.N)/1e6, "ms/process")
}
