package render_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/render"
)

const enc = serbench.OpEncode

func TestTextGolden(t *testing.T) {
	full, err := os.Open("../testdata/report.v1.json")
	require.NoError(t, err)
	defer full.Close()
	everyKey, err := serbench.ReadReport(full)
	require.NoError(t, err)

	failures := newSample("nothing worked")
	failures.without("p", "struct", enc, "a", serbench.StatusFailed, "encode: broken pipe")
	failures.without("p", "struct", enc, "b", serbench.StatusFailed, "encode: broken pipe")
	failures.without("p", "struct", enc, "c", serbench.StatusSkipped, "unsupported: type T has no MarshalMsg; run msgp")
	failures.without("p", "struct", enc, "d", "postponed", "")

	one := newSample("one sample each")
	one.at("p", "struct", enc, "slow", 1500, 0)
	one.at("p", "struct", enc, "fast", 1000, 0)
	one.at("p", "struct", enc, "fast too", 1000, 0)
	one.at("q", "struct", enc, "alone", 0, 0)
	half := one.at("q", "struct", enc, "half", 900, 0)
	half.Status, half.Reason = serbench.StatusPartial, "interrupted after 3 blocks"

	twins := newSample("who is first")
	twins.at("p", "struct", enc, "a", 100, 0.01)
	twins.at("p", "struct", enc, "b", 100.2, 0.01)
	twins.at("p", "struct", enc, "c", 100.3, 0.01)
	twins.at("p", "struct", enc, "d", 250, 0.01)
	twins.compare(0, 1, serbench.Equivalent, 0.002)
	twins.compare(2, 1, serbench.Equivalent, 0.003)
	twins.compare(2, 0, serbench.Equivalent, 0.003)
	for i := range 3 {
		twins.compare(3, i, serbench.Slower, 0.01)
	}

	merged := newSample("two machines, one and four at a time")
	merged.Environments = append(merged.Environments, serbench.Environment{ID: "there", GoVersion: "go1.26.0", GOOS: "darwin", GOARCH: "arm64", GOAMD64: "GOARM64=v8.0", CPUs: 8, GOMAXPROCS: 4, GOGC: "off", ContainerCPUs: 1.5, RaceDetector: true})
	merged.at("p", "struct", enc, "a", 100, 0.01)
	r := merged.at("p", "struct", enc, "a", 50, 0.01)
	r.ID, r.Environment, r.Parallelism, r.Transport = "x", "there", 4, "loopback"
	r.Estimates.OpsPerS, r.Estimates.CPUNsPerOp = &serbench.Estimate{Value: 80e6}, &serbench.Estimate{Value: 49}

	hostile := newSample("hos\x1b[2Jtile\nnames")
	for i, name := range hostileNames {
		used(hostile.at("p\tq", "struct", enc, name, float64(100*(i+1)), 0.01), 1, 1, 1, 1)
	}
	hostile.without("p\tq", "struct", enc, "x", serbench.StatusFailed, "line one\nline two \u202egnirts")

	for _, c := range []struct {
		name   string
		report *serbench.Report
	}{
		{"usual", usual()},
		{"every-key", everyKey},
		{"empty", &serbench.Report{}},
		{"only-failures", &failures.Report},
		{"one-sample", &one.Report},
		{"equal-firsts", &twins.Report},
		{"merged", &merged.Report},
		{"hostile", &hostile.Report},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := text(t, c.report)
			golden(t, c.name+".txt", got)
			checkTables(t, got)
			assert.Equal(t, got, text(t, c.report), "the same report gives the same bytes")
		})
	}
}

var hostileNames = []string{
	"", " ", "plain", "a|b`c", `q"uote`, `"quoted"`, `back\slash`, "new\nline", `new\nline`, "tab\tbed", "</script>", "=1+1", "../x", "con", "a/b",
	"日本語", "e\u0301\u0301clair", "\u0301starts", "👩\u200d💻 coder", "🇩🇪", "\u202eright to left", "zero\u200bwidth", "\xff\xfe", "nbsp\u00a0", "\u3164",
	strings.Repeat("x", 300), strings.Repeat("y", 80) + "1" + strings.Repeat("y", 80), strings.Repeat("y", 80) + "2" + strings.Repeat("y", 80),
	strings.Repeat("漢", 100),
}

// checkTables checks that each column of each table starts and ends where its
// title does.
func checkTables(t *testing.T, out string) {
	t.Helper()
	var gaps []int
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		assert.Equal(t, strings.TrimRight(line, " "), line, "no spaces at the end")
		for _, r := range line {
			require.True(t, unicode.IsPrint(r) || r == '\u200d', "%q in %q", r, line)
		}
		switch {
		case strings.HasPrefix(line, "rank  codec "):
			gaps = []int{4, 5} // rank and codec are the fixed ones; the rest is right of them
			time := strings.Index(line, "time/op")
			gaps = append(gaps, time+len("time/op"), time+len("time/op")+1)
		case gaps != nil && (strings.HasPrefix(line, "  ") || strings.HasPrefix(line, " L")) && len(line) > 4 && line[3] != ' ' && line[4] == ' ':
			columns := " " + expand(line)
			for _, g := range gaps {
				if g+1 < len(columns) {
					assert.Equal(t, " ", columns[g+1:g+2], "column %d of %q", g, line)
				}
			}
		default:
			gaps = nil
		}
	}
}

// expand gives each column of a terminal one byte.
func expand(line string) string {
	var b strings.Builder
	for rest, state := line, -1; rest != ""; {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		c := "#"
		if cluster == " " {
			c = " "
		}
		b.WriteString(strings.Repeat(c, w))
	}
	return b.String()
}

func TestTextShowsEveryHostileNameApart(t *testing.T) {
	s := newSample("")
	for i, name := range hostileNames {
		s.at("p", "struct", enc, name, float64(i+1), 0)
	}
	seen := map[string]bool{}
	rows := 0
	for line := range strings.Lines(text(t, &s.Report)) {
		if len(line) > 6 && line[:3] != "ran" && line[4:6] == "  " && line[3] >= '0' && line[3] <= '9' {
			rows++
			name, _, _ := strings.Cut(line[6:], "  ")
			assert.False(t, seen[name], "%s is shown twice", name)
			seen[name] = true
			assert.LessOrEqual(t, uniseg.StringWidth(name), 36)
		}
	}
	assert.Equal(t, len(hostileNames), rows, "one line each")
}

func TestTextErrors(t *testing.T) {
	assert.Error(t, render.Text(io.Discard, nil))
	full := errors.New("disk full")
	r, w := io.Pipe()
	require.NoError(t, r.CloseWithError(full))
	assert.ErrorIs(t, render.Text(w, usual()), full)
}

func TestTextLeavesTheReportAlone(t *testing.T) {
	r := usual()
	text(t, r)
	assert.Equal(t, usual(), r)
}

func FuzzText(f *testing.F) {
	f.Add("name", "payload", "reason", 1.0, 2.0)
	f.Add("\u202e\n", "\xff", "\x1b[31m", -1.0, 1e300)
	f.Fuzz(func(t *testing.T, codec, payload, reason string, ns, share float64) {
		s := newSample(reason)
		s.at(payload, codec, serbench.Op(reason), codec, ns, share)
		s.at(payload, codec, serbench.Op(reason), codec, share, ns)
		s.at(payload, codec, serbench.Op(reason), reason, 0, share)
		s.compare(0, 1, serbench.Verdict(reason), share)
		s.compare(2, 1, serbench.Slower, ns)
		s.compare(0, 2, serbench.Equivalent, ns)
		s.without(payload, reason, enc, codec, serbench.Status(codec), reason)
		s.Warnings = []serbench.Warning{{Code: codec, Message: reason, Advice: payload}}
		out := text(t, &s.Report)
		for _, r := range out {
			if r != '\n' && r != '\u200d' && !unicode.IsPrint(r) {
				t.Fatalf("%q got through: %q", r, out)
			}
		}
		for _, bad := range []string{"NaN", "Inf"} {
			if !strings.Contains(codec+payload+reason, bad) && strings.Contains(out, bad) {
				t.Fatalf("%s in %s", bad, out)
			}
		}
	})
}

func BenchmarkText5000Rows(b *testing.B) {
	s := newSample("large")
	for p := range 50 {
		for c := range 100 {
			s.at(fmt.Sprint("payload ", p), "struct", enc, fmt.Sprint("codec ", c), float64(100+c), 0.01)
		}
	}
	for i := range s.Results {
		for j := i + 1; j < i/100*100+100; j++ {
			s.compare(i, j, serbench.Faster, 0.001)
		}
	}
	for b.Loop() {
		if err := render.Text(io.Discard, &s.Report); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleText() {
	ns := func(v float64) serbench.Estimates {
		return serbench.Estimates{NsPerOp: &serbench.Estimate{Value: v}}
	}
	report := &serbench.Report{Results: []serbench.Result{
		{ID: "1", Payload: "event", Form: "struct", Op: serbench.OpEncode, Codec: "json", Status: serbench.StatusOK, Estimates: ns(310)},
		{ID: "2", Payload: "event", Form: "struct", Op: serbench.OpEncode, Codec: "msgp", Status: serbench.StatusOK, Estimates: ns(100)},
	}}
	if err := render.Text(os.Stdout, report); err != nil {
		fmt.Println(err)
	}
	// Output:
	// event (struct), encode
	// rank  codec   time/op  ratio
	//    1  msgp   100.0 ns   1
	//    2  json   310.0 ns   3.10
	//   not compared: the order is that of the figures
	//
	// time/op: of a typical op, without the garbage collector; its interval speaks of this run on this
	// machine.
}
