package probe

import (
	"cmp"
	"slices"
)

// Finding is what a decoder did with the attacks of one class.
type Finding struct {
	Class  Class           `json:"class"`
	Tried  int             `json:"tried"`
	Counts map[Verdict]int `json:"counts"`
	Worst  Verdict         `json:"worst"`
	// The smallest input with the worst verdict.
	Name   string `json:"name,omitempty"`
	Detail string `json:"detail,omitempty"`
	Size   int    `json:"size,omitempty"`
	Input  []byte `json:"input,omitempty"`
	Memory int64  `json:"memory,omitempty"` // bytes, for Memory
	Index  int    `json:"index"`            // of the attack that it was made from
	Left   int    `json:"left,omitempty"`   // attacks that were left out, after smaller ones like them had killed
}

// Collect sums outcomes up by class. Classes without attacks are left out.
func Collect(attacks []Attack, outcomes []Outcome) []Finding {
	var out []Finding
	for _, class := range append([]Class{Own}, Classes()...) {
		f := Finding{Class: class, Counts: map[Verdict]int{}}
		total := 0
		for _, a := range attacks {
			if a.Class == class {
				total++
			}
		}
		if total == 0 {
			continue
		}
		for _, o := range outcomes {
			if attacks[o.Index].Class != class || o.Verdict == "" {
				continue
			}
			f.Tried++
			f.Counts[o.Verdict]++
			if c := cmp.Compare(rank(o.Verdict), rank(f.Worst)); f.Worst == "" || c > 0 || c == 0 && o.Size < f.Size {
				f.Worst, f.Detail, f.Size, f.Input, f.Memory = o.Verdict, o.Detail, o.Size, o.Input, o.Memory
				f.Name, f.Index = attacks[o.Index].Name, o.Index
			}
		}
		f.Left = total - f.Tried
		out = append(out, f)
	}
	return out
}

func rank(v Verdict) int { return slices.Index(Verdicts(), v) }

// mostDeaths of one class are waited for.
const mostDeaths = 2

// Next returns the index of the next attack after the outcomes, or -1: after
// one that killed or was slow the larger ones of its series are left out, and
// the rest of a class that did so often.
func Next(attacks []Attack, outcomes []Outcome) int {
	from := 0
	bad, deaths := map[string]bool{}, map[Class]int{}
	for _, o := range outcomes {
		from = max(from, o.Index+1)
		if o.Verdict == Killed || o.Verdict == Slow {
			a := attacks[o.Index]
			bad[string(a.Class)+a.Series] = true
			deaths[a.Class]++
		}
	}
	for i := from; i < len(attacks); i++ {
		a := attacks[i]
		if !bad[string(a.Class)+a.Series] && deaths[a.Class] < mostDeaths {
			return i
		}
	}
	return -1
}
