package render

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/serbench/serbench"
)

// A column of the formats for programs: every result is one record, every
// figure in full precision, in the unit that the name tells.
type field struct {
	name   string
	of     func(r *row, g *group) string
	number bool // a number or nothing
	figure bool // was measured: empty where nothing counts
}

// fields are the columns of CSV, in order. Names are stable.
var fields = []field{
	{"payload", func(r *row, _ *group) string { return r.res.Payload }, false, false},
	{"form", func(r *row, _ *group) string { return r.res.Form }, false, false},
	{"op", func(r *row, _ *group) string { return string(r.res.Op) }, false, false},
	{"codec", func(r *row, _ *group) string { return r.res.Codec }, false, false},
	{"environment", func(r *row, _ *group) string { return r.res.Environment }, false, false},
	{"build", func(r *row, _ *group) string { return r.res.Build }, false, false},
	{"launch", func(r *row, _ *group) string { return whole(int64(r.res.Launch)) }, true, false},
	{"transport", func(r *row, _ *group) string { return r.res.Transport }, false, false},
	{"role", func(r *row, _ *group) string { return string(r.res.Role) }, false, false},
	{"parallelism", func(r *row, _ *group) string { return whole(int64(r.res.Parallelism)) }, true, false},
	{"status", func(r *row, _ *group) string { return string(r.res.Status) }, false, false},
	{"fidelity", func(r *row, _ *group) string { return fidelityOf(r.res) }, false, false},
	{"rank", func(r *row, _ *group) string { return whole(int64(r.rank)) }, true, true},
	{"n", func(r *row, _ *group) string {
		if e := r.ns(); e != nil {
			return strconv.Itoa(e.N)
		}
		return ""
	}, true, true},
	{"reps", func(r *row, _ *group) string { return whole(r.res.Reps) }, true, true},
	{"ns_per_op", func(r *row, _ *group) string { return value(r.ns()) }, true, true},
	{"ns_per_op_low", func(r *row, _ *group) string { return low(r.ns()) }, true, true},
	{"ns_per_op_high", func(r *row, _ *group) string { return high(r.ns()) }, true, true},
	{"confidence", func(r *row, _ *group) string {
		if e := r.ns(); e != nil && e.Confidence > 0 {
			return exact(e.Confidence)
		}
		return ""
	}, true, true},
	{"ratio", func(r *row, g *group) string { return ratioFields(r, g)[0] }, true, true},
	{"ratio_low", func(r *row, g *group) string { return ratioFields(r, g)[1] }, true, true},
	{"ratio_high", func(r *row, g *group) string { return ratioFields(r, g)[2] }, true, true},
	{"verdict", func(r *row, g *group) string { return ratioFields(r, g)[3] }, false, true},
	{"sustained_ns_per_op", func(r *row, _ *group) string { return value(r.res.Estimates.SustainedNsPerOp) }, true, true},
	{"cpu_ns_per_op", func(r *row, _ *group) string { return value(r.res.Estimates.CPUNsPerOp) }, true, true},
	{"ops_per_s", func(r *row, _ *group) string { return value(r.res.Estimates.OpsPerS) }, true, true},
	{"encoded_bytes", func(r *row, _ *group) string {
		if e := r.res.Encoded; e != nil {
			return exact(e.Mean)
		}
		return ""
	}, true, true},
	{"encoded_bytes_min", func(r *row, _ *group) string {
		if e := r.res.Encoded; e != nil {
			return strconv.Itoa(e.Min)
		}
		return ""
	}, true, true},
	{"encoded_bytes_max", func(r *row, _ *group) string {
		if e := r.res.Encoded; e != nil {
			return strconv.Itoa(e.Max)
		}
		return ""
	}, true, true},
	{"alloc_bytes_per_op", func(r *row, _ *group) string { return value(r.res.Estimates.AllocBytesPerOp) }, true, true},
	{"allocs_per_op", func(r *row, _ *group) string { return value(r.res.Estimates.AllocsPerOp) }, true, true},
	{"reason", func(r *row, _ *group) string { return r.res.Reason }, false, false},
	{"warnings", func(r *row, _ *group) string {
		codes := make([]string, len(r.res.Warnings))
		for i, w := range r.res.Warnings {
			codes[i] = w.Code
		}
		return strings.Join(codes, " ")
	}, false, false},
	{"traits", func(r *row, _ *group) string {
		names := make([]string, len(r.res.Traits))
		for i, t := range r.res.Traits {
			names[i] = t.Name
		}
		return strings.Join(names, " ")
	}, false, false},
	{"first_call_ns", func(r *row, _ *group) string { return value(r.res.Estimates.FirstCallNs) }, true, true},
	{"held_bytes_per_value", memoryField(func(m *serbench.MemoryCost) string { return value(m.HeldBytes) }), true, true},
	{"large_encoded_bytes", largeField(func(l *serbench.LargeMessage) string { return strconv.FormatInt(l.EncodedBytes, 10) }), true, true},
	{"large_alloc_bytes", largeField(func(l *serbench.LargeMessage) string { return strconv.FormatInt(l.AllocBytes, 10) }), true, true},
	{"large_result_bytes", largeField(func(l *serbench.LargeMessage) string { return strconv.FormatInt(l.ResultBytes, 10) }), true, true},
	{"large_peak_bytes", largeField(func(l *serbench.LargeMessage) string { return value(l.PeakBytes) }), true, true},
	{"kept_bytes", memoryField(func(m *serbench.MemoryCost) string { return value(m.KeptBytes) }), true, true},
	{"kept_busy_bytes", memoryField(func(m *serbench.MemoryCost) string { return value(m.KeptBusyBytes) }), true, true},
	{"gc_live_heap_bytes", heapField(func(h serbench.HeapCost) string { return strconv.FormatInt(h.LiveHeap, 10) }), true, true},
	{"gc_cycles_per_op", heapField(func(h serbench.HeapCost) string { return value(h.GCCyclesPerOp) }), true, true},
	{"gc_cpu_ns_per_op", heapField(func(h serbench.HeapCost) string { return value(h.GCCPUNsPerOp) }), true, true},
	{"single_calls", func(r *row, _ *group) string {
		if l := r.res.Latency; l != nil {
			return whole(l.Calls)
		}
		return ""
	}, true, true},
	{"p50_ns", func(r *row, _ *group) string { return value(quantileEstimate(r.res.Latency, 0.5)) }, true, true},
	{"p90_ns", func(r *row, _ *group) string { return value(quantileEstimate(r.res.Latency, 0.9)) }, true, true},
	{"p99_ns", func(r *row, _ *group) string { return value(quantileEstimate(r.res.Latency, 0.99)) }, true, true},
	{"p999_ns", func(r *row, _ *group) string { return value(quantileEstimate(r.res.Latency, 0.999)) }, true, true},
	{"max_ns", func(r *row, _ *group) string {
		if l := r.res.Latency; l != nil {
			return whole(l.MaxNs)
		}
		return ""
	}, true, true},
	{"cold_ns_per_op", func(r *row, _ *group) string {
		if c := r.res.Cold; c != nil {
			return value(c.ColdNsPerOp)
		}
		return ""
	}, true, true},
	{"cold_ratio", func(r *row, _ *group) string {
		if c := r.res.Cold; c != nil {
			return value(c.Ratio)
		}
		return ""
	}, true, true},
}

func memoryField(f func(m *serbench.MemoryCost) string) func(*row, *group) string {
	return func(r *row, _ *group) string {
		if r.res.Memory == nil {
			return ""
		}
		return f(r.res.Memory)
	}
}

func largeField(f func(l *serbench.LargeMessage) string) func(*row, *group) string {
	return memoryField(func(m *serbench.MemoryCost) string {
		if m.Large == nil {
			return ""
		}
		return f(m.Large)
	})
}

// heapField is of the largest live heap; a record has room for one.
func heapField(f func(h serbench.HeapCost) string) func(*row, *group) string {
	return memoryField(func(m *serbench.MemoryCost) string {
		if len(m.LiveHeaps) == 0 {
			return ""
		}
		return f(slices.MaxFunc(m.LiveHeaps, func(a, b serbench.HeapCost) int { return cmp.Compare(a.LiveHeap, b.LiveHeap) }))
	})
}

// Columns returns the names of the columns that Options.Columns may hold for
// [CSV], in their order.
func Columns() []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return names
}

// exact writes a number so that it reads back as the same; none that is not
// finite.
func exact(v float64) string {
	if !finite(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func whole(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func value(e *serbench.Estimate) string {
	if e == nil {
		return ""
	}
	return exact(e.Value)
}

func low(e *serbench.Estimate) string {
	if e == nil || e.Low == nil || e.High == nil {
		return ""
	}
	return exact(*e.Low)
}

func high(e *serbench.Estimate) string {
	if e == nil || e.Low == nil || e.High == nil {
		return ""
	}
	return exact(*e.High)
}

func fidelityOf(res *serbench.Result) string {
	if res.Fidelity == nil {
		return ""
	}
	return string(res.Fidelity.Class)
}

// ratioFields are the ratio to the first row, its ends and the verdict.
func ratioFields(r *row, g *group) (out [4]string) {
	if r == reference(g) {
		out[0] = "1"
		return out
	}
	if f := r.toFastest; f != nil {
		out[0] = exact(f.value)
		if f.low != nil && f.high != nil {
			out[1], out[2] = exact(*f.low), exact(*f.high)
		}
		out[3] = string(f.verdict)
	}
	return out
}

// sortKeys are what Options.Sort may name.
var sortKeys = map[string]func(r *row) (float64, bool){
	"time":      func(r *row) (float64, bool) { return figure(r.ns()) },
	"sustained": func(r *row) (float64, bool) { return figure(r.res.Estimates.SustainedNsPerOp) },
	"allocs":    func(r *row) (float64, bool) { return figure(r.res.Estimates.AllocsPerOp) },
	"bytes":     func(r *row) (float64, bool) { return figure(r.res.Estimates.AllocBytesPerOp) },
	"size": func(r *row) (float64, bool) {
		if r.res.Encoded == nil {
			return 0, false
		}
		return r.res.Encoded.Mean, true
	},
}

func figure(e *serbench.Estimate) (float64, bool) {
	if e == nil || !finite(e.Value) {
		return 0, false
	}
	return e.Value, true
}

// sorted returns the rows by Options.Sort, "" leaves them by rank.
func (o Options) sorted(rows []*row) []*row {
	if o.Sort == "" || o.Sort == "rank" {
		return rows
	}
	rows = slices.Clone(rows)
	if o.Sort == "codec" {
		slices.SortStableFunc(rows, func(a, b *row) int { return strings.Compare(a.label, b.label) })
		return rows
	}
	key := sortKeys[o.Sort]
	slices.SortStableFunc(rows, func(a, b *row) int {
		x, okX := key(a)
		y, okY := key(b)
		switch {
		case okX && okY:
			return cmp.Compare(x, y)
		case okX:
			return -1
		case okY:
			return 1
		}
		return 0
	})
	return rows
}
