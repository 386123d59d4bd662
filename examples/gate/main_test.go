package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/examples/internal/cli"
)

const sample = "../../docs/samples/report.json"

func TestGate(t *testing.T) {
	dir := t.TempDir()
	altered := func(name string, change func(r *serbench.Report)) string {
		f, err := os.Open(sample)
		require.NoError(t, err)
		defer f.Close()
		r, err := serbench.ReadReport(f)
		require.NoError(t, err)
		change(r)
		require.NoError(t, cli.Save(r, filepath.Join(dir, name)))
		return filepath.Join(dir, name)
	}
	larger := altered("larger.json", func(r *serbench.Report) { r.Results[0].Encoded.Mean++ })
	slower := altered("slower.json", func(r *serbench.Report) {
		for k := range r.Results {
			if res := &r.Results[k]; res.Codec == "ugorji-msgpack" {
				for i := range res.Samples {
					res.Samples[i].ElapsedNs *= 2
				}
				res.Estimates.NsPerOp.Value *= 2
			}
		}
	})
	fewer := altered("fewer.json", func(r *serbench.Report) { r.Results, r.Comparisons = r.Results[1:], nil })
	empty := altered("empty.json", func(r *serbench.Report) { r.Results, r.Comparisons = nil, nil })
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"nothing changed", []string{sample, sample}, 0, "passed: 14 cells"},
		{"a byte more", []string{sample, larger}, 1, "FAIL  repository (struct), encode, json: encodes to"},
		{"a byte less", []string{larger, sample}, 0, "passed"},
		{"a byte more, allowed", []string{"-size", "0.01", sample, larger}, 0, "passed"},
		{"twice the time, and the machine drifted by less", []string{sample, slower}, 1, "ns/op, was"},
		{"twice the time, not judged", []string{"-time", "-1", sample, slower}, 0, "passed"},
		{"a cell is gone", []string{sample, fewer}, 1, "is missing"},
		{"a cell is gone, allowed", []string{"-allow-missing", sample, fewer}, 0, "is missing"},
		{"nothing to compare", []string{sample, empty}, 2, "nothing to compare"},
		{"no share", []string{"-size", "NaN", "nowhere.json", sample}, 2, "-size NaN"},
		{"no share either", []string{"-time", "Inf", "nowhere.json", sample}, 2, "-time +Inf"},
		{"a level beyond 1", []string{"-level", "1", "nowhere.json", sample}, 2, "-level 1"},
		{"a level below 0", []string{"-level", "-0.1", "nowhere.json", sample}, 2, "-level -0.1"},
		{"any slowdown counts", []string{"-time", "0", sample, slower}, 1, "ns/op, was"},
		{"one file", []string{sample}, 2, "usage"},
		{"no such file", []string{sample, "nowhere.json"}, 2, "nowhere.json"},
		{"not a report", []string{sample, "main.go"}, 2, "main.go: serbench: reading a report"},
	} {
		t.Run(c.name, func(t *testing.T) {
			summary := filepath.Join(t.TempDir(), "summary.md")
			require.NoError(t, os.WriteFile(summary, []byte("what an earlier step said\n"), 0o644))
			var stdout, stderr bytes.Buffer
			code := run(append([]string{"-markdown", summary}, c.args...), &stdout, &stderr)
			assert.Equal(t, c.code, code, stdout.String()+stderr.String())
			assert.Contains(t, stdout.String()+stderr.String(), c.want)
			text, err := os.ReadFile(summary)
			require.NoError(t, err)
			assert.True(t, strings.HasPrefix(string(text), "what an earlier step said\n"), "appended")
			if code < 2 {
				assert.Contains(t, string(text), "\n## ")
				return
			}
			assert.NotContains(t, stdout.String()+stderr.String()+string(text), "passed")
			if c.want != "usage" {
				assert.Contains(t, string(text), c.want)
			}
		})
	}
}
