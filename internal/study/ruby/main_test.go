package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench/examples/payloads"
	"github.com/serbench/serbench/internal/hostinfo"
)

// fake stands for Ruby: a program that prints the given lines.
func fake(t *testing.T, lines string) string {
	name := filepath.Join(t.TempDir(), "ruby")
	require.NoError(t, os.WriteFile(name, []byte("#!/bin/sh\ncat >/dev/null\ncat <<'END'\n"+lines+"END\n"), 0o700))
	return name
}

func TestRatiosAreThoseOfTheTurns(t *testing.T) {
	theirs := []*figure{{"ruby-msgpack", "encode", 373, nil, []float64{1000, 2000, 900}}}
	ours := &figure{"msgp (struct)", "append", 373, nil, []float64{100, 100, 100}}
	assert.Equal(t, "10.0 (9.0 to 20.0)", times(theirs, "ruby-msgpack", "encode", ours))
	assert.Equal(t, "-", times(theirs, "ruby-json", "encode", ours))
}

func TestStudyAgainstAFake(t *testing.T) {
	var out, errOut strings.Builder
	ruby := fake(t, "ruby-msgpack encode 1000000 900000 373\nruby-msgpack decode 2000000.5 2000000 373\nversion ruby 9\n")
	require.Equal(t, 0, run([]string{"-ruby", ruby, "-turns", "2", "-reps", "10"}, &out, &errOut), errOut.String())
	assert.Contains(t, out.String(), "ruby 9; 2 turns of 10 reps")
	assert.Contains(t, out.String(), "| ruby-msgpack | encode | 900000 | 1000000 | 373 | | |")
	assert.Contains(t, out.String(), "| msgp (struct) | append |")
	assert.Contains(t, out.String(), "| msgp-tree (map) | decode |")
}

func TestBadInput(t *testing.T) {
	for name, tt := range map[string]struct {
		args []string
		code int
		text string
	}{
		"no turns":    {[]string{"-turns", "0"}, 2, "1 or more"},
		"no reps":     {[]string{"-reps", "-1"}, 2, "1 or more"},
		"no Ruby":     {[]string{"-ruby", "no-such-ruby"}, 1, "apt-get install ruby"},
		"odd output":  {[]string{"-ruby", fake(t, "nonsense\n")}, 1, `"nonsense\n" instead of name`},
		"zero time":   {[]string{"-ruby", fake(t, "ruby-json encode 0 1 461\n")}, 1, "instead of name"},
		"unknown arg": {[]string{"-x"}, 2, "not defined"},
	} {
		var out, errOut strings.Builder
		assert.Equal(t, tt.code, run(tt.args, &out, &errOut), name)
		assert.Contains(t, errOut.String(), tt.text, name)
		assert.Empty(t, out.String(), name)
	}
}

// The goal: msgp on the struct appends at least 8 and decodes at least 5 times
// as fast as Ruby's msgpack. Half of it here, since tests run beside others.
func TestAgainstRuby(t *testing.T) {
	if exec.Command("ruby", "-rmsgpack", "-e", "").Run() != nil {
		t.Skip("ruby with msgpack is not installed")
	}
	if hostinfo.Read().RaceDetector {
		t.Skip("the race detector slows down our side alone")
	}
	var theirs, ours []*figure
	document, err := json.Marshal(payloads.RepositoryValue())
	require.NoError(t, err)
	for range 3 {
		_, err := runRuby(t.Context(), "ruby", document, 2000, &theirs)
		require.NoError(t, err)
		require.NoError(t, runOurs(t.Context(), 2000, &ours))
	}
	best := func(all []*figure, name, op string) float64 {
		i := slices.IndexFunc(all, func(f *figure) bool { return f.name == name && f.op == op })
		require.GreaterOrEqual(t, i, 0, "%s %s", name, op)
		return slices.Min(all[i].cpu)
	}
	assert.Equal(t, [2]int{461, 373}, [2]int{theirs[0].bytes, theirs[1].bytes}, "both sides encode the same document")
	assert.Greater(t, best(theirs, "ruby-msgpack", "encode")/best(ours, "msgp (struct)", "append"), 4.0)
	assert.Greater(t, best(theirs, "ruby-msgpack", "decode")/best(ours, "msgp (struct)", "decode"), 2.5)
}
