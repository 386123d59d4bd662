package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/internal/stats"
)

// level is the chance of any wrong verdict among the comparisons of a group.
const level = 0.05

// summary is what several builds say together. Its unit is the build.
type summary struct {
	builds      int
	comparisons []comparison
	cells       []cell
}

// comparison is a pair of cells over the builds.
type comparison struct {
	a, b    string
	logs    []float64 // of A/B, one per build
	within  []float64 // half-width of each build's own interval, as a log
	margin  float64
	pairs   int // in the group
	ratio   stats.Interval
	verdict stats.Verdict
}

// cell is the op time of one cell over the builds.
type cell struct {
	id string
	ns []float64
}

// summarise matches what the reports have in common by identity.
func summarise(reports []*serbench.Report) summary {
	s := summary{builds: len(reports)}
	pairs, cells := map[[2]string]int{}, map[string]int{}
	for _, r := range reports {
		group := map[string]string{}
		for _, res := range r.Results {
			group[res.ID] = res.Payload + "/" + res.Form + "/" + string(res.Op)
			e := res.Estimates.NsPerOp
			if e == nil {
				continue
			}
			k, known := cells[res.ID]
			if !known {
				k = len(s.cells)
				cells[res.ID] = k
				s.cells = append(s.cells, cell{id: res.ID})
			}
			s.cells[k].ns = append(s.cells[k].ns, e.Value)
		}
		size := map[string]int{}
		for _, c := range r.Comparisons {
			size[group[c.A]]++
		}
		for _, c := range r.Comparisons {
			if c.Ratio == nil || !(*c.Ratio > 0) {
				continue
			}
			key := [2]string{c.A, c.B}
			k, known := pairs[key]
			if !known {
				k = len(s.comparisons)
				pairs[key] = k
				s.comparisons = append(s.comparisons, comparison{a: c.A, b: c.B, margin: c.Margin})
			}
			p := &s.comparisons[k]
			p.pairs = max(p.pairs, size[group[c.A]])
			p.logs = append(p.logs, math.Log(*c.Ratio))
			if c.Low != nil && c.High != nil && *c.Low > 0 {
				p.within = append(p.within, (math.Log(*c.High)-math.Log(*c.Low))/2)
			}
		}
	}
	for i := range s.comparisons {
		s.comparisons[i].judge()
	}
	return s
}

// judge takes the builds as independent draws of a layout.
func (c *comparison) judge() {
	c.ratio = stats.TrimmedMean(c.logs, stats.Trim, level/float64(max(1, c.pairs)))
	c.verdict = stats.Judge(c.ratio, c.margin)
}

// words says what the builds have shown.
func (c *comparison) words() string {
	e := c.ratio.Exp()
	if !c.ratio.Bounded() {
		return "undecided"
	}
	span := func(low, high float64) string { return fmt.Sprintf("%.3g to %.3g", low, high) }
	switch c.verdict {
	case stats.Faster:
		return fmt.Sprintf("%.3g times as fast (%s)", 1/e.Value, span(1/e.High, 1/e.Low))
	case stats.Slower:
		return fmt.Sprintf("%.3g times as slow (%s)", e.Value, span(e.Low, e.High))
	case stats.Equivalent:
		return fmt.Sprintf("equivalent within %.2g %% (%s)", 100*c.margin, span(e.Low, e.High))
	}
	return fmt.Sprintf("undecided (%s)", span(e.Low, e.High))
}

func percent(log float64) string { return fmt.Sprintf("%.2f %%", 100*math.Expm1(log)) }

func (s summary) write(w io.Writer) error {
	fmt.Fprintf(w, "%d layouts of one program. Intervals contain what differs from build to build.\n\n", s.builds)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "A\tagainst B\tA is\tbuilds\tbuild to build\twithin a build")
	for _, c := range s.comparisons {
		within := "-"
		if len(c.within) > 0 {
			within = percent(stats.Median(c.within))
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%s\t%s\n", plain(c.a), plain(c.b), c.words(), len(c.logs), percent(stats.Stddev(c.logs)), within)
	}
	fmt.Fprintln(t, "\ncell\tns/op, lowest\tmedian\thighest\tbuild to build")
	for _, c := range s.cells {
		q := stats.Quantiles(c.ns, 0, 0.5, 1)
		logs := make([]float64, len(c.ns))
		for i, ns := range c.ns {
			logs[i] = math.Log(ns)
		}
		fmt.Fprintf(t, "%s\t%.4g\t%.4g\t%.4g\t%s\n", plain(c.id), q[0], q[1], q[2], percent(stats.Stddev(logs)))
	}
	return t.Flush()
}

// plain keeps what would break a table out of it.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return '?'
		}
		return r
	}, s)
}

// merged is one report with the results and comparisons of all builds, each
// under its build's name.
func merged(reports []*serbench.Report) *serbench.Report {
	out := *reports[0]
	out.Environments, out.Results, out.Comparisons, out.Shares, out.SelfChecks = nil, nil, nil, nil, nil
	out.ElapsedNs = 0
	for i, r := range reports {
		build := fmt.Sprintf("layout%d", i+1)
		out.ElapsedNs += r.ElapsedNs
		out.Interrupted = out.Interrupted || r.Interrupted
		for _, e := range r.Environments {
			e.ID = build + "/" + e.ID
			out.Environments = append(out.Environments, e)
		}
		for _, res := range r.Results {
			res.ID, res.Build = build+"/"+res.ID, build
			if res.Environment != "" {
				res.Environment = build + "/" + res.Environment
			}
			out.Results = append(out.Results, res)
		}
		for _, c := range r.Comparisons {
			c.A, c.B = build+"/"+c.A, build+"/"+c.B
			out.Comparisons = append(out.Comparisons, c)
		}
	}
	return &out
}
