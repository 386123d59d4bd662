// Package fidelity compares a value with what came back from a codec, and
// hashes values by their content.
//
// Comparison is of meaning, not of representation, and each difference is
// given a [Kind] that says whether information is gone. What is done with
// values that reflect.DeepEqual and its kin treat otherwise:
//
//   - Times are compared by instant. An equal instant in another zone (name or
//     offset in force at that instant) is a normalisation. Monotonic readings
//     and the identity of a Location are ignored.
//   - NaN equals NaN; -0 differs from 0.
//   - Nil and empty slices and maps differ, as a normalisation.
//   - Inside interfaces, an equal number of another Go type, a sequence or map
//     of another Go type with the same content, and a pointer in place of its
//     value are normalisations. A value of another sort (a string for bytes or
//     a time, a map for a struct) is a loss, even if a reader who knows what it
//     was could convert it back: the document does not say so any more.
//   - Exported fields are walked, with embedded structs, whatever their tags.
//     Unexported fields are left to the type's own equality: a method
//     Equal(T) bool, Cmp(T) int or Compare(T) int with receiver and argument T
//     or *T (Equal may take any). It is asked only of structs that have
//     unexported fields, after their exported fields were found to lose
//     nothing. A struct without such a method has its unexported fields read
//     if it has no others, and ignored if it has: codecs cannot see them.
//   - Channels, functions and unsafe pointers are compared by being nil.
//   - Map keys are matched by content, so that NaN, pointer and interface keys
//     find each other.
//   - Cyclic and shared values are walked in step; a pair of pointers, maps or
//     slices that was met before is not walked again, so a difference within a
//     shared value is reported once, at the first path that leads to it.
//
// Nesting may be as deep as memory allows. The walk ends for every value, but
// takes time and not only memory where an interface holds a struct that
// holds copies of one interface twice over, many levels deep; no codec can
// encode such a value either.
package fidelity

import (
	"reflect"
	"time"
)

// DefaultMax is the number of differences that a Result lists unless
// Options.Max says otherwise.
const DefaultMax = 20

// Options are the differences that do not count, and the length of the list.
// The zero value tolerates nothing.
type Options struct {
	// NilEmpty: a nil slice or map equals an empty one.
	NilEmpty bool
	// TimePrecision: times less than this apart are equal. 0 and negative
	// values: only equal instants are.
	TimePrecision time.Duration
	// NumericKinds: inside interfaces, equal numbers of different Go kinds
	// are equal.
	NumericKinds bool
	// Max is how many differences are listed. 0: DefaultMax; negative: none.
	Max int
}

// Class says what the second value kept of the first.
type Class string

// The classes, best first.
const (
	Exact      Class = "exact"
	Normalised Class = "normalised" // nothing is lost, the Go representation differs
	Lossy      Class = "lossy"      // information is gone
)

// Result is the outcome of a comparison.
type Result struct {
	Class Class
	// Differences are the first Options.Max: losses, and where there are
	// fewer of those, normalisations behind them; both in the order of the
	// walk, which is by field, index and sorted key.
	Differences []Difference
	// Total counts all differences, also those that are not listed.
	Total int
}

// Compare compares got, what came back, with want, the original. It calls no
// method but the own equality of types with unexported fields (and, to pair
// map keys of such types, their MarshalText); a panic in one is a difference,
// not a panic of Compare. Neither value may be written to meanwhile; apart
// from that, Compare may be called concurrently.
func Compare(want, got any, opts Options) Result {
	if opts.Max == 0 {
		opts.Max = DefaultMax
	}
	opts.Max = max(opts.Max, 0)
	return compare(want, got, opts, all).result()
}

// Equal reports whether Compare would call the values Exact. It ends at the
// first difference.
func Equal(want, got any, opts Options) bool {
	w := compare(want, got, opts, firstDifference)
	return w.nLosses+w.nNorms == 0
}

// Keeps reports whether Compare would not call the values Lossy. It ends at
// the first loss.
func Keeps(want, got any, opts Options) bool {
	return compare(want, got, opts, firstLoss).nLosses == 0
}

func compare(want, got any, opts Options, until extent) *walker {
	// Most values come back as they were. The first pass only finds out
	// whether this one did, without the records that are needed to number
	// differences and to end on cyclic values; it gives up at the first
	// difference or a bound on depth and work.
	w := &walker{opts: opts, types: typeCache{}}
	w.run(reflect.ValueOf(want), reflect.ValueOf(got))
	if w.stop {
		w = &walker{opts: opts, types: w.types, visited: map[pair]struct{}{}, until: until}
		w.run(reflect.ValueOf(want), reflect.ValueOf(got))
	}
	return w
}
