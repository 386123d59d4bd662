package main

import (
	"encoding/gob"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/examples/seeds/internal/seedtest"
)

func TestMain(m *testing.M) {
	gob.Register(map[string]any{})
	gob.Register([]any{})
	os.Exit(m.Run())
}

func TestThreePhasesByCPUTime(t *testing.T) {
	out := filepath.Join(t.TempDir(), "report.json")
	code, stdout, stderr := seedtest.Program(run).Run(t, "-time", "20ms", "-study", "100ms", "-o", out)
	require.Equal(t, 0, code, stderr)
	for _, text := range []string{"encode of fat (map)", "decode of fat (map)", "roundtrip of fat (map)", "/s", "--",
		"(warning: too few iterations for a reliable count)", "cmpthese's percentage", "CPU time", "serbench's own run"} {
		assert.Contains(t, stdout, text)
	}
	for line := range strings.Lines(stdout) {
		if strings.HasPrefix(line, strings.Repeat("=", 80)) {
			break
		}
		if strings.Contains(line, "/s ") {
			assert.LessOrEqual(t, len(strings.TrimRight(line, "\n")), 80, line)
		}
	}
	plan, _ := seedtest.Saved(t, out)
	assert.Equal(t, "cpu-time", plan.Config.Mode)
	assert.True(t, plan.Config.SubtractNoop)
	require.Len(t, plan.Results, 15)
	for _, res := range plan.Results {
		require.NotNil(t, res.Estimates.CPUNsPerOp, res.ID)
		assert.GreaterOrEqual(t, res.Estimates.CPUNsPerOp.Value*float64(res.Reps), 19.9e6, "%s: the CPU time asked for", res.ID)
	}
}

func TestRepsInsteadOfTime(t *testing.T) {
	code, stdout, stderr := seedtest.Program(run).Run(t, "-reps", "5", "-study", "0", "-form", "struct", "-op", "encode")
	require.Equal(t, 0, code, stderr)
	assert.Contains(t, stdout, "Rates are per second of wall time")
	assert.NotContains(t, stdout, "decode of")
}

func TestBadInput(t *testing.T) {
	seedtest.Program(run).Refuses(t, map[string][]string{`-form "tree"`: {"-form", "tree"}})
}

func TestCasesRunInTheOrderOfTheirNames(t *testing.T) {
	for _, form := range []string{"map", "struct"} {
		all := codecs(form)
		assert.Len(t, all, 5)
		assert.True(t, slices.IsSortedFunc(all, func(a, b serbench.Codec) int { return strings.Compare(a.Name(), b.Name()) }))
	}
}
