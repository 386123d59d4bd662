package render

import (
	"math"
	"strings"
	"testing"

	"github.com/serbench/serbench"
	"github.com/stretchr/testify/assert"
)

func TestTimeText(t *testing.T) {
	for ns, want := range map[float64]string{
		0: "0 ns", 0.0001: "<0.001 ns", 0.25: "0.250 ns", 2.1: "2.100 ns", 99.994: "99.99 ns", 99.996: "100.0 ns", 231.44: "231.4 ns",
		999.94: "999.9 ns", 999.96: "1.000 µs", 1834: "1.834 µs", 999_960: "1.000 ms", 12_345_678: "12.35 ms", 1.5e9: "1.500 s", 12345e9: "12345 s",
		math.NaN(): "-", math.Inf(1): "-", -1500: "-1.500 µs",
	} {
		assert.Equal(t, want, timeText(ns), "%v", ns)
	}
}

func TestSizeText(t *testing.T) {
	for bytes, want := range map[float64]string{
		0: "0 B", 461: "461 B", 44.057: "44.06 B", 10239: "10239 B", 10240: "10 KiB", 205_637: "200.8 KiB", 64 << 20: "64 MiB", 1.5 * (1 << 30): "1.5 GiB", 5 << 50: "5120 TiB",
	} {
		assert.Equal(t, want, sizeText(bytes), "%v", bytes)
	}
}

func TestCountText(t *testing.T) {
	for _, c := range []struct {
		v     float64
		bytes bool
		want  string
	}{
		{0, false, "0"}, {1, false, "1"}, {0.5, false, "0.5"}, {2.0000000001, false, "2"}, {1.3333, false, "1.333"}, {123456, false, "123456"},
		{2_500_000, false, "2.500 M"}, {5 << 20, true, "5.000 MiB"}, {math.Copysign(0, -1), false, "0"},
	} {
		assert.Equal(t, c.want, countText(&serbench.Estimate{Value: c.v}, c.bytes), "%v", c.v)
	}
	assert.Equal(t, "-", countText(nil, true))
}

func TestIntervalText(t *testing.T) {
	e := func(v, low, high float64) *serbench.Estimate {
		return &serbench.Estimate{Value: v, Low: &low, High: &high}
	}
	for _, c := range []struct {
		name string
		e    *serbench.Estimate
		want string
	}{
		{"narrow", e(100, 99.6, 100.4), "±0.4 %"},
		{"lopsided: the farther end counts", e(100, 98, 100.4), "±2.0 %"},
		{"wide", e(1000, 800, 1500), "0.800..1.50 µs"},
		{"below zero", e(1, -1, 3), "-1.00..3.00 ns"},
		{"of zero", e(0, 0, 0), "0..0 ns"},
		{"one end only", &serbench.Estimate{Value: 1}, ""},
		{"no figure", nil, ""},
		{"not finite", e(1, math.Inf(-1), math.Inf(1)), ""},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, intervalText(c.e)) })
	}
}

func TestTimesOfAColumnShareAUnitWhereTheyCan(t *testing.T) {
	e := func(v ...float64) (es []*serbench.Estimate) {
		for _, v := range v {
			es = append(es, &serbench.Estimate{Value: v})
		}
		return es
	}
	assert.Equal(t, []string{"231.4 ns", "1834   ns"}, timeColumn(e(231.4, 1834)))
	assert.Equal(t, []string{"1.500 µs", "150.0   µs"}, timeColumn(e(1500, 150_000)))
	assert.Equal(t, []string{"1.500 ns", "150.0   ms"}, timeColumn(e(1.5, 150_000_000)), "too far apart")
	assert.Equal(t, []string{"-", "5.000 ns"}, timeColumn([]*serbench.Estimate{nil, {Value: 5}}))
	assert.Empty(t, timeColumn(nil))
}

func TestRatioTexts(t *testing.T) {
	assert.Equal(t, []string{"1.023", "0.999", "1.048"}, ratioTexts(1.0234, 0.999, 1.0479))
	assert.Equal(t, []string{"7.92", "7.85", "7.99"}, ratioTexts(7.92, 7.85, 7.99))
	assert.Equal(t, []string{"12.3"}, ratioTexts(12.34))
	assert.Equal(t, []string{"1234"}, ratioTexts(1234.4))
	assert.Equal(t, []string{"1.000", "-"}, ratioTexts(1, math.NaN()))
}

func TestVisible(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "ugorji-cbor", "ugorji-cbor"},
		{"letters of all kinds", "naïve 日本 Ж", "naïve 日本 Ж"},
		{"emoji with joiner", "👩\u200d💻", "👩\u200d💻"},
		{"joiner between letters", "a\u200db", `a\u200db`},
		{"line break and escape", "a\n\x1b[0m", `a\n\x1b[0m`},
		{"override", "\u202eabc", `\u202eabc`},
		{"isolate", "\u2067abc\u2069", `\u2067abc\u2069`},
		{"mark at the start", "\u0301a", `\u0301a`},
		{"mark on an escaped character", "\n\u0301", `\n\u0301`},
		{"mark on a letter", "e\u0301", "e\u0301"},
		{"no UTF-8", "a\xffb", `a\xffb`},
		{"tag characters", "a\U000e0041", `a\U000e0041`},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, visible(c.in)) })
	}
}

func FuzzNames(f *testing.F) {
	f.Add("a\nb", `a\nb`)
	f.Add(`"a"`, `\"a\"`)
	f.Add(strings.Repeat("x", 99)+"1"+strings.Repeat("x", 99), strings.Repeat("x", 99)+"2"+strings.Repeat("x", 99))
	f.Fuzz(func(t *testing.T, a, b string) {
		shown := shownNames([]string{a, b, a})
		if (a == b) != (shown[a] == shown[b]) {
			t.Fatalf("%q and %q are shown as %q and %q", a, b, shown[a], shown[b])
		}
		if (a == b) != (visibleName(a) == visibleName(b)) {
			t.Fatalf("%q and %q look the same: %q", a, b, visibleName(a))
		}
		for _, s := range shown {
			if width(s) > nameWidth {
				t.Fatalf("%q is %d wide", s, width(s))
			}
		}
	})
}

func TestWrap(t *testing.T) {
	out := wrapHanging("- ", "    ", strings.Repeat("word ", 60)+strings.Repeat("x", 150))
	for i, line := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
		if i > 0 {
			assert.True(t, strings.HasPrefix(line, "    "), line)
		}
		if !strings.Contains(line, "xxx") {
			assert.LessOrEqual(t, width(line), lineWidth)
		}
	}
	assert.Equal(t, strings.Repeat("word ", 60)+strings.Repeat("x", 150), strings.Join(strings.Fields(strings.TrimPrefix(out, "- ")), " "), "no word is lost")
}
