package serbench_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

// sleeper takes a known time per call, on however many goroutines, unless it
// has a gate that lets only so many through at once.
type sleeper struct {
	name   string
	gate   chan struct{}
	clones *atomic.Int64
}

func newSleeper(name string, at int) sleeper {
	s := sleeper{name: name, clones: new(atomic.Int64)}
	if at > 0 {
		s.gate = make(chan struct{}, at)
	}
	return s
}

func (s sleeper) Name() string { return s.name }

func (s sleeper) Marshal(v any) ([]byte, error) {
	if s.gate != nil {
		s.gate <- struct{}{}
		defer func() { <-s.gate }()
	}
	time.Sleep(time.Millisecond)
	return json.Marshal(v)
}

func (s sleeper) Unmarshal(data []byte, v any) error { return json.Unmarshal(data, v) }

func (s sleeper) Clone() serbench.Codec {
	s.clones.Add(1)
	return s
}

func parallelRun(t *testing.T, r serbench.Runner, codecs ...serbench.Codec) (*serbench.Report, error) {
	t.Helper()
	r.Ops = []serbench.Op{serbench.OpEncode}
	return r.Run(context.Background(), codecs, []serbench.Payload{serbench.NewPayload("reading", &reading{Sensor: "a", Value: 1})})
}

func find(t *testing.T, report *serbench.Report, codec string, parallelism int) *serbench.Result {
	t.Helper()
	for i := range report.Results {
		if r := &report.Results[i]; r.Codec == codec && r.Parallelism == parallelism {
			return r
		}
	}
	require.Fail(t, "no result", "%s on %d", codec, parallelism)
	return nil
}

// With sleeps of a known length the figures are known: a codec that shares
// nothing keeps its time per op, one that lets a single call through at a time
// takes as many times as long as there are goroutines.
func TestParallelFiguresOfKnownCodecs(t *testing.T) {
	for name, r := range map[string]serbench.Runner{
		"reps":      {Reps: 40, Parallelism: []int{2, 4}},
		"precision": {Budget: 20 * time.Second, Parallelism: []int{2, 4}, Plan: serbench.Plan{BatchTime: 4 * time.Millisecond}},
		"time":      {Time: 100 * time.Millisecond, Parallelism: []int{4, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				free, gated := newSleeper("free", 0), newSleeper("gated", 1)
				report, err := parallelRun(t, r, free, gated)
				require.NoError(t, err)
				for _, p := range []int{1, 2, 4} {
					one := find(t, report, "free", p)
					require.NotNil(t, one.Estimates.NsPerOp, "%+v", one)
					assert.InEpsilon(t, 1e6, one.Estimates.NsPerOp.Value, 0.01, "free on %d", p)
					assert.InEpsilon(t, 1000*p, one.Estimates.OpsPerS.Value, 0.01, "free on %d", p)
					assert.Zero(t, one.Reps%int64(p))
					if name == "reps" {
						assert.EqualValues(t, 40, one.Reps)
						assert.InEpsilon(t, 40e6/float64(p), one.ElapsedNs, 0.01, "elapsed is wall time")
					}
					one = find(t, report, "gated", p)
					assert.InEpsilon(t, 1e6*p, one.Estimates.NsPerOp.Value, 0.01, "gated on %d", p)
					assert.InEpsilon(t, 1000, one.Estimates.OpsPerS.Value, 0.01, "gated on %d", p)
				}
				require.Len(t, report.Scalings, 4)
				for _, s := range report.Scalings {
					if name == "reps" {
						assert.Nil(t, s.Speedup, "measured apart: not in the same rounds")
						continue
					}
					want := float64(s.Parallelism)
					if strings.Contains(s.Result, "gated") {
						want = 1
					}
					assert.InEpsilon(t, want, s.Speedup.Value, 0.01, s.Result)
					assert.InEpsilon(t, want/float64(min(s.Parallelism, runtime.GOMAXPROCS(0))), s.Efficiency.Value, 0.01, s.Result)
				}
				assert.Positive(t, free.clones.Load())
			})
		})
	}
}

func TestComparisonsStayWithinANumberOfGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		report, err := parallelRun(t, serbench.Runner{Budget: 30 * time.Second, Parallelism: []int{4}}, newSleeper("free", 0), newSleeper("gated", 1))
		require.NoError(t, err)
		require.Len(t, report.Comparisons, 2)
		for _, c := range report.Comparisons {
			want := 1.0
			if strings.HasSuffix(c.A, "/parallel=4") {
				want = 0.25
			}
			require.Equal(t, strings.HasSuffix(c.A, "/parallel=4"), strings.HasSuffix(c.B, "/parallel=4"))
			assert.InEpsilon(t, want, *c.Ratio, 0.01)
		}
		assert.Equal(t, []int{1, 4}, report.Config.Parallelism)
	})
}

// noClone is a codec that says nothing of goroutines.
type noClone struct{ serbench.Codec }

func TestACodecThatCannotBeClonedIsSkippedWithTheReason(t *testing.T) {
	plain := serbench.NewCodec("plain", json.Marshal, json.Unmarshal)
	report, err := parallelRun(t, serbench.Runner{Reps: 40, Parallelism: []int{2}}, noClone{plain})
	require.NoError(t, err)
	assert.Equal(t, serbench.StatusOK, find(t, report, "plain", 1).Status)
	skipped := find(t, report, "plain", 2)
	assert.Equal(t, serbench.StatusSkipped, skipped.Status)
	assert.Contains(t, skipped.Reason, "the codec has no Clone")
	assert.Nil(t, skipped.Estimates.NsPerOp)
}

func TestWhatGoesWrongOnlyOnSeveralGoroutinesFailsTheCellAlone(t *testing.T) {
	boom := errors.New("boom")
	var calls atomic.Int64
	bad := func(name string, f func(v any) ([]byte, error)) serbench.Codec {
		return serbench.NewCodec(name, f, json.Unmarshal, serbench.Concurrent())
	}
	inParallel := func() bool { // several calls are under way
		calls.Add(1)
		defer calls.Add(-1)
		time.Sleep(100 * time.Microsecond)
		return calls.Load() > 1
	}
	codecs := []serbench.Codec{
		bad("fails", func(v any) ([]byte, error) {
			if inParallel() {
				return nil, boom
			}
			return json.Marshal(v)
		}),
		bad("panics", func(v any) ([]byte, error) {
			if inParallel() {
				panic(boom)
			}
			return json.Marshal(v)
		}),
		bad("exits", func(v any) ([]byte, error) {
			if inParallel() {
				runtime.Goexit()
			}
			return json.Marshal(v)
		}),
		bad("good", json.Marshal),
	}
	before := runtime.NumGoroutine()
	report, err := parallelRun(t, serbench.Runner{Reps: 80, Parallelism: []int{4}}, codecs...)
	require.Error(t, err)
	assert.ErrorIs(t, err, boom)
	for _, name := range []string{"fails", "panics", "exits"} {
		assert.Equal(t, serbench.StatusOK, find(t, report, name, 1).Status, name)
		failed := find(t, report, name, 4)
		assert.Equal(t, serbench.StatusFailed, failed.Status, name)
		assert.Nil(t, failed.Estimates.NsPerOp, name)
	}
	assert.NotEmpty(t, find(t, report, "panics", 4).Stack)
	assert.Equal(t, serbench.StatusOK, find(t, report, "good", 4).Status)
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), before, "all goroutines end")
}

func TestParallelismIsChecked(t *testing.T) {
	codec := newSleeper("free", 0)
	for want, r := range map[string]serbench.Runner{
		"0 goroutines are not between":       {Parallelism: []int{0}},
		"2 is named twice":                   {Parallelism: []int{2, 2}},
		"10 is not a multiple":               {Parallelism: []int{4}, Reps: 10},
		"cannot be combined with Launches":   {Parallelism: []int{4}, Launches: 2},
		"1000000 goroutines are not between": {Parallelism: []int{1_000_000}},
	} {
		_, err := parallelRun(t, r, codec)
		assert.ErrorContains(t, err, want)
	}
}

func TestTheHarnessShareOfParallelFiguresIsSmallAndSaid(t *testing.T) {
	codec := serbench.NewCodec("json", json.Marshal, json.Unmarshal, serbench.Concurrent())
	report, err := parallelRun(t, serbench.Runner{Budget: 2 * time.Second, Parallelism: []int{2}}, codec)
	require.NoError(t, err)
	require.Len(t, report.Scalings, 1)
	s := report.Scalings[0]
	require.NotNil(t, s.HarnessShare)
	assert.LessOrEqual(t, *s.HarnessShare, 1.0, "a share, also where the cores are another's")
	assert.False(t, math.IsNaN(s.Speedup.Value))
	t.Logf("harness share %.3f %%; %s", 100**s.HarnessShare, s.Words)
}
