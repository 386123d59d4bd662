package codectest

import "github.com/serbench/serbench"

// A testCase checks one rule. The cases run in this order.
type testCase struct {
	name      string
	rule      string // from the comments of serbench.Codec and its kin
	check     func(*subject) error
	needs     []string // cases without which this one says nothing
	wholeOnly bool     // not of views
	badInput  bool     // decodes what is no message
	anySize   bool     // not a matter of the message's size: see subject.repeats
}

// Names of cases that others refer to.
const (
	caseReturns     = "returns"
	caseRoundTrip   = "round-trip"
	caseInputUsed   = "input-used"
	caseHostile     = "hostile-input"
	caseDecodedKept = "decoded-kept"

	caseOutputKept    = "output-kept"
	caseInputOnlyRead = "input-only-read"
	caseInputNotKept  = "input-not-kept"
	caseOnlyReads     = "value-only-read"
	caseAfterErrors   = "after-errors"
)

const hostileRule = "Input that is no message is an error: not a panic, nor the end of the process, nor a call without end or that takes memory without relation to the size of the input."

var cases = []testCase{
	{name: caseReturns, check: (*subject).returns,
		rule: "Every call returns: no panic, no runtime.Goexit, no endless recursion or loop."},
	{name: caseInputUsed, check: trait(serbench.TraitIgnoresInput), anySize: true,
		rule: "Unmarshal decodes its input, whatever was encoded or decoded before."},
	{name: caseDecodedKept, check: trait(serbench.TraitReusesDecoded),
		rule: "What was decoded is the caller's: no later call writes to it, unless it is given the same v."},
	{name: caseRoundTrip, check: (*subject).roundTrip,
		rule: "Unmarshal decodes exactly one whole message into *v: what Marshal was given, nothing lost."},
	{name: "self-contained", check: (*subject).selfContained, anySize: true,
		rule: "Marshal returns one self-contained message: any instance of the codec decodes it, and it alone."},
	{name: caseOutputKept, check: trait(serbench.TraitReusesOutput),
		rule: "The message belongs to the caller, with all of its capacity: no later call reads or writes it."},
	{name: caseOnlyReads, check: (*subject).onlyReads,
		rule: "Marshal only reads v."},
	{name: "value-not-kept", check: trait(serbench.TraitKeepsValue), anySize: true,
		rule: "No later call reads v, and the codec refers to it until its next call at most."},
	{name: caseInputOnlyRead, check: (*subject).inputOnlyRead,
		rule: "Unmarshal only reads data."},
	{name: caseInputNotKept, check: trait(serbench.TraitAliasesInput, serbench.TraitKeepsInput),
		rule: "Neither a later call nor the decoded value reads data, and the codec refers to it until its next call at most."},
	{name: "whole-message", check: (*subject).wholeMessage, badInput: true,
		rule: "Input that is cut short or has bytes after the message is an error."},
	{name: "unsupported", check: (*subject).refuses, anySize: true,
		rule: "A value that the codec cannot handle (a type without generated methods, nil, a pointer to nil, something that is not a pointer) is an error that wraps errors.ErrUnsupported; it is not a panic."},
	{name: caseAfterErrors, check: (*subject).afterErrors, badInput: true, anySize: true,
		rule: "An error leaves the codec as it was."},
	{name: "supports", check: (*subject).supports, wholeOnly: true,
		rule: "Supports says before any call whether the codec can handle v: nil, or an error that wraps errors.ErrUnsupported."},
	{name: "describe", check: (*subject).describe, wholeOnly: true,
		rule: "Name is library[-format][-variant], in lower case, without slash or space; it and the Info are constant."},
	{name: "instances", check: (*subject).instances, wholeOnly: true, anySize: true,
		rule: "Clone and Bind give instances with state of their own: two of them do not disturb each other."},
	{name: "concurrent", check: (*subject).concurrent, wholeOnly: true, needs: []string{caseAfterErrors}, anySize: true,
		rule: "Clone returns the instance for one more goroutine, itself if the codec is safe for concurrent use."},
	{name: "bound-sees-changes", check: (*subject).boundSeesChanges, wholeOnly: true, anySize: true,
		rule: "A bound value may be written to between calls, and the next call sees what was written."},
	{name: "append-prefix", check: (*subject).appendPrefix,
		rule: "The bytes of dst up to its length are left as they are, and the message is behind them."},
	{name: "append-not-kept", check: (*subject).appendNotKept, needs: []string{"append-prefix"},
		rule: "No later call reads or writes the array of dst."},
	{name: "append-error", check: (*subject).appendError, needs: []string{"append-prefix"},
		rule: "On error Append returns dst unchanged in length and content."},
	{name: "stream", check: (*subject).stream, wholeOnly: true,
		rule: "The n-th message decoded is the n-th encoded, by a stream of the same codec; Encode appends under the rules of Appender, and two streams do not disturb each other."},
	{name: "generated", check: (*subject).generated, needs: []string{caseRoundTrip, caseOnlyReads, caseAfterErrors}, anySize: true,
		rule: "What holds for the values that a codec was tried with holds for others of their type: each comes back, or is an error of Marshal."},
	{name: "lasting", check: (*subject).lasting, needs: []string{caseAfterErrors}, wholeOnly: true,
		rule: "A call does what the first one did, however many went before."},
	{name: "nothing-later", check: (*subject).nothingLater, needs: []string{caseOutputKept, caseInputOnlyRead, caseInputNotKept},
		rule: "When a call has returned nothing of it goes on: what it was given and what it gave is not written to."},
}

// trait is a check that none of the traits was observed.
func trait(names ...string) func(*subject) error {
	return func(s *subject) error {
		if err := s.observe(); err != nil {
			return err
		}
		for _, n := range names {
			if d, ok := s.traits[n]; ok {
				return &traitError{n, d}
			}
		}
		return nil
	}
}

type traitError struct{ name, detail string }

func (e *traitError) Error() string { return e.name + ": " + e.detail }
