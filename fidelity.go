package serbench

import "time"

// Tolerance lists differences that a payload's owner declares meaningless.
// The zero value tolerates nothing.
type Tolerance struct {
	// NilEmpty: a nil slice or map equals an empty one.
	NilEmpty bool `json:"nil_empty,omitempty"`
	// TimePrecision: times that differ by less are equal. In JSON in
	// nanoseconds.
	TimePrecision time.Duration `json:"-"`
	// NumericKinds: inside interfaces, equal numbers of different Go kinds
	// are equal.
	NumericKinds bool `json:"numeric_kinds,omitempty"`
}
