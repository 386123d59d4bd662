package serbench

import (
	"cmp"
	"math"
	"slices"
)

// Overall sums up the codecs of a report over its payloads, for one op: the
// geometric mean of the ratios to one codec, over exactly those payloads and
// forms that every codec in it has. A mean over different payloads for
// different codecs would compare the payloads.
type Overall struct {
	Environment, Build string
	Launch             int
	Op                 Op
	Transport          string
	Parallelism        int
	Baseline           string
	N                  int            // payloads and forms that all codecs in Codecs have
	Of                 int            // payloads and forms of this op in the report
	Codecs             []OverallCodec // fastest first
	// Without lists codecs that have no figure for this op at all, and are
	// therefore left out.
	Without []string
}

// OverallCodec is one line of an Overall.
type OverallCodec struct {
	Codec string
	Ratio float64 // 0 if N is 0
	// Low and High bound the ratio as far as those of every payload do; the
	// mean of intervals that hold together is wider than need be. nil where
	// one of them is missing.
	Low, High *float64
}

// GeoMeans returns the overall figures per op. codecs limits them to those
// named: a codec that ran on few payloads shrinks what all have. With none
// given, all codecs with any figure are taken. Baseline is that of the view,
// else that of the run, else the first codec.
func GeoMeans(r *Report, v View, codecs ...string) []Overall {
	if r == nil {
		return nil
	}
	type key struct {
		environment, build string
		launch             int
		op                 Op
		transport          string
		parallelism        int
	}
	at := map[key]int{}
	var all [][]Group
	for _, g := range Standings(r, v) {
		k := key{g.Environment, g.Build, g.Launch, g.Op, g.Transport, g.Parallelism}
		n, known := at[k]
		if !known {
			n = len(all)
			at[k] = n
			all = append(all, nil)
		}
		all[n] = append(all[n], g)
	}
	base := cmp.Or(v.Baseline, r.Config.Baseline)
	x := indexPairs(r)
	out := make([]Overall, 0, len(all))
	for _, groups := range all {
		out = append(out, overall(groups, x, base, v, codecs))
	}
	return out
}

func overall(groups []Group, x *pairIndex, base string, v View, only []string) Overall {
	g := groups[0]
	o := Overall{Environment: g.Environment, Build: g.Build, Launch: g.Launch, Op: g.Op,
		Transport: g.Transport, Parallelism: g.Parallelism}
	type place struct{ payload, form string }
	cells := map[place]map[string]*Result{}
	var places []place
	var names []string
	have := map[string]bool{}
	for _, g := range groups {
		for _, s := range g.Standings {
			res := s.Result
			if len(only) > 0 && !slices.Contains(only, res.Codec) {
				continue
			}
			p := place{res.Payload, res.Form}
			if cells[p] == nil {
				cells[p] = map[string]*Result{}
				places = append(places, p)
			}
			if _, seen := have[res.Codec]; !seen {
				names = append(names, res.Codec)
				have[res.Codec] = false
			}
			if has, whole := timed(res); has && (whole || v.Lossy) {
				cells[p][res.Codec] = res
				have[res.Codec] = true
			}
		}
	}
	o.Of = len(places)
	o.Without = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return have[n] })
	names = slices.DeleteFunc(names, func(n string) bool { return !have[n] })
	if len(names) == 0 {
		return o
	}
	o.Baseline = base
	if !slices.Contains(names, base) {
		o.Baseline = names[0]
	}
	common := slices.DeleteFunc(places, func(p place) bool { return len(cells[p]) < len(names) })
	o.N = len(common)
	for _, name := range names {
		c := OverallCodec{Codec: name}
		var sum, low, high float64
		bounded := o.N > 0
		for _, p := range common {
			q := x.ratio(cells[p][name], cells[p][o.Baseline])
			if q == nil {
				bounded = false
				continue
			}
			sum += math.Log(q.Value)
			if q.Low == nil || q.High == nil {
				bounded = false
				continue
			}
			low += math.Log(*q.Low)
			high += math.Log(*q.High)
		}
		if o.N > 0 {
			n := float64(o.N)
			c.Ratio = math.Exp(sum / n)
			if bounded {
				c.Low, c.High = finite(math.Exp(low/n)), finite(math.Exp(high/n))
			}
		}
		o.Codecs = append(o.Codecs, c)
	}
	slices.SortStableFunc(o.Codecs, func(a, b OverallCodec) int { return cmp.Compare(a.Ratio, b.Ratio) })
	return o
}
