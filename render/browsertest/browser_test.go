//go:build browser

// Package browsertest looks at the HTML report in a real browser. It needs
// Chromium (Debian's package) in the path and is left out of plain test runs:
//
//	go test -tags browser ./render/browsertest
//
// SERBENCH_SCREENSHOTS names a folder for pictures of both themes.
package browsertest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/render"
)

// report has two payloads, a lossy codec, samples, and hostile names.
func report() *serbench.Report {
	r := &serbench.Report{Schema: 1, Title: `title</title><script>document.title="owned"</script>`,
		Environments: []serbench.Environment{{ID: "e", GoVersion: "go1.26.0", GOOS: "linux", GOARCH: "amd64", CPUModel: "Example CPU", CPUs: 2}}}
	names := []string{"beta", "alpha", `"><img src=x onerror="document.title='owned'">`, `</script><script>document.title="owned"</script>`, "\u202egnirts", "{{7*7}}", "'-alert(1)-'"}
	for _, payload := range []string{"repository", "ev\"ent\n<b>"} {
		for _, op := range []serbench.Op{serbench.OpEncode, serbench.OpDecode} {
			for i, name := range names {
				ns := 100 * float64(i+1)
				low, high := ns*0.98, ns*1.02
				res := serbench.Result{ID: fmt.Sprint(payload, op, i), Environment: "e", Payload: payload, Form: "struct", Codec: name, Op: op, Parallelism: 1,
					Status: serbench.StatusOK, Encoded: &serbench.EncodedSize{Min: 900 - 100*i, Mean: float64(900 - 100*i), Max: 900 - 100*i,
						Compressions: []serbench.Compression{{Algorithm: "zstd", MessageBytes: 100, CompressNs: 900, DecompressNs: 300}}}}
				res.Estimates.NsPerOp = &serbench.Estimate{Value: ns, Low: &low, High: &high, Confidence: 0.95, N: 20}
				if name == "beta" {
					res.Status = serbench.StatusLossy
					res.Fidelity = &serbench.Fidelity{Class: serbench.Lossy, Total: 1, Differences: []serbench.Difference{{Path: "<i>a", Kind: "number-value", Want: "<script>", Got: "&"}}}
				}
				for k := range 100 {
					res.Samples = append(res.Samples, serbench.Sample{Block: k / 8, Round: k % 8, Reps: 100, ElapsedNs: int64(100*ns) + int64(k%7)*int64(ns)})
				}
				r.Results = append(r.Results, res)
			}
		}
	}
	return r
}

// probe runs behind the page's own script and writes what it sees into an
// element, which is read from the DOM that the browser prints.
const probe = `
const errors = [];
window.addEventListener("error", e => errors.push(String(e.message)));
window.addEventListener("load", () => {
  const out = {};
  const q = (s, of) => (of || document).querySelector(s), all = (s, of) => [...(of || document).querySelectorAll(s)];
  const section = q("section.group"), names = () => all("table.cells tbody tr:not(.off) th", section).map(e => e.textContent);
  const set = (id, v) => { const e = document.getElementById(id); if (e.type === "checkbox") e.checked = v; else e.value = v; e.dispatchEvent(new Event("input")); };
  const rates = () => all("td.rate", section).map(e => e.textContent);
  out.title = document.title;
  out.foreign = all("img,b:not(svg *),i").length;
  out.scripts = all("script").length;
  out.initial = names();
  const byName = q("th[data-k=name] button", section);
  byName.click(); out.sorted = names(); out.ariaUp = q("th[data-k=name]", section).getAttribute("aria-sort");
  byName.click(); out.reversed = names(); out.ariaDown = q("th[data-k=name]", section).getAttribute("aria-sort");
  q("th[data-k=size] button", section).click(); out.bySize = all("table.cells tbody tr", section).map(e => Number(e.dataset.size));
  set("f-name", "ALPHA"); out.filtered = names(); out.said = document.getElementById("said").textContent; set("f-name", "");
  set("f-lossy", false); out.whole = names(); set("f-lossy", true);
  set("f-op", "decode"); out.sections = all("section.group").map(e => !e.hidden); set("f-op", "");
  const payloads = all("#f-payload option").map(e => e.value);
  set("f-payload", payloads[2]); out.byPayload = all("section.group").map(e => !e.hidden); set("f-payload", "");
  out.payloads = payloads;
  set("c-link", "0"); set("c-cpu", "100"); out.cpu = rates();
  set("c-link", "8"); out.link = rates();
  set("c-head", "100"); out.head = rates(); set("c-head", "0");
  set("c-pack", "zstd"); out.packed = rates();
  set("c-cpu", ""); out.nothing = rates();
  byName.focus(); out.focus = document.activeElement === byName;
  out.wide = document.documentElement.scrollWidth > document.documentElement.clientWidth;
  out.errors = errors;
  document.body.dataset.probe = JSON.stringify(out);
});`

type seen struct {
	Title, AriaUp, AriaDown, Said                        string
	Foreign, Scripts                                     int
	Initial, Sorted, Reversed, Filtered, Whole, Payloads []string
	BySize                                               []float64
	Sections, ByPayload                                  []bool
	CPU, Link, Head, Packed, Nothing, Errors             []string
	Focus, Wide                                          bool
}

// open shows a page and returns the DOM and what the console said.
func open(t *testing.T, page string, args ...string) (dom, console string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(file, []byte(page), 0o644))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr", "--user-data-dir=" + t.TempDir(), "--window-size=1300,1500"}, args...)
	cmd := exec.CommandContext(ctx, "chromium", append(args, "file://"+file)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	require.NoError(t, cmd.Run(), stderr.String())
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "CONSOLE") {
			console += line
		}
	}
	return stdout.String(), console
}

func page(t *testing.T, r *serbench.Report) string {
	var b strings.Builder
	require.NoError(t, render.HTML(&b, r))
	return b.String()
}

func TestPage(t *testing.T) {
	whole := page(t, report())
	_, console := open(t, whole, "--dump-dom")
	assert.Empty(t, console, "as it is, the page has nothing to say on the console")

	// The probe is let in by its hash, as the page's own script is.
	sum := sha256.Sum256([]byte(probe))
	probed := strings.Replace(whole, "script-src ", "script-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"' ", 1)
	probed = strings.Replace(probed, "</body>", "<script>"+probe+"</script></body>", 1)
	dom, console := open(t, probed, "--dump-dom")
	require.Empty(t, console)
	m := regexp.MustCompile(`data-probe="([^"]*)"`).FindStringSubmatch(dom)
	require.NotNil(t, m, "the probe ran to its end")
	var got seen
	require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(m[1])), &got))

	assert.Empty(t, got.Errors)
	assert.Equal(t, report().Title, got.Title, "names are inert")
	assert.Zero(t, got.Foreign, "no element comes from data")
	assert.Equal(t, 2, got.Scripts, "the page's and the probe's")
	require.Len(t, got.Initial, 7)
	assert.Equal(t, "alpha", got.Initial[0])
	assert.Equal(t, "beta", got.Initial[6], "what loses stands behind")
	assert.Equal(t, "ascending", got.AriaUp)
	assert.Equal(t, "descending", got.AriaDown)
	assert.ElementsMatch(t, got.Initial, got.Sorted)
	assert.NotEqual(t, got.Initial, got.Sorted)
	for i, n := range got.Sorted {
		assert.Equal(t, n, got.Reversed[6-i])
	}
	assert.IsIncreasing(t, got.BySize)
	assert.Equal(t, []string{"alpha"}, got.Filtered)
	assert.Equal(t, "4 rows shown", got.Said, "the status is told to screen readers")
	assert.NotContains(t, got.Whole, "beta")
	assert.Len(t, got.Whole, 6)
	assert.Equal(t, []bool{false, true, false, true}, got.Sections, "only decode")
	assert.Equal(t, []string{"", "repository", "ev\"ent\n<b>"}, got.Payloads)
	assert.Equal(t, []bool{false, false, true, true}, got.ByPayload)
	// Sorted by size: 300 bytes and 700 ns first.
	assert.Equal(t, "1,430,000 cpu", got.CPU[0], "1e9 / 700")
	assert.Equal(t, "3,330 link", got.Link[0], "8 Mbit/s over 300 bytes")
	assert.Equal(t, "2,500 link", got.Head[0], "and over 400")
	assert.Equal(t, "10,000 link", got.Packed[0], "and over 100")
	assert.Equal(t, "-", got.Nothing[0], "no share, no messages")
	assert.True(t, got.Focus, "reachable by keyboard")
	assert.False(t, got.Wide, "the page itself never scrolls sideways")
}

func TestPageWithoutScript(t *testing.T) {
	// A page whose script may not run is one without.
	blocked := regexp.MustCompile(`script-src '[^']*'`).ReplaceAllString(page(t, report()), "script-src 'none'")
	dom, _ := open(t, blocked, "--dump-dom")
	assert.Contains(t, dom, "alpha")
	assert.Contains(t, dom, `<div class="bar" hidden=""`, "what needs the script is not shown")
}

func TestEmptyPage(t *testing.T) {
	_, console := open(t, page(t, &serbench.Report{}), "--dump-dom")
	assert.Empty(t, console)
}

func TestScreenshots(t *testing.T) {
	folder := os.Getenv("SERBENCH_SCREENSHOTS")
	if folder == "" {
		folder = t.TempDir()
	}
	whole := page(t, report())
	if name := os.Getenv("SERBENCH_REPORT"); name != "" {
		f, err := os.Open(name)
		require.NoError(t, err)
		defer f.Close()
		r, err := serbench.ReadReport(f)
		require.NoError(t, err)
		whole = page(t, r)
	}
	for name, dark := range map[string]string{"light": "1", "dark": "0"} {
		file := filepath.Join(folder, "report-"+name+".png")
		open(t, whole, "--screenshot="+file, "--blink-settings=preferredColorScheme="+dark)
		info, err := os.Stat(file)
		require.NoError(t, err)
		assert.Greater(t, info.Size(), int64(10_000))
	}
}
