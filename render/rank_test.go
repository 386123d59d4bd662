package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/serbench/serbench"
	"github.com/stretchr/testify/assert"
)

func TestRank(t *testing.T) {
	c := func(a, b string, v serbench.Verdict, bounds ...float64) serbench.Comparison {
		c := serbench.Comparison{A: a, B: b, Verdict: v, Margin: 0.01}
		if bounds != nil {
			c.Low, c.High = &bounds[0], &bounds[1]
		}
		return c
	}
	const faster, slower, same, open = serbench.Faster, serbench.Slower, serbench.Equivalent, serbench.Undecided
	for _, tt := range []struct {
		name        string
		times       string // codec:ns
		comparisons []serbench.Comparison
		want        string // codec:rank in order
	}{
		{"nothing compared: the order of the figures", "a:3 b:1 c:2", nil, "b:1 c:2 a:3"},
		{"nothing compared, equal figures", "a:1 b:1 c:2", nil, "a:1 b:1 c:3"},
		{"all decided", "a:3 b:1 c:2", []serbench.Comparison{c("a", "b", slower), c("b", "c", faster), c("a", "c", slower)}, "b:1 c:2 a:3"},
		{"ties share a rank and the next is skipped", "a:1 b:1.1 c:2", []serbench.Comparison{c("a", "b", open), c("a", "c", faster), c("c", "b", slower)}, "a:1 b:1 c:3"},
		{"equivalent is a tie", "a:1 b:1.1", []serbench.Comparison{c("a", "b", same)}, "a:1 b:1"},
		{"only first and last decided", "a:1 b:1.1 c:1.2", []serbench.Comparison{c("a", "b", open, 0.9, 1.05), c("b", "c", open, 0.9, 1.05), c("a", "c", faster)}, "a:1 b:1 c:2"},
		{"a third decides where the pair itself is undecided", "a:10 b:5 base:1", []serbench.Comparison{c("a", "base", slower, 9, 11), c("b", "base", slower, 4.5, 5.5), c("a", "b", open, 0.5, 9)}, "base:1 b:2 a:3"},
		{"a third that contradicts the pair decides nothing", "a:10 b:5 base:1", []serbench.Comparison{c("a", "base", slower, 9, 11), c("b", "base", slower, 4.5, 5.5), c("b", "a", open, 1.001, 1.004)}, "base:1 b:2 a:2"},
		{"thirds that contradict each other decide nothing", "a:1 b:1.1 c:1 d:1", []serbench.Comparison{c("a", "b", open, 0.5, 2), c("a", "c", faster), c("b", "c", slower), c("a", "d", slower), c("b", "d", faster)}, "a:2 c:2 d:2 b:2"},
		{"nothing known of one: it has no rank", "a:1 b:2 c:70", []serbench.Comparison{c("a", "b", faster, 0.4, 0.6), c("a", "c", open)}, "a:1 b:2 c:0"},
		{"verdicts go before figures", "a:2 b:1", []serbench.Comparison{c("a", "b", faster)}, "a:1 b:2"},
		{"a baseline between two decides them", "a:1 base:2 c:3", []serbench.Comparison{c("a", "base", faster), c("base", "c", faster)}, "a:1 base:2 c:3"},
		{"both slower than the baseline, intervals apart", "base:1 b:2 c:9", []serbench.Comparison{c("b", "base", slower, 1.9, 2.1), c("c", "base", slower, 8.8, 9.2)}, "base:1 b:2 c:3"},
		{"both slower than the baseline, intervals touch", "base:1 b:2 c:2.05", []serbench.Comparison{c("b", "base", slower, 1.9, 2.1), c("base", "c", faster, 1/2.2, 1/2.0)}, "base:1 b:2 c:2"},
		{"intervals apart by less than half the margin", "base:1 b:2 c:2.01", []serbench.Comparison{c("b", "base", slower, 1.99, 2.001), c("c", "base", slower, 2.003, 2.02)}, "base:1 b:2 c:2"},
		{"never compared among compared ones: no rank", "a:1 b:2 c:0.5", []serbench.Comparison{c("a", "b", faster)}, "a:1 b:2 c:0"},
		{"comparisons with cells of other tables do not count", "a:2 b:1", []serbench.Comparison{c("a", "elsewhere", faster)}, "b:1 a:2"},
		{"an unknown verdict decides nothing", "a:2 b:1", []serbench.Comparison{c("a", "b", "perhaps")}, "b:1 a:1"},
		{"no cells", "", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var rows []*row
			for _, f := range strings.Fields(tt.times) {
				id, ns, _ := strings.Cut(f, ":")
				var v float64
				_, err := fmt.Sscan(ns, &v)
				assert.NoError(t, err)
				rows = append(rows, &row{res: &serbench.Result{ID: id, Estimates: serbench.Estimates{NsPerOp: &serbench.Estimate{Value: v}}}})
			}
			rank(rows, indexComparisons(tt.comparisons))
			var got []string
			for _, r := range rows {
				got = append(got, fmt.Sprintf("%s:%d", r.res.ID, r.rank))
			}
			assert.Equal(t, tt.want, strings.Join(got, " "))
		})
	}
}

func TestInverseRatioSwapsEndsAndVerdict(t *testing.T) {
	low, high := 2.0, 4.0
	r := (&ratio{value: 2.5, low: &low, high: &high, verdict: serbench.Slower}).inverse()
	assert.Equal(t, 0.4, r.value)
	assert.Equal(t, 0.25, *r.low)
	assert.Equal(t, 0.5, *r.high)
	assert.Equal(t, serbench.Faster, r.verdict)
}

func TestHeadline(t *testing.T) {
	index := func(v serbench.Verdict, reason string) comparisonIndex {
		two, low, high := 2.0, 1.9, 2.1
		c := serbench.Comparison{A: "b", B: "a", Ratio: &two, Low: &low, High: &high, Margin: 0.01, Verdict: v, Reason: reason}
		if reason != "" {
			c.Ratio, c.Low, c.High = nil, nil, nil
		}
		return indexComparisons([]serbench.Comparison{c})
	}
	rows := []*row{{label: "a", res: &serbench.Result{ID: "a"}}, {label: "b", res: &serbench.Result{ID: "b"}}}
	shown := map[string]string{"a": "a", "b": "b"}
	for _, tt := range []struct {
		name  string
		op    serbench.Op
		index comparisonIndex
		want  string
	}{
		{"decided", serbench.OpDecode, index(serbench.Slower, ""), "a decodes 2.00 times as fast as b (1.90 to 2.10)"},
		{"an op of the future", "sign", index(serbench.Slower, ""), "a does sign 2.00 times as fast as b (1.90 to 2.10)"},
		{"equivalent", serbench.OpDecode, index(serbench.Equivalent, ""), "a and b: equivalent within 1 % (1.90 to 2.10)"},
		{"undecided, and why", serbench.OpDecode, index(serbench.Undecided, "too few blocks"), "nothing is known of the differences: too few blocks"},
		{"not compared", serbench.OpDecode, comparisonIndex{}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, headlineOf(tt.op, rows, tt.index, shown)) })
	}
	for _, op := range serbench.Ops() {
		assert.NotContains(t, verb(op), "does ", "a verb for each op")
	}
}
