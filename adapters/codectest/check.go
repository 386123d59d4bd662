package codectest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/internal/fidelity"
	"github.com/serbench/serbench/internal/measure"
)

const defaultLimit = 10 * time.Second

// A subject is a codec, or a view of it, on one payload.
type subject struct {
	kit     Kit
	ctx     context.Context
	codec   serbench.Codec
	payload serbench.Payload
	view    string
	values  []any
	msgs    [][]byte            // copies
	decoded []any               // what the codec makes of them
	lost    []serbench.Fidelity // what they say against the values
	kept    []kept
	noValue error  // why there are no messages or values
	hash    string // of the values, before the first call
	traits  map[string]string
	traitsE error
	deadly  bool            // bad input may end the process
	broken  string          // why nothing more can be said
	failed  map[string]bool // cases
	// thorough: of the first payloads, with which buffers of every size are
	// tried.
	thorough bool
	smaller  bool // another payload of the type was checked, with small messages
}

// run is one check of a codec on payloads.
type run struct {
	kit     Kit
	ctx     context.Context
	test    string
	codec   serbench.Codec
	needed  map[string]bool       // exceptions that were
	checked int                   // payloads
	deadly  bool                  // bad input may end the process
	small   map[reflect.Type]bool // types of which a small message was checked
}

// check checks the codec; test is the name of the test that does, or "".
func (k Kit) check(ctx context.Context, at place, test string, c serbench.Codec, payloads []serbench.Payload) {
	if k.Limit == 0 {
		k.Limit = defaultLimit
	}
	if err := k.refuse(c, payloads); err != nil {
		at.fail(fmt.Errorf("codectest: %w", err))
		return
	}
	r := &run{kit: k, ctx: ctx, test: test, codec: c, needed: map[string]bool{}, small: map[reflect.Type]bool{}}
	iso := r.isolate(ctx, payloads)
	r.deadly = iso.deadly()
	for i, p := range payloads {
		at.run(p.Name()+"/"+p.FormName(), func(at place) { r.payload(at, p, i < mostThorough, iso.deaths[i]) })
	}
	if r.checked > 0 && test != "" {
		at.run(caseHostile, func(at place) { r.hostile(at, iso) })
	}
	if r.checked == 0 {
		at.fail(fmt.Errorf("codectest: codec %s supports none of the payloads: nothing was checked", c.Name()))
		return
	}
	for _, name := range sortedKeys(k.Except) {
		if !r.needed[name] && name != caseHostile { // whose findings depend on the machine's speed too
			at.fail(fmt.Errorf("codectest: codec %s: Kit.Except[%q] is not needed: the rule holds on all payloads", c.Name(), name))
		}
	}
}

// refuse checks what the kit is given.
func (k Kit) refuse(c serbench.Codec, payloads []serbench.Payload) error {
	if c == nil {
		return errors.New("the codec is nil")
	}
	var errs []error
	if len(payloads) == 0 {
		errs = append(errs, errors.New("no payloads"))
	}
	seen := map[string]bool{}
	for i, p := range payloads {
		name := p.Name() + "/" + p.FormName()
		if _, err := p.Values(); err != nil || p.New() == nil {
			errs = append(errs, fmt.Errorf("payload %d %q: %w", i, name, errors.Join(err, errNotMade(p))))
		}
		if seen[name] {
			errs = append(errs, fmt.Errorf("payload %d: %q is there twice", i, name))
		}
		seen[name] = true
	}
	for name := range k.Except {
		if name != caseHostile && !slices.ContainsFunc(cases, func(c testCase) bool { return c.name == name }) {
			errs = append(errs, fmt.Errorf("Kit.Except: there is no case %q", name))
		}
	}
	return errors.Join(errs...)
}

func errNotMade(p serbench.Payload) error {
	if p.New() == nil {
		return errors.New("not made with NewPayload")
	}
	return nil
}

// mostThorough payloads are tried with buffers of every size, and bound and
// cloned codecs by all of the cases.
const mostThorough = 3

// payload runs the cases of one payload.
func (r *run) payload(at place, p serbench.Payload, thorough bool, death error) {
	s := r.subject(r.codec, p, "")
	s.thorough = thorough
	if death != nil {
		r.checked++
		at.run(caseReturns, func(at place) { r.report(at, s, cases[0], death) })
		at.skip("the codec ends its process: nothing more can be checked")
		return
	}
	values, err := p.Values()
	if err != nil {
		at.fail(fmt.Errorf("codectest: payload %s: %w", p.Name(), err))
		return
	}
	s.values, s.hash = values, fidelity.Hash(values...)
	if why := s.unsupported(); why != "" {
		at.skip(why)
		return
	}
	r.checked++
	s.smaller = r.small[p.Type()]
	r.cases(at, s)
	if s.broken == "" && !s.isLarge() {
		r.small[p.Type()] = true
	}
	if s.broken != "" {
		return
	}
	if b, ok := r.codec.(serbench.Binder); ok {
		at.run("bound", func(at place) { r.cases(at, s.seenAs("bound", newBoundView(r.codec, b))) })
	}
	if c, ok := r.codec.(serbench.Cloner); ok {
		if clone := c.Clone(); clone != nil && !identical(clone, r.codec) {
			at.run("clone", func(at place) { r.cases(at, s.seenAs("clone", clone)) })
		}
	}
}

func (r *run) subject(c serbench.Codec, p serbench.Payload, view string) *subject {
	return &subject{kit: r.kit, ctx: r.ctx, codec: c, payload: p, view: view, deadly: r.deadly, failed: map[string]bool{}}
}

// seenAs is the subject with another codec in the codec's place.
func (s *subject) seenAs(view string, c serbench.Codec) *subject {
	return &subject{kit: s.kit, ctx: s.ctx, codec: c, payload: s.payload, view: view, values: s.values, hash: s.hash, deadly: s.deadly, thorough: s.thorough, smaller: s.smaller, failed: map[string]bool{}}
}

// unsupported says why the payload is not for the codec, or "".
func (s *subject) unsupported() string {
	why := ""
	err := s.guard(func() error {
		if sup, ok := s.codec.(serbench.Supporter); ok {
			if err := sup.Supports(s.values[0]); errors.Is(err, errors.ErrUnsupported) {
				why = err.Error()
			}
			return nil // what it supports it has to encode
		}
		if _, err := s.codec.Marshal(s.values[0]); errors.Is(err, errors.ErrUnsupported) {
			why = err.Error()
		}
		return nil
	})
	if err != nil {
		return "" // the case "returns" will tell
	}
	return why
}

// guard bounds a call in time and turns panics into errors.
func (s *subject) guard(f func() error) error { return measure.Guard(s.ctx, max(s.kit.Limit, 0), f) }

// cases runs all cases that concern the subject.
func (r *run) cases(at place, s *subject) {
	for _, c := range cases {
		if s.view != "" && (c.wholeOnly || !s.thorough && c.name != caseReturns && c.name != caseRoundTrip) {
			continue
		}
		at.run(c.name, func(at place) {
			if s.broken != "" && !(c.name == caseRoundTrip && s.noValue != nil) {
				at.skip(s.broken)
				return
			}
			if c.anySize && s.repeats() {
				at.skip("was tried with a smaller message of the type, and is no matter of size")
				return
			}
			if s.deadly && c.badInput {
				r.needed[c.name] = true // for all that is known
				at.skip("not run: bad input ended or stopped a process, see " + caseHostile)
				return
			}
			for _, n := range c.needs {
				if s.failed[n] {
					at.skip("says nothing while " + n + " fails")
					return
				}
			}
			r.report(at, s, c, s.do(c))
		})
	}
	for _, name := range sortedKeys(s.traits) {
		at.log("trait " + name + ": " + s.traits[name])
	}
}

// do runs a case on a copy of the subject, since a call that hangs may come
// back later and must find nothing that is in use.
func (s *subject) do(c testCase) error {
	work := *s
	err := s.guard(func() error { return c.check(&work) })
	if hang := (*measure.HangError)(nil); errors.As(err, &hang) {
		s.broken = "a call did not return in the case " + c.name
		return err
	}
	*s = work
	return err
}

// report tells what became of a case.
func (r *run) report(at place, s *subject, c testCase, err error) {
	var skip *skipError
	switch {
	case err == nil:
		return
	case errors.As(err, &skip):
		at.skip(skip.why)
		return
	}
	if p := (*measure.PanicError)(nil); errors.As(err, &p) {
		err = fmt.Errorf("%w\n%s", err, p.Stack)
	}
	s.failed[c.name] = true
	if s.broken == "" && slices.Contains([]string{caseReturns, caseInputUsed, caseDecodedKept}, c.name) {
		s.broken = "nothing can be said while " + c.name + " fails"
	}
	if why, ok := r.kit.Except[c.name]; ok {
		r.needed[c.name] = true
		at.skip("excepted: " + why + ": " + err.Error())
		return
	}
	at.fail(&Failure{Codec: r.codec.Name(), Payload: s.payload.Name() + "/" + s.payload.FormName(), View: s.view, Case: c.name, Rule: c.rule, Err: err})
}

// skipError says that a case does not concern a subject.
type skipError struct{ why string }

func (e *skipError) Error() string { return e.why }

func skipf(format string, args ...any) error { return &skipError{fmt.Sprintf(format, args...)} }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, strings.Compare)
	return keys
}

// identical reports whether two codecs are one instance.
func identical(a, b serbench.Codec) bool {
	return reflect.TypeOf(a) == reflect.TypeOf(b) && reflect.ValueOf(a).Comparable() && a == b
}
