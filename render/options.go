package render

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/serbench/serbench"
)

// Options choose what of a report is written and how. The zero value is
// right for most.
type Options struct {
	// Columns to show, in this order; none: all that hold anything. Their
	// names are the titles of the tables ("time/op"); for [CSV] those of
	// [Columns].
	Columns []string
	// Sort is "rank" (the default), "codec", "time", "sustained", "size",
	// "allocs" or "bytes"; rows without the figure come last.
	Sort string
	// Safe makes [CSV] harmless in spreadsheets: a cell that a spreadsheet
	// could take for a formula gets an apostrophe in front.
	Safe bool
	// MaxBytes cuts [Markdown] at a row's edge with a note, so that what is
	// written is shorter than this. 0: no limit.
	MaxBytes int
}

// StepSummaryBytes is the MaxBytes for a GitHub step summary, which may not
// reach 1 MiB.
const StepSummaryBytes = 1 << 20

func (o Options) check(r *serbench.Report, columns []string) error {
	if r == nil {
		return errors.New("render: the report is nil")
	}
	if o.Sort != "" && o.Sort != "rank" && o.Sort != "codec" && sortKeys[o.Sort] == nil {
		keys := append([]string{"rank", "codec"}, slices.Sorted(maps.Keys(sortKeys))...)
		return fmt.Errorf("render: cannot sort by %q; there are %s", o.Sort, strings.Join(keys, ", "))
	}
	for _, c := range o.Columns {
		if !slices.Contains(columns, c) {
			return fmt.Errorf("render: there is no column %q; there are %s", c, strings.Join(columns, ", "))
		}
	}
	return nil
}

// tableColumns are the titles that Columns may hold for Text and Markdown.
// An interval belongs to what stands before it.
var tableColumns = []string{"rank", "codec", "time/op", "ratio", "sustained", "cpu/op", "op/s", "encoded", "B/op", "allocs/op", "note"}

// pick keeps the chosen columns, each with the interval behind it.
func (o Options) pick(columns []column) []column {
	if len(o.Columns) == 0 {
		return columns
	}
	var out []column
	for _, name := range o.Columns {
		for i, c := range columns {
			if c.title != name {
				continue
			}
			out = append(out, c)
			if i+1 < len(columns) && columns[i+1].title == "" {
				out = append(out, columns[i+1])
			}
		}
	}
	return out
}
