package serbench_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"

	"github.com/serbench/serbench"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func written(t testing.TB, r *serbench.Report) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, r.WriteJSON(&b))
	return b.String()
}

func read(s string) (*serbench.Report, error) { return serbench.ReadReport(strings.NewReader(s)) }

func TestWriteJSONIsStable(t *testing.T) {
	text := written(t, sampleReport())
	golden(t, "report.v1.json", text)
	assert.Equal(t, text, written(t, sampleReport()), "byte for byte")
	assert.True(t, json.Valid([]byte(text)))
	assert.True(t, strings.HasSuffix(text, "\n}\n"))
}

// A key that is added to the schema must be added to the sample, so that the
// golden file shows that older readers and writers agree on it.
func TestGoldenReportFillsEveryKey(t *testing.T) {
	f, err := os.Open("testdata/report.v1.json")
	require.NoError(t, err)
	defer f.Close()
	r, err := serbench.ReadReport(f)
	require.NoError(t, err, "a report of version 1 parses for ever")

	filled := map[string]bool{} // by type and field
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem())
			} else {
				walk(reflect.Zero(v.Type().Elem()))
			}
		case reflect.Slice:
			walk(reflect.Zero(v.Type().Elem()))
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if field := v.Type().Field(i); field.IsExported() {
					name := v.Type().String() + "." + field.Name
					filled[name] = filled[name] || !v.Field(i).IsZero()
					walk(v.Field(i))
				}
			}
		}
	}
	walk(reflect.ValueOf(r))
	require.Greater(t, len(filled), 150, "the walk reaches the nested types")
	for name, ok := range filled {
		assert.True(t, ok, "%s is empty throughout the golden report", name)
	}
	assert.Equal(t, sampleReport(), r)
}

func TestWriteJSONLayout(t *testing.T) {
	r := sampleReport()
	lines := strings.Split(written(t, r), "\n")
	count := func(prefix string) (n int) {
		for _, l := range lines {
			if strings.HasPrefix(l, prefix) {
				n++
			}
		}
		return n
	}
	assert.Equal(t, len(r.Results), count(`    {"id":"linux/`), "one line per result")
	assert.Equal(t, len(r.Comparisons), count(`    {"a":`), "one line per comparison")
	assert.Equal(t, 2, count(`    {"name":"repository"`), "one line per payload")
	assert.Contains(t, lines, `  "title": "sample <of every key>",`, "readable, not escaped for HTML")
}

func TestEmptyReportHasEmptyArrays(t *testing.T) {
	text := written(t, &serbench.Report{})
	assert.NotContains(t, text, "null")
	for _, key := range []string{"environments", "payloads", "codecs", "results", "comparisons", "warnings"} {
		assert.Contains(t, text, `"`+key+`": []`)
	}
	assert.Contains(t, text, `"ops":[]`)
	assert.Contains(t, text, `"schema": `+strconv.Itoa(serbench.SchemaVersion))
	r, err := read(text)
	require.NoError(t, err)
	assert.Equal(t, text, written(t, r))
}

func TestWriteJSONLeavesTheReportAlone(t *testing.T) {
	r := &serbench.Report{}
	written(t, r)
	assert.Equal(t, &serbench.Report{}, r)
	assert.ErrorContains(t, (*serbench.Report)(nil).WriteJSON(io.Discard), "nil")
}

func TestWriteJSONNamesNumbersThatJSONCannotHold(t *testing.T) {
	for _, c := range []struct {
		place string
		spoil func(r *serbench.Report)
	}{
		{"results[1].estimates.ns_per_op.value is NaN", func(r *serbench.Report) { r.Results[1].Estimates.NsPerOp.Value = math.NaN() }},
		{"results[0].estimates.ops_per_s.quantiles[1].value is +Inf", func(r *serbench.Report) { r.Results[0].Estimates.OpsPerS.Quantiles[1].Value = math.Inf(1) }},
		{"results[0].encoded_bytes.mean is -Inf", func(r *serbench.Report) { r.Results[0].Encoded.Mean = math.Inf(-1) }},
		{"comparisons[0].low is NaN", func(r *serbench.Report) { r.Comparisons[0].Low = ptr(math.NaN()) }},
		{`environments[0].floor_ns["decode"] is NaN`, func(r *serbench.Report) { r.Environments[0].FloorNs[serbench.OpDecode] = math.NaN() }},
		{"environments[0].load_end.load1 is +Inf", func(r *serbench.Report) { r.Environments[0].LoadEnd.Load1 = ptr(math.Inf(1)) }},
		{"config.look_level is NaN", func(r *serbench.Report) { r.Config.LookLevel = math.NaN() }},
		{"started: ", func(r *serbench.Report) { r.Started = time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC) }},
	} {
		t.Run(c.place, func(t *testing.T) {
			r := sampleReport()
			c.spoil(r)
			var b bytes.Buffer
			assert.ErrorContains(t, r.WriteJSON(&b), c.place)
			assert.Zero(t, b.Len(), "nothing is written before the check is done")
		})
	}
}

func TestWriteJSONPassesOnTheWritersError(t *testing.T) {
	full := errors.New("disk full")
	r, w := io.Pipe()
	require.NoError(t, r.CloseWithError(full))
	assert.ErrorIs(t, sampleReport().WriteJSON(w), full)
}

func TestReadReportRefusesDamagedInput(t *testing.T) {
	whole := written(t, sampleReport())
	utf16 := func(s string, order ...int) string {
		var b strings.Builder
		for i := range len(s) {
			pair := [2]byte{s[i], 0}
			b.WriteByte(pair[order[0]])
			b.WriteByte(pair[order[1]])
		}
		return b.String()
	}
	minimal := func(keys string) string { return `{"schema": 1, ` + keys + `}` }
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", "the input is empty"},
		{"white space", " \n\t", "the input is empty"},
		{"only a byte order mark", "\ufeff", "the input is empty"},
		{"text", "hello", "not JSON: damaged at line 1, column 1 (byte 0)"},
		{"HTML", "<html>", "not JSON"},
		{"a mistake on the third line", "{\"schema\": 1,\n\"results\": [{},\n  {\"id\": ä}]}", "at line 3, column 10 (byte 39), in results[1].id"},
		{"trailing data", whole + "{}", "after top-level value"},
		{"two reports", whole + whole, "after top-level value"},
		{"NaN", minimal(`"elapsed_ns": NaN`), "in elapsed_ns: invalid character 'N'"},
		{"UTF-16, little endian", utf16(whole, 0, 1), "UTF-16"},
		{"UTF-16, big endian", utf16(whole, 1, 0), "UTF-16"},
		{"UTF-16 with a mark", "\xff\xfe" + utf16(whole, 0, 1), "UTF-16"},
		{"UTF-16 with a mark, big endian", "\xfe\xff" + utf16(whole, 1, 0), "UTF-16"},
		{"gzip", "\x1f\x8b\x08\x00", "gzip"},
		{"zstd", "\x28\xb5\x2f\xfd\x00", "zstd"},
		{"Latin-1", "{\"title\": \"caf\xe9\"}", "not UTF-8 text: byte 0xe9 at line 1, column 15 (byte 14)"},
		{"cut within a character", "{\"title\": \"caf\xc3", "cut off at line 1, column 16 (byte 15), within a character"},
		{"an array", "[]", "a JSON array, not a report"},
		{"a number", "17", "a JSON number, not a report"},
		{"a string", `"x"`, "a JSON string, not a report"},
		{"null", "null", "this is not a report"},
		{"another program's JSON", `{"results": 5}`, `there is no key "schema": this is not a report`},
		{"schema null", `{"schema": null}`, `there is no key "schema"`},
		{"schema of the future", `{"schema": 3, "results": "changed"}`, fmt.Sprintf("report has schema 3; this serbench reads up to %d: update", serbench.SchemaVersion)},
		{"schema 0", `{"schema": 0}`, "report has schema 0; the first is 1"},
		{"schema below 0", `{"schema": -1}`, "report has schema -1"},
		{"schema as text", `{"schema": "1"}`, "schema at line 1, column 12 (byte 11): want a whole number (int), found string"},
		{"schema as fraction", `{"schema": 1.5}`, "schema at"},
		{"wrong type deep down", minimal(`"results": [{}, {"samples": [{"reps": 1}, {"reps": "x"}]}]`), "results[1].samples[1].reps at line 1, column 66 (byte 65): want a whole number (int64), found string"},
		{"an object for an array", minimal(`"results": {}`), "results at line 1, column 26 (byte 25): want an array, found object"},
		{"an array for an object", minimal(`"config": {"mode": "x"}, "results": [[]]`), "results[0] at"},
		{"a fraction of a rep", minimal(`"results": [{"reps": 1.5}]`), "results[0].reps at"},
		{"more than an int64", minimal(`"results": [{"elapsed_ns": 9223372036854775808}]`), "results[0].elapsed_ns at"},
		{"more than a float64", minimal(`"config": {"margin": 1e999}`), "config.margin at"},
		{"a negative count", minimal(`"results": [{"counters": [{"allocs": -1}]}]`), "results[0].counters[0].allocs at"},
		{"a key with a dot", minimal(`"environments": [{"floor_ns": {"a.b": "x"}}]`), `environments[0].floor_ns["a.b"] at`},
		{"a time that is none", minimal(`"started": "yesterday"`), "started: "},
		{"a time as number", minimal(`"started": 17`), "started: "},
		{"a wrong tolerance", minimal(`"payloads": [{}, {"tolerance": {"time_precision_ns": "1ms"}}]`), "payloads[1].tolerance.time_precision_ns: want a whole number (int64), found string"},
		{"a tolerance that is no object", minimal(`"payloads": [{"tolerance": 5}]`), "payloads[0].tolerance: want an object, found number"},

		{"reps below zero", minimal(`"results": [{}, {"reps": -1}]`), "results[1].reps: below zero: -1"},
		{"a sample's reps below zero", minimal(`"results": [{"samples": [{"reps": -5}]}]`), "results[0].samples[0].reps: below zero: -5"},
		{"a sample's time below zero", minimal(`"results": [{"samples": [{}, {"elapsed_ns": -5}]}]`), "results[0].samples[1].elapsed_ns: below zero"},
		{"a counter's reps below zero", minimal(`"results": [{"counters": [{"reps": -5}]}]`), "results[0].counters[0].reps: below zero"},
		{"a size below zero", minimal(`"results": [{"encoded_bytes": {"max": -5}}]`), "results[0].encoded_bytes.max: below zero"},
		{"a mean size below zero", minimal(`"results": [{"encoded_bytes": {"mean": -0.5}}]`), "results[0].encoded_bytes.mean: below zero"},
		{"an interval upside down", minimal(`"results": [{"estimates": {"ns_per_op": {"low": 2, "high": 1}}}]`), "results[0].estimates.ns_per_op.low: 2 is above high, 1"},
		{"calls below zero", minimal(`"results": [{"latency": {"calls": -1}}]`), "results[0].latency.calls: below zero"},
		{"a quantile of no share", minimal(`"results": [{"latency": {"quantiles": [{"q": 1.5}]}}]`), "results[0].latency.quantiles[0].q: 1.5 is not a share"},
		{"a quantile outside of its interval", minimal(`"results": [{"latency": {"quantiles": [{"q": 0.5, "ns": 3, "low_ns": 1, "high_ns": 2}]}}]`), "results[0].latency.quantiles[0].ns: not within 1 and 2"},
		{"cold upside down", minimal(`"results": [{"cold": {"ratio": {"low": 2, "high": 1}}}]`), "results[0].cold.ratio.low: 2 is above high, 1"},
		{"one id twice", minimal(`"results": [{"id": "x"}, {"id": "y"}, {"id": "x"}]`), `results[2].id: "x" is already the id of results[0]`},
		{"a comparison with nothing", minimal(`"results": [{"id": "x"}], "comparisons": [{"a": "x", "b": "y"}]`), `comparisons[0].b: there is no result with id "y"`},
		{"a comparison without ids", minimal(`"results": [{}], "comparisons": [{}]`), `comparisons[0].a: there is no result with id ""`},
		{"a ratio of zero", minimal(`"results": [{"id": "x"}], "comparisons": [{"a": "x", "b": "x", "ratio": 0}]`), "comparisons[0].ratio: a ratio of times is above 0"},
		{"a comparison upside down", minimal(`"results": [{"id": "x"}], "comparisons": [{"a": "x", "b": "x", "low": 1.1, "high": 0.9}]`), "comparisons[0].low: 1.1 is above high"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := read(c.in)
			assert.Nil(t, r)
			assert.ErrorContains(t, err, c.want)
			assert.ErrorContains(t, err, "serbench: reading a report: ")
		})
	}
}

func TestReadReportRefusesANilReader(t *testing.T) {
	_, err := serbench.ReadReport(nil)
	assert.ErrorContains(t, err, "the reader is nil")
}

func TestReadReportAccepts(t *testing.T) {
	whole := written(t, sampleReport())
	for _, c := range []struct{ name, in string }{
		{"a byte order mark of UTF-8", "\ufeff" + whole},
		{"white space around", "\n\n" + whole + "  \n"},
		{"line ends of Windows", strings.ReplaceAll(whole, "\n", "\r\n")},
		{"unknown keys at every level", strings.ReplaceAll(whole, `{"id":`, `{"future":[{"x":null}],"id":`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := read(c.in)
			require.NoError(t, err)
			assert.Equal(t, sampleReport(), r)
		})
	}
	var compact bytes.Buffer
	require.NoError(t, json.Compact(&compact, []byte(whole)))
	r, err := read(compact.String())
	require.NoError(t, err)
	assert.Equal(t, sampleReport(), r)
}

func TestReadReportKeepsWordsThatItDoesNotKnow(t *testing.T) {
	in := `{"schema": 1, "results": [{"id": "x", "status": "postponed", "op": "sign"}], "comparisons": [{"a": "x", "b": "x", "verdict": "perhaps"}]}`
	r, err := read(in)
	require.NoError(t, err)
	assert.EqualValues(t, "postponed", r.Results[0].Status)
	assert.EqualValues(t, "sign", r.Results[0].Op)
	assert.EqualValues(t, "perhaps", r.Comparisons[0].Verdict)
}

func TestReadReportCutAtEveryByte(t *testing.T) {
	r := sampleReport()
	// Two results tell as much as many, and are quicker.
	r.Results, r.Comparisons, r.Environments, r.Payloads = r.Results[2:4], nil, nil, r.Payloads[:1]
	whole := strings.TrimRight(written(t, r), "\n")
	for n := 1; n < len(whole); n++ {
		r, err := read(whole[:n])
		require.Nil(t, r)
		require.ErrorContains(t, err, fmt.Sprintf("cut off at line %d", 1+strings.Count(whole[:n], "\n")), "after %d bytes", n)
	}
}

func TestReadReportPassesOnTheReadersError(t *testing.T) {
	gone := errors.New("connection reset")
	_, err := serbench.ReadReport(iotest.ErrReader(gone))
	assert.ErrorIs(t, err, gone)
}

func TestToleranceInJSONHasItsUnitInTheName(t *testing.T) {
	b, err := json.Marshal(serbench.Tolerance{TimePrecision: 1500 * time.Nanosecond})
	require.NoError(t, err)
	assert.JSONEq(t, `{"time_precision_ns": 1500}`, string(b))
}

// Whatever is read can be written, and what was written reads as the same.
func FuzzReadReport(f *testing.F) {
	whole, err := os.ReadFile("testdata/report.v1.json")
	require.NoError(f, err)
	f.Add(whole)
	for n := len(whole) / 9; n < len(whole); n += len(whole) / 9 {
		f.Add(whole[:n])
	}
	f.Add([]byte(`{"schema":1,"started":"2026-01-01T00:00:00+00:00","results":[{"samples":[],"fidelity":{}}],"payloads":[{"tolerance":{}}]}`))
	f.Add([]byte(`{"schema":1,"results":[{"id":"a","samples":[{"block":-1,"round":0,"reps":12,"elapsed_ns":-0}],"x":{"y":0,"samples":[{"block":1,"round":2,"reps":3,"elapsed_ns":4}]}}]}`))
	f.Add([]byte(`{"schema":1,"environments":[{"floor_ns":{},"load_start":{"load1":-0}}],"config":{"looks":[]},"codecs":[null]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := serbench.ReadReport(bytes.NewReader(data))
		if err != nil {
			require.Nil(t, first)
			return
		}
		var plain serbench.Report // as encoding/json reads it
		require.NoError(t, json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &plain))
		for i, res := range plain.Results {
			require.Equal(t, len(res.Samples), len(first.Results[i].Samples))
			if len(res.Samples) > 0 {
				require.Equal(t, res.Samples, first.Results[i].Samples)
			}
		}
		text := written(t, first)
		second, err := read(text)
		require.NoError(t, err, text)
		require.Equal(t, first, second)
		require.Equal(t, text, written(t, second))
	})
}

func TestReadReportReadsSamplesInAnyForm(t *testing.T) {
	const one = `{"block":1,"round":2,"reps":3,"elapsed_ns":4}`
	is := []serbench.Sample{{Block: 1, Round: 2, Reps: 3, ElapsedNs: 4}}
	for _, c := range []struct {
		name, result string
		want         []serbench.Sample
	}{
		{"as written", `{"id":"a","samples":[` + one + `]}`, is},
		{"two", `{"id":"a","samples":[` + one + `,` + one + `]}`, append(is, is...)},
		{"first key", `{"samples":[` + one + `],"id":"a"}`, is},
		{"with spaces", `{"id":"a", "samples": [ {"block" : 1, "round":2,"reps":3,"elapsed_ns":4} ]}`, is},
		{"another order", `{"id":"a","samples":[{"round":2,"block":1,"reps":3,"elapsed_ns":4}]}`, is},
		{"a key more", `{"id":"a","samples":[{"block":1,"round":2,"reps":3,"elapsed_ns":4,"new":1}]}`, is},
		{"the last of two", `{"id":"a","samples":[{"block":9,"round":9,"reps":9,"elapsed_ns":9}],"samples":[` + one + `]}`, is},
		{"not those of an unknown key", `{"id":"a","samples":[` + one + `],"old":{"n":1,"samples":[{"block":9,"round":9,"reps":9,"elapsed_ns":9}]}}`, is},
		{"not those in a string", `{"id":"a\\,\"samples\":[` + `","samples":[` + one + `]}`, is},
		{"large numbers", `{"id":"a","samples":[{"block":0,"round":0,"reps":9223372036854775807,"elapsed_ns":999999999999999999}]}`, []serbench.Sample{{Reps: math.MaxInt64, ElapsedNs: 999999999999999999}}},
		{"none", `{"id":"a","samples":[]}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := read(`{"schema":1,"results":[` + c.result + `]}`)
			require.NoError(t, err)
			assert.Equal(t, c.want, r.Results[0].Samples)
		})
	}
	for _, bad := range []string{`01`, `1.5`, `1e3`, `"1"`, `-`, ``, `+1`, `99999999999999999999`} {
		_, err := read(`{"schema":1,"results":[{"id":"a","samples":[{"block":1,"round":2,"reps":` + bad + `,"elapsed_ns":4}]}]}`)
		assert.Error(t, err, "reps %s", bad)
	}
	_, err := read(`{"schema":1,"results":[{"id":"a","samples":[` + one + `,]}]}`)
	assert.Error(t, err, "a comma too many")
}

// largeReport has about 20 MB in JSON, nearly all of it samples, as real ones.
func largeReport() *serbench.Report {
	r := sampleReport()
	cell := r.Results[0]
	r.Results, r.Comparisons = nil, nil
	for i := range 500 {
		c := cell
		c.ID = "cell " + strconv.Itoa(i)
		c.Samples = make([]serbench.Sample, 700)
		for j := range c.Samples {
			c.Samples[j] = serbench.Sample{Block: j / 8, Round: j % 8, Reps: 219, ElapsedNs: int64(50_000 + 7*j + i)}
		}
		r.Results = append(r.Results, c)
	}
	return r
}

func BenchmarkReadReport(b *testing.B) {
	text := written(b, largeReport())
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := read(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteJSON(b *testing.B) {
	r := largeReport()
	b.SetBytes(int64(len(written(b, r))))
	for b.Loop() {
		if err := r.WriteJSON(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

func TestAnErrorDoesNotRepeatALongPath(t *testing.T) {
	for _, key := range []string{strings.Repeat("k", 1000), strings.Repeat("ż", 1000), strings.Repeat("\\u0001", 1000)} {
		for _, text := range []string{`{"a":{"` + key + `":{"last":}}}`, `{"a":` + strings.Repeat(`{"`+key[:12]+`":`, 500) + `}`} {
			_, err := read(text)
			require.Error(t, err)
			assert.Less(t, len(err.Error()), 400)
			assert.True(t, utf8.ValidString(err.Error()))
			assert.Contains(t, err.Error(), "in a")
			assert.Contains(t, err.Error(), "...")
		}
	}
}
