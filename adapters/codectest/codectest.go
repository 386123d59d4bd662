// Package codectest proves that a codec keeps the rules of [serbench.Codec]
// and of the optional interfaces that it implements. A test of a codec is
//
//	func TestCodec(t *testing.T) {
//		codectest.Run(t, mycodec.New(), serbench.NewPayload("order", &Order{ID: 7}))
//	}
//
// Each rule is a named case, a subtest of its payload, and a case that fails
// quotes its rule. What a codec states about itself is not believed but tried:
// it is given buffers that are overwritten afterwards, values that change,
// used targets, messages cut short, wrong types, and other goroutines. Run it
// with -race.
//
// Give it values that the codec is meant for, more than one where they differ
// in size: most mistakes with buffers show only at some sizes. A codec in which
// some rule cannot hold, for the format has no way to, names it in
// [Kit.Except]; the exception fails once it is not needed.
package codectest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/serbench/serbench"
)

// Kit holds the settings of the checks. The zero value is right for most
// codecs. A Kit is not changed by its methods.
type Kit struct {
	// Unsupported holds pointers that the codec must refuse, by what is wrong
	// with each: types without generated methods, for example. What every
	// codec must refuse (nil, nil pointers, channels) is checked anyway.
	Unsupported map[string]any
	// Open: a message of the format has no end of its own, as in protobuf: cut
	// at the edge of a field it is a message, and so are two that are joined.
	Open bool
	// AllowLoss: a value that does not come back as it was is logged, and one
	// that cannot be encoded is skipped. For payloads that are meant to show
	// what a format cannot hold.
	AllowLoss bool
	// Generated is the number of made-up values of each payload's type that are
	// tried beside its own, see [serbench.Generator]; default 8, negative none.
	// One that Marshal refuses is left out. Generator bounds them to what the
	// format can hold: the precision of its times, for one.
	Generated int
	Generator serbench.Generator
	// Except names cases that cannot hold, with the reason. They are run, and
	// fail if they hold after all on every payload; not so hostile-input, whose
	// findings depend on the speed of the machine too.
	Except map[string]string
	// Limit is the time that one case may take; default 10 s. A call that does
	// not return fails its case, and what would have followed is skipped.
	Limit time.Duration
	// NoChild: do not start a copy of the test binary for what could end the
	// process, such as endless recursion; the case hostile-input is skipped.
	NoChild bool
}

// Run checks c on the payloads as subtests of t, with the settings of the zero
// [Kit].
func Run(t *testing.T, c serbench.Codec, payloads ...serbench.Payload) {
	t.Helper()
	Kit{}.Run(t, c, payloads...)
}

// TestCodec does what [Run] does and returns the failures as one joined error,
// each a [*Failure], in the manner of [testing/fstest.TestFS]. It starts no
// child process: a codec that recurses without end ends the program, and what
// it does on hostile input is not looked at.
func TestCodec(c serbench.Codec, payloads ...serbench.Payload) error {
	return Kit{}.TestCodec(c, payloads...)
}

// TestCodec is the function of that name, with the settings of k.
func (k Kit) TestCodec(c serbench.Codec, payloads ...serbench.Payload) error {
	col := &collector{}
	k.NoChild = true
	k.check(context.Background(), col, "", c, payloads)
	return errors.Join(col.errs...)
}

// Failure is a rule that a codec broke.
type Failure struct {
	Codec   string
	Payload string // name/form; empty: for the codec as a whole
	View    string // "bound" or "clone": through Bind, by a Clone; else empty
	Case    string
	Rule    string // as in the contract
	Err     error  // what was seen
}

func (f *Failure) Error() string {
	at := f.Case
	for _, s := range []string{f.View, f.Payload} {
		if s != "" {
			at = s + "/" + at
		}
	}
	text := fmt.Sprintf("codec %s: %s: %v", f.Codec, at, f.Err)
	if f.Rule != "" {
		text += "\n\trule: " + f.Rule
	}
	return text
}

// Unwrap returns what was seen.
func (f *Failure) Unwrap() error { return f.Err }

// place is where cases run and fail: a test, or a list of errors.
type place interface {
	run(name string, f func(place))
	fail(error)
	skip(reason string) // the place is done; what called it goes on
	log(text string)
}

type testPlace struct{ t *testing.T }

func (p testPlace) run(name string, f func(place)) {
	p.t.Run(name, func(t *testing.T) { f(testPlace{t}) })
}
func (p testPlace) fail(err error)     { p.t.Helper(); p.t.Error(err) }
func (p testPlace) skip(reason string) { p.t.Helper(); p.t.Skip(reason) }
func (p testPlace) log(text string)    { p.t.Helper(); p.t.Log(text) }

type collector struct{ errs []error }

func (p *collector) run(_ string, f func(place)) { f(p) }
func (p *collector) fail(err error)              { p.errs = append(p.errs, err) }
func (p *collector) skip(string)                 {}
func (p *collector) log(string)                  {}

// Run checks c on the payloads as subtests of t, with the settings of k. It
// first calls the codec in copies of the test binary, with nothing but this
// test in them, to see what ends a process, and what the codec does with input
// that is no message: up to three payloads, each of another type. What the
// test does before Run happens there again.
func (k Kit) Run(t *testing.T, c serbench.Codec, payloads ...serbench.Payload) {
	t.Helper()
	if serve(t, c, payloads) {
		return
	}
	k.check(t.Context(), testPlace{t}, t.Name(), c, payloads)
}
