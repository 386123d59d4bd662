package lab

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/serbench/serbench/internal/stats"
)

// UpperBound is the 95 % upper bound of a rate of which k of n were seen
// (Clopper and Pearson, Biometrika 26, 1934).
func UpperBound(k, n int) float64 {
	if n == 0 || k >= n {
		return 1
	}
	low, high := 0.0, 1.0
	for range 60 {
		p := (low + high) / 2
		if binomialCDF(k, n, p) > 0.05 {
			low = p
		} else {
			high = p
		}
	}
	return high
}

func binomialCDF(k, n int, p float64) float64 {
	ln := func(x int) float64 { v, _ := math.Lgamma(float64(x) + 1); return v }
	sum := 0.0
	for i := range k + 1 {
		sum += math.Exp(ln(n) - ln(i) - ln(n-i) + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return sum
}

// WriteTable sums the trials up, a row per setup.
func WriteTable(w io.Writer, trials []Trial) error {
	groups := map[Setup][]Trial{}
	var order []Setup
	for _, t := range trials {
		if len(groups[t.Setup]) == 0 {
			order = append(order, t.Setup)
		}
		groups[t.Setup] = append(groups[t.Setup], t)
	}
	slices.SortStableFunc(order, func(a, b Setup) int {
		return strings.Compare(fmt.Sprintf("%s %d %d %.3f", a.Without, a.Busy, a.Cells, a.Effect), fmt.Sprintf("%s %d %d %.3f", b.Without, b.Busy, b.Cells, b.Effect))
	})
	var b strings.Builder
	b.WriteString("| op | ns | cells | effect | without | busy | trials | found | false (bound) | undecided | time p50, p90 s | CPU p50 s | blocks p50 | covers ratio | half-width p50 | error p90 | covers times |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, s := range order {
		b.WriteString(row(s, groups[s]))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// outcome says of a trial whether it answered the question (equal cells called
// equivalent, the slower one found), whether anything was claimed that is not
// so, and whether a pair stayed undecided.
func (t Trial) outcome() (found, wrong, undecided bool) {
	pairs := 0
	for _, n := range t.Verdicts {
		pairs += n
	}
	found = t.Found
	if t.Effect == 0 {
		found = t.Verdicts["equivalent"] == pairs
	}
	return found, t.Wrong > 0, t.Verdicts["undecided"] > 0
}

// slack is how well the truth is known: where a loop ends is predicted a
// little better at one number of turns than at another.
const slack = 0.00025

func row(s Setup, ts []Trial) string {
	var found, wrong, undecided, covered, opCover int
	var seconds, cpu, blocks, widths, errs, ns []float64
	for _, t := range ts {
		f, w, u := t.outcome()
		found += count(f)
		wrong += count(w)
		undecided += count(u)
		covered += count(t.Low-slack <= t.Truth && t.Truth <= t.High+slack)
		opCover += count(t.OpCover)
		seconds = append(seconds, t.Seconds)
		cpu = append(cpu, t.CPU)
		blocks = append(blocks, float64(t.Blocks))
		widths = append(widths, (t.High-t.Low)/2)
		errs = append(errs, math.Abs(t.Log-t.Truth))
		ns = append(ns, t.Ns)
	}
	n := len(ts)
	share := func(k int) string { return fmt.Sprintf("%.1f %%", 100*float64(k)/float64(n)) }
	q := func(xs []float64, p float64) float64 { return stats.Quantile(xs, p) }
	without := s.Without
	if without == "" {
		without = "-"
	}
	return fmt.Sprintf("| %s | %.0f | %d | %g %% | %s | %d | %d | %s | %s (%.1f %%) | %s | %.2f, %.2f | %.2f | %.0f | %s | %.2f %% | %.2f %% | %s |\n",
		s.Kind, q(ns, 0.5), s.Cells, 100*s.Effect, without, s.Busy, n, share(found), share(wrong), 100*UpperBound(wrong, n), share(undecided),
		q(seconds, 0.5), q(seconds, 0.9), q(cpu, 0.5), q(blocks, 0.5), share(covered), 100*q(widths, 0.5), 100*q(errs, 0.9), share(opCover))
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
