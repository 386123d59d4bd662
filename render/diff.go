package render

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/serbench/serbench"
)

// Gate writes what a gate found, as text: what fails first, then what is only
// told, then what makes the reports hard to compare.
func Gate(w io.Writer, d *serbench.ReportDiff, findings []serbench.Finding) error {
	if d == nil {
		return errors.New("render: there is no diff")
	}
	var b strings.Builder
	fails, told := splitFindings(findings)
	b.WriteString(gateSummary(d, fails) + "\n")
	for _, f := range fails {
		b.WriteString(wrapHanging("FAIL  ", "      ", findingName(f)+": "+visible(f.Message)))
	}
	for _, f := range told {
		b.WriteString(wrapHanging("      ", "      ", findingName(f)+": "+visible(f.Message)))
	}
	for _, c := range d.Warnings {
		b.WriteString(wrap("warning: ", visible(c.Message)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// GateMarkdown writes what a gate found for a step summary or a comment. With
// maxBytes above 0 it is cut at a row's edge with a note.
func GateMarkdown(w io.Writer, d *serbench.ReportDiff, findings []serbench.Finding, maxBytes int) error {
	if d == nil {
		return errors.New("render: there is no diff")
	}
	m := markdownWriter{limit: maxBytes}
	fails, told := splitFindings(findings)
	m.block("## " + markdownText(gateSummary(d, fails)) + "\n")
	for _, part := range []struct {
		title    string
		findings []serbench.Finding
	}{{"Fails", fails}, {"Also changed", told}} {
		for i, f := range part.findings {
			m.rows++
			c := f.Change
			s := "| " + strings.Join([]string{markdownText(visibleName(c.Payload) + " (" + visibleName(c.Form) + ")"), markdownText(visibleName(string(c.Op))),
				markdownText(visibleName(c.Codec)), markdownText(string(f.Kind)), markdownText(visible(f.Message))}, " | ") + " |\n"
			if i == 0 {
				s = "\n### " + part.title + "\n\n| payload | op | codec | what | finding |\n| --- | --- | --- | --- | --- |\n" + s
			}
			if m.block(s) {
				m.written++
			}
		}
	}
	if len(d.Warnings) > 0 {
		list := "\n### What differs besides\n\n"
		for _, c := range d.Warnings {
			list += "- " + markdownText(visible(c.Message)) + "\n"
		}
		m.block(list)
	}
	_, err := io.WriteString(w, m.finish())
	return err
}

func splitFindings(findings []serbench.Finding) (fails, told []serbench.Finding) {
	for _, f := range findings {
		if f.Fails {
			fails = append(fails, f)
		} else {
			told = append(told, f)
		}
	}
	return fails, told
}

func gateSummary(d *serbench.ReportDiff, fails []serbench.Finding) string {
	both := 0
	for _, c := range d.Changes {
		if c.Presence == serbench.Both {
			both++
		}
	}
	s := fmt.Sprintf("passed: %d cells compared, %d times tested at a level of %s over all", both, d.Tests, percent(d.Level))
	switch n := len(fails); {
	case n == 1:
		s = "failed with 1 finding" + strings.TrimPrefix(s, "passed")
	case n > 1:
		s = fmt.Sprintf("failed with %d findings", n) + strings.TrimPrefix(s, "passed")
	}
	return s
}

func findingName(f serbench.Finding) string {
	c := f.Change
	s := visibleName(c.Payload) + " (" + visibleName(c.Form) + "), " + visibleName(string(c.Op)) + ", " + visibleName(c.Codec)
	if c.Environment != "" {
		s += ", on " + visibleName(c.Environment)
	}
	if c.Parallelism > 1 {
		s += fmt.Sprintf(", parallel %d", c.Parallelism)
	}
	return s
}
