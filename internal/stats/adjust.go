package stats

import (
	"math"
	"slices"
)

// Holm adjusts p-values for their number, so that comparing each with a level
// keeps the chance of any false finding among them at or below that level:
// Holm, Scand. J. Statist. 6 (1979). The order is kept; a NaN is no evidence
// and counts as 1.
func Holm(ps []float64) []float64 {
	out := cutPs(ps)
	order := make([]int, len(out))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case out[a] < out[b]:
			return -1
		case out[a] > out[b]:
			return 1
		}
		return 0
	})
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, out[i]*float64(len(out)-rank)))
		out[i] = least
	}
	return out
}

// Bonferroni multiplies p-values by their number. It finds less than [Holm] but
// has intervals that match it. A NaN counts as 1.
func Bonferroni(ps []float64) []float64 {
	out := cutPs(ps)
	for i, p := range out {
		out[i] = min(1, p*float64(len(out)))
	}
	return out
}

func cutPs(ps []float64) []float64 {
	out := slices.Clone(ps)
	for i, p := range out {
		if math.IsNaN(p) {
			p = 1
		}
		out[i] = min(max(p, 0), 1)
	}
	return out
}
