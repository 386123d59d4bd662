package serbench_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

type event struct {
	Host, Service, Type, State string
}

var critical = event{"app-01", "http", "service", "critical"}

func eventPayload() serbench.Payload {
	v := critical
	return serbench.NewPayload("event", &v)
}

func jsonCodec(name string) serbench.Codec {
	return serbench.NewCodec(name, json.Marshal, json.Unmarshal, serbench.Concurrent(), serbench.WithInfo(serbench.Info{Format: "json"}))
}

// run runs a few reps of everything.
func run(t *testing.T, r serbench.Runner, codecs []serbench.Codec, payloads ...serbench.Payload) (*serbench.Report, error) {
	t.Helper()
	if r.Reps == 0 && r.Time == 0 && r.CPUTime == 0 && r.Budget == 0 {
		r.Reps = 50
	}
	report, err := r.Run(t.Context(), codecs, payloads)
	require.NotNil(t, report)
	return report, err
}

func result(t *testing.T, r *serbench.Report, codec string, op serbench.Op) serbench.Result {
	t.Helper()
	for _, res := range r.Results {
		if res.Codec == codec && res.Op == op {
			return res
		}
	}
	require.Failf(t, "no such result", "%s %s", codec, op)
	return serbench.Result{}
}

func TestRunRefusesWhatCannotBeRunAndNamesIt(t *testing.T) {
	good := []serbench.Codec{jsonCodec("json")}
	payload := []serbench.Payload{eventPayload()}
	var typedNil *struct{ serbench.Codec }
	for _, tc := range []struct {
		name     string
		runner   serbench.Runner
		codecs   []serbench.Codec
		payloads []serbench.Payload
		says     []string
	}{
		{"nothing to run", serbench.Runner{}, nil, nil, []string{"no codecs", "no payloads"}},
		{"nil codecs", serbench.Runner{}, []serbench.Codec{nil, typedNil}, payload, []string{"codecs[0] is nil", "codecs[1] is nil"}},
		{"a codec without a name", serbench.Runner{}, []serbench.Codec{jsonCodec("")}, payload, []string{"codecs[0] has no name"}},
		{"two codecs of one name", serbench.Runner{}, []serbench.Codec{jsonCodec("json"), jsonCodec("json")}, payload, []string{"codec json", "codecs[1] has the name of codecs[0]"}},
		{"a payload not made by a constructor", serbench.Runner{}, good, []serbench.Payload{{}}, []string{"payloads[0] was not made by NewPayload"}},
		{"two payloads of one name and form", serbench.Runner{}, good, []serbench.Payload{eventPayload(), eventPayload()}, []string{"payload event", "payloads[1] has the name and form of payloads[0]"}},
		{"no values", serbench.Runner{}, good, []serbench.Payload{serbench.NewPayload[event]("empty")}, []string{"payload empty", "no values"}},
		{"a nil value", serbench.Runner{}, good, []serbench.Payload{serbench.NewPayload("n", &event{}, nil)}, []string{"payload n", "value 1 is nil"}},
		{"a nil function", serbench.Runner{}, good, []serbench.Payload{serbench.NewPayloadFunc[event]("f", nil)}, []string{"payload f", "function is nil"}},
		{"a function that fails", serbench.Runner{}, good, []serbench.Payload{serbench.NewPayloadFunc("f", func() ([]*event, error) { return nil, errors.New("disk on fire") })}, []string{"payload f", "disk on fire"}},
		{"a function that panics", serbench.Runner{}, good, []serbench.Payload{serbench.NewPayloadFunc("f", func() ([]*event, error) { panic("ouch") })}, []string{"payload f", "the function panicked: ouch"}},
		{"a function that gives other values", serbench.Runner{}, good, []serbench.Payload{serbench.NewPayloadFunc("f", other())}, []string{"payload f", "the function gave other values the second time"}},
		{"an Equal for another type", serbench.Runner{}, good, []serbench.Payload{eventPayload().With(serbench.Equal(func(_, _ *int) error { return nil }))}, []string{"Equal is for int", "serbench_test.event"}},
		{"an empty form", serbench.Runner{}, good, []serbench.Payload{eventPayload().With(serbench.Form(""))}, []string{"payloads[0] has no form"}},
		{"an unknown op", serbench.Runner{Ops: []serbench.Op{"encdoe"}}, good, payload, []string{`unknown op "encdoe"`}},
		{"an op twice", serbench.Runner{Ops: []serbench.Op{"encode", "encode"}}, good, payload, []string{"encode is named twice"}},
		{"negative settings", serbench.Runner{Reps: -1, LiveHeap: -1, Level: -1, Plan: serbench.Plan{BatchReps: -2}}, good, payload,
			[]string{"Runner.Reps: -1", "Runner.LiveHeap: -1", "Runner.Level: -1", "Runner.Plan.BatchReps: -2"}},
		{"a live heap that does not fit", serbench.Runner{LiveHeap: math.MaxInt64}, good, payload, []string{"Runner.LiveHeap: 9223372036854775807 bytes"}},
		{"more single ops than are kept", serbench.Runner{Latency: 10_000_000}, good, payload, []string{"Runner.Latency: 10000000 single ops"}},
		{"a negative number of single ops", serbench.Runner{Latency: -1}, good, payload, []string{"Runner.Latency: -1"}},
		{"single ops in children", serbench.Runner{Latency: 100, Launches: 2}, good, payload, []string{"Runner.Latency and Runner.Cold cannot be combined with Launches"}},
		{"cold messages in children", serbench.Runner{Cold: true, Launches: 2}, good, payload, []string{"Runner.Latency and Runner.Cold cannot be combined with Launches"}},
		{"numbers that are none", serbench.Runner{Margin: math.NaN(), Precision: math.Inf(1)}, good, payload, []string{"Runner.Margin", "Runner.Precision"}},
		{"two lengths", serbench.Runner{Reps: 1, Time: time.Second}, good, payload, []string{"exclude each other"}},
		{"a fixed length and a precision", serbench.Runner{Reps: 1, Precision: 0.1}, good, payload, []string{"Runner.Precision"}},
		{"plan settings that the mode has no use for", serbench.Runner{Plan: serbench.Plan{Declared: true}}, good, payload, []string{"need Reps, Time or CPUTime"}},
		{"an unknown baseline", serbench.Runner{Baseline: "yajl"}, good, payload, []string{`no codec is named "yajl"`}},
		{"an unknown collector", serbench.Runner{Collector: "never"}, good, payload, []string{`"never"`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			report, err := tc.runner.Run(t.Context(), tc.codecs, tc.payloads)
			require.Error(t, err)
			for _, s := range tc.says {
				assert.ErrorContains(t, err, s)
			}
			var e *serbench.Error
			assert.ErrorAs(t, err, &e)
			require.NotNil(t, report)
			assert.Empty(t, report.Results, "nothing is measured")
			assert.NoError(t, report.WriteJSON(discard{}), "even then the report can be written")
		})
	}
}

func TestRunRefusesANilContext(t *testing.T) {
	var ctx context.Context
	report, err := serbench.Runner{}.Run(ctx, []serbench.Codec{jsonCodec("json")}, []serbench.Payload{eventPayload()})
	assert.ErrorContains(t, err, "the context is nil")
	require.NotNil(t, report)
	assert.NoError(t, report.WriteJSON(discard{}))
}

func TestValuesOfAFunctionThatPanicsAreAnError(t *testing.T) {
	calls := 0
	p := serbench.NewPayloadFunc("f", func() ([]*event, error) {
		if calls++; calls > 1 {
			panic("ouch")
		}
		return []*event{{}}, nil
	})
	_, err := p.Values()
	assert.ErrorContains(t, err, "the function panicked: ouch")
}

// remembering makes a Marshal that encodes a value only if it is not the one
// of the call before.
func remembering() func(any) ([]byte, error) {
	var last any
	var msg []byte
	return func(v any) ([]byte, error) {
		if v == last {
			return slices.Clone(msg), nil
		}
		out, err := json.Marshal(v)
		last, msg = v, slices.Clone(out)
		return out, err
	}
}

// other makes a function whose values are never the same.
func other() func() ([]*event, error) {
	n := 0
	return func() ([]*event, error) { n++; return []*event{{Host: fmt.Sprint(n)}}, nil }
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// broken is json with one thing wrong.
type broken struct {
	name      string
	marshal   func(v any) ([]byte, error)
	unmarshal func(data []byte, v any) error
}

func (b broken) codec() serbench.Codec {
	m, u := b.marshal, b.unmarshal
	if m == nil {
		m = json.Marshal
	}
	if u == nil {
		u = json.Unmarshal
	}
	return serbench.NewCodec(b.name, m, u)
}

func TestACodecThatFailsLosesItsNumberAndNobodyElses(t *testing.T) {
	after := func(n int64, f func()) func(any) ([]byte, error) {
		var calls atomic.Int64
		return func(v any) ([]byte, error) {
			if calls.Add(1) > n {
				f()
				return nil, errors.New("out of ink")
			}
			return json.Marshal(v)
		}
	}
	var kept event
	buf := make([]byte, 0, 512)
	for _, tc := range []struct {
		name   string
		codec  broken
		status serbench.Status
		reason string
	}{
		{"an error at once", broken{marshal: func(any) ([]byte, error) { return nil, errors.New("out of ink") }}, serbench.StatusFailed, "encode: out of ink"},
		{"an error in the middle", broken{marshal: after(70, func() {})}, serbench.StatusFailed, "reps: out of ink"},
		{"a panic at once", broken{marshal: func(any) ([]byte, error) { panic("ouch") }}, serbench.StatusFailed, "panic: ouch"},
		{"a panic in the middle", broken{marshal: after(70, func() { panic("ouch") })}, serbench.StatusFailed, "panic: ouch"},
		{"a panic with an error", broken{unmarshal: func([]byte, any) error { panic(errors.New("ouch")) }}, serbench.StatusFailed, "panic: ouch"},
		{"Goexit at once", broken{marshal: func(any) ([]byte, error) { runtime.Goexit(); return nil, nil }}, serbench.StatusFailed, "Goexit"},
		{"Goexit in the middle", broken{marshal: after(70, runtime.Goexit)}, serbench.StatusFailed, "Goexit"},
		{"a decoder that ignores its input", broken{
			marshal:   func(v any) ([]byte, error) { kept = *v.(*event); return []byte("x"), nil },
			unmarshal: func(_ []byte, v any) error { *v.(*event) = kept; return nil }}, serbench.StatusFailed, "ignores its input"},
		{"a decoder that does nothing", broken{unmarshal: func([]byte, any) error { return nil }}, serbench.StatusFailed, "decoded nothing: it ignores its input"},
		{"a codec that does nothing", broken{
			marshal:   func(any) ([]byte, error) { return nil, nil },
			unmarshal: func([]byte, any) error { return nil }}, serbench.StatusFailed, "decoded nothing: it ignores its input"},
		{"an encoder that remembers the last value", broken{marshal: remembering()}, serbench.StatusFailed, "remembers values instead of encoding them"},
		{"a shared output buffer", broken{marshal: func(v any) ([]byte, error) {
			data, err := json.Marshal(v)
			buf = append(buf[:0], data...)
			return buf, err
		}}, serbench.StatusFailed, "buffer of an earlier message"},
		{"unsupported", broken{marshal: func(v any) ([]byte, error) {
			return nil, serbench.Unsupported(v, "has no MarshalMsg; run msgp")
		}}, serbench.StatusSkipped, "unsupported: type serbench_test.event has no MarshalMsg; run msgp"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.codec.name = "broken"
			report, err := run(t, serbench.Runner{Ops: []serbench.Op{serbench.OpEncode}}, []serbench.Codec{jsonCodec("a"), tc.codec.codec(), jsonCodec("b")}, eventPayload())
			res := result(t, report, "broken", serbench.OpEncode)
			assert.Equal(t, tc.status, res.Status)
			assert.Contains(t, res.Reason, tc.reason)
			assert.Empty(t, res.Samples)
			assert.Equal(t, serbench.Estimates{}, res.Estimates, "no number for what failed")
			if tc.status == serbench.StatusFailed {
				var e *serbench.Error
				require.ErrorAs(t, err, &e)
				assert.Equal(t, "broken", e.Codec)
				assert.ErrorContains(t, err, "codec broken: payload event: form struct: op encode: ")
			} else {
				assert.NoError(t, err)
			}
			for _, name := range []string{"a", "b"} {
				other := result(t, report, name, serbench.OpEncode)
				assert.Equal(t, serbench.StatusOK, other.Status)
				assert.EqualValues(t, 50, other.Reps)
			}
		})
	}
}

func TestAPanicKeepsItsStack(t *testing.T) {
	c := broken{name: "broken", unmarshal: func([]byte, any) error { return explode() }}
	report, err := run(t, serbench.Runner{}, []serbench.Codec{c.codec()}, eventPayload())
	require.Error(t, err)
	assert.Contains(t, result(t, report, "broken", serbench.OpDecode).Stack, "explode")
}

func explode() error { panic("ouch") }

func TestAWrongValueIsLossyAndNotCompared(t *testing.T) {
	c := broken{name: "forgetful", unmarshal: func(data []byte, v any) error {
		err := json.Unmarshal(data, v)
		v.(*event).State = ""
		return err
	}}
	report, err := run(t, serbench.Runner{}, []serbench.Codec{jsonCodec("json"), c.codec()}, eventPayload())
	require.NoError(t, err)
	res := result(t, report, "forgetful", serbench.OpDecode)
	assert.Equal(t, serbench.StatusLossy, res.Status)
	require.Len(t, res.Fidelity.Differences, 1)
	assert.Equal(t, ".State", res.Fidelity.Differences[0].Path)
	assert.Contains(t, res.Fidelity.Differences[0].Want, "critical")
	assert.Empty(t, report.Comparisons, "what does less is not raced against what does all")
}

// counting counts its calls.
type counting struct {
	serbench.Codec
	marshals, unmarshals atomic.Int64
}

func (c *counting) Marshal(v any) ([]byte, error) { c.marshals.Add(1); return c.Codec.Marshal(v) }
func (c *counting) Unmarshal(data []byte, v any) error {
	c.unmarshals.Add(1)
	return c.Codec.Unmarshal(data, v)
}

func TestRepsTimesExactlyThatMany(t *testing.T) {
	// The encodes of the check before the timing: one per value, two to see
	// whether the buffer is reused, one of another value for the decoder, two
	// to see whether values are remembered, one op to prove the path; and one op
	// in the end, to see whether the codec still does the same.
	const checks = 1 + 2 + 1 + 2 + 1 + 1
	for _, reps := range []int{1, 10, 99, 1000, 12345} {
		t.Run(fmt.Sprint(reps), func(t *testing.T) {
			c := &counting{Codec: jsonCodec("json")}
			report, err := run(t, serbench.Runner{Reps: reps, Ops: []serbench.Op{serbench.OpEncode}}, []serbench.Codec{c}, eventPayload())
			require.NoError(t, err)
			res := result(t, report, "json", serbench.OpEncode)
			var sum, elapsed int64
			for _, s := range res.Samples {
				sum += s.Reps
				elapsed += s.ElapsedNs
			}
			assert.EqualValues(t, reps, res.Reps)
			assert.EqualValues(t, reps, sum)
			assert.Equal(t, res.ElapsedNs, elapsed)
			assert.EqualValues(t, checks+2*reps, c.marshals.Load(), "the check, the discarded pass, the timed pass")
		})
	}
}

func TestTimeIsThatOfTheOpAlone(t *testing.T) {
	// A codec that sleeps, on a clock that only sleeping moves: all figures
	// are exact.
	sleepy := func(name string, enc, dec time.Duration) serbench.Codec {
		return serbench.NewCodec(name,
			func(v any) ([]byte, error) { time.Sleep(enc); return json.Marshal(v) },
			func(data []byte, v any) error { time.Sleep(dec); return json.Unmarshal(data, v) })
	}
	for _, r := range []serbench.Runner{
		{Seed: 1},
		{Seed: 1, Reps: 100},
		{Seed: 1, Reps: 100, Plan: serbench.Plan{Declared: true, WarmupReps: -1}},
		{Seed: 1, Time: time.Second},
	} {
		r.Collector = serbench.CollectorLeave
		synctest.Test(t, func(t *testing.T) {
			report, err := r.Run(t.Context(), []serbench.Codec{sleepy("slow", 3*time.Millisecond, time.Millisecond), sleepy("fast", 2*time.Millisecond, 2*time.Millisecond)},
				[]serbench.Payload{eventPayload()})
			require.NoError(t, err)
			for _, want := range []struct {
				codec string
				op    serbench.Op
				ns    float64
			}{
				{"slow", serbench.OpEncode, 3e6}, {"slow", serbench.OpDecode, 1e6}, {"slow", serbench.OpRoundtrip, 4e6},
				{"fast", serbench.OpEncode, 2e6}, {"fast", serbench.OpDecode, 2e6}, {"fast", serbench.OpRoundtrip, 4e6},
			} {
				e := result(t, report, want.codec, want.op).Estimates.NsPerOp
				require.NotNil(t, e)
				assert.InDelta(t, want.ns, e.Value, 1e-3, "%s %s", want.codec, want.op)
			}
			verdicts := map[string]serbench.Verdict{}
			for _, c := range report.Comparisons {
				verdicts[c.A] = c.Verdict
			}
			if r.Reps == 0 {
				assert.Equal(t, map[string]serbench.Verdict{
					"event/struct/slow/encode":    serbench.Slower,
					"event/struct/slow/decode":    serbench.Faster,
					"event/struct/slow/roundtrip": serbench.Equivalent,
				}, verdicts)
			}
		})
	}
}

func TestCancellationKeepsWhatWasMeasured(t *testing.T) {
	for _, phase := range []string{"before", "verify", "measure", "sustained"} {
		t.Run(phase, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if phase == "before" {
				cancel()
			}
			r := serbench.Runner{Reps: 200, LiveHeap: 1 << 20, OnEvent: func(e serbench.Event) {
				if e.Phase == phase {
					cancel()
				}
			}}
			report, err := r.Run(ctx, []serbench.Codec{jsonCodec("a"), jsonCodec("b")}, []serbench.Payload{eventPayload()})
			require.ErrorIs(t, err, context.Canceled)
			require.NotNil(t, report)
			assert.True(t, report.Interrupted)
			if phase == "before" {
				return
			}
			require.Len(t, report.Results, 6, "every cell stands in the report")
			counts := map[serbench.Status]int{}
			for _, res := range report.Results {
				counts[res.Status]++
				if res.Status == serbench.StatusNotRun {
					assert.NotEmpty(t, res.Reason)
					assert.Nil(t, res.Estimates.NsPerOp)
				}
			}
			switch phase {
			case "verify":
				assert.Equal(t, 6, counts[serbench.StatusNotRun])
			case "measure":
				assert.Positive(t, counts[serbench.StatusOK]+counts[serbench.StatusPartial])
				assert.Positive(t, counts[serbench.StatusNotRun])
			case "sustained":
				assert.Equal(t, 6, counts[serbench.StatusOK])
			}
			assert.NoError(t, report.WriteJSON(discard{}))
		})
	}
}

func TestACancelledCellIsNotToldToRaiseItsBudget(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events := 0
	r := serbench.Runner{Ops: []serbench.Op{serbench.OpEncode}, OnEvent: func(e serbench.Event) {
		if e.Phase == "measure" {
			if events++; events == 3 {
				cancel()
			}
		}
	}}
	report, err := r.Run(ctx, []serbench.Codec{jsonCodec("a")}, []serbench.Payload{eventPayload()})
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, report.Results, 1)
	require.Equal(t, serbench.StatusPartial, report.Results[0].Status)
	assert.Positive(t, report.Results[0].Reps)
	for _, w := range report.Results[0].Warnings {
		assert.NotEqual(t, "few-blocks", w.Code, "the budget is not what ended it")
	}
}

func TestACallThatHangsIsLeftBehind(t *testing.T) {
	for _, tc := range []struct {
		name  string
		after int64
	}{{"at once", 0}, {"while it is timed", 70}} {
		t.Run(tc.name, func(t *testing.T) {
			release := make(chan struct{})
			defer close(release)
			var calls atomic.Int64
			stuck := broken{name: "stuck", marshal: func(v any) ([]byte, error) {
				if calls.Add(1) > tc.after {
					<-release
				}
				return json.Marshal(v)
			}}
			r := serbench.Runner{CallLimit: 50 * time.Millisecond, Ops: []serbench.Op{serbench.OpEncode, serbench.OpDecode}}
			report, err := run(t, r, []serbench.Codec{jsonCodec("a"), stuck.codec(), jsonCodec("b")}, eventPayload())
			require.ErrorContains(t, err, "did not return within 50ms")
			assert.Equal(t, serbench.StatusFailed, result(t, report, "stuck", serbench.OpEncode).Status)
			assert.EqualValues(t, 50, result(t, report, "a", serbench.OpEncode).Reps)
			assert.EqualValues(t, 50, result(t, report, "b", serbench.OpDecode).Reps)
			var codes []string
			for _, w := range report.Warnings {
				codes = append(codes, w.Code)
			}
			assert.Contains(t, codes, "runaway")
		})
	}
}
