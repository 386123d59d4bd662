package render

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/serbench/serbench"
)

// group is what one table shows: the cells that were measured side by side,
// of one payload in one form with one op.
type group struct {
	key     groupKey
	forms   []string // more than one only if the run joined forms
	ranked  []*row   // nothing lost; fastest first
	lossy   []*row   // ranked among themselves
	partial []*row   // figures that may not be ranked
	without []*row   // no figures: skipped, failed, not run
	// compared: there is a comparison within the group, so ranks say what is
	// certain; else they are the order of the figures.
	compared bool
	all      []*serbench.Result
}

type groupKey struct {
	payload, form      string
	op                 serbench.Op
	transport          string
	parallelism        int
	environment, build string
	role               serbench.Role
}

// row is a cell, in the table or in the lines below it.
type row struct {
	res   *serbench.Result
	label string // codec, and what else tells it from its neighbours
	// rank is 1 + the number of cells that are certainly faster; 0 if the
	// cell is not ranked.
	rank int
	// toFastest is the ratio of its time to that of the first row of the
	// group; nil if there is none.
	toFastest *ratio
}

// ratio is a ratio of times. Low and high are nil if it was not compared.
type ratio struct {
	value     float64
	low, high *float64
	verdict   serbench.Verdict // "" if it was not compared
	margin    float64
	reason    string
}

func (r *row) ns() *serbench.Estimate { return r.res.Estimates.NsPerOp }

// rows returns the rows with figures in the order of a table.
func (g *group) rows() []*row { return slices.Concat(g.ranked, g.lossy, g.partial) }

// groupsOf sorts a report into tables: payloads as the report lists them, ops
// in their usual order, the forms of one payload next to each other.
func groupsOf(r *serbench.Report, comparisons comparisonIndex) []*group {
	byKey := map[groupKey]*group{}
	var groups []*group
	for i := range r.Results {
		res := &r.Results[i]
		key := groupKey{res.Payload, res.Form, res.Op, res.Transport, res.Parallelism, res.Environment, res.Build, res.Role}
		if r.Config.JoinForms {
			key.form = ""
		}
		g := byKey[key]
		if g == nil {
			g = &group{key: key}
			byKey[key] = g
			groups = append(groups, g)
		}
		g.all = append(g.all, res)
		if !slices.Contains(g.forms, res.Form) {
			g.forms = append(g.forms, res.Form)
		}
	}
	for _, g := range groups {
		g.fill(comparisons)
	}

	payloads, forms, ops := map[string]int{}, map[[2]string]int{}, map[serbench.Op]int{}
	for _, op := range serbench.Ops() {
		place(ops, op)
	}
	for _, p := range r.Payloads {
		place(payloads, p.Name)
		place(forms, [2]string{p.Name, p.Form})
	}
	for i := range r.Results {
		res := &r.Results[i]
		place(payloads, res.Payload)
		place(forms, [2]string{res.Payload, res.Form})
		place(ops, res.Op)
	}
	slices.SortStableFunc(groups, func(a, b *group) int {
		return cmp.Or(
			cmp.Compare(payloads[a.key.payload], payloads[b.key.payload]),
			cmp.Compare(ops[a.key.op], ops[b.key.op]),
			cmp.Compare(forms[[2]string{a.key.payload, a.key.form}], forms[[2]string{b.key.payload, b.key.form}]),
		)
	})
	return groups
}

// place numbers keys in the order in which they are first seen.
func place[K comparable](places map[K]int, k K) {
	if _, known := places[k]; !known {
		places[k] = len(places)
	}
}

// fill sorts the results of the group into its parts and ranks them.
func (g *group) fill(comparisons comparisonIndex) {
	labels := g.labels()
	for i, res := range g.all {
		rw := &row{res: res, label: labels[i]}
		hasTime := res.Estimates.NsPerOp != nil && finite(res.Estimates.NsPerOp.Value)
		switch {
		case res.Status == serbench.StatusOK && hasTime:
			g.ranked = append(g.ranked, rw)
		case res.Status == serbench.StatusLossy && hasTime:
			g.lossy = append(g.lossy, rw)
		case hasTime && res.Status == serbench.StatusPartial,
			(res.Status == serbench.StatusOK || res.Status == serbench.StatusLossy) && hasFigures(res):
			g.partial = append(g.partial, rw)
		default:
			g.without = append(g.without, rw)
		}
	}
	g.compared = rank(g.ranked, comparisons)
	lossyCompared := rank(g.lossy, comparisons)
	g.compared = g.compared || lossyCompared
	slices.SortStableFunc(g.partial, func(a, b *row) int { return compareTimes(a, b) })

	first := slices.Concat(g.ranked, g.lossy)
	if len(first) == 0 {
		return
	}
	for _, rw := range g.rows() {
		if rw != first[0] && rw.ns() != nil {
			rw.toFastest = comparisons.ratio(rw.res, first[0].res)
		}
	}
}

// hasFigures says whether anything was measured, though not the time per op.
func hasFigures(res *serbench.Result) bool {
	e := res.Estimates
	return e.SustainedNsPerOp != nil || e.CPUNsPerOp != nil || e.AllocsPerOp != nil || e.AllocBytesPerOp != nil || res.Encoded != nil
}

// labels names the cells: by codec, with the form where forms are joined, and
// with launch or id where that is not enough.
func (g *group) labels() []string {
	labels := make([]string, len(g.all))
	uses := map[string]int{}
	for i, res := range g.all {
		labels[i] = res.Codec
		if len(g.forms) > 1 {
			labels[i] += " (" + res.Form + ")"
		}
		uses[labels[i]]++
	}
	for i, res := range g.all {
		if uses[labels[i]] > 1 {
			if res.Launch > 0 {
				labels[i] += " (launch " + strconv.Itoa(res.Launch) + ")"
			} else if res.ID != "" {
				labels[i] += " (" + res.ID + ")"
			}
		}
	}
	return labels
}
