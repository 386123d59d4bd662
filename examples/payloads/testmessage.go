package payloads

//go:generate go tool msgp -file testmessage.go -o testmessage_msgp.go -tests=false -d "tag json" -v
//go:generate go tool easyjson -all -no_std_marshalers -output_filename testmessage_easyjson.go testmessage.go

// TestMessage is the message of the second seed: ten kinds of field, each
// once and once repeated. The seed fills three of them; see
// [TestMessageValue] and [TestMessageDense].
type TestMessage struct {
	OptionalInt32  int32         `json:"optional_int32"`
	OptionalInt64  int64         `json:"optional_int64"`
	OptionalUint32 uint32        `json:"optional_uint32"`
	OptionalUint64 uint64        `json:"optional_uint64"`
	OptionalBool   bool          `json:"optional_bool"`
	OptionalFloat  float32       `json:"optional_float"`
	OptionalDouble float64       `json:"optional_double"`
	OptionalString string        `json:"optional_string"`
	OptionalBytes  []byte        `json:"optional_bytes"`
	OptionalMsg    *TestMessage2 `json:"optional_msg"`

	RepeatedInt32  []int32        `json:"repeated_int32"`
	RepeatedInt64  []int64        `json:"repeated_int64"`
	RepeatedUint32 []uint32       `json:"repeated_uint32"`
	RepeatedUint64 []uint64       `json:"repeated_uint64"`
	RepeatedBool   []bool         `json:"repeated_bool"`
	RepeatedFloat  []float32      `json:"repeated_float"`
	RepeatedDouble []float64      `json:"repeated_double"`
	RepeatedString []string       `json:"repeated_string"`
	RepeatedBytes  [][]byte       `json:"repeated_bytes"`
	RepeatedMsg    []TestMessage2 `json:"repeated_msg"`
}

// TestMessage2 stands within TestMessage.
type TestMessage2 struct {
	Foo int32 `json:"foo"`
}

// TestMessageValue returns the message with the three fields that the seed
// sets. What is repeated and not set is empty, not nil.
func TestMessageValue() *TestMessage {
	return &TestMessage{
		OptionalInt32: 102, OptionalString: "another string", OptionalBytes: []byte{},
		RepeatedInt32: []int32{}, RepeatedInt64: []int64{}, RepeatedUint32: []uint32{}, RepeatedUint64: []uint64{},
		RepeatedBool: []bool{}, RepeatedFloat: []float32{}, RepeatedDouble: []float64{},
		RepeatedString: []string{"ok1", "ok2"}, RepeatedBytes: [][]byte{}, RepeatedMsg: []TestMessage2{},
	}
}

// TestMessageDense returns the message with every field set, at the ends of
// the ranges among others.
func TestMessageDense() *TestMessage {
	return &TestMessage{
		OptionalInt32: -2147483648, OptionalInt64: -9223372036854775808,
		OptionalUint32: 4294967295, OptionalUint64: 18446744073709551615,
		OptionalBool: true, OptionalFloat: 0.1, OptionalDouble: 3.141592653589793,
		OptionalString: "every field is set, größer als nötig", OptionalBytes: []byte{0, 1, 127, 128, 255},
		OptionalMsg:    &TestMessage2{Foo: 42},
		RepeatedInt32:  []int32{0, 1, -1, 2147483647},
		RepeatedInt64:  []int64{0, 1, -1, 9223372036854775807},
		RepeatedUint32: []uint32{0, 127, 128, 4294967295},
		RepeatedUint64: []uint64{0, 16383, 16384, 1 << 63},
		RepeatedBool:   []bool{true, false, true, true},
		RepeatedFloat:  []float32{0.5, -1.25, 3e38},
		RepeatedDouble: []float64{0.1, -2.5e-300, 1.7976931348623157e308},
		RepeatedString: []string{"", "ok1", "ok2", "日本語"},
		RepeatedBytes:  [][]byte{{}, {255}, []byte("bytes")},
		RepeatedMsg:    []TestMessage2{{Foo: 0}, {Foo: -7}, {Foo: 1 << 30}},
	}
}

// TestMessageMap returns m as a generic value.
func TestMessageMap(m *TestMessage) map[string]any {
	sub := func(m *TestMessage2) any {
		if m == nil {
			return nil
		}
		return map[string]any{"foo": m.Foo}
	}
	subs := make([]any, len(m.RepeatedMsg))
	for i := range m.RepeatedMsg {
		subs[i] = sub(&m.RepeatedMsg[i])
	}
	return map[string]any{
		"optional_int32": m.OptionalInt32, "optional_int64": m.OptionalInt64,
		"optional_uint32": m.OptionalUint32, "optional_uint64": m.OptionalUint64,
		"optional_bool": m.OptionalBool, "optional_float": m.OptionalFloat, "optional_double": m.OptionalDouble,
		"optional_string": m.OptionalString, "optional_bytes": m.OptionalBytes, "optional_msg": sub(m.OptionalMsg),
		"repeated_int32": list(m.RepeatedInt32), "repeated_int64": list(m.RepeatedInt64),
		"repeated_uint32": list(m.RepeatedUint32), "repeated_uint64": list(m.RepeatedUint64),
		"repeated_bool": list(m.RepeatedBool), "repeated_float": list(m.RepeatedFloat),
		"repeated_double": list(m.RepeatedDouble), "repeated_string": list(m.RepeatedString),
		"repeated_bytes": list(m.RepeatedBytes), "repeated_msg": subs,
	}
}

// list is xs as a generic value.
func list[T any](xs []T) []any {
	out := make([]any, len(xs))
	for i, x := range xs {
		out[i] = x
	}
	return out
}
