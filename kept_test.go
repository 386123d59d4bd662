package serbench_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/serbench/serbench"
)

// spoiler changes the value at its n-th call of Marshal and at each later one.
func spoiler(n int) serbench.Codec {
	calls := 0
	return serbench.NewCodec("spoiler", func(v any) ([]byte, error) {
		msg, err := json.Marshal(v)
		if calls++; calls >= n {
			v.(*event).Host += "x"
		}
		return msg, err
	}, json.Unmarshal)
}

var encodeOnly = []serbench.Op{serbench.OpEncode}

func TestACodecThatChangesTheValuesSpoilsThemForNobodyElse(t *testing.T) {
	for _, traits := range []bool{false, true} {
		v := critical
		seen := map[string]bool{}
		watcher := serbench.NewCodec("watcher", func(v any) ([]byte, error) {
			seen[v.(*event).Host] = true
			return json.Marshal(v)
		}, json.Unmarshal)
		report, err := run(t, serbench.Runner{Ops: encodeOnly, Reps: 5, Traits: traits},
			[]serbench.Codec{spoiler(1), watcher}, serbench.NewPayload("event", &v))
		assert.ErrorContains(t, err, "changed the value")
		assert.Equal(t, serbench.StatusFailed, result(t, report, "spoiler", serbench.OpEncode).Status)
		assert.Equal(t, serbench.StatusOK, result(t, report, "watcher", serbench.OpEncode).Status)
		assert.NotContains(t, seen, critical.Host+"x")
		assert.Equal(t, critical, v, "restored")
	}
}

func TestValuesChangedByACallThatThenFailsAreRestored(t *testing.T) {
	v := critical
	c := serbench.NewCodec("spoiler", func(v any) ([]byte, error) {
		v.(*event).Host = ""
		panic("ouch")
	}, json.Unmarshal)
	report, _ := run(t, serbench.Runner{Ops: encodeOnly, Reps: 5}, []serbench.Codec{c, jsonCodec("json")}, serbench.NewPayload("event", &v))
	assert.Contains(t, result(t, report, "spoiler", serbench.OpEncode).Reason, "ouch")
	assert.Equal(t, serbench.StatusOK, result(t, report, "json", serbench.OpEncode).Status)
	assert.Equal(t, critical, v)
}

func TestACodecThatChangesTheValuesWhileMeasuredIsNamedWhereThatIsKnown(t *testing.T) {
	const late = 40 // after all checks, within the 100 timed reps
	fresh := serbench.NewPayloadFunc("event", func() ([]*event, error) { v := critical; return []*event{&v}, nil })
	for name, tc := range map[string]struct {
		codecs  []serbench.Codec
		payload serbench.Payload
		fails   bool
	}{
		"alone":                   {[]serbench.Codec{spoiler(late)}, eventPayload(), true},
		"with values of its own":  {[]serbench.Codec{spoiler(late), jsonCodec("json")}, fresh, true},
		"with the values of both": {[]serbench.Codec{spoiler(late), jsonCodec("json")}, eventPayload(), false},
	} {
		t.Run(name, func(t *testing.T) {
			report, err := run(t, serbench.Runner{Ops: encodeOnly, Reps: 100}, tc.codecs, tc.payload)
			res := result(t, report, "spoiler", serbench.OpEncode)
			if tc.fails {
				assert.ErrorContains(t, err, "while measured: the codec changed the payload's values")
				assert.Equal(t, serbench.StatusFailed, res.Status)
				assert.Nil(t, res.Estimates.NsPerOp)
			} else {
				assert.NoError(t, err)
			}
			for _, res := range report.Results {
				warned := false
				for _, w := range res.Warnings {
					warned = warned || w.Code == "payload-changed"
				}
				assert.Equal(t, !tc.fails, warned, res.Codec)
			}
		})
	}
}

// Generic documents are compared with their copies instead of being hashed.
func TestACodecThatChangesPartsOfADocumentIsFound(t *testing.T) {
	for what, change := range map[string]func(map[string]any){
		"a leaf":      func(m map[string]any) { m["list"].([]any)[1].(map[string]any)["a"] = 2.0 },
		"a type":      func(m map[string]any) { m["n"] = 1.0 },
		"another key": func(m map[string]any) { m["more"] = nil },
		"nil":         func(m map[string]any) { m["empty"] = []any(nil) },
		"a zero":      func(m map[string]any) { m["zero"] = negative * 0 },
	} {
		v := map[string]any{"n": int64(1), "list": []any{"x", map[string]any{"a": 1.0}}, "empty": []any{}, "zero": 0.0}
		c := serbench.NewCodec("spoiler", func(p any) ([]byte, error) {
			msg, err := json.Marshal(p)
			change(*p.(*map[string]any))
			return msg, err
		}, json.Unmarshal)
		report, err := run(t, serbench.Runner{Ops: encodeOnly, Reps: 5}, []serbench.Codec{c}, serbench.NewPayload("document", &v))
		assert.ErrorContains(t, err, "changed the value", what)
		assert.Equal(t, serbench.StatusFailed, result(t, report, "spoiler", serbench.OpEncode).Status, what)
		assert.Equal(t, map[string]any{"n": int64(1), "list": []any{"x", map[string]any{"a": 1.0}}, "empty": []any{}, "zero": 0.0}, v, what)
	}
}

var negative = -1.0
