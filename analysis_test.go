package serbench_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

// cells builds small reports: each cell of payload p in form struct.
type cells struct{ serbench.Report }

func newCells(margin float64) *cells {
	c := &cells{}
	c.Schema, c.Config.Margin = 1, margin
	c.Environments = []serbench.Environment{{ID: "e"}}
	return c
}

func (c *cells) add(payload string, op serbench.Op, codec string, ns, half float64, size int) *serbench.Result {
	e := &serbench.Estimate{Value: ns, N: 20, Confidence: 0.95}
	if half > 0 {
		e.Low, e.High = ptr(ns-half), ptr(ns+half)
	}
	r := serbench.Result{ID: payload + "/" + codec + "/" + string(op), Environment: "e", Payload: payload, Form: "struct",
		Codec: codec, Op: op, Parallelism: 1, Status: serbench.StatusOK, Fidelity: &serbench.Fidelity{Class: serbench.Exact}}
	r.Estimates.NsPerOp = e
	if size > 0 {
		r.Encoded = &serbench.EncodedSize{Min: size, Mean: float64(size), Max: size, Total: int64(size)}
	}
	c.Results = append(c.Results, r)
	return &c.Results[len(c.Results)-1]
}

func (c *cells) compare(a, b string, ratio, half float64, v serbench.Verdict) {
	c.Comparisons = append(c.Comparisons, serbench.Comparison{A: "p/" + a + "/encode", B: "p/" + b + "/encode",
		Ratio: &ratio, Low: ptr(ratio - half), High: ptr(ratio + half), Margin: c.Config.Margin, Level: 0.05, Blocks: 20, Verdict: v})
}

// standing writes a group as "codec:rank-last".
func standing(g serbench.Group) (out []string) {
	for _, s := range g.Standings {
		out = append(out, fmt.Sprintf("%s:%d-%d", s.Result.Codec, s.Rank, s.Last))
	}
	return out
}

func TestStandingsShareRanksWhereNothingIsDecided(t *testing.T) {
	enc := serbench.OpEncode
	for _, c := range []struct {
		name   string
		report func() *cells
		want   []string
	}{
		{"own intervals that do not touch", func() *cells {
			r := newCells(0.01)
			r.add("p", enc, "b", 200, 2, 0)
			r.add("p", enc, "a", 100, 1, 0)
			return r
		}, []string{"a:1-1", "b:2-2"}},
		{"own intervals that touch", func() *cells {
			r := newCells(0.01)
			r.add("p", enc, "a", 100, 3, 0)
			r.add("p", enc, "b", 104, 3, 0)
			return r
		}, []string{"a:1-2", "b:1-2"}},
		{"apart by less than half the margin is not apart", func() *cells {
			r := newCells(0.1)
			r.add("p", enc, "a", 100, 0.1, 0)
			r.add("p", enc, "b", 103, 0.1, 0)
			return r
		}, []string{"a:1-2", "b:1-2"}},
		{"no intervals: nothing is known", func() *cells {
			r := newCells(0.01)
			r.add("p", enc, "a", 100, 0, 0)
			r.add("p", enc, "b", 900, 0, 0)
			return r
		}, []string{"a:1-2", "b:1-2"}},
		{"a chain: only first and last are apart", func() *cells {
			r := newCells(0.01)
			r.add("p", enc, "a", 100, 2.5, 0)
			r.add("p", enc, "b", 103, 2.5, 0)
			r.add("p", enc, "c", 107, 2.5, 0)
			return r
		}, []string{"a:1-2", "b:1-3", "c:2-3"}},
		{"the run's verdict counts more than intervals", func() *cells {
			r := newCells(0.01)
			r.add("p", enc, "a", 100, 20, 0)
			r.add("p", enc, "b", 110, 20, 0)
			r.compare("a", "b", 0.9, 0.01, serbench.Faster)
			return r
		}, []string{"a:1-1", "b:2-2"}},
		{"two compared with a third that stands between them", func() *cells {
			r := newCells(0.01)
			r.add("p", enc, "a", 100, 50, 0)
			r.add("p", enc, "base", 110, 50, 0)
			r.add("p", enc, "b", 120, 50, 0)
			r.compare("a", "base", 0.9, 0.02, serbench.Faster)
			r.compare("base", "b", 0.9, 0.02, serbench.Faster)
			return r
		}, []string{"a:1-1", "base:2-2", "b:3-3"}},
		{"two slower than the baseline, by intervals that touch", func() *cells {
			r := newCells(0.01)
			r.add("p", enc, "base", 100, 1, 0)
			r.add("p", enc, "a", 200, 1, 0)
			r.add("p", enc, "b", 210, 1, 0)
			r.compare("a", "base", 2, 0.2, serbench.Slower)
			r.compare("b", "base", 2.1, 0.2, serbench.Slower)
			return r
		}, []string{"base:1-1", "a:2-3", "b:2-3"}},
		{"what loses or failed or is a control is not ranked with the rest", func() *cells {
			r := newCells(0.01)
			r.add("p", enc, "a", 100, 1, 0)
			r.add("p", enc, "lossy", 10, 1, 0).Status = serbench.StatusLossy
			failed := r.add("p", enc, "failed", 1, 0.1, 0)
			failed.Status, failed.Estimates = serbench.StatusFailed, serbench.Estimates{}
			r.add("p", enc, "partial", 1, 0.1, 0).Status = serbench.StatusPartial
			r.add("p", enc, "control", 1, 0.1, 0).Role = serbench.RoleCodec
			return r
		}, []string{"a:1-1", "lossy:1-1", "partial:0-0", "failed:0-0", "control:0-0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			groups := serbench.Standings(&c.report().Report, serbench.View{})
			require.Len(t, groups, 1)
			assert.Equal(t, c.want, standing(groups[0]))
		})
	}
	r := newCells(0.01)
	r.add("p", enc, "a", 100, 1, 0)
	r.add("p", enc, "lossy", 10, 1, 0).Status = serbench.StatusLossy
	groups := serbench.Standings(&r.Report, serbench.View{Lossy: true})
	assert.Equal(t, []string{"lossy:1-1", "a:2-2"}, standing(groups[0]), "on request")
}

func TestRatiosSayWhereTheirIntervalComesFrom(t *testing.T) {
	r := newCells(0.01)
	enc := serbench.OpEncode
	r.add("p", enc, "base", 100, 1, 0)
	r.add("p", enc, "a", 210, 1, 0)
	r.add("p", enc, "b", 400, 1, 0)
	r.add("p", enc, "alone", 800, 8, 0)
	r.compare("a", "base", 2, 0.1, serbench.Slower)
	r.compare("base", "b", 0.25, 0.01, serbench.Faster)
	ratios := func(base string) map[string]*serbench.Ratio {
		out := map[string]*serbench.Ratio{}
		for _, s := range serbench.Standings(&r.Report, serbench.View{Baseline: base})[0].Standings {
			out[s.Result.Codec] = s.Ratio
		}
		return out
	}
	q := ratios("base")
	assert.Equal(t, serbench.Paired, q["a"].Basis)
	assert.InDelta(t, 2, q["a"].Value, 1e-12, "that of the comparison, not 210/100")
	assert.InDelta(t, 4, q["b"].Value, 1e-12, "seen from the other side")
	assert.InDelta(t, 1/0.26, *q["b"].Low, 1e-12)
	assert.Equal(t, serbench.Slower, q["b"].Verdict)
	assert.Equal(t, serbench.Separate, q["alone"].Basis)
	assert.InDelta(t, 792.0/101, *q["alone"].Low, 1e-12)
	assert.InDelta(t, 808.0/99, *q["alone"].High, 1e-12)
	q = ratios("a")
	assert.Equal(t, serbench.Through, q["b"].Basis)
	assert.InDelta(t, (1/0.26)/2.1, *q["b"].Low, 1e-12, "ends against ends")
	assert.InDelta(t, (1/0.24)/1.9, *q["b"].High, 1e-12)
	assert.InDelta(t, 1, q["a"].Value, 0)
	assert.Nil(t, ratios("nobody")["a"], "no such baseline, no ratios")
}

func TestFrontKeepsWhatNoOtherBeats(t *testing.T) {
	r := newCells(0.01)
	enc := serbench.OpEncode
	r.add("p", enc, "fast-large", 100, 1, 500)
	r.add("p", enc, "slow-small", 300, 1, 200)
	r.add("p", enc, "beaten", 310, 1, 300)
	r.add("p", enc, "same-size-tied", 101, 2, 500)
	r.add("p", enc, "same-size-slower", 150, 1, 500)
	r.add("p", enc, "no-size", 50, 1, 0)
	front := map[string]bool{}
	for _, s := range serbench.Standings(&r.Report, serbench.View{})[0].Standings {
		front[s.Result.Codec] = s.Front
	}
	assert.Equal(t, map[string]bool{"fast-large": true, "slow-small": true, "beaten": false,
		"same-size-tied": true, "same-size-slower": false, "no-size": false}, front)
}

func TestGeoMeansAreOverWhatAllHave(t *testing.T) {
	r := newCells(0.01)
	enc := serbench.OpEncode
	for payload, ns := range map[string][]float64{"p": {100, 200}, "q": {100, 800}} {
		r.add(payload, enc, "base", ns[0], 1, 0)
		r.add(payload, enc, "a", ns[1], 1, 0)
	}
	r.add("alone", enc, "a", 1, 0.1, 0)
	r.add("p", enc, "never", 1, 0.1, 0).Status = serbench.StatusFailed
	all := serbench.GeoMeans(&r.Report, serbench.View{Baseline: "base"})
	require.Len(t, all, 1)
	o := all[0]
	assert.Equal(t, [2]int{2, 3}, [2]int{o.N, o.Of}, "2 of 3")
	assert.Equal(t, []string{"never"}, o.Without)
	require.Len(t, o.Codecs, 2)
	assert.Equal(t, "a", o.Codecs[1].Codec)
	assert.InEpsilon(t, 4, o.Codecs[1].Ratio, 1e-12, "√(2·8)")
	assert.Less(t, *o.Codecs[1].Low, 4.0)
	assert.Greater(t, *o.Codecs[1].High, 4.0)
	assert.InDelta(t, 1, o.Codecs[0].Ratio, 0)

	only := serbench.GeoMeans(&r.Report, serbench.View{}, "a")[0]
	assert.Equal(t, [2]int{3, 3}, [2]int{only.N, only.Of}, "fewer codecs have more in common")
	assert.Empty(t, serbench.GeoMeans(&serbench.Report{}, serbench.View{}))
}

func TestMessagesPerSecond(t *testing.T) {
	res := &serbench.Result{Op: serbench.OpEncode, Status: serbench.StatusOK,
		Encoded: &serbench.EncodedSize{Mean: 1000, Compressions: []serbench.Compression{{Algorithm: "zstd", MessageBytes: 250, CompressNs: 9000, DecompressNs: 4000}}}}
	res.Estimates.NsPerOp = &serbench.Estimate{Value: 1000}
	for _, c := range []struct {
		name string
		link serbench.Link
		op   serbench.Op
		want float64
		by   serbench.Bottleneck
	}{
		{"a core without a line", serbench.Link{}, serbench.OpEncode, 1e6, serbench.BoundByCPU},
		{"a tenth of a core", serbench.Link{CPUShare: 0.1}, serbench.OpEncode, 1e5, serbench.BoundByCPU},
		{"8 Mbit/s carry 1000 messages of 1000 bytes", serbench.Link{BitsPerSecond: 8e6}, serbench.OpEncode, 1000, serbench.BoundByLink},
		{"headers count", serbench.Link{BitsPerSecond: 8e6, OverheadBytes: 1000}, serbench.OpEncode, 500, serbench.BoundByLink},
		{"a quarter of the size, four times the messages", serbench.Link{BitsPerSecond: 8e6, Compression: "zstd"}, serbench.OpEncode, 4000, serbench.BoundByLink},
		{"compressing takes CPU time", serbench.Link{Compression: "zstd"}, serbench.OpEncode, 1e5, serbench.BoundByCPU},
		{"a decoder decompresses", serbench.Link{Compression: "zstd"}, serbench.OpDecode, 2e5, serbench.BoundByCPU},
		{"a round trip does both", serbench.Link{Compression: "zstd"}, serbench.OpRoundtrip, 1e9 / 14000, serbench.BoundByCPU},
	} {
		t.Run(c.name, func(t *testing.T) {
			res.Op = c.op
			got, ok := serbench.MessagesPerSecond(res, c.link)
			require.True(t, ok)
			assert.InEpsilon(t, c.want, got.PerSecond, 1e-12)
			assert.Equal(t, c.by, got.Bottleneck)
		})
	}
	_, ok := serbench.MessagesPerSecond(res, serbench.Link{Compression: "lzma"})
	assert.False(t, ok, "not measured")
	res.Estimates = serbench.Estimates{}
	_, ok = serbench.MessagesPerSecond(res, serbench.Link{})
	assert.False(t, ok, "no time")
	_, ok = serbench.MessagesPerSecond(nil, serbench.Link{})
	assert.False(t, ok)
}

func TestSelectKeepsWhatBelongsToIt(t *testing.T) {
	r := sampleReport()
	s := serbench.Select(r, func(res *serbench.Result) bool { return res.Codec == "json" })
	assert.Len(t, s.Results, 2)
	assert.Empty(t, s.Comparisons, "the other side is gone")
	assert.Empty(t, s.Shares)
	assert.Len(t, s.Codecs, 1)
	assert.Equal(t, sampleReport(), r)
	written(t, s)
}

func TestStandingsOfOneLargeGroup(t *testing.T) {
	r := newCells(0.01)
	for i := range 5000 {
		ns := 100 * math.Pow(1.03, float64(i/2)) // pairs of equals, each pair 3 % slower
		r.add("p", serbench.OpEncode, fmt.Sprint("codec ", i), ns, ns/1000, 100+i)
	}
	start := time.Now()
	groups := serbench.Standings(&r.Report, serbench.View{})
	t.Logf("5,000 cells in one group: %v", time.Since(start))
	require.Len(t, groups, 1)
	for i, s := range groups[0].Standings {
		if want := 1 + i/2*2; s.Rank != want || s.Last != want+1 {
			t.Fatalf("cell %d: rank %d to %d, want %d to %d: pairs share a rank", i, s.Rank, s.Last, want, want+1)
		}
	}
}

// A wide interval of the pair itself must not hide what a third cell shows.
func TestAThirdCellDecidesAnUndecidedPair(t *testing.T) {
	r := newCells(0.01)
	a, b, c := r.add("p", serbench.OpEncode, "a", 100, 99, 101), r.add("p", serbench.OpEncode, "b", 500, 490, 510), r.add("p", serbench.OpEncode, "c", 900, 890, 910)
	r.Comparisons = append(r.Comparisons, []serbench.Comparison{
		{A: b.ID, B: a.ID, Ratio: ptr(5.0), Low: ptr(4.8), High: ptr(5.2), Verdict: serbench.Slower},
		{A: c.ID, B: a.ID, Ratio: ptr(9.0), Low: ptr(8.8), High: ptr(9.2), Verdict: serbench.Slower},
		{A: c.ID, B: b.ID, Ratio: ptr(1.8), Low: ptr(0.2), High: ptr(16.0), Verdict: serbench.Undecided},
	}...)
	var ranks []int
	for _, s := range serbench.Standings(&r.Report, serbench.View{})[0].Standings {
		ranks = append(ranks, s.Rank)
	}
	assert.Equal(t, []int{1, 2, 3}, ranks)
}
