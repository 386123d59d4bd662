package zoo

import "time"

//go:generate go tool msgp -file types.go -o types_msgp.go -tests=false -d "tag json" -d "newtime" -v
//go:generate go tool easyjson -all -no_std_marshalers -output_filename types_easyjson.go types.go

// Each type holds one kind of value, so that what a codec does to one kind is
// seen apart from the others.
type (
	Bool struct {
		V bool `json:"v"`
	}
	Int struct {
		V int `json:"v"`
	}
	Int8 struct {
		V int8 `json:"v"`
	}
	Int64 struct {
		V int64 `json:"v"`
	}
	Uint8 struct {
		V uint8 `json:"v"`
	}
	Uint64 struct {
		V uint64 `json:"v"`
	}
	Float32 struct {
		V float32 `json:"v"`
	}
	Float64 struct {
		V float64 `json:"v"`
	}
	String struct {
		V string `json:"v"`
	}
	Bytes struct {
		V []byte `json:"v"`
	}
	Array struct {
		V [3]int32 `json:"v"`
	}
	Ints struct {
		V []int64 `json:"v"`
	}
	Int8s struct {
		V []int8 `json:"v"`
	}
	Floats struct {
		V []float64 `json:"v"`
	}
	Matrix struct {
		V [][]float64 `json:"v"`
	}
	Strings struct {
		V map[string]string `json:"v"`
	}
	Pointer struct {
		V *int64 `json:"v"`
	}
	Nested struct {
		V *Two `json:"v"`
	}
	Any struct {
		V any `json:"v"`
	}
	Tree struct {
		V map[string]any `json:"v"`
	}
	Time struct {
		V time.Time `json:"v"`
	}
	Span struct {
		V time.Duration `json:"v"`
	}
	Named struct {
		V Colour `json:"v"`
	}
	Entries struct {
		V map[string][]Entry `json:"v"`
	}
)

// Two has two fields of one type, which a codec could mix up.
type Two struct {
	A int64 `json:"a"`
	B int64 `json:"b"`
}

// Colour is a named string.
type Colour string

// Entry is a struct that holds a map.
type Entry struct {
	Name  string           `json:"name"`
	Count map[string]int64 `json:"count"`
}

// Omit leaves out what is empty.
type Omit struct {
	S string            `json:"s,omitempty"`
	N int64             `json:"n,omitempty"`
	L []int64           `json:"l,omitempty"`
	M map[string]string `json:"m,omitempty"`
	P *int64            `json:"p,omitempty"`
}

// Node is a list that nests as deep as it is long.
type Node struct {
	N    int64 `json:"n"`
	Next *Node `json:"next,omitempty"`
}
