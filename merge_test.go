package serbench_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

// onMachine is the sample report as another environment would have made it.
func onMachine(change func(e *serbench.Environment)) *serbench.Report {
	r := sampleReport()
	change(&r.Environments[0])
	return r
}

func ids(r *serbench.Report) (out []string) {
	for _, e := range r.Environments {
		out = append(out, e.ID)
	}
	return out
}

func TestMergeNamesEnvironmentsByWhatTellsThemApart(t *testing.T) {
	for _, c := range []struct {
		name    string
		changes []func(e *serbench.Environment)
		want    []string
	}{
		{"Go versions", []func(*serbench.Environment){func(*serbench.Environment) {}, func(e *serbench.Environment) { e.GoVersion = "go1.27.0" }}, []string{"go1.26.0", "go1.27.0"}},
		{"settings of the collector", []func(*serbench.Environment){func(*serbench.Environment) {}, func(e *serbench.Environment) { e.GOGC = "off" }, func(e *serbench.Environment) { e.GOGC = "400" }},
			[]string{"GOGC=100", "GOGC=off", "GOGC=400"}},
		{"experiments", []func(*serbench.Environment){func(*serbench.Environment) {}, func(e *serbench.Environment) { e.GOEXPERIMENT = "jsonv2" }},
			[]string{"GOEXPERIMENT=simd", "GOEXPERIMENT=jsonv2"}},
		{"two facts", []func(*serbench.Environment){func(*serbench.Environment) {}, func(e *serbench.Environment) { e.CPUModel, e.CPUs = "Other", 4 }},
			[]string{"Example CPU @ 3.00GHz, 8 CPUs", "Other, 4 CPUs"}},
		{"names that differ stay", []func(*serbench.Environment){func(*serbench.Environment) {}, func(e *serbench.Environment) { e.ID, e.GOGC = "mine", "off" }}, []string{"linux", "mine"}},
		{"builds of one revision", []func(*serbench.Environment){func(*serbench.Environment) {}, func(e *serbench.Environment) { e.BuildID = "x/y/z/0123456789abcdef" }}, []string{"build a/b/c/d", "build 456789abcdef"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var reports []*serbench.Report
			for _, change := range c.changes {
				r := onMachine(change)
				for i := range r.Results {
					r.Results[i].Environment = r.Environments[0].ID
				}
				reports = append(reports, r)
			}
			m, err := serbench.Merge(reports...)
			require.NoError(t, err)
			assert.Equal(t, c.want, ids(m))
			assert.Len(t, m.Results, len(reports)*len(reports[0].Results))
			assert.Len(t, m.Comparisons, len(reports)*2)
			assert.Len(t, m.Shares, len(reports))
			assert.Len(t, m.Codecs, len(reports[0].Codecs))
			back, err := read(written(t, m))
			require.NoError(t, err, "a merged report is a report: its ids are unique and lead somewhere")
			assert.Len(t, back.Results, len(m.Results))
			for _, g := range serbench.Standings(m, serbench.View{}) {
				for _, s := range g.Standings {
					assert.Equal(t, g.Environment, s.Result.Environment, "never across environments")
				}
			}
			assert.Equal(t, sampleReport(), onMachine(func(*serbench.Environment) {}), "inputs stay as they are")
		})
	}
}

func TestMergeJoinsPartsOfASuite(t *testing.T) {
	keep := func(codec string) *serbench.Report {
		r := serbench.Select(sampleReport(), func(res *serbench.Result) bool { return res.Codec == codec })
		return r
	}
	m, err := serbench.Merge(keep("msgp"), keep("json"), keep("broken"))
	require.NoError(t, err)
	assert.Equal(t, []string{"linux"}, ids(m), "the same machine and build: one environment")
	assert.Len(t, m.Results, 6)
	assert.Equal(t, "linux/repository/struct/msgp/encode", m.Results[0].ID, "and ids stay")
	assert.Equal(t, 3*sampleReport().ElapsedNs, m.ElapsedNs)
}

func TestMergeConflicts(t *testing.T) {
	for _, c := range []struct {
		name   string
		second func() *serbench.Report
		says   []string
	}{
		{"one cell twice", sampleReport, []string{"codec msgp", "payload repository", "op encode", "reports 1 and 2 both have this cell"}},
		{"other data under one name", func() *serbench.Report {
			r := onMachine(func(e *serbench.Environment) { e.GOGC = "off" })
			r.Payloads[0].Hash = "sha256:11"
			return r
		}, []string{"payload repository: form struct", "sha256:11", "sha256:00ff"}},
		{"another codec under one name", func() *serbench.Report {
			r := onMachine(func(e *serbench.Environment) { e.GOGC = "off" })
			r.Codecs[0].Options = map[string]string{"zero-copy": "on"}
			return r
		}, []string{"codec msgp", "zero-copy=on", "zero-copy=off"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := serbench.Merge(sampleReport(), c.second())
			assert.Nil(t, m)
			for _, s := range c.says {
				assert.ErrorContains(t, err, s)
			}
		})
	}
	_, err := serbench.Merge()
	assert.ErrorContains(t, err, "no reports")
	_, err = serbench.Merge(sampleReport(), nil)
	assert.ErrorContains(t, err, "report 2 is nil")
}

func TestMergeSaysWhatDiffers(t *testing.T) {
	other := onMachine(func(e *serbench.Environment) { e.GOGC = "off" })
	other.Config.Mode, other.Codecs[0].Version = "reps", "v1.7.0"
	other.Started = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	m, err := serbench.Merge(sampleReport(), other)
	require.NoError(t, err)
	text := ""
	for _, w := range m.Warnings {
		text += w.Message + "\n"
	}
	assert.Contains(t, text, "setting mode is precision in the first report and reps in report 2")
	assert.Contains(t, text, "codec msgp has version v1.7.0 in report 2, v1.6.5 before")
	assert.Contains(t, text, "GOGC=off: the race detector is on", "warnings say where they come from")
	assert.Equal(t, other.Started, m.Started)
	assert.True(t, m.Interrupted)
}

func TestMergeOfOneIsTheReport(t *testing.T) {
	m, err := serbench.Merge(sampleReport())
	require.NoError(t, err)
	assert.Equal(t, sampleReport(), m)
}
