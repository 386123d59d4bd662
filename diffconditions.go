package serbench

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// compareConditions warns of what differs besides the code: data, toolchain,
// machine, settings. Each warning names both sides.
func compareConditions(old, new *Report) []Warning {
	w := conditions{}
	w.payloads(old, new)
	w.environments(old, new)
	w.codecs(old, new)
	w.config(old.Config, new.Config)
	if old.Interrupted || new.Interrupted {
		w.differ("interrupted", "run", map[bool]string{true: "interrupted", false: "complete"}[old.Interrupted],
			map[bool]string{true: "interrupted", false: "complete"}[new.Interrupted], true)
	}
	return w.list
}

type conditions struct{ list []Warning }

func (w *conditions) differ(code, what, old, new string, always bool) {
	if old != new || always {
		w.list = append(w.list, Warning{Code: code, Message: fmt.Sprintf("%s: old %s, new %s", what, cmp.Or(quoteIfOddButSpace(old), "unknown"), cmp.Or(quoteIfOddButSpace(new), "unknown"))})
	}
}

// quoteIfOddButSpace is quoteIfOdd for texts in which spaces are usual.
func quoteIfOddButSpace(s string) string {
	if s == "" || quoteIfOdd(strings.ReplaceAll(s, " ", "_")) == strings.ReplaceAll(s, " ", "_") {
		return s
	}
	return quoteIfOdd(s)
}

func (w *conditions) payloads(old, new *Report) {
	was := map[[2]string]PayloadInfo{}
	for _, p := range old.Payloads {
		was[[2]string{p.Name, p.Form}] = p
	}
	for _, p := range new.Payloads {
		q, ok := was[[2]string{p.Name, p.Form}]
		if !ok {
			continue
		}
		name := "payload " + quoteIfOdd(p.Name) + " (" + quoteIfOdd(p.Form) + ")"
		if q.Hash != p.Hash {
			w.differ("payload-hash", name+" holds other data", q.Hash, p.Hash, false)
		}
		w.differ("payload-type", name+" type", q.GoType, p.GoType, false)
		w.differ("payload-values", name+" number of values", fmt.Sprint(q.Values), fmt.Sprint(p.Values), false)
		w.differ("payload-tolerance", name+" tolerance", toleranceWords(q), toleranceWords(p), false)
	}
}

func toleranceWords(p PayloadInfo) string {
	s := "none"
	if t := p.Tolerance; t != nil {
		s = fmt.Sprintf("nil for empty %v, numeric kinds %v, times to %v", t.NilEmpty, t.NumericKinds, t.TimePrecision)
	}
	if p.OwnEqual {
		s += ", own equality"
	}
	return s
}

// environments compares the first of each report, or those of one id where
// there are several.
func (w *conditions) environments(old, new *Report) {
	if len(old.Environments) == 0 || len(new.Environments) == 0 {
		return
	}
	for i := range new.Environments {
		b := &new.Environments[i]
		a := &old.Environments[0]
		prefix := ""
		if len(old.Environments) > 1 || len(new.Environments) > 1 {
			n := slices.IndexFunc(old.Environments, func(e Environment) bool { return e.ID == b.ID })
			if n < 0 {
				continue
			}
			a, prefix = &old.Environments[n], quoteIfOdd(b.ID)+": "
		}
		for _, f := range environmentFacts(a, b) {
			w.differ(f.code, prefix+f.name, f.old, f.new, false)
		}
	}
}

type fact struct{ code, name, old, new string }

// environmentFacts pairs what identifies two environments.
func environmentFacts(a, b *Environment) []fact {
	platform := func(e *Environment) string {
		return strings.TrimSpace(strings.Trim(e.GOOS+"/"+e.GOARCH, "/") + " " + e.GOAMD64)
	}
	count := func(n int) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprint(n)
	}
	return []fact{
		{"go-version", "Go version", a.GoVersion, b.GoVersion},
		{"platform", "platform", platform(a), platform(b)},
		{"goexperiment", "GOEXPERIMENT", cmp.Or(a.GOEXPERIMENT, "none"), cmp.Or(b.GOEXPERIMENT, "none")},
		{"cpu", "CPU", a.CPUModel, b.CPUModel},
		{"cpus", "CPUs", count(a.CPUs), count(b.CPUs)},
		{"gomaxprocs", "GOMAXPROCS", count(a.GOMAXPROCS), count(b.GOMAXPROCS)},
		{"gogc", "GOGC", a.GOGC, b.GOGC},
		{"gomemlimit", "GOMEMLIMIT in bytes", fmt.Sprint(a.GOMEMLIMITBytes), fmt.Sprint(b.GOMEMLIMITBytes)},
		{"os", "operating system", a.OS, b.OS},
		{"container-cpus", "container's limit in CPUs", fmt.Sprint(a.ContainerCPUs), fmt.Sprint(b.ContainerCPUs)},
		{"race-detector", "race detector", fmt.Sprint(a.RaceDetector), fmt.Sprint(b.RaceDetector)},
	}
}

func (w *conditions) codecs(old, new *Report) {
	was := map[string]CodecInfo{}
	for _, c := range old.Codecs {
		was[c.Name] = c
	}
	for _, c := range new.Codecs {
		q, ok := was[c.Name]
		if !ok {
			continue
		}
		name := "codec " + quoteIfOdd(c.Name)
		w.differ("codec-library", name+" library", q.Library, c.Library, false)
		w.differ("codec-version", name+" version", q.Version, c.Version, false)
		w.differ("codec-options", name+" options", optionWords(q.Options), optionWords(c.Options), false)
	}
}

func optionWords(o map[string]string) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(o)) {
		parts = append(parts, k+"="+o[k])
	}
	return cmp.Or(strings.Join(parts, ", "), "defaults")
}

// config compares the settings that figures depend on; the seed, the budget
// and which cells there are do not count.
func (w *conditions) config(a, b Config) {
	for _, f := range configFacts(a, b) {
		w.differ("settings", "setting "+f.name, f.old, f.new, false)
	}
}

func configFacts(a, b Config) []fact {
	one := func(name string, x, y any) fact { return fact{name: name, old: fmt.Sprint(x), new: fmt.Sprint(y)} }
	return []fact{
		one("mode", a.Mode, b.Mode), one("reps", a.Reps, b.Reps), one("time_ns", a.TimeNs, b.TimeNs),
		one("cpu_time_ns", a.CPUTimeNs, b.CPUTimeNs), one("collector", a.Collector, b.Collector),
		one("order", a.Order, b.Order), one("live_heap_bytes", a.LiveHeap, b.LiveHeap),
		one("batch_ns", a.BatchNs, b.BatchNs), one("batch_reps", a.BatchReps, b.BatchReps), one("block_ns", a.BlockNs, b.BlockNs),
		one("warmup_reps", a.WarmupReps, b.WarmupReps), one("drop_samples", a.DropSamples, b.DropSamples),
		one("subtract_clock_cost", a.SubtractCost, b.SubtractCost), one("subtract_noop", a.SubtractNoop, b.SubtractNoop), one("margin", a.Margin, b.Margin),
	}
}
