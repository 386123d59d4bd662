package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/internal/stats"
)

// build is a report in which b takes 100 ns and a so many.
func build(a float64) *serbench.Report {
	ratio, low, high := a/100, a/100*0.999, a/100*1.001
	cell := func(codec string, ns float64) serbench.Result {
		return serbench.Result{ID: "p/struct/" + codec + "/encode", Environment: "env1", Payload: "p", Form: "struct", Codec: codec,
			Op: serbench.OpEncode, Parallelism: 1, Status: serbench.StatusOK, Reps: 10, Estimates: serbench.Estimates{NsPerOp: &serbench.Estimate{Value: ns, N: 11}}}
	}
	return &serbench.Report{
		Environments: []serbench.Environment{{ID: "env1"}},
		Results:      []serbench.Result{cell("a", a), cell("b", 100)},
		Comparisons: []serbench.Comparison{{A: "p/struct/a/encode", B: "p/struct/b/encode", Ratio: &ratio, Low: &low, High: &high,
			Level: 0.05, Margin: 0.01, Blocks: 11, Verdict: serbench.Slower}},
	}
}

func builds(as ...float64) (out []*serbench.Report) {
	for _, a := range as {
		out = append(out, build(a))
	}
	return out
}

func TestVerdictsAllowForTheLayout(t *testing.T) {
	for _, test := range []struct {
		name string
		as   []float64
		want stats.Verdict
		why  string
	}{
		{"every build says 20 %", []float64{120, 121, 119, 120, 122, 118}, stats.Slower, "the layout moves it by 1 %"},
		{"each build is sure, of another thing", []float64{107, 94, 105, 93, 106, 95}, stats.Undecided, "the layout is the difference"},
		{"all alike", []float64{100.1, 99.9, 100, 100.1, 99.9, 100}, stats.Equivalent, ""},
		{"two builds", []float64{103, 97}, stats.Undecided, "two say nothing of their spread"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := summarise(builds(test.as...))
			require.Len(t, s.comparisons, 1)
			assert.Equal(t, test.want, s.comparisons[0].verdict, test.why)
			assert.Len(t, s.cells, 2)
			var text bytes.Buffer
			require.NoError(t, s.write(&text))
			assert.Contains(t, text.String(), "build to build")
		})
	}
}

func TestAPairThatOneBuildLacksCountsTheOthers(t *testing.T) {
	rs := builds(120, 121, 119)
	rs[1].Comparisons = nil
	assert.Len(t, summarise(rs).comparisons[0].logs, 2)
}

func TestTheMergedReportCanBeRead(t *testing.T) {
	var text bytes.Buffer
	require.NoError(t, merged(builds(120, 121)).WriteJSON(&text))
	r, err := serbench.ReadReport(&text)
	require.NoError(t, err)
	assert.Len(t, r.Results, 4)
	assert.Equal(t, "layout2", r.Results[2].Build)
	assert.Equal(t, "layout2/env1", r.Results[2].Environment)
	assert.Len(t, r.Comparisons, 2)
}

func TestBadInputIsNamed(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		code int
		says string
	}{
		{"no package", nil, 2, "usage"},
		{"one build", []string{"-builds", "1", "."}, 2, "-builds 1"},
		{"out into nowhere", []string{"-o", "no/such/folder/x.json", "."}, 2, "no/such/folder"},
		{"no such package", []string{"./no/such/package"}, 1, "./no/such/package"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out, err bytes.Buffer
			assert.Equal(t, test.code, run(test.args, &out, &err))
			assert.Contains(t, err.String(), test.says)
			assert.Empty(t, out.String())
		})
	}
	t.Run("no go command", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		var out, err bytes.Buffer
		assert.Equal(t, 1, run([]string{"."}, &out, &err))
		assert.Contains(t, err.String(), "go command")
	})
}

func TestLayoutsBuildsRunsAndMerges(t *testing.T) {
	if testing.Short() {
		t.Skip("links a program twice")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command")
	}
	folder := t.TempDir()
	name := filepath.Join(folder, "merged.json")
	var out, stderr bytes.Buffer
	code := run([]string{"-builds", "2", "-o", name, "-keep", folder, "../customcodec", "-reps", "200", "-op", "encode"}, &out, &stderr)
	require.Equal(t, 0, code, stderr.String())
	assert.Contains(t, out.String(), "2 layouts")
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	r, err := serbench.ReadReport(f)
	require.NoError(t, err)
	require.Len(t, r.Environments, 2)
	assert.NotEqual(t, r.Environments[0].BuildID, r.Environments[1].BuildID, "another layout is another build")
	stderr.Reset()
	assert.Equal(t, 0, run([]string{"-builds", "2", "-keep", folder, "./gone"}, &out, &stderr), "finished builds are taken from the folder")
}
