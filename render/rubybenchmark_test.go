package render_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/serbench/serbench"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench/render"
)

func rubyResult(codec string, op serbench.Op, rounds ...[3]int64) serbench.Result {
	r := serbench.Result{Codec: codec, Op: op, Status: serbench.StatusOK}
	for i, x := range rounds {
		r.Reps += 100_000
		r.ElapsedNs += x[2]
		r.Samples = append(r.Samples, serbench.Sample{Block: i, Reps: 100_000, ElapsedNs: x[2]})
		r.Counters = append(r.Counters, serbench.Counter{Block: i, Reps: 100_000, UserNs: &x[0], SystemNs: &x[1]})
	}
	return r
}

// The layout of the third seed, computed by hand from benchmark.rb:
// bm(14) makes 15 columns for the label, CAPTION follows, and FORMAT is
// "%10.6u %10.6y %10.6t %10.6r", where %r puts parentheses around.
func TestRubyBenchmarkIsToTheFormula(t *testing.T) {
	report := &serbench.Report{Results: []serbench.Result{
		rubyResult("json", serbench.OpSend, [3]int64{8_120_000_000, 2_460_000_000, 19_483_717_000}, [3]int64{7_990_000_000, 2_510_000_000, 123_456_789_012}),
		rubyResult("msgpack", serbench.OpReceive, [3]int64{7_650_000_123, 2_400_000_000, 18_522_000_600}, [3]int64{1, 2, 3}),
	}}
	label := func(res *serbench.Result) string {
		return res.Codec + map[serbench.Op]string{serbench.OpSend: " encode", serbench.OpReceive: " decode"}[res.Op]
	}
	var b strings.Builder
	require.NoError(t, render.RubyTable{Label: label, Rounds: true}.Write(&b, report))
	assert.Equal(t, `                     user     system      total        real
json encode      8.120000   2.460000  10.580000 ( 19.483717)
msgpack decode   7.650000   2.400000  10.050000 ( 18.522001)

                     user     system      total        real
json encode      7.990000   2.510000  10.500000 (123.456789)
msgpack decode   0.000000   0.000000   0.000000 (  0.000000)

`, b.String())
}

func TestRubyBenchmarkInOneTable(t *testing.T) {
	wide := rubyResult("名前\n", serbench.OpEncode, [3]int64{1e9, 1e9, 3e9}, [3]int64{1e9, 0, 1e9})
	noCPU := rubyResult("json", serbench.OpDecode, [3]int64{1, 1, 2e9})
	noCPU.Counters = nil
	scaled := rubyResult("json", serbench.OpEncode, [3]int64{1e9, 2e9, 4e9})
	scaled.Counters[0].Reps = 50_000 // counted over half as many ops
	skipped := serbench.Result{Codec: "json", Op: serbench.OpSend, Role: serbench.RoleTransport, Status: serbench.StatusSkipped, Reason: "broken\non master"}
	var b strings.Builder
	require.NoError(t, render.RubyBenchmark(&b, &serbench.Report{Results: []serbench.Result{wide, noCPU, scaled, skipped}}))
	// 27 columns for the label: the longest has 26, a wide character takes two.
	assert.Equal(t, `                                 user     system      total        real
名前\n encode                2.000000   1.000000   3.000000 (  4.000000)
json decode                         -          -          - (  2.000000)
json encode                  2.000000   4.000000   6.000000 (  4.000000)
json send (transport only) # skipped: broken\non master
`, b.String())
}

func TestRubyBenchmarkOfNothing(t *testing.T) {
	var b strings.Builder
	require.NoError(t, render.RubyBenchmark(&b, &serbench.Report{}))
	assert.Equal(t, "       user     system      total        real\n", b.String())
	assert.Error(t, render.RubyBenchmark(&b, nil))
	assert.ErrorIs(t, render.RubyBenchmark(full{}, &serbench.Report{}), errFull)
}

var errFull = errors.New("disk full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
