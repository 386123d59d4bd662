package serbench_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

// textCodec does a fixed amount of work that each call repeats turns times.
func textCodec(name string, turns int) serbench.Codec {
	return serbench.NewCodec(name,
		func(v any) ([]byte, error) {
			var data []byte
			var err error
			for range turns {
				if data, err = json.Marshal(v); err != nil {
					return nil, err
				}
			}
			return data, nil
		}, json.Unmarshal)
}

func TestSelfCheckProvesTheGroup(t *testing.T) {
	r := serbench.Runner{Seed: 3, SelfCheck: true, Ops: []serbench.Op{serbench.OpEncode}, Budget: 5 * time.Second}
	rep, err := r.Run(context.Background(), []serbench.Codec{textCodec("once", 1), textCodec("twice", 2)}, []serbench.Payload{eventPayload()})
	require.NoError(t, err)
	require.Len(t, rep.SelfChecks, 2)
	equal, slower := rep.SelfChecks[0], rep.SelfChecks[1]
	assert.Zero(t, equal.Extra)
	assert.Equal(t, equal.Verdict != serbench.Faster && equal.Verdict != serbench.Slower, equal.Passed)
	assert.InDelta(t, 1, *equal.Ratio, 0.15)
	assert.Equal(t, slower.Verdict == serbench.Slower, slower.Passed)
	assert.Equal(t, 0.02, slower.Extra)
	assert.InDelta(t, 1.02, *slower.Ratio, 0.15)
	assert.NotEqual(t, serbench.Faster, slower.Verdict)
	for _, c := range rep.SelfChecks {
		assert.Equal(t, "event/struct/once/encode", c.Result)
		if c.Low != nil && c.High != nil {
			assert.LessOrEqual(t, *c.Low, *c.High)
		}
	}
	assert.Equal(t, serbench.Faster, rep.Comparisons[0].Verdict)
	assert.True(t, rep.Config.SelfCheck)

	_, err = serbench.Runner{SelfCheck: true, Reps: 10}.Run(context.Background(), []serbench.Codec{textCodec("a", 1)}, []serbench.Payload{eventPayload()})
	assert.ErrorContains(t, err, "Runner.SelfCheck")
}

func TestMemoryLimitFailsTheCellThatHoards(t *testing.T) {
	var hoard [][]byte
	hoarder := serbench.NewCodec("hoarder", func(v any) ([]byte, error) {
		hoard = append(hoard, make([]byte, 4<<10))
		return json.Marshal(v)
	}, json.Unmarshal)
	r := serbench.Runner{MemoryLimit: 48 << 20, Ops: []serbench.Op{serbench.OpEncode}, Time: 5 * time.Second}
	rep, err := r.Run(context.Background(), []serbench.Codec{hoarder}, []serbench.Payload{eventPayload()})
	runtime.KeepAlive(hoard)
	require.ErrorContains(t, err, "hoarder")
	require.ErrorContains(t, err, "heap")
	assert.Equal(t, serbench.StatusFailed, rep.Results[0].Status)
	assert.Nil(t, rep.Results[0].Estimates.NsPerOp)
	assert.Equal(t, int64(48<<20), rep.Config.MemoryLimit)
}

func TestMemoryLimitHasADefaultAndCanBeSwitchedOff(t *testing.T) {
	for limit, want := range map[int64]bool{0: true, -1: false} {
		rep, err := serbench.Runner{Reps: 1, MemoryLimit: limit}.Run(context.Background(), []serbench.Codec{jsonCodec("a")}, []serbench.Payload{eventPayload()})
		require.NoError(t, err)
		if rep.Environments[0].MemoryBytes > 0 {
			assert.Equal(t, want, rep.Config.MemoryLimit > 0)
		}
	}
}

// Settings at their bounds end in numbers, or in no number, and not in NaN.
func TestSettingsAtTheirBounds(t *testing.T) {
	two := []serbench.Codec{jsonCodec("a"), jsonCodec("b")}
	broken := serbench.NewCodec("broken", func(any) ([]byte, error) { return nil, errors.New("broken") }, json.Unmarshal)
	encode := []serbench.Op{serbench.OpEncode}
	for _, test := range []struct {
		name    string
		runner  serbench.Runner
		codecs  []serbench.Codec
		verdict serbench.Verdict // of the first comparison; "": any
		status  serbench.Status  // of the first result; "": any
	}{
		{"no margin: never equivalent", serbench.Runner{Margin: -1, Budget: 300 * time.Millisecond}, two, "", ""},
		{"a level so small that nothing is certain", serbench.Runner{Level: 1e-300, Budget: 300 * time.Millisecond}, two, serbench.Undecided, ""},
		{"a budget shorter than the checks", serbench.Runner{Budget: 1}, two, "", serbench.StatusNotRun},
		{"one codec alone", serbench.Runner{Budget: 10 * time.Second}, two[:1], "", serbench.StatusOK},
		{"all codecs fail", serbench.Runner{}, []serbench.Codec{broken}, "", serbench.StatusFailed},
		{"a precision beyond reach", serbench.Runner{Precision: 1e-9, Budget: 300 * time.Millisecond}, two[:1], "", ""},
		{"the longest time", serbench.Runner{Time: math.MaxInt64, Budget: 200 * time.Millisecond}, two, "", ""},
		{"the most reps", serbench.Runner{Reps: math.MaxInt, Budget: 200 * time.Millisecond}, two, "", ""},
		{"the most rounds", serbench.Runner{Rounds: math.MaxInt, Budget: 200 * time.Millisecond}, two, "", ""},
		{"the longest batch", serbench.Runner{Plan: serbench.Plan{BatchTime: time.Second}, Budget: 200 * time.Millisecond}, two, "", ""},
		{"the longest block", serbench.Runner{Plan: serbench.Plan{BlockTime: math.MaxInt64}, Budget: 200 * time.Millisecond}, two, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.runner.Ops = encode
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
			defer cancel()
			rep, _ := test.runner.Run(ctx, test.codecs, []serbench.Payload{eventPayload()})
			require.NoError(t, ctx.Err(), "it ends by itself")
			if test.status != "" {
				assert.Equal(t, test.status, rep.Results[0].Status, rep.Results[0].Reason)
			}
			for i, c := range rep.Comparisons {
				if i == 0 && test.verdict != "" && c.Ratio != nil {
					assert.Equal(t, test.verdict, c.Verdict)
				}
				assert.NotEqual(t, serbench.Verdict(""), c.Verdict)
			}
			written(t, rep) // refuses NaN and Inf
		})
	}
}

func TestRoundsAreAsManyAsWereAskedFor(t *testing.T) {
	two := []serbench.Codec{jsonCodec("a"), jsonCodec("b")}
	for _, n := range []int{1, 9, 1000} {
		rep, err := serbench.Runner{Rounds: n, Ops: []serbench.Op{serbench.OpEncode}, KeepSamples: -1, Seed: 1}.Run(context.Background(), two, []serbench.Payload{eventPayload()})
		require.NoError(t, err)
		assert.Equal(t, "rounds", rep.Config.Mode)
		assert.Equal(t, n, rep.Config.Rounds)
		for _, res := range rep.Results {
			assert.Equal(t, serbench.StatusOK, res.Status, res.Reason)
			assert.NotNil(t, res.Estimates.NsPerOp)
			if res.Role == "" {
				assert.Len(t, res.Samples, 2*n, "a batch forth and one back in each")
			}
		}
		require.Len(t, rep.Comparisons, 1)
		if n == 1 {
			assert.Equal(t, serbench.Undecided, rep.Comparisons[0].Verdict)
			assert.Contains(t, rep.Comparisons[0].Reason, "fixed number")
		}
		written(t, rep)
	}
	_, err := serbench.Runner{Rounds: 3, Reps: 3}.Run(context.Background(), two, []serbench.Payload{eventPayload()})
	assert.ErrorContains(t, err, "exclude each other")
}

func sleeping(d time.Duration) serbench.Codec {
	return serbench.NewCodec("sleeps", func(v any) ([]byte, error) { time.Sleep(d); return json.Marshal(v) }, json.Unmarshal)
}

func TestWarningsCarryAdvice(t *testing.T) {
	codes := func(rep *serbench.Report) map[string]serbench.Warning {
		out := map[string]serbench.Warning{}
		for _, w := range rep.Results[0].Warnings {
			out[w.Code] = w
		}
		return out
	}
	run := func(r serbench.Runner, c serbench.Codec) *serbench.Report {
		r.Ops = []serbench.Op{serbench.OpEncode}
		rep, err := r.Run(context.Background(), []serbench.Codec{c}, []serbench.Payload{eventPayload()})
		require.NoError(t, err)
		return rep
	}
	for _, test := range []struct {
		code   string
		runner serbench.Runner
		codec  serbench.Codec
	}{
		{"few-blocks", serbench.Runner{Budget: 150 * time.Millisecond}, sleeping(5 * time.Millisecond)},
		{"short-batches", serbench.Runner{Reps: 2}, sleeping(time.Microsecond)},
		{"one-sample", serbench.Runner{Reps: 2}, sleeping(time.Microsecond)},
		{"idle", serbench.Runner{CPUTime: 50 * time.Millisecond}, sleeping(20 * time.Millisecond)},
	} {
		t.Run(test.code, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := codes(run(test.runner, test.codec))
				require.Contains(t, w, test.code)
				assert.NotEmpty(t, w[test.code].Advice)
			})
		})
	}
}

func TestTheRunnerItselfTakesLittleTime(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand cells")
	}
	var codecs []serbench.Codec
	for i := range 20 {
		codecs = append(codecs, jsonCodec(fmt.Sprint("c", i)))
	}
	var payloads []serbench.Payload
	for i := range 50 {
		payloads = append(payloads, serbench.NewPayload(fmt.Sprint("p", i), &event{Host: "h"}))
	}
	rep, err := serbench.Runner{Reps: 1, Ops: []serbench.Op{serbench.OpEncode}}.Run(context.Background(), codecs, payloads)
	require.NoError(t, err)
	require.Len(t, rep.Results, 1000)
	t.Logf("1,000 cells in %v", time.Duration(rep.ElapsedNs))
}
