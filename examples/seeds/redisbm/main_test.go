package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/redis"
	"github.com/serbench/serbench/examples/internal/cli"
)

func program(t *testing.T, env map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	require.NoError(t, err)
	defer f.Close()
	var out strings.Builder
	code = run(args, func(k string) string { return env[k] }, &out, f)
	said, err := os.ReadFile(f.Name())
	require.NoError(t, err)
	return code, out.String(), string(said)
}

var (
	number = regexp.MustCompile(`[0-9]+\.[0-9]+`)
	blanks = regexp.MustCompile(` +`)
)

func TestTheSeedToTheFormula(t *testing.T) {
	dir := t.TempDir()
	code, out, stderr := program(t, nil, "-reps", "200", "-rounds", "3", "-study", "2s", "-o", filepath.Join(dir, "r.json"))
	require.Equal(t, cli.ExitOK, code, stderr)
	shape := blanks.ReplaceAllString(number.ReplaceAllString(out, "#"), " ")
	table := ` user system total real
json encode # # # ( #)
json decode # # # ( #)
msgpack encode # # # ( #)
msgpack decode # # # ( #)

`
	assert.Contains(t, shape, "3 rounds of 200 items per row\n\n"+strings.Repeat(table, 3)+"Over the rounds")
	for _, row := range []string{"json encode #", "msgpack decode #", "json encode, no codec #", "json encode, no Redis #"} {
		assert.Contains(t, shape, "\n"+row+" # # #%\n")
	}
	assert.Contains(t, shape, "msgpack encode")
	assert.Regexp(t, `send through redis with json: the codec takes [0-9.]+ % .*of the time`, out)
	assert.Regexp(t, `Through redis, json encode takes [0-9.]+ times as long as msgpack encode.*: \w+\.`, out)

	f, err := os.Open(filepath.Join(dir, "r.json"))
	require.NoError(t, err)
	defer f.Close()
	report, err := serbench.ReadReport(f)
	require.NoError(t, err)
	require.Len(t, report.Results, 12)
	for _, res := range report.Results {
		assert.EqualValues(t, 600, res.Reps)
		assert.Len(t, res.Samples, 3, "a sample per round, of all its items")
		assert.Len(t, res.Counters, 3)
	}
	json, msgpack := report.Results[0].Encoded, report.Results[2].Encoded
	assert.Equal(t, [2]int{70, 54}, [2]int{json.Max, msgpack.Max}, "the seed's sizes")
	_, err = os.Stat(filepath.Join(dir, "r.json.study"))
	assert.NoError(t, err)
}

func TestAServerOfTheUsers(t *testing.T) {
	m := miniredis.RunT(t)
	m.RequireAuth("sesame")
	env := map[string]string{"REDIS_ADDR": m.Addr(), "REDIS_PASSWORD": "sesame"}
	code, out, stderr := program(t, env, "-reps", "50", "-rounds", "1", "-study", "0")
	require.Equal(t, cli.ExitOK, code, stderr)
	assert.Contains(t, out, "Events through Redis at "+m.Addr())
	assert.Empty(t, m.Keys(), "nothing is left")

	_, err := m.Push("bm_events", "yours")
	require.NoError(t, err)
	code, _, stderr = program(t, env, "-reps", "50")
	assert.Equal(t, cli.ExitFailed, code)
	assert.Contains(t, stderr, `the key "bm_events" holds a list of 1 items already`)
	list, err := m.List("bm_events")
	require.NoError(t, err)
	assert.Equal(t, []string{"yours"}, list)

	code, _, stderr = program(t, env, "-reps", "50", "-rounds", "1", "-study", "0", "-reset")
	assert.Equal(t, cli.ExitOK, code, stderr)
	assert.Empty(t, m.Keys())

	env["REDIS_PASSWORD"] = ""
	code, out, stderr = program(t, env, "-reps", "50")
	assert.Equal(t, cli.ExitFailed, code)
	assert.Contains(t, stderr, "NOAUTH")
	assert.Contains(t, out, "json encode    # failed")
}

func TestVariants(t *testing.T) {
	code, out, stderr := program(t, nil, "-reps", "20", "-rounds", "1", "-study", "1s", "-variants")
	require.Equal(t, cli.ExitOK, code, stderr)
	for _, name := range []string{"redis", "redis-pipelined-100", "redis-batched-100"} {
		assert.Contains(t, out, "send through "+name+" with json: the codec takes")
		assert.Contains(t, out, "Through "+name+", json decode takes")
	}
}

func TestUnusableFlags(t *testing.T) {
	for _, args := range [][]string{{"-reps", "0"}, {"-rounds", "-1"}, {"-study", "-1s"}, {"-nope"}, {"extra"}} {
		code, _, stderr := program(t, nil, args...)
		assert.Equal(t, cli.ExitUsage, code, "%v", args)
		assert.NotEmpty(t, stderr)
	}
}

func TestNobodyThere(t *testing.T) {
	code, _, stderr := program(t, nil, "-addr", "127.0.0.1:1", "-reps", "10")
	assert.Equal(t, cli.ExitFailed, code)
	assert.Contains(t, stderr, "connection refused")
}

func TestARunThatIsInterruptedKeepsItsRounds(t *testing.T) {
	m := miniredis.RunT(t)
	ctx, cancel := context.WithCancel(t.Context())
	s := settings{rounds: 5, reps: 100}
	rounds := 0
	on := func(e serbench.Event) {
		if e.Done == 1 {
			if rounds++; rounds == 3 {
				cancel()
			}
		}
	}
	var out strings.Builder
	reports, err := s.runRounds(ctx, redis.Options{Addr: m.Addr()}, &out, on, func() {})
	require.True(t, errors.Is(err, context.Canceled), "%v", err)
	assert.Len(t, reports, 3)
	assert.Equal(t, 3, strings.Count(out.String(), "user     system"))
	assert.Empty(t, m.Keys())
}

func row(codec string, op serbench.Op, secs ...float64) serbench.Result {
	r := serbench.Result{Codec: codec, Op: op, Status: serbench.StatusOK}
	for i, s := range secs {
		r.Samples = append(r.Samples, serbench.Sample{Block: i, Reps: 1, ElapsedNs: int64(s * 1e9)})
	}
	return r
}

func TestTheVerdictWeighsTheDifferenceAgainstTheRounds(t *testing.T) {
	for _, c := range []struct {
		name          string
		json, msgpack []float64
		want          string
	}{
		{"the seed's own figures", []float64{23.7, 19.1, 18.9, 18.5, 19.0}, []float64{21.3, 18.6, 18.8, 18.4, 18.7},
			"msgpack encode against json encode: 1.6 % less time at the median, but the rounds themselves differ by 15.5 and 27.4 % and overlap: no meaningful difference."},
		{"apart in every round", []float64{2, 2.1, 2.2}, []float64{1, 1.1, 1.2},
			"msgpack encode against json encode: 47.6 % less time at the median, and every round of the one was faster than every round of the other."},
		{"one round", []float64{1}, []float64{2}, "json encode against msgpack encode: 50.0 % less time at the median; one round says nothing of its certainty."},
	} {
		report := &serbench.Report{Results: []serbench.Result{row("json", serbench.OpSend, c.json...), row("msgpack", serbench.OpSend, c.msgpack...)}}
		assert.Equal(t, c.want, roundsVerdict(report, serbench.OpSend), c.name)
	}
	assert.Empty(t, roundsVerdict(&serbench.Report{}, serbench.OpSend))
}

func TestThousands(t *testing.T) {
	assert.Equal(t, []string{"1", "999", "1,000", "100,000", "1,234,567"},
		[]string{thousands(1), thousands(999), thousands(1000), thousands(100_000), thousands(1_234_567)})
}
