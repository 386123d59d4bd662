package serbench_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

// unevenCodec sleeps for each call as long as the value says.
func unevenCodec(name string) serbench.Codec {
	return serbench.NewCodec(name,
		func(v any) ([]byte, error) { time.Sleep(v.(*pause).Encode); return json.Marshal(v) },
		func(data []byte, v any) error {
			err := json.Unmarshal(data, v)
			time.Sleep(v.(*pause).Encode / 2)
			return err
		})
}

type pause struct{ Encode time.Duration }

// pauses are 100 values: 92 of 1 ms, 7 of 10 ms, one of 50 ms.
func pauses() serbench.Payload {
	values := make([]*pause, 100)
	for i := range values {
		values[i] = &pause{time.Millisecond}
		switch {
		case i == 37:
			values[i].Encode = 50 * time.Millisecond
		case i%14 == 5:
			values[i].Encode = 10 * time.Millisecond
		}
	}
	return serbench.NewPayload("pauses", values...)
}

func TestLatencyQuantilesAreThoseOfTheCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serbench.Runner{Seed: 1, Reps: 200, Latency: 5000, Ops: []serbench.Op{serbench.OpEncode, serbench.OpDecode}}
		report, err := r.Run(context.Background(), []serbench.Codec{unevenCodec("a"), unevenCodec("b")}, []serbench.Payload{pauses()})
		require.NoError(t, err)
		assert.Equal(t, 5000, report.Config.Latency)
		require.Len(t, report.Results, 4)
		for _, res := range report.Results {
			scale := map[serbench.Op]float64{serbench.OpEncode: 1e6, serbench.OpDecode: 0.5e6}[res.Op]
			l := res.Latency
			require.NotNil(t, l, res.ID)
			assert.Empty(t, l.Reason)
			assert.EqualValues(t, 5000, l.Calls, "as many as were asked for")
			assert.EqualValues(t, 1*scale, l.MinNs)
			assert.EqualValues(t, 50*scale, l.MaxNs)
			require.Len(t, l.Quantiles, 4)
			for i, want := range []struct{ q, value float64 }{{0.5, 1}, {0.9, 1}, {0.99, 10}, {0.999, 50}} {
				q := l.Quantiles[i]
				assert.Equal(t, want.q, q.Q)
				require.NotNil(t, q.Ns, "%v", q)
				assert.Equal(t, want.value*scale, *q.Ns, "%s p%v", res.ID, 100*want.q)
				assert.LessOrEqual(t, *q.LowNs, *q.Ns)
				assert.GreaterOrEqual(t, *q.HighNs, *q.Ns)
				assert.Equal(t, 0.95, q.Confidence)
			}
		}
		var b bytes.Buffer
		require.NoError(t, report.WriteJSON(&b))
		again, err := serbench.ReadReport(&b)
		require.NoError(t, err)
		assert.Equal(t, report.Results[0].Latency, again.Results[0].Latency)
	})
}

func TestAQuantileThatTheCallsCannotBoundIsLeftOutWithTheReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serbench.Runner{Seed: 1, Reps: 100, Latency: 400, Ops: []serbench.Op{serbench.OpEncode}}
		report, err := r.Run(context.Background(), []serbench.Codec{unevenCodec("a")}, []serbench.Payload{pauses()})
		require.NoError(t, err)
		l := report.Results[0].Latency
		require.NotNil(t, l)
		for i, known := range []bool{true, true, true, false} {
			assert.Equal(t, known, l.Quantiles[i].Ns != nil, "p%v", 100*l.Quantiles[i].Q)
			assert.Equal(t, known, l.Quantiles[i].Reason == "", "p%v", 100*l.Quantiles[i].Q)
		}
		assert.Equal(t, "an interval needs 3688 independent calls; these count as 400: raise Runner.Latency", l.Quantiles[3].Reason)
		assert.EqualValues(t, 50e6, l.MaxNs, "the maximum is one of these calls")
	})
}

type tiny struct{ B byte }

func TestLatencyOfOpsTooShortForTheClockIsRefused(t *testing.T) {
	fast := serbench.NewCodec("fast", func(v any) ([]byte, error) { return []byte{v.(*tiny).B}, nil },
		func(data []byte, v any) error {
			if len(data) != 1 {
				return errors.New("no byte")
			}
			v.(*tiny).B = data[0]
			return nil
		})
	slow := serbench.NewCodec("slow", func(v any) ([]byte, error) {
		time.Sleep(50 * time.Microsecond)
		return json.Marshal(v)
	}, json.Unmarshal)
	r := serbench.Runner{Reps: 200, Latency: 200, Ops: []serbench.Op{serbench.OpEncode}}
	report, err := r.Run(t.Context(), []serbench.Codec{fast, slow}, []serbench.Payload{serbench.NewPayload("tiny", &tiny{7})})
	require.NoError(t, err)
	l := result(t, report, "fast", serbench.OpEncode).Latency
	require.NotNil(t, l)
	assert.Zero(t, l.Calls)
	assert.Empty(t, l.Quantiles, "no figure that is the clock's")
	assert.Regexp(t, `^an op of .* ns is .* times what reading the clock costs, .* ns: a single call cannot be timed; 20 times, .* ns, are needed$`, l.Reason)
	assert.EqualValues(t, 200, result(t, report, "slow", serbench.OpEncode).Latency.Calls, "others are timed")
}

func TestACodecThatFailsInASingleCallLosesItsFigures(t *testing.T) {
	calls, from := 0, 500
	broken := serbench.NewCodec("broken", func(v any) ([]byte, error) {
		if calls++; calls > from {
			return nil, errors.New("out of ink")
		}
		time.Sleep(20 * time.Microsecond)
		return json.Marshal(v)
	}, json.Unmarshal)
	r := serbench.Runner{Reps: 100, Latency: 5000, Ops: []serbench.Op{serbench.OpEncode}}
	report, err := r.Run(t.Context(), []serbench.Codec{broken}, []serbench.Payload{serbench.NewPayload("tiny", &tiny{7})})
	require.ErrorContains(t, err, "timed one by one: ")
	res := report.Results[0]
	assert.Equal(t, serbench.StatusFailed, res.Status)
	assert.Nil(t, res.Latency)
	assert.Equal(t, serbench.Estimates{}, res.Estimates)
}

func TestLatencyKeepsToTheBudget(t *testing.T) {
	slow := serbench.NewCodec("slow", func(v any) ([]byte, error) { time.Sleep(time.Millisecond); return json.Marshal(v) }, json.Unmarshal)
	synctest.Test(t, func(t *testing.T) {
		r := serbench.Runner{Budget: 3 * time.Second, Latency: 100_000, Ops: []serbench.Op{serbench.OpEncode}}
		report, err := r.Run(context.Background(), []serbench.Codec{slow}, []serbench.Payload{eventPayload()})
		require.NoError(t, err)
		l := report.Results[0].Latency
		require.NotNil(t, l)
		assert.Greater(t, l.Calls, int64(300))
		assert.Less(t, l.Calls, int64(3000))
		assert.LessOrEqual(t, report.ElapsedNs, int64(4e9))
		assert.Contains(t, l.Quantiles[3].Reason, "the budget ended")
	})
}

func TestLatencyIsNotMeasuredUnasked(t *testing.T) {
	report, err := run(t, serbench.Runner{}, []serbench.Codec{jsonCodec("a")}, eventPayload())
	require.NoError(t, err)
	for _, res := range report.Results {
		assert.Nil(t, res.Latency)
		assert.Nil(t, res.Cold)
	}
}

func TestProgressOnlyGrowsThroughAllPhases(t *testing.T) {
	done := 0.0
	phases := map[string]bool{}
	r := serbench.Runner{Reps: 20, Ops: []serbench.Op{serbench.OpDecode}, LiveHeap: 1 << 20, Latency: 20, Cold: true, Memory: true, OnEvent: func(e serbench.Event) {
		phases[e.Phase] = true
		assert.GreaterOrEqual(t, e.Done, done, e.Phase)
		assert.LessOrEqual(t, e.Done, 1.0000001, e.Phase)
		done = e.Done
	}}
	_, err := r.Run(t.Context(), []serbench.Codec{jsonCodec("a")}, []serbench.Payload{eventPayload()})
	require.NoError(t, err)
	assert.Equal(t, map[string]bool{"verify": true, "measure": true, "sustained": true, "latency": true, "cold": true, "memory": true}, phases)
	assert.InDelta(t, 1, done, 1e-6)
}

func TestLatencyThroughATransport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := through(100, &queue{name: "slow", wait: 3 * time.Millisecond})
		r.Latency = 500
		report, err := r.Run(context.Background(), []serbench.Codec{jsonCodec("json")}, []serbench.Payload{eventPayload()})
		require.NoError(t, err)
		for _, res := range report.Results {
			if res.Role != serbench.RoleWhole {
				assert.Nil(t, res.Latency, "%s: controls have no tail of their own", res.ID)
				continue
			}
			require.NotNil(t, res.Latency, res.ID)
			assert.EqualValues(t, 500, res.Latency.Calls)
			assert.EqualValues(t, 3e6, *res.Latency.Quantiles[0].Ns)
			assert.EqualValues(t, 3e6, res.Latency.MaxNs)
		}
	})
}
