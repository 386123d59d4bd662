package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/examples/payloads"
	"github.com/serbench/serbench/examples/seeds/internal/seedtest"
)

// TestMain serves the children in which the cases are measured.
func TestMain(m *testing.M) {
	all := codecs("map")
	for _, c := range codecs("struct") {
		if c.Name() != "json" {
			all = append(all, c)
		}
	}
	served, err := serbench.ServeChild(context.Background(), all, payloads.RepositoryPayloads())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	if served || err != nil {
		return
	}
	os.Exit(m.Run())
}

func TestBothPhasesEachCaseInItsOwnProcess(t *testing.T) {
	out := filepath.Join(t.TempDir(), "report.json")
	code, stdout, stderr := seedtest.Program(run).Run(t, "-reps", "50", "-study", "3s", "-author", "A. N. Other", "-o", out)
	require.Equal(t, 0, code, stderr)
	for _, text := range []string{"Author: A. N. Other", "System Information", "encode of repository (map)", "decode of repository (map)",
		"% faster over 50 repetitions", "% Slower", "Fastest", "in a process of its own", "bench_press's percentage", "serbench's own run", "461 B", "373 B"} {
		assert.Contains(t, stdout, text)
	}
	plan, study := seedtest.Saved(t, out)
	assert.Equal(t, "precision", study.Config.Mode)
	assert.Equal(t, 1, plan.Config.Launches)
	require.Len(t, plan.Results, 6)
	for _, res := range plan.Results {
		assert.Equal(t, int64(50), res.Reps, res.ID)
		assert.Len(t, res.Launches, 1, res.ID)
	}
	assert.NotEmpty(t, study.Comparisons)
}

func TestStructsInThisProcess(t *testing.T) {
	code, stdout, stderr := seedtest.Program(run).Run(t, "-reps", "5", "-study", "0", "-form", "struct", "-isolate=false")
	require.Equal(t, 0, code, stderr)
	assert.Contains(t, stdout, "encode of repository (struct)")
	assert.Contains(t, stdout, "All cases ran in one process")
	assert.Contains(t, stdout, "easyjson")
}

func TestSavedReportsOfSeveralEnvironments(t *testing.T) {
	dir := t.TempDir()
	here := filepath.Join(dir, "here.json")
	code, _, stderr := seedtest.Program(run).Run(t, "-reps", "5", "-study", "0", "-isolate=false", "-o", here)
	require.Equal(t, 0, code, stderr)
	r, err := read(here)
	require.NoError(t, err)
	r.Environments[0].GoVersion = "go1.25.4"
	for i := range r.Results {
		res := &r.Results[i]
		*res = serbench.Result{ID: res.ID, Environment: res.Environment, Payload: res.Payload, Form: res.Form, Codec: res.Codec, Op: res.Op,
			Parallelism: 1, Status: serbench.StatusFailed, Reason: "processes cannot be started here"}
	}
	r.Comparisons = nil
	there := filepath.Join(dir, "there.json")
	f, err := os.Create(there)
	require.NoError(t, err)
	require.NoError(t, r.WriteJSON(f))
	require.NoError(t, f.Close())

	merged := filepath.Join(dir, "merged.json")
	code, stdout, stderr := seedtest.Program(run).Run(t, "-merge", here, "-merge", there, "-o", merged)
	require.Equal(t, 0, code, stderr)
	assert.Contains(t, stdout, "did not run: processes cannot be started here")
	assert.Contains(t, stdout, "go1.25.4")
	both, err := read(merged)
	require.NoError(t, err)
	assert.Len(t, both.Environments, 2)
	assert.Len(t, both.Results, 12)
}

func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.json")
	require.NoError(t, os.WriteFile(broken, []byte("{\"schema\": 1,\n nope}"), 0o600))
	seedtest.Program(run).Refuses(t, map[string][]string{
		`-form "tree": there are struct, map`: {"-form", "tree"},
		"no-such-report.json":                 {"-merge", "no-such-report.json"},
		"broken.json: ":                       {"-merge", broken},
	})
}

func TestTheOriginalsLists(t *testing.T) {
	for _, form := range []string{"map", "struct"} {
		assert.Len(t, codecs(form), 3)
		assert.True(t, slices.ContainsFunc(payloads.RepositoryPayloads(), func(p serbench.Payload) bool { return p.FormName() == form }))
	}
}
