package render

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/serbench/serbench"
)

// Nodemark writes the report as nodemark's results stand in console.table: a
// box for each payload and op, its rows in the report's order, with the rate
// of the mean and twice its standard error. Below each box stand sizes and
// bytes per second, at the end which layouts carry equal information. Source
// of the formulas: nodemark, deno branch.
//
// It needs the standard deviation over single calls: a plan with BatchReps 1.
func Nodemark(w io.Writer, r *serbench.Report) error { return NodemarkTable{}.Write(w, r) }

// NodemarkTable is [Nodemark] with settings.
type NodemarkTable struct {
	Unit      string // of the result: "ops/sec" (default), "ns", "us", "ms" or "s" per op
	Precision int    // digits behind the point, 0 to 6; of times only
}

// Write writes the tables. An unknown unit is an error.
func (n NodemarkTable) Write(w io.Writer, r *serbench.Report) error {
	switch {
	case r == nil:
		return errors.New("render: the report is nil")
	case !slices.Contains([]string{"", "ops/sec", "ns", "us", "ms", "s"}, n.Unit):
		return fmt.Errorf("render: %q is no unit of nodemark: ops/sec, ns, us, ms, s", n.Unit)
	case n.Precision < 0 || n.Precision > 6:
		return fmt.Errorf("render: a precision of %d: 0 to 6 are possible", n.Precision)
	}
	var b bytes.Buffer
	tables := seedTables(r)
	for i, t := range tables {
		if i > 0 {
			b.WriteByte('\n')
		}
		heading := t.title()
		if len(r.Environments) > 1 {
			heading += ", on " + visibleName(t.environment)
		}
		b.WriteString(heading + ":\n")
		rows := [][]string{{"(idx)", "method", "result"}}
		for k, res := range t.rows {
			rows = append(rows, []string{strconv.Itoa(k), visibleName(res.Codec), n.result(res)})
		}
		box(&b, rows)
		for k, res := range t.rows {
			b.WriteString(throughput(k, res))
		}
	}
	layouts(&b, r, tables)
	nodemarkLegend(&b, r)
	_, err := w.Write(b.Bytes())
	return err
}

// tooFast is the mean below which nodemark refuses to give figures, in ns.
const tooFast = 10

// result is what nodemark's toString gives.
func (n NodemarkTable) result(res *serbench.Result) string {
	e := res.Estimates.NsPerOp
	if !timed(res) || e == nil || e.Mean == nil || len(res.Samples) == 0 {
		return cutMiddle(didNotRun(res), 60, ellipsis)
	}
	mean := *e.Mean
	samples := singleCalls(res)
	s := fmt.Sprintf("(%d samples)", samples)
	switch {
	case samples == 0:
		return "refused: the samples are of several calls each"
	case mean < tooFast:
		return fmt.Sprintf("refused: a mean of %s, below %d ns %s", timeText(mean), tooFast, s)
	}
	off := ""
	if e.Stddev != nil {
		off = " ±" + twoDecimals(100*nodemarkError(mean, *e.Stddev, samples)) + "%"
	}
	out := ""
	switch n.Unit {
	case "", "ops/sec":
		out = thousands(int64(math.Floor(1e9/mean+0.5))) + " ops/sec"
	default:
		size := map[string]float64{"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[n.Unit]
		out = strconv.FormatFloat(mean/size, 'f', n.Precision, 64) + " " + n.Unit
	}
	if lossy(res) {
		s += ", loses information"
	}
	return out + off + " " + s
}

// singleCalls is the number of samples, 0 if they are not of one call each.
func singleCalls(res *serbench.Result) int64 {
	for _, s := range res.Samples {
		if s.Reps != 1 {
			return 0
		}
	}
	return res.Reps
}

// nodemarkError is nodemark's ±: 2 * sqrt(sum((x - mean)^2)) / n / mean, that
// is twice the standard error, relative to the mean. The report has the
// standard deviation with n - 1.
func nodemarkError(mean, stddev float64, n int64) float64 {
	return 2 * stddev * math.Sqrt(float64(n-1)) / float64(n) / mean
}

// twoDecimals rounds as JavaScript's Math.round(100 * x) / 100 and leaves
// zeros at the end out.
func twoDecimals(x float64) string {
	return strconv.FormatFloat(math.Floor(100*x+0.5)/100, 'f', -1, 64)
}

// throughput is what nodemark does not show.
func throughput(k int, res *serbench.Result) string {
	e := res.Encoded
	if !timed(res) || e == nil {
		return ""
	}
	s := fmt.Sprintf("  (%d) %s bytes", k, thousands(int64(math.Round(e.Mean))))
	if t := res.Estimates.NsPerOp; t != nil && t.Mean != nil && *t.Mean >= tooFast {
		s += fmt.Sprintf(", %s MB/s", significant(e.Mean / *t.Mean * 1e3, 4))
	}
	return s + "\n"
}

// box draws a table with its cells in the middle of their columns.
func box(b *bytes.Buffer, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], width(cell)+2)
		}
	}
	rule := func(left, middle, right string) {
		parts := make([]string, len(widths))
		for i, w := range widths {
			parts[i] = strings.Repeat("─", w)
		}
		b.WriteString(left + strings.Join(parts, middle) + right + "\n")
	}
	rule("┌", "┬", "┐")
	for k, row := range rows {
		for i, cell := range row {
			left := (widths[i] - width(cell)) / 2
			b.WriteString("│" + spaces(left) + cell + spaces(widths[i]-width(cell)-left))
		}
		b.WriteString("│\n")
		if k == 0 {
			rule("├", "┼", "┤")
		}
	}
	rule("└", "┴", "┘")
}

// layouts says, for payloads that are layouts of one, which codecs give back
// the information of which.
func layouts(b *bytes.Buffer, r *serbench.Report, tables []*seedTable) {
	type family struct{ root, form, codec string }
	var order []family
	equal, unequal := map[family][]string{}, map[family][]string{}
	derived := map[string]bool{} // payloads that have derived ones, and those
	root := map[string]string{}
	for _, p := range r.Payloads {
		if p.Origin != "" {
			derived[p.Name], derived[p.Origin] = true, true
		}
		root[p.Name] = cmp.Or(p.Origin, p.Name)
	}
	for _, t := range tables {
		if !derived[t.payload] || root[t.payload] == "" {
			continue
		}
		for _, res := range t.rows {
			f := family{root[t.payload], t.form, res.Codec}
			if !slices.Contains(order, f) {
				order = append(order, f)
			}
			name := visibleName(t.payload)
			switch {
			case slices.Contains(equal[f], name) || slices.Contains(unequal[f], name):
			case timed(res) && !lossy(res):
				equal[f] = append(equal[f], name)
			case lossy(res):
				unequal[f] = append(unequal[f], name)
			}
		}
	}
	order = slices.DeleteFunc(order, func(f family) bool { return len(equal[f])+len(unequal[f]) == 0 })
	if len(order) == 0 {
		return
	}
	b.WriteString("\n" + wrap("", "Layouts of the same data; those that a codec gives back in full carry equal information:"))
	for _, f := range order {
		s := "none"
		if len(equal[f]) > 0 {
			s = listOf(equal[f])
		}
		if u := unequal[f]; len(u) > 0 {
			s += "; not " + listOf(u)
		}
		b.WriteString(wrap("  "+visibleName(f.codec)+" ("+visible(f.form)+"): ", s))
	}
}

func nodemarkLegend(b *bytes.Buffer, r *serbench.Report) {
	b.WriteString("\n" + wrap("", "±: nodemark's percentage, twice the standard error relative to the mean; a spread, not a comparison. "+
		"The rate is that of the mean time of all calls."))
	for i := range r.Environments {
		e := &r.Environments[i]
		if e.ClockResolution <= 0 {
			continue
		}
		s := fmt.Sprintf("The clock moves in steps of %s and takes %s to read", timeText(e.ClockResolution), timeText(e.ClockCost))
		if r.Config.SubtractCost {
			s += ", which was measured at each call and taken off"
		}
		b.WriteString(wrap("", s+"."))
	}
}
