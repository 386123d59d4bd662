package render_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/render"
)

type format func(w io.Writer, r *serbench.Report) error

// formats are all outputs, with the name of their golden file.
var formats = map[string]format{
	"md":                  func(w io.Writer, r *serbench.Report) error { return render.Markdown(w, r, render.Options{}) },
	"csv":                 func(w io.Writer, r *serbench.Report) error { return render.CSV(w, r, render.Options{}) },
	"safe.csv":            func(w io.Writer, r *serbench.Report) error { return render.CSV(w, r, render.Options{Safe: true}) },
	"bench":               render.Bench,
	"html":                render.HTML,
	"svg":                 render.SVG,
	"action-smaller.json": render.ActionSmaller,
	"action-bigger.json":  render.ActionBigger,
	"bencher.json":        render.Bencher,
}

func out(t testing.TB, f format, r *serbench.Report) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, f(&b, r))
	return b.String()
}

func TestFormatsGolden(t *testing.T) {
	for name, f := range formats {
		t.Run(name, func(t *testing.T) {
			got := out(t, f, usual())
			// Style and script stand in files of their own.
			shown := scriptHash.ReplaceAllString(scriptOrStyle.ReplaceAllString(got, "<$1>...</$1>"), "sha256-...")
			golden(t, "usual."+name, shown)
			assert.Equal(t, got, out(t, f, usual()), "the same report gives the same bytes")
			r := usual()
			out(t, f, r)
			assert.Equal(t, usual(), r, "the report is only read")
			out(t, f, &serbench.Report{})
			assert.Error(t, f(io.Discard, nil))
			full := errors.New("disk full")
			pr, pw := io.Pipe()
			require.NoError(t, pr.CloseWithError(full))
			assert.ErrorIs(t, f(pw, usual()), full)
		})
	}
}

// odd makes a report of what is unusual but possible.
func odd(seed uint64) *serbench.Report {
	rng := rand.New(rand.NewPCG(seed, 7))
	pick := func() string {
		if rng.IntN(3) == 0 {
			return hostileNames[rng.IntN(len(hostileNames))]
		}
		return fmt.Sprint("n", rng.IntN(4))
	}
	figures := []float64{0, 1e-9, 1, 1, 1, 230.5, 1834, 1e6, 3.2e11, 1e300}
	s := newSample(pick())
	s.Interrupted = rng.IntN(2) == 0
	statuses := []serbench.Status{serbench.StatusOK, serbench.StatusOK, serbench.StatusOK, serbench.StatusLossy, serbench.StatusFailed, serbench.StatusSkipped, serbench.StatusPartial, serbench.StatusNotRun, "postponed"}
	onlyFailed := rng.IntN(10) == 0
	seen := map[string]bool{}
	for range rng.IntN(25) {
		payload, form, codec := pick(), pick(), pick()
		op := serbench.Ops()[rng.IntN(len(serbench.Ops()))]
		if rng.IntN(8) == 0 {
			op = serbench.Op(pick())
		}
		key := fmt.Sprintf("%q", []string{payload, form, codec, string(op)})
		if seen[key] {
			continue
		}
		seen[key] = true
		res := s.at(payload, form, op, codec, figures[rng.IntN(len(figures))], []float64{0, 0.01, 2}[rng.IntN(3)])
		res.ID = key
		res.Status = statuses[rng.IntN(len(statuses))]
		if onlyFailed {
			res.Status = serbench.StatusFailed
		}
		res.Reason = pick()
		switch {
		case res.Status == serbench.StatusFailed || res.Status == serbench.StatusSkipped || res.Status == serbench.StatusNotRun:
			res.Estimates = serbench.Estimates{}
			continue
		case rng.IntN(2) == 0:
			used(res, figures[rng.IntN(len(figures))], float64(rng.IntN(4)), figures[rng.IntN(len(figures))], rng.IntN(5000))
			res.Estimates.OpsPerS = &serbench.Estimate{Value: figures[rng.IntN(len(figures))]}
		}
		if rng.IntN(2) == 0 {
			res.Encoded = &serbench.EncodedSize{Min: 1, Mean: 2.5, Max: 4, Total: 5, Compressions: []serbench.Compression{
				{Algorithm: pick(), MessageBytes: 2, CompressNs: 10, DecompressNs: 5}, {Algorithm: "broken", Reason: pick()}}}
		}
		if rng.IntN(3) == 0 {
			res.Fidelity = &serbench.Fidelity{Class: serbench.Lossy, Total: 9, Differences: []serbench.Difference{{Path: pick(), Kind: pick(), Want: pick(), Got: pick()}}}
		}
		res.Warnings = []serbench.Warning{{Code: pick(), Message: pick(), Advice: pick()}}
		for i := range []int{0, 1, 2, 300}[rng.IntN(4)] {
			res.Samples = append(res.Samples, serbench.Sample{Block: i / 4, Round: i % 4, Reps: 10_000_000, ElapsedNs: int64([]float64{0, 5e9, 5e9, 7e9}[rng.IntN(4)])})
		}
		res.Reps = 10_000_000 * int64(len(res.Samples))
	}
	for range len(s.Results) {
		a, b := rng.IntN(len(s.Results)), rng.IntN(len(s.Results))
		if x, y := s.Results[a].Estimates.NsPerOp, s.Results[b].Estimates.NsPerOp; a != b && x != nil && y != nil && x.Value > 0 && y.Value > 0 && x.Value/y.Value < 1e290 && x.Value/y.Value > 1e-290 {
			s.compare(a, b, []serbench.Verdict{serbench.Faster, serbench.Slower, serbench.Equivalent, serbench.Undecided}[rng.IntN(4)], 0.01)
		}
	}
	for _, res := range s.Results {
		s.Payloads = append(s.Payloads, serbench.PayloadInfo{Name: res.Payload, Form: res.Form, Hash: pick(), GoType: pick(), Source: pick()})
		s.Codecs = append(s.Codecs, serbench.CodecInfo{Name: res.Codec, Info: serbench.Info{Library: pick(), Options: map[string]string{pick(): pick()}}})
	}
	s.Environments[0].CPUModel, s.Environments[0].Modules = pick(), map[string]string{pick(): pick(), "a.b/c": "v1"}
	return &s.Report
}

const oddReports = 200

// values counts the times per op in a report.
func values(r *serbench.Report) (out []float64) {
	for _, res := range r.Results {
		if e := res.Estimates.NsPerOp; e != nil {
			out = append(out, e.Value)
		}
	}
	slices.Sort(out)
	return out
}

func TestEveryFormatSurvivesOddReports(t *testing.T) {
	for seed := range uint64(oddReports) {
		r := odd(seed)
		plain := valid(r) // as formats that hold no invalid UTF-8 have it
		checkCSV(t, r, plain, false)
		checkCSV(t, r, plain, true)
		checkMarkdown(t, r)
		checkBench(t, r)
		checkDashboards(t, r)
		checkHTML(t, r)
		checkXML(t, out(t, render.SVG, r))
		out(t, render.Text, r)
		var b bytes.Buffer
		require.NoError(t, r.WriteJSON(&b))
		back, err := serbench.ReadReport(&b)
		if err == nil { // figures that no report may hold are refused, by name
			assert.Equal(t, values(r), values(back))
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// valid is the multiset of names with their times.
func valid(r *serbench.Report) map[string]int {
	rows := map[string]int{}
	for _, res := range r.Results {
		ns := ""
		if e := res.Estimates.NsPerOp; e != nil {
			ns = strconv.FormatFloat(e.Value, 'g', -1, 64)
		}
		rows[strings.ToValidUTF8(fmt.Sprintf("%s\x00%s\x00%s\x00%s\x00%s", res.Payload, res.Form, res.Op, res.Codec, ns), "\ufffd")]++
	}
	return rows
}

func checkCSV(t *testing.T, r *serbench.Report, want map[string]int, safe bool) {
	t.Helper()
	var b strings.Builder
	require.NoError(t, render.CSV(&b, r, render.Options{Safe: safe}))
	records, err := csv.NewReader(strings.NewReader(b.String())).ReadAll() // checks that records are equally long
	require.NoError(t, err)
	require.Len(t, records, 1+len(r.Results))
	column := func(name string) int { return slices.Index(records[0], name) }
	got := map[string]int{}
	for _, rec := range records[1:] {
		for i, name := range records[0] {
			_, notNumber := strconv.ParseFloat(rec[i], 64)
			if safe && rec[i] != "" && notNumber != nil {
				require.NotContains(t, "=+-@\t\r", rec[i][:1])
			}
			if numericColumn.MatchString(name) && rec[i] != "" {
				v, err := strconv.ParseFloat(rec[i], 64)
				require.NoError(t, err)
				require.False(t, math.IsNaN(v) || math.IsInf(v, 0), name)
			}
		}
		names := []string{rec[column("payload")], rec[column("form")], rec[column("op")], rec[column("codec")], rec[column("ns_per_op")]}
		for i, n := range names {
			if rest, cut := strings.CutPrefix(n, "'"); safe && cut {
				names[i] = rest
			}
		}
		got[strings.Join(names, "\x00")]++
	}
	require.Equal(t, want, got, "the same values as the report")
}

func checkMarkdown(t *testing.T, r *serbench.Report) {
	t.Helper()
	cells := func(line string) int {
		return strings.Count(strings.ReplaceAll(strings.ReplaceAll(line, `\\`, ""), `\|`, ""), "|")
	}
	width := 0
	for line := range strings.Lines(out(t, formats["md"], r)) {
		if !strings.HasPrefix(line, "|") {
			width = 0
			continue
		}
		if width == 0 {
			width = cells(line)
		}
		require.Equal(t, width, cells(line), line)
		require.NotContains(t, line, "<", "no markup")
	}
}

func checkBench(t *testing.T, r *serbench.Report) {
	t.Helper()
	reader := benchfmt.NewReader(strings.NewReader(out(t, render.Bench, r)), "report")
	var samples []float64
	names := map[string]bool{}
	for reader.Scan() {
		switch rec := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			require.NoError(t, rec)
		case *benchfmt.Result:
			names[string(rec.Name)] = true
			require.NotEmpty(t, rec.GetConfig("goos"))
			for _, v := range rec.Values {
				require.False(t, math.IsNaN(v.Value) || math.IsInf(v.Value, 0))
				if v.Unit == "sec/op" || v.Unit == "ns/op" {
					samples = append(samples, v.OrigValue)
				}
			}
			require.Regexp(t, safeBenchName, string(rec.Name))
		}
	}
	require.NoError(t, reader.Err())
	var want []float64
	cells := 0
	for _, res := range r.Results {
		e := res.Estimates
		n := 0
		for _, s := range res.Samples {
			if s.Reps > 0 {
				want = append(want, float64(s.ElapsedNs)/float64(s.Reps))
				n++
			}
		}
		shown := res.Status == serbench.StatusOK || res.Status == serbench.StatusLossy || res.Status == serbench.StatusPartial
		if n == 0 && e.NsPerOp != nil && shown {
			want = append(want, e.NsPerOp.Value)
			n++
		}
		if !shown {
			want = want[:len(want)-n]
			n = 0
		}
		if n > 0 {
			cells++
		}
	}
	slices.Sort(want)
	slices.Sort(samples)
	require.True(t, slices.Equal(want, samples), "every sample, or the estimate")
	require.Len(t, names, cells, "no two cells under one name")
}

func checkDashboards(t *testing.T, r *serbench.Report) {
	t.Helper()
	for _, f := range []format{render.ActionSmaller, render.ActionBigger} {
		var entries []struct {
			Name, Unit string
			Value      *float64
		}
		require.NoError(t, json.Unmarshal([]byte(out(t, f, r)), &entries))
		seen := map[string]bool{}
		for _, e := range entries {
			require.False(t, seen[e.Name], e.Name)
			seen[e.Name] = true
			require.NotNil(t, e.Value)
			require.NotEmpty(t, e.Unit)
		}
	}
	var measures map[string]map[string]struct {
		Value *float64 `json:"value"`
	}
	require.NoError(t, json.Unmarshal([]byte(out(t, render.Bencher, r)), &measures))
	for _, m := range measures {
		for _, v := range m {
			require.NotNil(t, v.Value)
		}
	}
}

var (
	scriptOrStyle = regexp.MustCompile(`(?s)<(style|script)>.*?</(style|script)>`)
	scriptHash    = regexp.MustCompile(`sha256-[A-Za-z0-9+/=]+`)
	voidElement   = regexp.MustCompile(`<(meta|input|br)([^>]*)>`)
	bareAttribute = regexp.MustCompile(` (hidden|open|checked)([ >/])`)
	numericColumn = regexp.MustCompile(`^(ns_per|ratio|sustained|cpu_|ops|encoded|alloc|rank$|n$|reps$)`)
	safeBenchName = regexp.MustCompile(`^[\w./=+-]+$`)
)

// checkHTML reads the page with a reader that knows nothing of how it was
// written: elements are closed in order, tables are even, and nothing that was
// data became an element or attribute of its own.
func checkHTML(t *testing.T, r *serbench.Report) {
	t.Helper()
	page := out(t, render.HTML, r)
	require.Equal(t, 1, strings.Count(page, "<script"))
	var cells, header int
	known := map[string]bool{}
	for _, n := range strings.Fields("html head meta title body a header h1 h2 h3 p br nav details summary ul li div label input select option span main section table thead tbody tr th td svg g path circle text code dl dt dd footer") {
		known[n] = true
	}
	text := scriptOrStyle.ReplaceAllString(page, "")
	require.NotContains(t, text, "NaN")
	text = voidElement.ReplaceAllString(text, `<$1$2/>`)
	text = bareAttribute.ReplaceAllString(text, ` $1=""$2`)
	d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(text, "<!doctype html>\n")))
	d.Entity = xml.HTMLEntity
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			require.True(t, known[e.Name.Local], "element %s", e.Name.Local)
			for _, a := range e.Attr {
				require.False(t, strings.HasPrefix(a.Name.Local, "on"), "attribute %s", a.Name.Local)
			}
			switch e.Name.Local {
			case "table":
				header = 0
			case "tr":
				cells = 0
			case "td", "th":
				cells++
			}
		case xml.EndElement:
			if e.Name.Local == "tr" {
				if header == 0 {
					header = cells
				}
				require.Equal(t, header, cells, "a row is as long as its header")
			}
		}
	}
}

func checkXML(t *testing.T, text string) {
	t.Helper()
	require.NotContains(t, text, "NaN")
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		if e, ok := token.(xml.StartElement); ok {
			require.Contains(t, []string{"svg", "style", "text", "path", "circle", "rect"}, e.Name.Local)
		}
	}
}

func TestMarkdownIsCutAtARow(t *testing.T) {
	s := newSample("large")
	for p := range 40 {
		for c := range 25 {
			s.at(fmt.Sprint("payload ", p), "struct", enc, fmt.Sprint("codec ", c), float64(100+c), 0.01)
		}
	}
	var whole strings.Builder
	require.NoError(t, render.Markdown(&whole, &s.Report, render.Options{}))
	assert.NotContains(t, whole.String(), "Cut to fit")
	for _, limit := range []int{1, 100, 200, 1000, 5000, 20_000, whole.Len(), whole.Len() + 1000} {
		var b strings.Builder
		require.NoError(t, render.Markdown(&b, &s.Report, render.Options{MaxBytes: limit}))
		assert.Less(t, b.Len(), limit)
		if limit >= 1000 && limit < whole.Len() {
			text, note, ok := strings.Cut(b.String(), "\n> Cut to fit: ")
			require.True(t, ok)
			assert.True(t, strings.HasPrefix(whole.String(), text), "what is there is the start of the whole")
			assert.True(t, strings.HasSuffix(text, "\n"))
			rows := len(regexp.MustCompile(`(?m)^\| \d+ \|`).FindAllString(text, -1))
			assert.Contains(t, note, fmt.Sprintf("%d of 1000 rows", rows))
		}
	}
}

func TestOptions(t *testing.T) {
	var b strings.Builder
	require.NoError(t, render.CSV(&b, usual(), render.Options{Columns: []string{"codec", "ns_per_op"}, Sort: "size"}))
	assert.True(t, strings.HasPrefix(b.String(), "codec,ns_per_op\r\nmsgp,231.4\r\nugorji-simple,655.2\r\n"), b.String())
	b.Reset()
	require.NoError(t, render.TextWith(&b, usual(), render.Options{Columns: []string{"codec", "time/op"}, Sort: "codec"}))
	assert.Contains(t, b.String(), "codec            time/op\neasyjson")
	for _, o := range []render.Options{{Columns: []string{"speed"}}, {Sort: "speed"}} {
		assert.ErrorContains(t, render.CSV(io.Discard, usual(), o), `"speed"; there are`)
		assert.ErrorContains(t, render.TextWith(io.Discard, usual(), o), `"speed"; there are`)
		assert.ErrorContains(t, render.Markdown(io.Discard, usual(), o), `"speed"; there are`)
	}
}

// large has 30 codecs, so many payloads and 3 ops, without samples.
func large(payloads int) *serbench.Report {
	s := newSample("large")
	ops := serbench.DefaultOps()
	for p := range payloads {
		for _, op := range ops {
			first := len(s.Results)
			for c := range 30 {
				used(s.at(fmt.Sprint("payload ", p), "struct", op, fmt.Sprintf("library%d-format", c), float64(100*(c+1)), 0.01), 2000, 3, 512, 300+7*c)
			}
			for c := 1; c < 30; c++ {
				s.compare(first+c, first, serbench.Slower, 0.01)
			}
		}
	}
	return &s.Report
}

func TestHTMLIsSmall(t *testing.T) {
	page := out(t, render.HTML, large(6))
	assert.Less(t, len(page), 500_000, "30 codecs, 6 payloads, 3 ops")
	t.Logf("%d bytes", len(page))
	assert.NotRegexp(t, `(src|href)="[^#]`, page, "nothing is loaded")
}

func TestFormatsOfALargeReport(t *testing.T) {
	r := large(56) // 5,040 rows
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	for _, f := range formats {
		require.NoError(t, f(io.Discard, r))
	}
	require.NoError(t, render.Text(io.Discard, r))
	require.NoError(t, r.WriteJSON(io.Discard))
	elapsed := time.Since(start)
	runtime.ReadMemStats(&after)
	// The goal is 1 s and 200 MB; times are not asserted.
	t.Logf("%d rows in all formats: %v, %d MB allocated in all", len(r.Results), elapsed, (after.TotalAlloc-before.TotalAlloc)>>20)
}

func BenchmarkFormats(b *testing.B) {
	r := large(56)
	for name, f := range formats {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := f(io.Discard, r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
