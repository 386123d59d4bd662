package serbench

import "slices"

// Select returns a report of the results that keep wants, with the
// comparisons, codecs and payloads that belong to them. It shares its parts
// with r, which stays as it is. The ranks of a selection are those among what
// is left.
func Select(r *Report, keep func(*Result) bool) *Report {
	out := *r
	out.Results, out.Comparisons = []Result{}, []Comparison{}
	ids, codecs, payloads := map[string]bool{}, map[string]bool{}, map[[2]string]bool{}
	for i := range r.Results {
		if res := &r.Results[i]; keep(res) {
			out.Results = append(out.Results, *res)
			ids[res.ID], codecs[res.Codec], payloads[[2]string{res.Payload, res.Form}] = true, true, true
		}
	}
	for _, c := range r.Comparisons {
		if ids[c.A] && ids[c.B] {
			out.Comparisons = append(out.Comparisons, c)
		}
	}
	out.Shares = nil
	for _, sh := range r.Shares {
		if ids[sh.Whole] && (sh.Transport == "" || ids[sh.Transport]) && (sh.Codec == "" || ids[sh.Codec]) {
			out.Shares = append(out.Shares, sh)
		}
	}
	out.SelfChecks = nil
	for _, c := range r.SelfChecks {
		if ids[c.Result] {
			out.SelfChecks = append(out.SelfChecks, c)
		}
	}
	out.Codecs = slices.DeleteFunc(slices.Clone(r.Codecs), func(c CodecInfo) bool { return !codecs[c.Name] })
	out.Payloads = slices.DeleteFunc(slices.Clone(r.Payloads), func(p PayloadInfo) bool { return !payloads[[2]string{p.Name, p.Form}] })
	return &out
}
