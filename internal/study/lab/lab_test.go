package lab

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench/internal/stats"
)

func TestUpperBound(t *testing.T) {
	for _, test := range []struct {
		k, n int
		want float64
		why  string
	}{
		{0, 1258, 1 - math.Pow(0.05, 1.0/1258), "none: the closed form 1 - 0.05^(1/n)"},
		{0, 1, 0.95, "one trial says little"},
		{5, 5, 1, "all"},
		{0, 0, 1, "nothing was tried"},
		{10, 100, 0.16372, "published tables of the exact binomial interval"},
		{1, 20, 0.21611, "published tables of the exact binomial interval"},
	} {
		assert.InDelta(t, test.want, UpperBound(test.k, test.n), 1e-4, test.why)
	}
}

func TestEveryOpRunsAndCanBeMadeDearer(t *testing.T) {
	for _, k := range Kinds() {
		o := &Op{Kind: k}
		require.NoError(t, o.Fresh())
		n, err := o.Run(10 * k.Every)
		require.NoError(t, err)
		assert.Equal(t, 10*k.Every, n)
		turns, err := TurnsFor(k, 0.5)
		require.NoError(t, err)
		assert.Positive(t, turns, k.Name)
	}
	_, err := KindNamed("none")
	assert.ErrorContains(t, err, "none")
}

func TestATrialKnowsItsTruth(t *testing.T) {
	trial, err := Setup{Kind: "1us", Cells: 2, Effect: 0.05}.Run(1)
	require.NoError(t, err)
	assert.InDelta(t, math.Log(1.05), trial.Truth, 0.03)
	assert.InDelta(t, trial.Truth, trial.Log, 0.03)
	assert.Zero(t, trial.Wrong)
	for _, part := range Parts() {
		_, err := Setup{Kind: "50ns", Cells: 2, Without: part}.Run(1)
		assert.NoError(t, err, part)
	}
	_, err = Setup{Kind: "50ns", Cells: 2, Without: "luck"}.Run(1)
	assert.ErrorContains(t, err, "luck")
}

func TestContradictions(t *testing.T) {
	const slower = 0.02
	for _, test := range []struct {
		name    string
		verdict stats.Verdict
		pair    [2]int
		truth   float64
		want    bool
	}{
		{"equal, called equivalent", stats.Equivalent, [2]int{0, 1}, 0, false},
		{"equal, called different", stats.Faster, [2]int{0, 1}, 0, true},
		{"slower, found", stats.Faster, [2]int{0, 1}, slower, false},
		{"slower, the other way round", stats.Slower, [2]int{0, 1}, slower, true},
		{"slower, found from its own side", stats.Slower, [2]int{1, 2}, slower, false},
		{"two others, called different", stats.Slower, [2]int{2, 3}, slower, true},
		{"slower than the margin, called equivalent", stats.Equivalent, [2]int{0, 1}, slower, true},
		{"within the margin, called equivalent", stats.Equivalent, [2]int{0, 1}, 0.0098, false},
		{"out of time", stats.Undecided, [2]int{0, 1}, slower, false},
	} {
		assert.Equal(t, test.want, contradicts(test.verdict, test.pair, test.truth), test.name)
	}
}

func TestTableHasARowPerSetup(t *testing.T) {
	var text bytes.Buffer
	require.NoError(t, WriteTable(&text, []Trial{{Setup: Setup{Kind: "50ns", Cells: 2}}, {Setup: Setup{Kind: "1us", Cells: 2}}, {Setup: Setup{Kind: "50ns", Cells: 2}}}))
	lines := strings.Split(strings.TrimSpace(text.String()), "\n")
	assert.Len(t, lines, 4)
	for _, line := range lines {
		assert.Equal(t, strings.Count(lines[0], "|"), strings.Count(line, "|"))
	}
}
