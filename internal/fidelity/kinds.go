package fidelity

// Kind says how two values differ. The strings are stable; programs and gates
// may rely on them.
type Kind string

// Normalisations: nothing is lost, the Go representation differs.
const (
	// NilBecameEmpty: a nil slice or map came back empty.
	NilBecameEmpty Kind = "nil-became-empty"
	// EmptyBecameNil: an empty slice or map came back nil.
	EmptyBecameNil Kind = "empty-became-nil"
	// TypedNil: inside an interface, a nil pointer, slice or map came back as
	// a plain nil, a nil of another type, or the other way round.
	TypedNil Kind = "typed-nil"
	// NumberKind: an equal number of another Go type inside an interface. A
	// float32 whose shortest decimal form came back as float64 counts as
	// equal, since converting it gives the original; so do two decimal texts
	// of one value (json.Number 1.0 and 1).
	NumberKind Kind = "number-kind"
	// TimeZone: the same instant in a zone of another name or offset.
	TimeZone Kind = "time-zone"
	// NamedType: inside an interface, a string, bool or struct of another type
	// name with the same underlying type and content.
	NamedType Kind = "named-type"
	// ContainerType: inside an interface, a slice, array or map of another
	// type ([]any for []int, map[any]any for map[string]any). What its
	// elements lost is reported apart; the other Go type of equal numbers in
	// it is not.
	ContainerType Kind = "container-type"
	// KeyType: map keys in interfaces are equal numbers of another Go type.
	// Reported once for a map.
	KeyType Kind = "key-type"
	// Indirection: inside an interface, a pointer came back as its value or a
	// value as a pointer to it.
	Indirection Kind = "indirection"
)

// Losses: information is gone.
const (
	// NumberPrecision: the number was rounded: to float64 or float32, to
	// fewer decimal digits, or to an integer.
	NumberPrecision Kind = "number-precision"
	// NumberValue: another number, not explained by rounding.
	NumberValue Kind = "number-value"
	// SignOfZero: -0 became 0 or the other way round.
	SignOfZero Kind = "sign-of-zero"
	// NaNLost: NaN became a number, nil or something else.
	NaNLost Kind = "nan-lost"
	// InfinityLost: an infinity became a number, nil or something else.
	InfinityLost Kind = "infinity-lost"
	// TimeNanoseconds: the instant was rounded to a coarser unit, of at most a
	// second.
	TimeNanoseconds Kind = "time-nanoseconds"
	// TimeValue: another instant, not explained by rounding.
	TimeValue Kind = "time-value"
	// TimeAsString: inside an interface, a time came back as a string.
	TimeAsString Kind = "time-as-string"
	// TimeAsNumber: inside an interface, a time came back as a number.
	TimeAsNumber Kind = "time-as-number"
	// Duration: a time.Duration of another length.
	Duration Kind = "duration"
	// StringInvalidUTF8: bytes that are not UTF-8 were replaced or dropped, in
	// a string or a map key.
	StringInvalidUTF8 Kind = "string-invalid-utf8"
	// StringValue: another string.
	StringValue Kind = "string-value"
	// BytesValue: other bytes of the same number, in a slice or array.
	BytesValue Kind = "bytes-value"
	// BytesAsString: inside an interface, bytes came back as a string that
	// holds them: whether it was text or binary is lost.
	BytesAsString Kind = "bytes-as-string"
	// BytesAsBase64: inside an interface, bytes came back as a string of their
	// base64 form.
	BytesAsBase64 Kind = "bytes-as-base64"
	// StringAsBytes: inside an interface, a string came back as bytes.
	StringAsBytes Kind = "string-as-bytes"
	// Value: another bool.
	Value Kind = "value"
	// Length: another number of elements. The elements are not compared then.
	Length Kind = "length"
	// MissingKey: a map entry did not come back.
	MissingKey Kind = "missing-key"
	// ExtraKey: a map entry came back that was not there.
	ExtraKey Kind = "extra-key"
	// KeyAsString: inside an interface, map keys came back as their text.
	// Reported once for a map.
	KeyAsString Kind = "key-as-string"
	// ZeroPointerBecameNil: a pointer to a zero value came back nil.
	ZeroPointerBecameNil Kind = "pointer-to-zero-became-nil"
	// ValueBecameNil: a pointer to something, or an interface that held
	// something, came back nil. An empty slice or map in an interface counts
	// as something: a reader cannot tell any more that there was one.
	ValueBecameNil Kind = "value-became-nil"
	// NilBecameValue: a nil pointer or interface came back with a value.
	NilBecameValue Kind = "nil-became-value"
	// StructBecameMap: inside an interface, a struct came back as a map.
	StructBecameMap Kind = "struct-became-map"
	// TypeChanged: inside an interface, a value of another sort.
	TypeChanged Kind = "type-changed"
	// Opaque: one of two channels, functions or unsafe pointers is nil.
	Opaque Kind = "opaque"
	// OwnEquality: the type's own method says that the values differ.
	OwnEquality Kind = "own-equality"
	// EqualityPanic: the type's own method panicked, so that nothing is known.
	EqualityPanic Kind = "equality-panic"
)

// Kinds returns every kind, normalisations first.
func Kinds() []Kind {
	return []Kind{
		NilBecameEmpty, EmptyBecameNil, TypedNil, NumberKind, TimeZone, NamedType,
		ContainerType, KeyType, Indirection,
		NumberPrecision, NumberValue, SignOfZero, NaNLost, InfinityLost,
		TimeNanoseconds, TimeValue, TimeAsString, TimeAsNumber, Duration,
		StringInvalidUTF8, StringValue, BytesValue, BytesAsString, BytesAsBase64, StringAsBytes,
		Value, Length, MissingKey, ExtraKey, KeyAsString,
		ZeroPointerBecameNil, ValueBecameNil, NilBecameValue,
		StructBecameMap, TypeChanged, Opaque, OwnEquality, EqualityPanic,
	}
}

// Normalised reports whether a difference of this kind loses nothing.
func (k Kind) Normalised() bool {
	switch k {
	case NilBecameEmpty, EmptyBecameNil, TypedNil, NumberKind, TimeZone, NamedType,
		ContainerType, KeyType, Indirection:
		return true
	}
	return false
}

// Phrase says in a few words what happened; it is empty for kinds whose two
// values say it all.
func (k Kind) Phrase() string {
	switch k {
	case TimeZone:
		return "zone lost, instant kept"
	case KeyType:
		return "keys of another type"
	case NumberPrecision:
		return "precision lost"
	case SignOfZero:
		return "sign of zero lost"
	case NaNLost:
		return "NaN lost"
	case InfinityLost:
		return "infinity lost"
	case TimeNanoseconds:
		return "nanoseconds lost"
	case TimeAsString, TimeAsNumber:
		return "no longer a time"
	case StringInvalidUTF8:
		return "invalid UTF-8 replaced"
	case BytesAsString, BytesAsBase64:
		return "no longer bytes"
	case StringAsBytes:
		return "no longer a string"
	case MissingKey:
		return "key missing"
	case ExtraKey:
		return "key added"
	case KeyAsString:
		return "keys became strings"
	case ZeroPointerBecameNil:
		return "pointer to zero became nil"
	case StructBecameMap:
		return "struct became map"
	case OwnEquality:
		return "not equal by its own method"
	case EqualityPanic:
		return "its own equality panicked"
	}
	return ""
}
