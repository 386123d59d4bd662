package serbench

import (
	"encoding/json"
	"time"
)

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

// toleranceJSON is the JSON form of Tolerance, with the unit in the name.
type toleranceJSON struct {
	NilEmpty        bool  `json:"nil_empty,omitempty"`
	TimePrecisionNs int64 `json:"time_precision_ns,omitempty"`
	NumericKinds    bool  `json:"numeric_kinds,omitempty"`
}

// MarshalJSON writes TimePrecision as "time_precision_ns".
func (t Tolerance) MarshalJSON() ([]byte, error) {
	return json.Marshal(toleranceJSON{t.NilEmpty, t.TimePrecision.Nanoseconds(), t.NumericKinds})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (t *Tolerance) UnmarshalJSON(data []byte) error {
	var j toleranceJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*t = Tolerance{NilEmpty: j.NilEmpty, TimePrecision: time.Duration(j.TimePrecisionNs), NumericKinds: j.NumericKinds}
	return nil
}
