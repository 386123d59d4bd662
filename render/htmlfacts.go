package render

import (
	"fmt"
	"html"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/serbench/serbench"
)

// losses lists what each codec did not give back, over all payloads.
func (p *htmlPrinter) losses() {
	type place struct{ payload, form string }
	type entry struct {
		codec string
		class map[place]*serbench.Fidelity
		order []place
	}
	var entries []*entry
	at := map[string]*entry{}
	for i := range p.report.Results {
		res := &p.report.Results[i]
		if res.Fidelity == nil || res.Fidelity.Class == serbench.Exact || res.Fidelity.Class == "" {
			continue
		}
		e := at[res.Codec]
		if e == nil {
			e = &entry{codec: res.Codec, class: map[place]*serbench.Fidelity{}}
			at[res.Codec] = e
			entries = append(entries, e)
		}
		k := place{res.Payload, res.Form}
		if e.class[k] == nil {
			e.class[k] = res.Fidelity
			e.order = append(e.order, k)
		}
	}
	if len(entries) == 0 {
		return
	}
	p.raw(`<section id="losses"><h2>What codecs lose or change</h2><p>Before anything was timed, every value was encoded, decoded and compared. Normalised: nothing is lost, the Go representation differs. Codecs that are not listed gave everything back exactly.</p>`, "\n")
	for _, e := range entries {
		p.raw("<h3>", html.EscapeString(p.name(e.codec)), "</h3>\n")
		for _, k := range e.order {
			f := e.class[k]
			p.raw("<details><summary>", esc(string(f.Class)), ": ", html.EscapeString(p.name(k.payload)), " (", html.EscapeString(p.name(k.form)), "), ",
				strconv.Itoa(max(f.Total, len(f.Differences))), " differences</summary><ul>")
			for _, d := range f.Differences {
				p.raw("<li><code>", html.EscapeString(visibleName(d.Path)), "</code>: ", esc(d.Kind))
				if d.Want != "" || d.Got != "" {
					p.raw(", <code>", esc(cutMiddle(d.Want, 80, ellipsis)), "</code> became <code>", esc(cutMiddle(d.Got, 80, ellipsis)), "</code>")
				}
				if d.Normalised {
					p.raw(" (nothing lost)")
				}
				p.raw("</li>")
			}
			if more := f.Total - len(f.Differences); more > 0 {
				p.raw("<li>", strconv.Itoa(more), " more</li>")
			}
			p.raw("</ul></details>\n")
		}
	}
	p.raw("</section>\n")
}

func (p *htmlPrinter) name(s string) string {
	if shown, ok := p.shown[s]; ok {
		return shown
	}
	return visibleName(s)
}

// environments describe where, with what and on which data.
func (p *htmlPrinter) environments() {
	r := p.report
	p.raw(`<section id="environment"><h2>Environment</h2>`, "\n")
	for i := range r.Environments {
		p.environmentList(&r.Environments[i])
	}
	if len(r.Codecs) > 0 {
		p.raw(`<details><summary>Codecs</summary><div class="scroll"><table><thead><tr><th class="l">codec</th><th class="l">format</th><th class="l">library</th><th class="l">version</th><th class="l">kind</th><th class="l">options</th></tr></thead><tbody>`, "\n")
		for _, c := range r.Codecs {
			var options []string
			for _, k := range slices.Sorted(maps.Keys(c.Options)) {
				options = append(options, k+"="+c.Options[k])
			}
			p.raw(`<tr><th scope="row" class="l">`, html.EscapeString(p.name(c.Name)), "</th>")
			for _, s := range []string{c.Format, c.Library, c.Version, string(c.Kind)} {
				p.raw(`<td class="l">`, esc(s), "</td>")
			}
			p.raw(`<td class="note l">`, esc(strings.Join(options, ", ")), "</td></tr>\n")
		}
		p.raw("</tbody></table></div></details>\n")
	}
	if len(r.Payloads) > 0 {
		p.raw(`<details><summary>Payloads</summary><div class="scroll"><table><thead><tr><th class="l">payload</th><th class="l">form</th><th class="l">Go type</th><th>values</th><th class="l">source</th><th class="l">hash</th></tr></thead><tbody>`, "\n")
		for _, pl := range r.Payloads {
			p.raw(`<tr><th scope="row" class="l">`, html.EscapeString(p.name(pl.Name)), `</th><td class="l">`, html.EscapeString(p.name(pl.Form)), `</td><td class="l"><code>`, esc(pl.GoType),
				"</code></td><td>", strconv.Itoa(pl.Values), `</td><td class="l">`, esc(pl.Source), `</td><td class="l"><code>`, esc(cutMiddle(pl.Hash, 24, ellipsis)), "</code></td></tr>\n")
		}
		p.raw("</tbody></table></div></details>\n")
	}
	p.raw("</section>\n")
}

func (p *htmlPrinter) environmentList(e *serbench.Environment) {
	if len(p.report.Environments) > 1 {
		p.raw("<h3>", html.EscapeString(visibleName(e.ID)), "</h3>")
	}
	p.raw("<dl>")
	item := func(name, v string) {
		if v = strings.TrimSpace(v); v != "" {
			p.raw("<dt>", name, "</dt><dd>", esc(v), "</dd>")
		}
	}
	count := func(n int64, f func(float64) string) string {
		if n == 0 {
			return ""
		}
		return f(float64(n))
	}
	item("Go", e.GoVersion+" "+strings.Trim(e.GOOS+"/"+e.GOARCH, "/")+" "+e.GOAMD64)
	item("GOEXPERIMENT", e.GOEXPERIMENT)
	item("CPU", e.CPUModel)
	item("CPUs", count(int64(e.CPUs), plainNumber))
	item("GOMAXPROCS", count(int64(e.GOMAXPROCS), plainNumber))
	item("memory", count(e.MemoryBytes, sizeText))
	if e.ContainerCPUs > 0 || e.ContainerBytes > 0 {
		limits := count(e.ContainerBytes, sizeText)
		if e.ContainerCPUs > 0 {
			limits = plainNumber(e.ContainerCPUs) + " CPUs " + limits
		}
		item("container", limits)
	}
	item("OS", e.OS)
	item("GOGC", e.GOGC)
	item("GOMEMLIMIT", count(e.GOMEMLIMITBytes, sizeText))
	item("revision", e.VCSRevision)
	if e.RaceDetector {
		item("race detector", "on: times are meaningless")
	}
	if e.ClockCost > 0 {
		item("clock", fmt.Sprintf("a reading takes %s, resolution %s", timeText(e.ClockCost), timeText(e.ClockResolution)))
	}
	if e.ControlDrift > 0 {
		item("control loop", "slowest block "+ratioTexts(e.ControlDrift)[0]+" times the fastest")
	}
	var floors []string
	for _, op := range slices.SortedFunc(maps.Keys(e.FloorNs), compareOps) {
		floors = append(floors, string(op)+" "+timeText(e.FloorNs[op]))
	}
	item("harness floor", strings.Join(floors, ", "))
	item("load", strings.TrimSpace(loadText("at the start", e.LoadStart)+" "+loadText("at the end", e.LoadEnd)))
	p.raw("</dl>")
	if len(e.Modules) > 0 {
		p.raw("<details><summary>Modules</summary><ul>")
		for _, path := range slices.Sorted(maps.Keys(e.Modules)) {
			p.raw("<li><code>", esc(path), " ", esc(e.Modules[path]), "</code></li>")
		}
		p.raw("</ul></details>")
	}
	p.raw("\n")
}

func loadText(when string, l *serbench.Load) string {
	if l == nil {
		return ""
	}
	var parts []string
	if l.Load1 != nil {
		parts = append(parts, "run queue "+significant(*l.Load1, 3))
	}
	if l.StealShare != nil {
		parts = append(parts, "stolen "+percent(*l.StealShare))
	}
	if l.CPUPressure != nil {
		parts = append(parts, "CPU pressure "+percent(*l.CPUPressure))
	}
	if len(parts) == 0 {
		return ""
	}
	return when + ": " + strings.Join(parts, ", ") + "."
}
