package codectest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/internal/child"
)

// The probe, as a test makes it.
const (
	mostProbed    = 3 // payloads of a type of their own
	probeCallTime = 2 * time.Second
	probeLevels   = 100_000
	probeSeed     = 1
)

// isolation is what child processes told before the codec was called in this
// one.
type isolation struct {
	made     bool
	skipped  string
	deaths   map[int]error // by payload
	findings []serbench.Robustness
}

// deadly reports whether a process ended, or hung, by input like that of the cases that
// are run in this one: nesting and claimed lengths are not.
func (iso isolation) deadly() bool {
	for _, f := range iso.findings {
		for _, x := range f.Findings {
			// Endless recursion needs seconds to come to its end: it may be slow.
			if x.Counts["killed"]+x.Counts["slow"] > 0 && (x.Class == "truncated" || x.Class == "random") {
				return true
			}
		}
	}
	return false
}

// serve does what a child process was started for. It reports whether this
// process is one: then there is nothing else to do.
func serve(t *testing.T, c serbench.Codec, payloads []serbench.Payload) bool {
	if c == nil || !child.Inside() {
		return false
	}
	if serbench.ServesProbe(c, payloads...) {
		if _, err := serbench.ServeChild(t.Context(), []serbench.Codec{c}, payloads); err != nil {
			t.Error(err)
		}
		t.SkipNow()
	}
	return true
}

// isolate calls the codec in copies of the test binary, which run nothing but
// the test that t is, up to its call of Run.
func (r *run) isolate(ctx context.Context, payloads []serbench.Payload) isolation {
	iso := isolation{deaths: map[int]error{}}
	if r.kit.NoChild || r.test == "" {
		iso.skipped = "no child process is to be started"
		return iso
	}
	var probed []serbench.Payload
	var at []int
	types := map[reflect.Type]bool{}
	for i, p := range payloads {
		if !types[p.Type()] && len(probed) < mostProbed {
			types[p.Type()] = true
			probed, at = append(probed, p), append(at, i)
		}
	}
	found, err := serbench.Probe{
		Seed: probeSeed, CallTime: min(probeCallTime, r.kit.Limit), PlainTime: 2 * r.kit.Limit, Levels: probeLevels, Searches: r.searches(),
		Args: []string{"-test.run=" + exactly(r.test), "-test.count=1", "-test.timeout=10m"},
	}.Run(ctx, []serbench.Codec{r.codec}, probed)
	for i, f := range found {
		if f.Death != "" {
			iso.deaths[at[i]] = fmt.Errorf("in a process of its own: %s", f.Death)
		}
	}
	if err != nil {
		iso.skipped = "child processes could not be used: " + err.Error()
		return iso
	}
	iso.made, iso.findings = true, found
	return iso
}

// searches is what is bisected: nothing where findings are expected.
func (r *run) searches() int {
	if _, ok := r.kit.Except[caseHostile]; ok {
		return -1
	}
	return 0
}

// exactly is the -test.run pattern of one test or subtest.
func exactly(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// hostile judges what the probe found.
func (r *run) hostile(at place, iso isolation) {
	if !iso.made {
		at.skip(iso.skipped)
		return
	}
	var errs []error
	tried := 0
	for _, f := range iso.findings {
		for _, x := range f.Findings {
			tried += x.Tried
			bad := x.Worst != "error" && x.Worst != "accepted" && (x.Worst != "wrong" || x.Class == "own")
			if !bad {
				continue
			}
			errs = append(errs, fmt.Errorf("%s/%s: %s input: %s %s: %s, %d bytes (%q)",
				f.Payload, f.Form, x.Class, x.Worst, x.Detail, x.Attack, x.InputSize, x.Input))
		}
	}
	if tried == 0 {
		at.skip("no payload could be probed")
		return
	}
	err := errors.Join(errs...)
	if err == nil {
		return
	}
	if why, ok := r.kit.Except[caseHostile]; ok {
		r.needed[caseHostile] = true
		at.skip("excepted: " + why + ": " + err.Error())
		return
	}
	at.fail(&Failure{Codec: r.codec.Name(), Case: caseHostile, Rule: hostileRule, Err: err})
}
