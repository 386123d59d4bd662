package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/render"
)

// label is the seed's name of a row; the controls have no row in its tables.
func label(res *serbench.Result) string {
	if res.Role != serbench.RoleWhole {
		return ""
	}
	return rowName(res)
}

func rowName(res *serbench.Result) string {
	if res.Op == serbench.OpSend {
		return res.Codec + " encode"
	}
	return res.Codec + " decode"
}

func writeTable(w io.Writer, report *serbench.Report) error {
	return render.RubyTable{Label: label, Rounds: true}.Write(w, report)
}

// mergeRounds makes one report of the rounds': each round is a block, and the
// figure of a row is the median of its rounds. nil if there are none.
func mergeRounds(rounds []*serbench.Report) *serbench.Report {
	if len(rounds) == 0 {
		return nil
	}
	all := *rounds[0]
	all.Results = slices.Clone(all.Results)
	all.Comparisons, all.Shares = []serbench.Comparison{}, nil // of one round
	all.ElapsedNs = 0
	for _, r := range rounds {
		all.ElapsedNs += r.ElapsedNs
		all.Interrupted = all.Interrupted || r.Interrupted
	}
	for i := range all.Results {
		res := &all.Results[i]
		res.Samples, res.Counters, res.Warnings, res.Reps, res.ElapsedNs = nil, nil, nil, 0, 0
		var perOp []float64
		for k, r := range rounds {
			one := r.Results[i]
			if one.Status != serbench.StatusOK && one.Status != serbench.StatusLossy {
				res.Status, res.Reason = one.Status, fmt.Sprintf("round %d: %s", k+1, one.Reason)
				continue
			}
			for _, s := range one.Samples {
				s.Block = k
				res.Samples = append(res.Samples, s)
			}
			for _, c := range one.Counters {
				c.Block = k
				res.Counters = append(res.Counters, c)
			}
			res.Reps += one.Reps
			res.ElapsedNs += one.ElapsedNs
			if one.Reps > 0 {
				perOp = append(perOp, float64(one.ElapsedNs)/float64(one.Reps))
			}
		}
		res.Estimates = serbench.Estimates{}
		if len(perOp) > 0 {
			low, mid, high := spread(perOp)
			res.Estimates.NsPerOp = &serbench.Estimate{Value: mid, Min: &low, Max: &high, N: len(perOp),
				Method: fmt.Sprintf("median of %d rounds, no interval", len(perOp))}
		}
	}
	return &all
}

func spread(xs []float64) (low, mid, high float64) {
	s := slices.Sorted(slices.Values(xs))
	n := len(s)
	return s[0], (s[(n-1)/2] + s[n/2]) / 2, s[n-1]
}

// seconds per round of a result, in the order of the rounds.
func seconds(res *serbench.Result) (xs []float64) {
	for _, s := range res.Samples {
		for len(xs) <= s.Block {
			xs = append(xs, 0)
		}
		xs[s.Block] += float64(s.ElapsedNs) / 1e9
	}
	return slices.DeleteFunc(xs, func(x float64) bool { return x == 0 })
}

// writeRounds says what the rounds say together.
func writeRounds(w io.Writer, report *serbench.Report) {
	fmt.Fprintf(w, "Over the rounds, real seconds\n%-28s %9s %9s %9s %8s\n", "", "min", "median", "max", "spread")
	for i := range report.Results {
		res := &report.Results[i]
		name := rowName(res)
		switch res.Role {
		case serbench.RoleTransport:
			name += ", no codec"
		case serbench.RoleCodec:
			name += ", no Redis"
		}
		xs := seconds(res)
		if len(xs) == 0 {
			fmt.Fprintf(w, "%-28s %s: %s\n", name, res.Status, res.Reason)
			continue
		}
		low, mid, high := spread(xs)
		fmt.Fprintf(w, "%-28s %9.3f %9.3f %9.3f %7.1f%%\n", name, low, mid, high, 100*(high-low)/mid)
	}
	fmt.Fprintln(w)
	for _, op := range []serbench.Op{serbench.OpSend, serbench.OpReceive} {
		if s := roundsVerdict(report, op); s != "" {
			fmt.Fprintln(w, s)
		}
	}
	fmt.Fprintln(w)
}

// roundsVerdict weighs the difference between the two codecs against how much
// the rounds of each differ, and against what there is to gain at all.
func roundsVerdict(report *serbench.Report, op serbench.Op) string {
	var rows []*serbench.Result
	for i := range report.Results {
		if res := &report.Results[i]; res.Op == op && res.Role == serbench.RoleWhole && len(seconds(res)) > 0 {
			rows = append(rows, res)
		}
	}
	if len(rows) < 2 {
		return ""
	}
	slices.SortStableFunc(rows, func(a, b *serbench.Result) int {
		_, x, _ := spread(seconds(a))
		_, y, _ := spread(seconds(b))
		return cmp.Compare(x, y)
	})
	fast, slow := rows[0], rows[1]
	fLow, fMid, fHigh := spread(seconds(fast))
	sLow, sMid, sHigh := spread(seconds(slow))
	text := fmt.Sprintf("%s against %s: %.1f %% less time at the median", rowName(fast), rowName(slow), 100*(1-fMid/sMid))
	switch {
	case len(seconds(fast)) < 2:
		return text + "; one round says nothing of its certainty."
	case fHigh < sLow:
		return text + ", and every round of the one was faster than every round of the other."
	}
	return text + fmt.Sprintf(", but the rounds themselves differ by %.1f and %.1f %% and overlap: no meaningful difference.",
		100*(fHigh-fLow)/fMid, 100*(sHigh-sLow)/sMid)
}

// writeStudy says what the interleaved run found.
func writeStudy(w io.Writer, report *serbench.Report) {
	if len(report.Results) == 0 {
		return
	}
	fmt.Fprintf(w, "Interleaved, %.1f s: codec and Redis, Redis alone with the codec's bytes, codec alone\n", float64(report.ElapsedNs)/1e9)
	at := map[string]*serbench.Result{}
	for i := range report.Results {
		res := &report.Results[i]
		at[res.ID] = res
		if res.Status != serbench.StatusOK && res.Role == serbench.RoleWhole {
			fmt.Fprintf(w, "%s through %s: %s: %s\n", rowName(res), res.Transport, res.Status, res.Reason)
		}
	}
	for _, s := range report.Shares {
		fmt.Fprintln(w, s.Words+".")
	}
	for _, c := range report.Comparisons {
		if c.Ratio == nil {
			continue
		}
		interval := ""
		if c.Low != nil && c.High != nil {
			interval = fmt.Sprintf(" (%.3f to %.3f)", *c.Low, *c.High)
		}
		fmt.Fprintf(w, "Through %s, %s takes %.3f times as long as %s%s: %s.\n",
			at[c.A].Transport, rowName(at[c.A]), *c.Ratio, rowName(at[c.B]), interval, c.Verdict)
	}
}

// thousands writes 100000 as 100,000.
func thousands(n int) string {
	s := strconv.Itoa(n)
	var parts []string
	for len(s) > 3 {
		parts = append([]string{s[len(s)-3:]}, parts...)
		s = s[:len(s)-3]
	}
	return strings.Join(append([]string{s}, parts...), ",")
}
