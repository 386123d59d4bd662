package render

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/serbench/serbench"
)

// Cmpthese writes the report as Perl's Benchmark::cmpthese does: for each
// payload and op a chart of 80 columns, the slowest first, with the rate of
// each case and, of each pair, by how much the row's rate is above the
// column's. Source of the layout and the formulas: Benchmark.pm 1.23.
//
// Rates are per second of CPU time where the plan was CPUTime, else of wall
// time. What loses information is left out of the chart and named below it.
func Cmpthese(w io.Writer, r *serbench.Report) error {
	if r == nil {
		return errors.New("render: the report is nil")
	}
	var b bytes.Buffer
	wall := false
	for i, t := range seedTables(r) {
		if i > 0 {
			b.WriteByte('\n')
		}
		heading := t.title()
		if len(r.Environments) > 1 {
			heading += ", on " + visibleName(t.environment)
		}
		b.WriteString(heading + "\n")
		var cases []rated
		var asides []string
		for _, res := range t.rows {
			c := rateOf(r, res)
			wall = wall || timed(res) && !c.cpu
			name := visibleName(res.Codec)
			switch {
			case !timed(res):
				asides = append(asides, name+": "+didNotRun(res))
				continue
			case c.rate <= 0:
				asides = append(asides, name+": no rate, its time is 0")
				continue
			case lossy(res):
				asides = append(asides, fmt.Sprintf("%s: %s, %s", name, rateText(c.rate, true), lost(res)))
				continue
			}
			if c.unreliable() {
				b.WriteString("            " + name + ": (warning: too few iterations for a reliable count)\n")
			}
			cases = append(cases, c)
		}
		chart(&b, cases)
		for _, s := range asides {
			b.WriteString(wrapHanging("", "  ", s))
		}
	}
	legend := "%: cmpthese's percentage, 100 * row / column - 100 of the rates: by how much the row's is higher than the column's, or lower."
	if r.Config.Mode == "cpu-time" {
		legend += " Rates are per second of user and system CPU time"
		if r.Config.SubtractNoop {
			legend += ", that of as many empty calls taken off"
		}
		legend += "."
	}
	if wall {
		legend += " Rates are per second of wall time: CPU time was not what the plan ran by, or the system does not tell it."
	}
	b.WriteString("\n" + wrap("", legend))
	_, err := w.Write(b.Bytes())
	return err
}

// rated is a case of a chart.
type rated struct {
	name      string
	rate      float64 // ops per second
	reps      int64
	wall, sec float64 // wall time and the time behind the rate, in s
	cpu       bool    // sec is CPU time
}

func rateOf(r *serbench.Report, res *serbench.Result) rated {
	c := rated{name: visibleName(res.Codec), reps: res.Reps, wall: float64(res.ElapsedNs) / 1e9}
	c.sec = c.wall
	if e := res.Estimates.CPUNsPerOp; e != nil && r.Config.Mode == "cpu-time" {
		c.sec, c.cpu = e.Value*float64(res.Reps)/1e9, true
	}
	if c.sec > 0 {
		c.rate = float64(res.Reps) / c.sec
	}
	return c
}

// unreliable is Benchmark.pm's rule.
func (c rated) unreliable() bool {
	return c.reps < 4 || c.wall < 1 && c.reps < 1000 || c.sec < 0.4
}

// rateText writes a rate, or seconds per iteration, with few decimals before
// it goes over to an exponent.
func rateText(x float64, perSecond bool) string {
	format := "%0.2e"
	switch {
	case x >= 100:
		format = "%0.0f"
	case x >= 10:
		format = "%0.1f"
	case x >= 1:
		format = "%0.2f"
	case x >= 0.1:
		format = "%0.3f"
	}
	s := fmt.Sprintf(format, x)
	if perSecond {
		s += "/s"
	}
	return s
}

// chartWidth is the width that columns are evened out to.
const chartWidth = 80

func chart(b *bytes.Buffer, cases []rated) {
	if len(cases) == 0 {
		return
	}
	slices.SortStableFunc(cases, func(a, b rated) int { return cmp.Compare(a.rate, b.rate) })
	perSecond := cases[(len(cases)-1)/2].rate > 1
	head := "s/iter"
	if perSecond {
		head = "Rate"
	}
	rows := [][]string{{"", head}}
	for _, c := range cases {
		rows[0] = append(rows[0], c.name)
		x := c.rate
		if !perSecond {
			x = 1 / x
		}
		row := []string{c.name, rateText(x, perSecond)}
		for _, col := range cases {
			if col.name == c.name {
				row = append(row, "--")
				continue
			}
			row = append(row, fmt.Sprintf("%.0f%%", 100*c.rate/col.rate-100))
		}
		rows = append(rows, row)
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], width(cell))
		}
	}
	evenOut(widths)
	for _, row := range rows {
		var line strings.Builder
		line.WriteString(padRight(row[0], widths[0]))
		for i, cell := range row[1:] {
			line.WriteString(" " + padLeft(cell, widths[i+1]))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// evenOut widens the narrowest of the columns behind the first two, one by
// one, until all are as wide as the widest or the chart is full.
func evenOut(widths []int) {
	total := len(widths) - 1
	for _, w := range widths {
		total += w
	}
	matrix := make([]*int, 0, len(widths)-2)
	for i := range widths[2:] {
		matrix = append(matrix, &widths[2+i])
	}
	slices.SortStableFunc(matrix, func(a, b *int) int { return cmp.Compare(*a, *b) })
	widest := *matrix[len(matrix)-1]
	for total < chartWidth {
		narrowest := *matrix[0]
		if narrowest == widest {
			return
		}
		for _, w := range matrix {
			if *w > narrowest {
				break
			}
			*w++
			if total++; total >= chartWidth {
				return
			}
		}
	}
}
