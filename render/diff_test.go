package render_test

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/render"
)

func gated(t *testing.T, change func(r *serbench.Report)) (*serbench.ReportDiff, []serbench.Finding) {
	t.Helper()
	old, new := usual(), usual()
	change(new)
	d, err := serbench.Diff(old, new, serbench.DiffOptions{})
	require.NoError(t, err)
	findings, err := serbench.Gate(d, serbench.Limits{})
	require.NoError(t, err)
	return d, findings
}

func TestGateGolden(t *testing.T) {
	d, findings := gated(t, func(r *serbench.Report) {
		r.Results[0].Encoded.Mean, r.Results[0].Encoded.Max, r.Results[0].Encoded.Min = 470, 470, 470
		r.Results[1].Estimates.AllocsPerOp.Value = 2
		e := r.Results[2].Estimates.NsPerOp
		e.Value, e.Low, e.High = 800, ptr(790.0), ptr(810.0)
		r.Results[4].Status, r.Results[4].Reason = serbench.StatusFailed, "panic: a|b\n<c>"
		r.Results = append(r.Results[:5], r.Results[6:]...)
		r.Environments[0].GoVersion = "go1.27.0"
		r.Results[0].Codec, r.Results[0].ID = "js|on", "renamed"
		r.Comparisons = nil
	})
	var b strings.Builder
	require.NoError(t, render.Gate(&b, d, findings))
	golden(t, "gate.txt", b.String())
	b.Reset()
	require.NoError(t, render.GateMarkdown(&b, d, findings, 0))
	golden(t, "gate.md", b.String())
	whole := b.Len()
	b.Reset()
	require.NoError(t, render.GateMarkdown(&b, d, findings, whole-10))
	assert.Less(t, b.Len(), whole-10)
	assert.Contains(t, b.String(), "Cut to fit")
}

func TestGateThatPasses(t *testing.T) {
	d, findings := gated(t, func(*serbench.Report) {})
	var b strings.Builder
	require.NoError(t, render.Gate(&b, d, findings))
	assert.True(t, strings.HasPrefix(b.String(), "passed: 13 cells compared"), b.String())
	assert.Error(t, render.Gate(io.Discard, nil, nil))
	assert.Error(t, render.GateMarkdown(io.Discard, nil, nil, 0))
}
