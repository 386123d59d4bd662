package serbench

import (
	"cmp"
	"math"
	"slices"
)

// View says how an analysis looks at a report. The zero value is right for
// most.
type View struct {
	// Baseline is the codec that ratios refer to; "": the first of each
	// group's ranking. A group in which the baseline has no figures has no
	// ratios.
	Baseline string
	// Lossy ranks cells that lose information beside the others. By default
	// they are ranked apart, since they do less.
	Lossy bool
}

// Group is the cells of a report that were measured side by side: of one
// payload in one form (or in several, if the run joined them), with one op.
type Group struct {
	Environment, Build string
	Launch             int
	Payload, Form      string
	Op                 Op
	Transport          string
	Parallelism        int
	// Standings are in the order of a table: ranked cells first, then lossy
	// ones, each from the fastest on, then partial ones, then those without
	// figures as the report lists them.
	Standings []Standing
	// Compared: comparisons of the run stand behind the ranks. If not, cells
	// are told apart by their own intervals.
	Compared bool
}

// Standing is one cell within its group.
type Standing struct {
	Result *Result
	// Rank is 1 and the number of cells that are certainly faster: cells that
	// are not decided apart share it. 0: not ranked. Lossy cells are ranked
	// among themselves unless the View says otherwise.
	Rank int
	// Last is the rank at worst: the number of ranked cells less those that
	// are certainly slower.
	Last int
	// Ratio is the op time over that of the baseline; nil without one.
	Ratio *Ratio
	// Front: no other cell of the ranking is certainly faster and not larger,
	// or smaller and not slower.
	Front bool
}

// Standings ranks each group of the report, payloads as the report lists
// them, ops in the order of [Ops]. Results in it point into r.
func Standings(r *Report, v View) []Group {
	if r == nil {
		return nil
	}
	x := indexPairs(r)
	groups := groupResults(r)
	for i := range groups {
		groups[i].stand(x, v)
	}
	return groups
}

// groupKey tells which cells stand side by side.
type groupKey struct {
	environment, build string
	launch             int
	payload, form      string
	op                 Op
	transport          string
	parallelism        int
}

func groupResults(r *Report) []Group {
	at := map[groupKey]int{}
	var groups []Group
	for i := range r.Results {
		res := &r.Results[i]
		k := groupKey{res.Environment, res.Build, res.Launch, res.Payload, res.Form, res.Op, res.Transport, res.Parallelism}
		if r.Config.JoinForms {
			k.form = ""
		}
		n, known := at[k]
		if !known {
			n = len(groups)
			at[k] = n
			groups = append(groups, Group{Environment: k.environment, Build: k.build, Launch: k.launch,
				Payload: k.payload, Form: k.form, Op: k.op, Transport: k.transport, Parallelism: k.parallelism})
		}
		groups[n].Standings = append(groups[n].Standings, Standing{Result: res})
	}
	payloads, ops := map[string]int{}, map[Op]int{}
	for _, op := range Ops() {
		number(ops, op)
	}
	for _, p := range r.Payloads {
		number(payloads, p.Name)
	}
	for i := range groups {
		number(payloads, groups[i].Payload)
		number(ops, groups[i].Op)
	}
	slices.SortStableFunc(groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(payloads[a.Payload], payloads[b.Payload]), cmp.Compare(ops[a.Op], ops[b.Op]))
	})
	return groups
}

// number gives keys the places in which they are first seen.
func number[K comparable](places map[K]int, k K) {
	if _, known := places[k]; !known {
		places[k] = len(places)
	}
}

// timed reports whether a result has an op time that may be ranked, and
// whether it stands in the ranking of those that lose nothing. Controls are
// not ranked.
func timed(res *Result) (has, whole bool) {
	e := res.Estimates.NsPerOp
	if e == nil || res.Role != RoleWhole || !(e.Value > 0) || math.IsInf(e.Value, 1) {
		return false, false
	}
	switch res.Status {
	case StatusOK:
		return true, res.Fidelity == nil || res.Fidelity.Class != Lossy
	case StatusLossy:
		return true, false
	}
	return false, false
}

func (g *Group) stand(x *pairIndex, v View) {
	var parts [4][]Standing // ranked, lossy, partial, without figures
	for _, s := range g.Standings {
		has, whole := timed(s.Result)
		switch {
		case has && (whole || v.Lossy):
			parts[0] = append(parts[0], s)
		case has:
			parts[1] = append(parts[1], s)
		case s.Result.Estimates.NsPerOp != nil && s.Result.Status == StatusPartial:
			parts[2] = append(parts[2], s)
		default:
			parts[3] = append(parts[3], s)
		}
	}
	for _, part := range parts[:2] {
		slices.SortStableFunc(part, func(a, b Standing) int {
			return cmp.Compare(a.Result.Estimates.NsPerOp.Value, b.Result.Estimates.NsPerOp.Value)
		})
		g.Compared = x.rank(part) || g.Compared
		front(part, x)
	}
	g.Standings = slices.Concat(parts[:]...)
	if base := g.baseline(v.Baseline); base != nil {
		for i := range g.Standings {
			if has, _ := timed(g.Standings[i].Result); has {
				g.Standings[i].Ratio = x.ratio(g.Standings[i].Result, base)
			}
		}
	}
}

// baseline is the cell that ratios refer to, nil if there is none.
func (g *Group) baseline(codec string) *Result {
	for _, s := range g.Standings {
		if has, _ := timed(s.Result); has && (codec == "" || s.Result.Codec == codec) {
			return s.Result
		}
	}
	return nil
}

// rank sets the ranks of cells sorted by time.
func (x *pairIndex) rank(part []Standing) (compared bool) {
	own := make([]logEnds, len(part))
	for i := range part {
		part[i].Rank, part[i].Last = 1, len(part)
		own[i] = x.ends(part[i].Result)
	}
	for i := range part {
		for j := i + 1; j < len(part); j++ {
			decided, faster := false, 0
			if own[i].compared || own[j].compared {
				decided, faster = x.apart(part[i].Result, part[j].Result)
			} else {
				faster = own[i].against(own[j], x.margin)
			}
			compared = compared || decided
			switch {
			case faster < 0: // i before j
				part[j].Rank++
				part[i].Last--
			case faster > 0:
				part[i].Rank++
				part[j].Last--
			}
		}
	}
	slices.SortStableFunc(part, func(a, b Standing) int { return cmp.Compare(a.Rank, b.Rank) })
	return compared
}

// front marks the cells that no other beats in both speed and size.
func front(part []Standing, x *pairIndex) {
	for i := range part {
		a := part[i].Result
		if a.Encoded == nil {
			continue
		}
		part[i].Front = !slices.ContainsFunc(part, func(s Standing) bool {
			b := s.Result
			if b == a || b.Encoded == nil || b.Encoded.Mean > a.Encoded.Mean {
				return false
			}
			if b.Encoded.Mean < a.Encoded.Mean && b.Estimates.NsPerOp.Value <= a.Estimates.NsPerOp.Value {
				return true
			}
			_, faster := x.apart(b, a)
			return faster < 0
		})
	}
}
