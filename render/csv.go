package render

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/serbench/serbench"
)

// CSV writes one record per result after a header of column names, see
// [Columns], as RFC 4180 has it, with line ends of CR LF. Numbers are in full
// precision; what was not measured is empty. Bytes in names that are not
// UTF-8 become U+FFFD.
//
// A line break within a name is written as LF, since readers take CR LF within
// quotes for LF. It only reads r; concurrent calls are safe.
func CSV(w io.Writer, r *serbench.Report, o Options) error {
	if err := o.check(r, Columns()); err != nil {
		return err
	}
	chosen := fields
	if len(o.Columns) > 0 {
		chosen = nil
		for _, name := range o.Columns {
			chosen = append(chosen, fields[slices.IndexFunc(fields, func(f field) bool { return f.name == name })])
		}
	}
	out := csv.NewWriter(w)
	out.UseCRLF = true
	record := make([]string, len(chosen))
	for i, f := range chosen {
		record[i] = f.name
	}
	if err := out.Write(record); err != nil {
		return err
	}
	// Ranks as programs take them: certain, or shared.
	ranks := make(map[*serbench.Result]int, len(r.Results))
	for _, g := range serbench.Standings(r, serbench.View{}) {
		for _, s := range g.Standings {
			ranks[s.Result] = s.Rank
		}
	}
	for _, g := range groupsOf(r, indexComparisons(r.Comparisons)) {
		for _, rw := range o.sorted(slices.Concat(g.rows(), g.without)) {
			rw.rank = ranks[rw.res]
			for i, f := range chosen {
				record[i] = ""
				if !f.figure || measured(rw.res) {
					record[i] = csvCell(f.of(rw, g), o.Safe && !f.number)
				}
			}
			if err := out.Write(record); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// measured says that what stands in a result counts.
func measured(res *serbench.Result) bool {
	switch res.Status {
	case serbench.StatusFailed, serbench.StatusSkipped, serbench.StatusNotRun:
		return false
	}
	return true
}

// csvCell makes a value valid text. A spreadsheet takes cells that begin with
// = + - @ or a tab or CR for formulas, also behind white space; a terminal takes
// control characters for commands.
func csvCell(s string, safe bool) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\ufffd")
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if !safe {
		return s
	}
	formula := false
	if t := strings.TrimLeft(s, " \n\u00a0\ufeff"); t != "" && strings.ContainsRune("=+-@\t\r\uff1d\uff0b\uff0d\uff20", []rune(t)[0]) {
		formula = true
	}
	s = controlsEscaped(s)
	if formula {
		return "'" + s
	}
	return s
}

// controlsEscaped escapes control characters but line breaks and tabs, which
// are text.
func controlsEscaped(s string) string {
	if !strings.ContainsFunc(s, isControl) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isControl(r) {
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
