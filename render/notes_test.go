package render_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/render"
)

func TestTraitsStandInEveryFormat(t *testing.T) {
	s := newSample("")
	for i, codec := range []string{"a", "b", "c"} {
		s.at("p", "struct", enc, codec, float64(100*(i+1)), 0.01)
		s.Results[i].Traits = []serbench.Trait{{Name: serbench.TraitStaleKeys, Detail: "map key kept: k"}}
	}
	s.Results[2].Traits[0].Detail = "map key kept: l"
	s.Results[2].Traits = append(s.Results[2].Traits, serbench.Trait{Name: serbench.TraitAliasesInput, Detail: "told by the warning"})
	s.Results[2].Warnings = []serbench.Warning{{Code: serbench.TraitAliasesInput, Message: "refers to its input"}}
	const note = "trait stale-keys: a, b: map key kept: k; c: map key kept: l"
	got := text(t, &s.Report)
	assert.Contains(t, got, "  "+note+"\n")
	assert.Contains(t, got, "aliases-input, stale-keys\n", "in the row's note")
	assert.NotContains(t, got, "told by the warning")
	for name, write := range formatsWithNotes {
		var b strings.Builder
		require.NoError(t, write(&b, &s.Report))
		assert.Contains(t, b.String(), note, name)
	}
	var b strings.Builder
	require.NoError(t, render.CSV(&b, &s.Report, render.Options{Columns: []string{"codec", "traits"}}))
	assert.Equal(t, "codec,traits\r\na,stale-keys\r\nb,stale-keys\r\nc,stale-keys aliases-input\r\n", b.String())
}

var formatsWithNotes = map[string]func(*strings.Builder, *serbench.Report) error{
	"markdown": func(b *strings.Builder, r *serbench.Report) error { return render.Markdown(b, r, render.Options{}) },
	"html":     func(b *strings.Builder, r *serbench.Report) error { return render.HTML(b, r) },
}

func TestSelfChecksStandInEveryFormat(t *testing.T) {
	s := newSample("")
	id := s.at("p", "struct", enc, "a", 100, 0.01).ID
	equal := serbench.SelfCheck{Result: id, Ratio: ptr(1.0), Low: ptr(0.998), High: ptr(1.003), Verdict: serbench.Equivalent, Passed: true}
	slower := serbench.SelfCheck{Result: id, Extra: 0.02, Ratio: ptr(1.02), Low: ptr(1.018), High: ptr(1.022), Verdict: serbench.Slower, Passed: true}
	for _, c := range []struct {
		equal, slower func()
		want          string
	}{
		{want: "self-check: equal twin not told apart (0.998 to 1.003); 2 % twin found slower (1.018 to 1.022)"},
		{
			equal: func() { equal.Verdict, equal.Passed = serbench.Faster, false },
			want:  "self-check FAILED: equal twin found faster (0.998 to 1.003); 2 % twin found slower (1.018 to 1.022)",
		},
		{
			equal:  func() { equal.Verdict, equal.Passed = serbench.Undecided, true },
			slower: func() { slower.Verdict, slower.Passed, slower.Low, slower.High = serbench.Undecided, false, nil, nil },
			want:   "self-check FAILED: equal twin not told apart (0.998 to 1.003); 2 % twin not found slower",
		},
	} {
		for _, change := range []func(){c.equal, c.slower} {
			if change != nil {
				change()
			}
		}
		s.SelfChecks = []serbench.SelfCheck{equal, slower}
		assert.Contains(t, text(t, &s.Report), "\n"+c.want+"\n")
		for name, write := range formatsWithNotes {
			var b strings.Builder
			require.NoError(t, write(&b, &s.Report))
			assert.Contains(t, b.String(), c.want, name)
		}
	}
}

func TestWarningsThatDifferInFiguresShareALine(t *testing.T) {
	s := newSample("")
	for i, message := range []string{
		"takes 3.1 ns per op, of which the harness alone takes about 2.1",
		"takes 2.5 ns per op, of which the harness alone takes about 2.1",
		"takes 4 ns per op, of which the harness alone takes about 2.1",
	} {
		s.at("p", "struct", enc, string(rune('a'+i)), 3, 0.01).Warnings = []serbench.Warning{{Code: "near-floor", Message: message, Advice: "beware"}}
	}
	s.at("p", "struct", enc, "d", 3, 0.01).Warnings = []serbench.Warning{{Code: "near-floor", Message: "takes no time"}}
	got := strings.Join(strings.Fields(text(t, &s.Report)), " ")
	assert.Contains(t, got, "near-floor: a, b, c: takes 2.5 to 4 ns per op, of which the harness alone takes about 2.1; beware")
	assert.Contains(t, got, "near-floor: d: takes no time")
}

func TestNotesAreCutBetweenWords(t *testing.T) {
	s := newSample("")
	r := s.at("p", "struct", enc, "a", 3, 0.01)
	for _, code := range []string{"short-batches", "near-floor", "second-mode", "harness-share"} {
		r.Warnings = append(r.Warnings, serbench.Warning{Code: code, Message: code})
	}
	assert.Contains(t, text(t, &s.Report), "short-batches, near-floor +2\n")
	r.Warnings = []serbench.Warning{{Code: strings.Repeat("x", 50)}, {Code: "y"}}
	assert.Contains(t, text(t, &s.Report), strings.Repeat("x", 18)+"…"+strings.Repeat("x", 18)+" +1\n")
}

func TestOneSampleEachGivesNoRanks(t *testing.T) {
	s := newSample("")
	for i, codec := range []string{"a", "b", "c"} {
		s.at("p", "struct", enc, codec, float64(100*(i+1)), 0)
	}
	for i := range 3 {
		s.compare(i, (i+1)%3, serbench.Undecided, 0)
		s.Comparisons[i].Low, s.Comparisons[i].High = nil, nil
	}
	got := text(t, &s.Report)
	assert.Contains(t, got, "\nnothing is known of the differences: one sample each\n")
	assert.NotContains(t, got, "within 1 %")
	assert.NotContains(t, got, "not ranked")
	assert.Regexp(t, `(?m)^   -  a `, got, "no ranks")

	s.Results[1].Estimates.NsPerOp.N = 3
	assert.Contains(t, text(t, &s.Report), "\nnothing is known of the differences: no intervals\n")

	s.Comparisons[0].Low, s.Comparisons[0].High = ptr(0.4), ptr(0.6)
	assert.Contains(t, text(t, &s.Report), "undecided within 1 %")
}

func TestCSVHasNoFiguresOfWhatDidNotSucceed(t *testing.T) {
	s := newSample("")
	s.at("p", "struct", enc, "fine", 50, 0.01)
	for _, status := range []serbench.Status{serbench.StatusFailed, serbench.StatusSkipped, serbench.StatusNotRun, serbench.StatusPartial} {
		r := s.at("p", "struct", enc, string(status), 100, 0.01)
		used(r, 1, 2, 3, 4)
		r.Status, r.Reps = status, 7
	}
	var b strings.Builder
	require.NoError(t, render.CSV(&b, &s.Report, render.Options{Columns: []string{"status", "n", "reps", "ns_per_op", "ns_per_op_low", "ratio", "sustained_ns_per_op", "encoded_bytes", "allocs_per_op"}}))
	for _, status := range []string{"failed", "skipped", "not_run"} {
		assert.Contains(t, b.String(), "\n"+status+",,,,,,,,\r\n")
	}
	assert.Contains(t, b.String(), "\npartial,23,7,100,99,2,1,4,2\r\n")
}

func TestSafeCSVEscapesControlCharacters(t *testing.T) {
	s := newSample("")
	s.at("p", "struct", enc, "a\x1b[31m\x7f\r\u0085\tb\nc", 50, 0.01)
	s.at("p", "struct", enc, "=\x00", 60, 0.01)
	var b strings.Builder
	require.NoError(t, render.CSV(&b, &s.Report, render.Options{Columns: []string{"codec"}, Safe: true}))
	assert.Equal(t, "codec\r\n\"a\\x1b[31m\\x7f\\r\\u0085\tb\r\nc\"\r\n'=\\x00\r\n", b.String())
}
