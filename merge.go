package serbench

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
)

// Merge joins reports of machines, Go versions, settings of the collector or
// parts of a suite into one, with the environment as a dimension of its
// results. The reports are only read.
//
// Environments that agree in everything that was set (not in what was
// measured, such as the load) and in their build are one. A name that several
// different ones share is replaced: by "go1.26.0", "GOGC=50" and so on, of what
// tells them apart. A cell that two reports have for one environment, build
// and launch, a payload whose data differ and a codec that is another one
// under the same name are errors; all of them are returned, joined, each with
// its name.
//
// Settings stand in the report once: those of the first. Where they differ, a
// warning names both sides.
func Merge(reports ...*Report) (*Report, error) {
	if len(reports) == 0 {
		return nil, errors.New("serbench: merge: no reports")
	}
	for i, r := range reports {
		if r == nil {
			return nil, fmt.Errorf("serbench: merge: report %d is nil", i+1)
		}
	}
	first := reports[0]
	m := merger{out: newReport(first.Title, first.Started, first.Config), payloads: map[[2]string]int{}, codecs: map[string]int{}}
	m.out.Author, m.out.Summary = first.Author, first.Summary
	m.out.Started = first.Started
	m.environments(reports)
	for i, r := range reports {
		m.add(i, r)
	}
	m.results(reports)
	if err := errors.Join(m.errs...); err != nil {
		return nil, err
	}
	return m.out, nil
}

type merger struct {
	out      *Report
	ids      []map[string]string // per report: old environment id to new
	payloads map[[2]string]int
	codecs   map[string]int
	errs     []error
}

func (m *merger) bad(e *Error) { m.errs = append(m.errs, e) }

// sameEnvironment compares what was set, and the build.
func sameEnvironment(a, b *Environment) bool {
	for _, f := range environmentFacts(a, b) {
		if f.old != f.new {
			return false
		}
	}
	return a.BuildID == b.BuildID && a.VCSRevision == b.VCSRevision && a.VCSModified == b.VCSModified &&
		a.MemoryBytes == b.MemoryBytes && a.ContainerBytes == b.ContainerBytes && maps.Equal(a.Modules, b.Modules)
}

// environments gives each different environment an id of its own.
func (m *merger) environments(reports []*Report) {
	type entry struct {
		env Environment
		was string
	}
	var all []entry
	where := make([][]int, len(reports)) // index in all of each environment
	for i, r := range reports {
		envs := r.Environments
		if len(envs) == 0 {
			envs = []Environment{{}}
		}
		for _, e := range envs {
			n := slices.IndexFunc(all, func(x entry) bool { return x.was == e.ID && sameEnvironment(&x.env, &e) })
			if n < 0 {
				n = len(all)
				all = append(all, entry{e, e.ID})
			} else {
				all[n].env = joinMeasured(all[n].env, e)
			}
			where[i] = append(where[i], n)
		}
	}
	byID := map[string][]int{}
	for n, e := range all {
		byID[e.was] = append(byID[e.was], n)
	}
	used := map[string]bool{}
	for n := range all {
		e := &all[n]
		id := e.was
		if same := byID[e.was]; len(same) > 1 || id == "" {
			envs := make([]*Environment, len(same))
			for i, k := range same {
				envs[i] = &all[k].env
			}
			id = tellApart(&e.env, envs)
		}
		for base, k := id, 2; used[id]; k++ {
			id = base + " #" + strconv.Itoa(k)
		}
		used[id] = true
		e.env.ID = id
	}
	for _, e := range all {
		m.out.Environments = append(m.out.Environments, e.env)
	}
	for i, r := range reports {
		ids := map[string]string{}
		for k, n := range where[i] {
			was := ""
			if k < len(r.Environments) {
				was = r.Environments[k].ID
			}
			ids[was] = all[n].env.ID
		}
		if _, ok := ids[""]; !ok && len(where[i]) == 1 {
			ids[""] = all[where[i][0]].env.ID // results that name none
		}
		m.ids = append(m.ids, ids)
	}
}

// tellApart names an environment by what the others of its name have not.
func tellApart(e *Environment, all []*Environment) string {
	label := ""
	for i, f := range environmentFacts(e, e) {
		differs := slices.ContainsFunc(all, func(o *Environment) bool { return environmentFacts(o, o)[i].old != f.old })
		if !differs || f.old == "" {
			continue
		}
		s := f.old
		switch f.code {
		case "gogc", "gomaxprocs", "goexperiment", "gomemlimit":
			s = map[string]string{"gogc": "GOGC", "gomaxprocs": "GOMAXPROCS", "goexperiment": "GOEXPERIMENT", "gomemlimit": "GOMEMLIMIT"}[f.code] + "=" + s
		case "cpus", "container-cpus":
			s += " CPUs"
		case "race-detector":
			s = "race=" + s
		}
		if label != "" {
			label += ", "
		}
		label += s
	}
	if label == "" && e.BuildID != "" {
		label = "build " + e.BuildID[max(0, len(e.BuildID)-12):]
	}
	return cmp.Or(label, "env")
}

// joinMeasured keeps the worse of what two runs in one environment saw.
func joinMeasured(a, b Environment) Environment {
	a.ControlDrift = max(a.ControlDrift, b.ControlDrift)
	floors, drifts := maps.Clone(a.FloorNs), maps.Clone(a.GroupDrift)
	for op, v := range b.FloorNs {
		if floors == nil {
			floors = map[Op]float64{}
		}
		floors[op] = max(floors[op], v)
	}
	for g, v := range b.GroupDrift {
		if drifts == nil {
			drifts = map[string]float64{}
		}
		drifts[g] = max(drifts[g], v)
	}
	a.FloorNs, a.GroupDrift = floors, drifts
	return a
}

// add takes in everything of a report but its results.
func (m *merger) add(i int, r *Report) {
	out := m.out
	out.Author = cmp.Or(out.Author, r.Author)
	out.Summary = cmp.Or(out.Summary, r.Summary)
	if i > 0 {
		out.Title = cmp.Or(out.Title, r.Title)
		if !r.Started.IsZero() && (out.Started.IsZero() || r.Started.Before(out.Started)) {
			out.Started = r.Started
		}
		m.config(i, r.Config)
	}
	out.ElapsedNs += r.ElapsedNs
	out.Interrupted = out.Interrupted || r.Interrupted
	for _, p := range r.Payloads {
		k := [2]string{p.Name, p.Form}
		n, known := m.payloads[k]
		if !known {
			m.payloads[k] = len(out.Payloads)
			out.Payloads = append(out.Payloads, p)
			continue
		}
		if q := out.Payloads[n]; q.Hash != p.Hash || q.GoType != p.GoType || q.OwnEqual != p.OwnEqual || toleranceWords(q) != toleranceWords(p) {
			m.bad(&Error{Payload: p.Name, Form: p.Form, Err: fmt.Errorf(
				"report %d has other data, another type or another tolerance under this name: %s %s (%s), before %s %s (%s)",
				i+1, p.Hash, p.GoType, toleranceWords(p), q.Hash, q.GoType, toleranceWords(q))})
		}
	}
	for _, c := range r.Codecs {
		n, known := m.codecs[c.Name]
		if !known {
			m.codecs[c.Name] = len(out.Codecs)
			out.Codecs = append(out.Codecs, c)
			continue
		}
		q := &out.Codecs[n]
		if q.Format != c.Format || q.Library != c.Library || q.Kind != c.Kind || !maps.Equal(q.Options, c.Options) {
			m.bad(&Error{Codec: c.Name, Err: fmt.Errorf("report %d has another codec under this name: %s %s (%s), before %s %s (%s)",
				i+1, c.Library, c.Format, optionWords(c.Options), q.Library, q.Format, optionWords(q.Options))})
		}
		if q.Version != c.Version {
			m.warn("codec-version", "codec %s has version %s in report %d, %s before; each environment lists its modules",
				quoteIfOdd(c.Name), cmp.Or(c.Version, "unknown"), i+1, cmp.Or(q.Version, "unknown"))
			q.Version = ""
		}
	}
	for _, w := range r.Warnings {
		if envs := r.Environments; len(envs) == 1 && len(out.Environments) > 1 {
			w.Message = m.ids[i][envs[0].ID] + ": " + w.Message
		}
		if !slices.Contains(out.Warnings, w) {
			out.Warnings = append(out.Warnings, w)
		}
	}
}

func (m *merger) warn(code, format string, args ...any) {
	w := Warning{Code: code, Message: fmt.Sprintf(format, args...)}
	if !slices.Contains(m.out.Warnings, w) {
		m.out.Warnings = append(m.out.Warnings, w)
	}
}

func (m *merger) config(i int, c Config) {
	for _, f := range configFacts(m.out.Config, c) {
		if f.old != f.new {
			m.warn("settings", "setting %s is %s in the first report and %s in report %d", f.name, f.old, f.new, i+1)
		}
	}
	m.out.Config.cover(c)
}

// cover adds what another run covers.
func (c *Config) cover(o Config) {
	ops := slices.Clone(c.Ops)
	for _, op := range o.Ops {
		if !slices.Contains(ops, op) {
			ops = append(ops, op)
		}
	}
	c.Ops = ops
	c.AllPairs = c.AllPairs && o.AllPairs
	if !reflect.DeepEqual(c.Looks, o.Looks) {
		c.Looks = nil
	}
}

// results takes in results and comparisons under ids of the merged report.
func (m *merger) results(reports []*Report) {
	type cell struct {
		identity
		environment, build string
	}
	seen := map[cell]int{}
	used := map[string]bool{}
	prefix := len(m.out.Environments) > 1
	for i, r := range reports {
		ids := make(map[string]string, len(r.Results))
		for _, res := range r.Results {
			env, known := m.ids[i][res.Environment]
			if !known {
				env = res.Environment
			}
			res.Environment = env
			k := cell{identityOf(&res, several{}), env, res.Build}
			if first, twice := seen[k]; twice {
				m.bad(&Error{Codec: res.Codec, Payload: res.Payload, Form: res.Form, Op: res.Op, Err: fmt.Errorf(
					"reports %d and %d both have this cell for environment %s; give one of them another Environment.ID or Result.Launch", first+1, i+1, strconv.Quote(env))})
				continue
			}
			seen[k] = i
			id := res.ID
			if prefix {
				id = idPart(env) + "/" + id
			}
			for base, n := id, 2; used[id]; n++ {
				id = base + "#" + strconv.Itoa(n)
			}
			used[id] = true
			if res.ID != "" {
				ids[res.ID] = id
			}
			res.ID = id
			m.out.Results = append(m.out.Results, res)
		}
		for _, c := range r.Comparisons {
			a, okA := ids[c.A]
			b, okB := ids[c.B]
			if okA && okB {
				c.A, c.B = a, b
				m.out.Comparisons = append(m.out.Comparisons, c)
			}
		}
		for _, c := range r.SelfChecks {
			if id, ok := ids[c.Result]; ok {
				c.Result = id
				m.out.SelfChecks = append(m.out.SelfChecks, c)
			}
		}
		for _, s := range r.Shares {
			if whole, ok := ids[s.Whole]; ok {
				s.Whole, s.Transport, s.Codec = whole, ids[s.Transport], ids[s.Codec]
				m.out.Shares = append(m.out.Shares, s)
			}
		}
		for _, s := range r.Scalings {
			if result, ok := ids[s.Result]; ok {
				s.Result, s.Alone = result, ids[s.Alone]
				m.out.Scalings = append(m.out.Scalings, s)
			}
		}
	}
}
