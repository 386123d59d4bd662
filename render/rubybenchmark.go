package render

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/serbench/serbench"
)

// RubyBenchmark writes the report as Ruby's Benchmark.bm does: a row for each
// result in the report's order, with its user and system CPU seconds, their
// sum, and the wall seconds. Source of the format: benchmark.rb of Ruby 3,
// CAPTION and FORMAT.
func RubyBenchmark(w io.Writer, r *serbench.Report) error { return RubyTable{}.Write(w, r) }

// RubyTable is [RubyBenchmark] with settings.
type RubyTable struct {
	// Label names a row; a result for which it is empty is left out. Default:
	// the codec and the op, and the role of a control.
	Label func(*serbench.Result) string
	// Rounds writes a table for each block of the samples instead of one for
	// all, with an empty line behind each.
	Rounds bool
}

// Write writes the table, or the tables. Where the system does not tell the
// CPU time there is a dash.
func (t RubyTable) Write(w io.Writer, r *serbench.Report) error {
	if r == nil {
		return errors.New("render: the report is nil")
	}
	label := t.Label
	if label == nil {
		label = rubyLabel
	}
	var rows []*rubyRow
	labelWidth, rounds := 0, 1
	for i := range r.Results {
		res := &r.Results[i]
		if l := label(res); l != "" {
			row := &rubyRow{label: visible(l), res: res}
			rows = append(rows, row)
			labelWidth = max(labelWidth, width(row.label))
			if n := len(res.Samples); t.Rounds && n > 0 {
				rounds = max(rounds, res.Samples[n-1].Block+1)
			}
		}
	}
	var b strings.Builder
	for round := range rounds {
		block := -1
		if t.Rounds {
			block = round
		}
		// bm adds one to the width that it is given.
		b.WriteString(spaces(labelWidth+1) + "      user     system      total        real\n")
		for _, row := range rows {
			row.write(&b, labelWidth+1, block)
		}
		if t.Rounds {
			b.WriteByte('\n')
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func rubyLabel(res *serbench.Result) string {
	l := res.Codec + " " + string(res.Op)
	if res.Role != serbench.RoleWhole {
		l += " (" + string(res.Role) + " only)"
	}
	return l
}

type rubyRow struct {
	label string
	res   *serbench.Result
}

func (r *rubyRow) write(b *strings.Builder, labelWidth, block int) {
	b.WriteString(r.label + spaces(labelWidth-width(r.label)))
	real, reps := r.real(block)
	if reps == 0 {
		reason := string(r.res.Status)
		if r.res.Reason != "" {
			reason += ": " + visible(r.res.Reason)
		}
		fmt.Fprintf(b, "# %s\n", reason)
		return
	}
	if user, system, ok := r.cpu(block, reps); ok {
		fmt.Fprintf(b, "%10.6f %10.6f %10.6f", user, system, user+system)
	} else {
		fmt.Fprintf(b, "%10s %10s %10s", "-", "-", "-")
	}
	fmt.Fprintf(b, " (%10.6f)", real)
	if lossy(r.res) {
		b.WriteString(" # loses information")
	}
	b.WriteByte('\n')
}

// real is the wall time of the block, or of all if it is -1, in seconds.
func (r *rubyRow) real(block int) (seconds float64, reps int64) {
	if block < 0 {
		return float64(r.res.ElapsedNs) / 1e9, r.res.Reps
	}
	var ns int64
	for _, s := range r.res.Samples {
		if s.Block == block {
			ns += s.ElapsedNs
			reps += s.Reps
		}
	}
	return float64(ns) / 1e9, reps
}

// cpu is the CPU time that so many reps took, in seconds: counted over the
// timed ops, or over others beside them and scaled.
func (r *rubyRow) cpu(block int, reps int64) (user, system float64, ok bool) {
	var counted int64
	for _, c := range r.res.Counters {
		if c.UserNs == nil || c.SystemNs == nil || c.Reps == 0 || c.Block < 0 || block >= 0 && c.Block != block {
			continue
		}
		counted += c.Reps
		user += float64(*c.UserNs) / 1e9
		system += float64(*c.SystemNs) / 1e9
	}
	if counted == 0 {
		return 0, 0, false
	}
	scale := float64(reps) / float64(counted)
	return user * scale, system * scale, true
}
