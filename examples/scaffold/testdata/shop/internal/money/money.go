// Package money belongs to the scaffold's tests.
package money

// Amount has a method that JSON calls.
type Amount struct {
	Cents    int64  `json:"cents"`
	Currency string `json:"currency"`
}

// MarshalJSON writes it in a form of its own.
func (a Amount) MarshalJSON() ([]byte, error) { return []byte(`"1.00"`), nil }

// Status has the name of a type of another package.
type Status string
