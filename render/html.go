package render

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"
	"strconv"
	"strings"

	"github.com/serbench/serbench"
)

var (
	//go:embed web/report.css
	htmlStyle string
	//go:embed web/report.js
	htmlScript string
)

// HTML writes a report as one file that needs nothing else: tables with
// charts for each payload and op, speed against size, samples over time, a
// calculator of messages per second, the environment, warnings and losses.
// Everything but sorting, filtering and the calculator works without
// JavaScript. The page forbids itself to load or run anything but its own
// script, so that names are inert whatever they hold.
//
// It only reads r; concurrent calls are safe.
func HTML(w io.Writer, r *serbench.Report) error {
	if r == nil {
		return errors.New("render: the report is nil")
	}
	p := htmlPrinter{textPrinter: textPrinter{report: r, unwrapped: true}}
	p.prepare()
	p.page()
	_, err := w.Write(p.out.Bytes())
	return err
}

type htmlPrinter struct {
	textPrinter
	out   bytes.Buffer
	packs []string // compressions in the report
}

// raw writes markup; esc makes text of data.
func (p *htmlPrinter) raw(parts ...string) {
	for _, s := range parts {
		p.out.WriteString(s)
	}
}

func esc(s string) string { return html.EscapeString(visible(s)) }

func (p *htmlPrinter) page() {
	r := p.report
	title := "serbench report"
	if r.Title != "" {
		title = r.Title
	}
	sum := sha256.Sum256([]byte(htmlScript))
	p.raw(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-`,
		base64.StdEncoding.EncodeToString(sum[:]), `'; base-uri 'none'; form-action 'none'">
<title>`, esc(title), "</title><style>\n", htmlStyle, "</style></head><body>\n",
		`<a class="skip" href="#results">Skip to the results</a><header><h1>`, esc(title), "</h1>\n")
	p.facts()
	p.raw("</header>\n")
	p.warnings()
	p.contents()
	p.controls()
	p.raw(`<main id="results">`, "\n")
	p.overall()
	for i, g := range p.groups {
		p.section(i, g)
	}
	p.memory()
	if len(r.Results) == 0 {
		p.raw("<p>The report has no results.</p>\n")
	}
	p.losses()
	p.raw("</main>\n")
	p.environments()
	p.b.Reset()
	p.legend()
	if s := strings.TrimSpace(strings.ReplaceAll(p.b.String(), "\n", " ")); s != "" {
		p.raw(`<footer class="foot"><p>`, html.EscapeString(s),
			` msg/s: what the CPU share and the link of the calculator allow, at the sustained CPU time and mean size; the word behind it is what limits. A green size: no other codec is both faster and smaller.</p></footer>`, "\n")
	}
	p.raw("<script>", htmlScript, "</script>\n</body></html>\n")
}

// facts is the line under the title.
func (p *htmlPrinter) facts() {
	r := *p.report
	r.Title, r.Environments, r.Warnings, r.Payloads, r.Interrupted = "", nil, nil, nil, false
	q := textPrinter{report: &r, unwrapped: true}
	q.header()
	cells := counted(len(p.report.Codecs), "codec") + ", " + counted(len(p.report.Payloads), "payload") + ", " + counted(len(p.report.Results), "cell")
	p.raw(`<p class="dim">`, strings.TrimSpace(html.EscapeString(q.b.String())), "<br>", cells, "</p>\n")
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

func (p *htmlPrinter) warnings() {
	r := *p.report
	r.Title, r.Environments, r.Started, r.ElapsedNs, r.Config.Mode = "", nil, r.Started.Truncate(0), 0, ""
	q := textPrinter{report: &r, shown: p.shown, unwrapped: true}
	var lines []string
	q.header()
	for line := range strings.Lines(q.b.String()) {
		if s := strings.TrimSpace(line); strings.HasPrefix(s, "warning: ") || strings.HasPrefix(s, "interrupted: ") {
			lines = append(lines, strings.TrimPrefix(s, "warning: "))
		}
	}
	if len(lines) == 0 {
		return
	}
	p.raw(`<section class="warn" aria-label="Warnings">`)
	many := len(lines) > 3
	if many {
		fmt.Fprintf(&p.out, "<details><summary>%d warnings</summary>", len(lines))
	}
	p.raw("<ul>")
	for _, l := range lines {
		p.raw("<li>", html.EscapeString(l), "</li>")
	}
	p.raw("</ul>")
	if many {
		p.raw("</details>")
	}
	p.raw("</section>\n")
}

func (p *htmlPrinter) contents() {
	if len(p.groups) < 2 {
		return
	}
	p.raw(`<nav aria-label="Contents"><details`)
	if len(p.groups) <= 24 {
		p.raw(" open")
	}
	p.raw(`><summary>Contents</summary><ul>`)
	for i, g := range p.groups {
		p.raw(`<li><a href="#g`, strconv.Itoa(i), `">`, html.EscapeString(p.title(g)), "</a></li>")
	}
	p.raw("</ul></details></nav>\n")
}

// controls are hidden until the script that serves them runs.
func (p *htmlPrinter) controls() {
	seen := map[string]bool{}
	for i := range p.report.Results {
		if e := p.report.Results[i].Encoded; e != nil {
			for _, c := range e.Compressions {
				if c.Reason == "" && !seen[c.Algorithm] {
					seen[c.Algorithm] = true
					p.packs = append(p.packs, c.Algorithm)
				}
			}
		}
	}
	p.raw(`<div class="bar" hidden role="group" aria-label="Filter and calculate">
<label>codec<input id="f-name" type="search" autocomplete="off"></label>
<label>payload<select id="f-payload"><option value="">all</option>`)
	options := func(of func(g *group) string) {
		done := map[string]bool{}
		for _, g := range p.groups {
			if v := of(g); !done[v] {
				done[v] = true
				p.raw(`<option value="`, attribute(v), `">`, html.EscapeString(visibleName(v)), "</option>")
			}
		}
	}
	options(func(g *group) string { return g.key.payload })
	p.raw(`</select></label><label>op<select id="f-op"><option value="">all</option>`)
	options(func(g *group) string { return string(g.key.op) })
	p.raw(`</select></label><label class="c"><input id="f-lossy" type="checkbox" checked>lossy</label>
<label>link, Mbit/s<input id="c-link" type="number" min="0" step="any" value="1000"></label>
<label>CPU, % of a core<input id="c-cpu" type="number" min="0" step="any" value="100"></label>
<label>overhead, B<input id="c-head" type="number" min="0" step="any" value="0"></label>`)
	if len(p.packs) > 0 {
		p.raw(`<label>compression<select id="c-pack"><option value="">none</option>`)
		for _, c := range p.packs {
			p.raw(`<option value="`, attribute(c), `">`, esc(c), "</option>")
		}
		p.raw("</select></label>")
	}
	p.raw(`<span id="said" class="dim" role="status" aria-live="polite"></span></div>`, "\n")
}

// attribute escapes a value that the script compares and never shows. A line
// break in it would not survive parsing as it is.
func attribute(s string) string {
	return strings.NewReplacer("\n", "&#10;", "\r", "&#13;", "\t", "&#9;", "\x00", "\ufffd").Replace(html.EscapeString(strings.ToValidUTF8(s, "\ufffd")))
}

// overall shows the geometric means.
func (p *htmlPrinter) overall() {
	means := serbench.GeoMeans(p.report, serbench.View{})
	first := true
	for _, o := range means {
		if o.Of < 2 || o.N == 0 || len(o.Codecs) < 2 {
			continue
		}
		if first {
			p.raw(`<section><h2>Overall</h2><p>Geometric mean of the time over that of the baseline, over the payloads and forms that every codec of the table has.</p>`, "\n")
			first = false
		}
		p.raw("<details><summary>", html.EscapeString(visibleName(string(o.Op))))
		if o.Environment != "" && len(p.report.Environments) > 1 {
			p.raw(", ", esc(o.Environment))
		}
		fmt.Fprintf(&p.out, ": over %d of %d</summary>", o.N, o.Of)
		p.raw(`<div class="scroll"><table><thead><tr><th class="l">codec</th><th>ratio to `, esc(o.Baseline), `</th><th class="l">interval</th></tr></thead><tbody>`)
		for _, c := range o.Codecs {
			t := ratioTexts(c.Ratio)
			interval := ""
			if c.Low != nil && c.High != nil {
				t = ratioTexts(c.Ratio, *c.Low, *c.High)
				interval = t[1] + ".." + t[2]
			}
			p.raw(`<tr><th scope="row" class="l">`, esc(c.Codec), "</th><td>", html.EscapeString(t[0]), `</td><td class="l i">`, html.EscapeString(interval), "</td></tr>\n")
		}
		p.raw("</tbody></table></div>")
		if len(o.Without) > 0 {
			names := make([]string, len(o.Without))
			for i, n := range o.Without {
				names[i] = visibleName(n)
			}
			p.raw(`<p class="dim">without figures: `, html.EscapeString(strings.Join(names, ", ")), "</p>")
		}
		p.raw("</details>\n")
	}
	if !first {
		p.raw("</section>\n")
	}
}
