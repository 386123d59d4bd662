package render

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/serbench/serbench"
)

// actionEntry is one figure for github-action-benchmark's custom tools.
type actionEntry struct {
	Name  string  `json:"name"`
	Unit  string  `json:"unit"`
	Value float64 `json:"value"`
	Range string  `json:"range,omitempty"`
	Extra string  `json:"extra,omitempty"`
}

// ActionSmaller writes what github-action-benchmark reads as its tool
// customSmallerIsBetter: time per op, encoded size and allocations. Results
// without figures are left out; all numbers are finite.
func ActionSmaller(w io.Writer, r *serbench.Report) error {
	return action(w, r, func(res *serbench.Result, add func(what, unit string, v float64, e *serbench.Estimate)) {
		if e := res.Estimates.NsPerOp; e != nil {
			add("time", "ns/op", e.Value, e)
		}
		if e := res.Estimates.SustainedNsPerOp; e != nil {
			add("sustained time", "ns/op", e.Value, e)
		}
		if e := res.Encoded; e != nil {
			add("encoded", "B", e.Mean, nil)
		}
		if e := res.Estimates.AllocBytesPerOp; e != nil {
			add("allocated", "B/op", e.Value, nil)
		}
		if e := res.Estimates.AllocsPerOp; e != nil {
			add("allocations", "allocs/op", e.Value, nil)
		}
	})
}

// ActionBigger writes what github-action-benchmark reads as its tool
// customBiggerIsBetter: operations per second. It is a file of its own, as
// that tool has one direction per file.
func ActionBigger(w io.Writer, r *serbench.Report) error {
	return action(w, r, func(res *serbench.Result, add func(what, unit string, v float64, e *serbench.Estimate)) {
		if e := res.Estimates.OpsPerS; e != nil {
			add("rate", "op/s", e.Value, e)
		}
	})
}

func action(w io.Writer, r *serbench.Report, figures func(*serbench.Result, func(what, unit string, v float64, e *serbench.Estimate))) error {
	if r == nil {
		return errors.New("render: the report is nil")
	}
	entries := []actionEntry{}
	eachNamed(r, func(name string, res *serbench.Result) {
		extra := ""
		if f := fidelityOf(res); f != "" {
			extra = "fidelity: " + f
		}
		figures(res, func(what, unit string, v float64, e *serbench.Estimate) {
			if !finite(v) {
				return
			}
			one := actionEntry{Name: name + " - " + what, Unit: unit, Value: v, Extra: extra}
			if e != nil && e.Low != nil && e.High != nil && finite(*e.Low) && finite(*e.High) {
				one.Range = "± " + exact(max(v-*e.Low, *e.High-v, 0))
			}
			entries = append(entries, one)
		})
	})
	return writeJSON(w, entries)
}

type bencherMetric struct {
	Value float64  `json:"value"`
	Lower *float64 `json:"lower_value,omitempty"`
	Upper *float64 `json:"upper_value,omitempty"`
}

// Bencher writes Bencher's metric format: for each cell latency (ns),
// throughput (op/s), encoded-bytes, alloc-bytes and allocs. Results without
// figures are left out; all numbers are finite.
func Bencher(w io.Writer, r *serbench.Report) error {
	if r == nil {
		return errors.New("render: the report is nil")
	}
	out := map[string]map[string]bencherMetric{}
	eachNamed(r, func(name string, res *serbench.Result) {
		measures := map[string]bencherMetric{}
		add := func(measure string, e *serbench.Estimate) {
			if e == nil || !finite(e.Value) {
				return
			}
			m := bencherMetric{Value: e.Value}
			if e.Low != nil && e.High != nil && finite(*e.Low) && finite(*e.High) {
				m.Lower, m.Upper = e.Low, e.High
			}
			measures[measure] = m
		}
		add("latency", res.Estimates.NsPerOp)
		add("sustained-latency", res.Estimates.SustainedNsPerOp)
		add("throughput", res.Estimates.OpsPerS)
		add("alloc-bytes", res.Estimates.AllocBytesPerOp)
		add("allocs", res.Estimates.AllocsPerOp)
		if e := res.Encoded; e != nil {
			add("encoded-bytes", &serbench.Estimate{Value: e.Mean})
		}
		if len(measures) > 0 {
			out[name] = measures
		}
	})
	return writeJSON(w, out)
}

// eachNamed calls f for each result that has figures, with a name that no
// other has.
func eachNamed(r *serbench.Report, f func(name string, res *serbench.Result)) {
	safe := safeNames(r)
	used := map[string]bool{}
	for _, g := range groupsOf(r, nil) {
		for _, rw := range g.rows() {
			res := rw.res
			parts := []string{safe[res.Payload], safe[res.Form], safe[string(res.Op)], safe[res.Codec]}
			for _, p := range []string{res.Transport, string(res.Role), res.Build, res.Environment} {
				if p != "" && (p != res.Environment || len(r.Environments) > 1) && p != "memory" {
					parts = append(parts, configKey(p))
				}
			}
			if res.Parallelism > 1 {
				parts = append(parts, "parallel-"+whole(int64(res.Parallelism)))
			}
			if res.Launch > 0 {
				parts = append(parts, "launch-"+whole(int64(res.Launch)))
			}
			name := strings.Join(parts, "/")
			for n := int64(2); used[name]; n++ {
				name = strings.Join(append(slices.Clone(parts), whole(n)), "/")
			}
			used[name] = true
			f(name, res)
		}
	}
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
