package render

import (
	"strconv"
	"strings"

	"github.com/serbench/serbench"
)

// seedTable is what one table of a seed's layout shows: the results of one
// payload and op in the order of the report.
type seedTable struct {
	environment, payload, form, transport string
	op                                    serbench.Op
	rows                                  []*serbench.Result
}

// seedTables of a report, in the order in which their first results stand.
// Controls are left out.
func seedTables(r *serbench.Report) (tables []*seedTable) {
	at := map[seedKey]*seedTable{}
	for i := range r.Results {
		res := &r.Results[i]
		if res.Role != serbench.RoleWhole {
			continue
		}
		key := seedKey{res.Environment, res.Build, res.Payload, res.Form, res.Transport, res.Op, res.Parallelism, res.Launch}
		t := at[key]
		if t == nil {
			t = &seedTable{environment: res.Environment, payload: res.Payload, form: res.Form, transport: res.Transport, op: res.Op}
			at[key] = t
			tables = append(tables, t)
		}
		t.rows = append(t.rows, res)
	}
	return tables
}

type seedKey struct {
	environment, build, payload, form, transport string
	op                                           serbench.Op
	parallelism, launch                          int
}

// title says what the table is about: "encode of repository (map)".
func (t *seedTable) title() string {
	s := visibleName(string(t.op)) + " of " + visibleName(t.payload)
	if t.form != "" {
		s += " (" + visible(t.form) + ")"
	}
	if t.transport != "" && t.transport != "memory" {
		s += " through " + visibleName(t.transport)
	}
	return s
}

// timed reports whether the result has figures to show.
func timed(res *serbench.Result) bool {
	return res.Reps > 0 && (res.Status == serbench.StatusOK || res.Status == serbench.StatusLossy || res.Status == serbench.StatusPartial)
}

// lossy reports whether the result's codec does less than the others, so that
// it is not to be ranked among them.
func lossy(res *serbench.Result) bool { return res.Status == serbench.StatusLossy }

// didNotRun says why a result has no figures.
func didNotRun(res *serbench.Result) string {
	reason := res.Reason
	if reason == "" {
		reason = string(res.Status)
	}
	return "did not run: " + visible(reason)
}

// lost says what a lossy result lost, in short.
func lost(res *serbench.Result) string {
	s := "loses information, so it is not ranked"
	if f := res.Fidelity; f != nil {
		for _, d := range f.Differences {
			if !d.Normalised {
				return s + ": " + visible(d.Path+" "+d.Kind)
			}
		}
	}
	return s
}

// thousands writes n with commas: 10,000.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// underlined is a heading over a line of c.
func underlined(s, c string) string { return s + "\n" + strings.Repeat(c, width(s)) + "\n" }

// runtimeLine is the full version of the runtime: "go1.26.0 linux/amd64".
func runtimeLine(e *serbench.Environment) string {
	s := e.GoVersion
	if e.GOOS != "" || e.GOARCH != "" {
		s += " " + e.GOOS + "/" + e.GOARCH
	}
	for _, extra := range []struct{ name, value string }{{"", e.GOAMD64}, {"GOEXPERIMENT=", e.GOEXPERIMENT}} {
		if extra.value != "" {
			s += " " + extra.name + extra.value
		}
	}
	if e.GOGC != "" && e.GOGC != "100" {
		s += " GOGC=" + e.GOGC
	}
	return visible(strings.TrimSpace(s))
}
