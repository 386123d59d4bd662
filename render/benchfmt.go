package render

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/serbench/serbench"
)

// Bench writes the Go benchmark format, which benchstat and other tools of
// golang.org/x/perf read: one line per sample, so "benchstat -col /codec
// FILE" compares codecs. Where the samples are gone, the estimate stands for
// them. Results without figures are comments.
//
// The names are "Serbench/payload=P/form=F/codec=C/op=O", each part reduced to
// letters, digits and ".+_-" without two names becoming one, and with
// "/fidelity=lossy" and the like behind it where it applies. Environment,
// module versions and payload hashes are configuration lines. Within one
// schema version nothing of this changes but by addition.
//
// Note: tools take the samples for independent. Those of one block are not,
// and a comparison by them finds differences too easily; the verdicts in the
// report are by blocks.
func Bench(w io.Writer, r *serbench.Report) error {
	if r == nil {
		return errors.New("render: the report is nil")
	}
	p := benchPrinter{safe: safeNames(r)}
	p.units()
	groups := groupsOf(r, nil)
	if len(r.Environments) == 0 {
		p.config(r, &serbench.Environment{})
		for _, g := range groups {
			p.group(g, 1)
		}
	}
	for i := range r.Environments {
		e := &r.Environments[i]
		p.config(r, e)
		for _, g := range groups {
			// Results that name no known environment go with the first.
			known := slices.ContainsFunc(r.Environments, func(o serbench.Environment) bool { return o.ID == g.key.environment })
			if g.key.environment == e.ID || !known && i == 0 {
				p.group(g, max(1, e.GOMAXPROCS))
			}
		}
	}
	_, err := w.Write(p.b.Bytes())
	return err
}

type benchPrinter struct {
	b    bytes.Buffer
	safe map[string]string
	set  map[string]string // configuration in force
}

func (p *benchPrinter) units() {
	p.b.WriteString("Unit encoded-B better=lower assume=exact\n")
	p.b.WriteString("Unit B/op better=lower\nUnit allocs/op better=lower\n")
}

// config writes the configuration lines of an environment, and unsets those
// of the one before that it does not have.
func (p *benchPrinter) config(r *serbench.Report, e *serbench.Environment) {
	lines := map[string]string{}
	add := func(key, value string) {
		if value = strings.TrimSpace(visible(value)); value != "" {
			lines[configKey(key)] = value
		}
	}
	add("goos", e.GOOS)
	add("goarch", e.GOARCH)
	add("cpu", e.CPUModel)
	add("go", e.GoVersion)
	add("goamd64", e.GOAMD64)
	add("goexperiment", e.GOEXPERIMENT)
	add("gogc", e.GOGC)
	add("pkg", "github.com/serbench/serbench")
	if len(r.Environments) > 1 {
		add("environment", e.ID)
	}
	for path, version := range e.Modules {
		add("module-"+path, version)
	}
	for _, pl := range r.Payloads {
		add("payload-"+p.safe[pl.Name]+"-"+p.safe[pl.Form], pl.Hash)
	}
	for _, key := range slices.Sorted(maps.Keys(p.set)) {
		if _, stays := lines[key]; !stays {
			p.b.WriteString(key + ":\n")
		}
	}
	for _, key := range slices.Sorted(maps.Keys(lines)) {
		if p.set[key] != lines[key] {
			p.b.WriteString(key + ": " + lines[key] + "\n")
		}
	}
	p.set = lines
}

// configKey: keys begin with a lower-case letter and hold neither space nor
// colon nor upper-case letters.
func configKey(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', strings.ContainsRune("-._/+", r):
			return r
		}
		return '_'
	}, s)
}

func (p *benchPrinter) group(g *group, procs int) {
	for _, rw := range g.rows() {
		p.result(rw.res, procs)
	}
	for _, rw := range g.without {
		res := rw.res
		fmt.Fprintf(&p.b, "# %s: %s: %s\n", visible(string(res.Status)), p.name(res, procs), visible(res.Reason))
	}
}

// name is that of the lines. The number behind the last hyphen is taken for
// GOMAXPROCS by readers, so it is always there.
func (p *benchPrinter) name(res *serbench.Result, procs int) string {
	var b strings.Builder
	b.WriteString("BenchmarkSerbench")
	part := func(key, value string) { b.WriteString("/" + key + "=" + p.safe[value]) }
	part("payload", res.Payload)
	part("form", res.Form)
	part("codec", res.Codec)
	part("op", string(res.Op))
	if res.Transport != "" && res.Transport != "memory" || res.Role != "" {
		part("transport", res.Transport)
	}
	if res.Role != "" {
		part("role", string(res.Role))
	}
	if res.Parallelism > 1 {
		b.WriteString("/parallel=" + strconv.Itoa(res.Parallelism))
	}
	if res.Build != "" {
		part("build", res.Build)
	}
	if res.Launch > 0 {
		b.WriteString("/launch=" + strconv.Itoa(res.Launch))
	}
	if f := fidelityOf(res); f == string(serbench.Lossy) || f == string(serbench.Normalised) {
		b.WriteString("/fidelity=" + f)
	}
	if res.Status == serbench.StatusPartial {
		b.WriteString("/status=partial")
	}
	b.WriteString("-" + strconv.Itoa(procs))
	return b.String()
}

func (p *benchPrinter) result(res *serbench.Result, procs int) {
	name := p.name(res, procs)
	var beside strings.Builder
	unit := func(v float64, unit string) {
		if finite(v) {
			beside.WriteString("\t" + exact(v) + " " + unit)
		}
	}
	if e := res.Encoded; e != nil {
		unit(e.Mean, "encoded-B")
	}
	if e := res.Estimates.AllocBytesPerOp; e != nil {
		unit(e.Value, "B/op")
	}
	if e := res.Estimates.AllocsPerOp; e != nil {
		unit(e.Value, "allocs/op")
	}
	line := func(reps int64, figures string) {
		if figures != "" {
			p.b.WriteString(name + "\t" + strconv.FormatInt(max(1, reps), 10) + figures + "\n")
		}
	}
	written := false
	for _, s := range res.Samples {
		if s.Reps > 0 && s.ElapsedNs >= 0 {
			line(s.Reps, "\t"+exact(float64(s.ElapsedNs)/float64(s.Reps))+" ns/op"+beside.String())
			written = true
		}
	}
	if written {
		return
	}
	figures := beside.String()
	if v, ok := figure(res.Estimates.NsPerOp); ok {
		figures = "\t" + exact(v) + " ns/op" + figures
	}
	line(res.Reps, figures)
}

// safeNames reduces all names of a report to letters, digits and "._+-". Those
// that would become equal, or are too long, get a hash of the whole name.
func safeNames(r *serbench.Report) map[string]string {
	var names []string
	for _, pl := range r.Payloads {
		names = append(names, pl.Name, pl.Form)
	}
	for i := range r.Results {
		res := &r.Results[i]
		names = append(names, res.Payload, res.Form, res.Codec, string(res.Op), res.Transport, string(res.Role), res.Build)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	const longest = 100
	reduced := make(map[string]string, len(names))
	uses := map[string]int{}
	for _, n := range names {
		s := strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._+-", r) {
				return r
			}
			return '_'
		}, n)
		if s == "" {
			s = "_"
		}
		reduced[n] = s
		uses[s]++
	}
	out := make(map[string]string, len(names))
	for _, n := range names {
		if s := reduced[n]; s == n && len(s) <= longest {
			out[n] = n // an unchanged name is its own
		} else if uses[s] == 1 && len(s) <= longest {
			out[n] = s
		}
	}
	taken := map[string]bool{}
	for _, s := range out {
		taken[s] = true
	}
	for _, n := range names {
		if _, done := out[n]; done {
			continue
		}
		h := fnv.New64a()
		_, _ = h.Write([]byte(n))
		for mark := h.Sum64(); ; mark++ {
			s := fmt.Sprintf("%.80s_%08x", reduced[n], uint32(mark))
			if !taken[s] {
				out[n], taken[s] = s, true
				break
			}
		}
	}
	return out
}
