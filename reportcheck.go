package serbench

import "fmt"

// check finds what would make figures wrong, or lead their reader to the
// wrong cell: quantities below zero, intervals upside down, references that
// are ambiguous or lead nowhere. What is merely unusual passes.
func (r *Report) check() error {
	at := make(map[string]int, len(r.Results))
	for i := range r.Results {
		res := &r.Results[i]
		if first, twice := at[res.ID]; twice && res.ID != "" {
			return fmt.Errorf("results[%d].id: %q is already the id of results[%d]", i, res.ID, first)
		}
		at[res.ID] = i
		if key, err := res.check(r.Config.SubtractCost || r.Config.SubtractNoop); err != nil {
			return fmt.Errorf("results[%d].%s: %w", i, key, err)
		}
	}
	for i := range r.Comparisons {
		c := &r.Comparisons[i]
		for _, ref := range []struct{ key, id string }{{"a", c.A}, {"b", c.B}} {
			if _, known := at[ref.id]; !known || ref.id == "" {
				return fmt.Errorf("comparisons[%d].%s: there is no result with id %q", i, ref.key, ref.id)
			}
		}
		for _, f := range []struct {
			key   string
			value *float64
		}{{"ratio", c.Ratio}, {"low", c.Low}, {"high", c.High}} {
			if f.value != nil && *f.value <= 0 {
				return fmt.Errorf("comparisons[%d].%s: a ratio of times is above 0, found %v", i, f.key, *f.value)
			}
		}
		if upsideDown(c.Low, c.High) {
			return fmt.Errorf("comparisons[%d].low: %v is above high, %v", i, *c.Low, *c.High)
		}
	}
	for i := range r.Scalings {
		s := &r.Scalings[i]
		for _, ref := range []struct {
			key, id string
			needed  bool
		}{{"result", s.Result, true}, {"alone", s.Alone, false}} {
			if _, known := at[ref.id]; !known && (ref.needed || ref.id != "") {
				return fmt.Errorf("scalings[%d].%s: there is no result with id %q", i, ref.key, ref.id)
			}
		}
		for _, e := range []struct {
			key string
			*Estimate
		}{{"speedup", s.Speedup}, {"efficiency", s.Efficiency}, {"machine_speedup", s.MachineSpeedup}} {
			if e.Estimate != nil && upsideDown(e.Low, e.High) {
				return fmt.Errorf("scalings[%d].%s.low: %v is above high, %v", i, e.key, *e.Low, *e.High)
			}
		}
	}
	for i := range r.Shares {
		s := &r.Shares[i]
		for _, ref := range []struct {
			key, id string
			needed  bool
		}{{"whole", s.Whole, true}, {"transport", s.Transport, false}, {"codec", s.Codec, false}} {
			if _, known := at[ref.id]; !known && (ref.needed || ref.id != "") {
				return fmt.Errorf("shares[%d].%s: there is no result with id %q", i, ref.key, ref.id)
			}
		}
		for _, e := range []struct {
			key string
			*Estimate
		}{{"of_codec", s.OfCodec}, {"left", s.Left}} {
			if e.Estimate != nil && upsideDown(e.Low, e.High) {
				return fmt.Errorf("shares[%d].%s.low: %v is above high, %v", i, e.key, *e.Low, *e.High)
			}
		}
	}
	for i := range r.SelfChecks {
		c := &r.SelfChecks[i]
		if _, known := at[c.Result]; !known {
			return fmt.Errorf("self_checks[%d].result: there is no result with id %q", i, c.Result)
		}
		if upsideDown(c.Low, c.High) {
			return fmt.Errorf("self_checks[%d].low: %v is above high, %v", i, *c.Low, *c.High)
		}
	}
	return nil
}

// check returns the key below the result that is wrong. Where a cost was
// subtracted, what is left of a time may be below zero.
func (res *Result) check(subtracted bool) (key string, err error) {
	below := func(name string, v int64) bool {
		if v >= 0 || err != nil {
			return false
		}
		key, err = name, fmt.Errorf("below zero: %d", v)
		return true
	}
	below("reps", res.Reps)
	if !subtracted {
		below("elapsed_ns", res.ElapsedNs)
	}
	below("parallelism", int64(res.Parallelism))
	below("live_heap_bytes", res.LiveHeap)
	for i := range res.Samples {
		s := &res.Samples[i]
		if s.Reps < 0 {
			below(fmt.Sprintf("samples[%d].reps", i), s.Reps)
		}
		if s.ElapsedNs < 0 && !subtracted {
			below(fmt.Sprintf("samples[%d].elapsed_ns", i), s.ElapsedNs)
		}
	}
	for i := range res.Counters {
		if c := &res.Counters[i]; c.Reps < 0 {
			below(fmt.Sprintf("counters[%d].reps", i), c.Reps)
		}
	}
	if e := res.Encoded; e != nil {
		below("encoded_bytes.min", int64(e.Min))
		below("encoded_bytes.max", int64(e.Max))
		below("encoded_bytes.first_bytes", int64(e.FirstBytes))
		below("encoded_bytes.total", e.Total)
		if e.Mean < 0 && err == nil {
			return "encoded_bytes.mean", fmt.Errorf("below zero: %v", e.Mean)
		}
	}
	if err != nil {
		return key, err
	}
	if key, err := res.Latency.check(); err != nil {
		return "latency." + key, err
	}
	if c := res.Cold; c != nil {
		for _, e := range []struct {
			key string
			*Estimate
		}{{"cold_ns_per_op", c.ColdNsPerOp}, {"warm_ns_per_op", c.WarmNsPerOp}, {"ratio", c.Ratio}} {
			if e.Estimate != nil && upsideDown(e.Low, e.High) {
				return "cold." + e.key + ".low", fmt.Errorf("%v is above high, %v", *e.Low, *e.High)
			}
		}
	}
	for _, e := range []struct {
		key string
		*Estimate
	}{
		{"ns_per_op", res.Estimates.NsPerOp},
		{"sustained_ns_per_op", res.Estimates.SustainedNsPerOp},
		{"cpu_ns_per_op", res.Estimates.CPUNsPerOp},
		{"ops_per_s", res.Estimates.OpsPerS},
		{"allocs_per_op", res.Estimates.AllocsPerOp},
		{"alloc_bytes_per_op", res.Estimates.AllocBytesPerOp},
		{"first_call_ns", res.Estimates.FirstCallNs},
	} {
		if e.Estimate != nil && upsideDown(e.Low, e.High) {
			return "estimates." + e.key + ".low", fmt.Errorf("%v is above high, %v", *e.Low, *e.High)
		}
	}
	return res.Memory.check()
}

func upsideDown(low, high *float64) bool { return low != nil && high != nil && *low > *high }
