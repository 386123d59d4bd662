package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/examples/seeds/internal/seedtest"
)

func TestATableForEachBackEnd(t *testing.T) {
	out := filepath.Join(t.TempDir(), "report.json")
	code, stdout, stderr := seedtest.Program(run).Run(t, "-reps", "100", "-study", "200ms", "-o", out)
	require.Equal(t, 0, code, stderr)
	assert.Equal(t, len(backEnds), strings.Count(stdout, "      user     system      total        real\n"))
	first, _, _ := strings.Cut(stdout, "\n\n")
	var rows []string
	for _, line := range strings.Split(first, "\n")[2:] {
		label, _, _ := strings.Cut(line, " ")
		rows = append(rows, label)
	}
	assert.Equal(t, []string{".encode", ".encode_json", ".decode", ".decode_json"}, rows, "the original's rows in its order")
	assert.Contains(t, stdout, ".decode_json # skipped: ", "a row that cannot run stands there with its reason")
	assert.Contains(t, stdout, "protobuf (proto) 30,")
	assert.Contains(t, stdout, "serbench's own run")

	plan, _ := seedtest.Saved(t, out)
	assert.Equal(t, -1, plan.Config.WarmupReps, "no warm-up, as in the original")
	for _, res := range plan.Results {
		if res.Status == serbench.StatusSkipped {
			continue
		}
		assert.Equal(t, serbench.StatusOK, res.Status, res.ID)
		assert.Equal(t, int64(100), res.Reps, res.ID)
		require.Len(t, res.Counters, 1, res.ID)
		assert.Equal(t, int64(100), res.Counters[0].Reps, "%s: CPU time over the row's whole stretch", res.ID)
	}
}

func TestTheDenseMessage(t *testing.T) {
	code, stdout, stderr := seedtest.Program(run).Run(t, "-reps", "10", "-study", "0", "-fill", "dense")
	require.Equal(t, 0, code, stderr)
	assert.NotContains(t, stdout, "loses information")
	assert.NotContains(t, stdout, "protobuf (proto) 30,")
}

func TestBadInput(t *testing.T) {
	seedtest.Program(run).Refuses(t, map[string][]string{`-fill "half": there are sparse and dense`: {"-fill", "half"}})
}
