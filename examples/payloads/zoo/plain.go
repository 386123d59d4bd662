package zoo

// These types have no generated methods: one of the generators drops a field
// of such a kind without an error, or stops at it.
type (
	IntKeys struct {
		V map[int]string `json:"v"`
	}
	PtrPtr struct {
		V **int64 `json:"v"`
	}
	Complex struct {
		V complex128 `json:"v"`
	}
	Interface struct {
		V Shape `json:"v"`
	}
)

// Embedding embeds two levels deep. msgp does not write the fields of an
// embedded struct as those of the outer one.
type Embedding struct {
	Middle
	Own int64 `json:"own,omitempty"`
}

// Middle is embedded, and embeds.
type Middle struct {
	Inner
	Mid string `json:"mid,omitempty"`
}

// Inner is embedded.
type Inner struct {
	In int64 `json:"in,omitempty"`
}

// Shape is an interface with a method: a decoder cannot know what to make.
type Shape interface{ Area() float64 }

// Square is a Shape.
type Square struct {
	Side float64 `json:"side"`
}

// Area returns the area.
func (s Square) Area() float64 { return s.Side * s.Side }
