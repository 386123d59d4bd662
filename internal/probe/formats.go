package probe

import (
	"bytes"
	"encoding/binary"
	"slices"
)

type header struct {
	name  string
	bytes []byte
}

// anyLength are lengths in the ways in which formats write them.
var anyLength = [][]byte{
	{0xff, 0xff, 0xff, 0xff}, {0x7f, 0xff, 0xff, 0xff}, {0xff, 0xff, 0xff, 0x7f},
	{0x80, 0x80, 0x80, 0x80, 0x20},
}

// headers are beginnings of values that claim to be large, by the
// specifications of the formats: msgpack.org, RFC 8949, bsonspec.org,
// protobuf.dev, encoding/gob, the Avro specification.
func headers(format string) []header {
	switch format {
	case "msgpack":
		return []header{
			{"str32 of 2^32-1", []byte{0xdb, 0xff, 0xff, 0xff, 0xff}},
			{"bin32 of 2^32-1", []byte{0xc6, 0xff, 0xff, 0xff, 0xff}},
			{"array32 of 2^32-1", []byte{0xdd, 0xff, 0xff, 0xff, 0xff}},
			{"map32 of 2^32-1", []byte{0xdf, 0xff, 0xff, 0xff, 0xff}},
			{"array32 of 2^31-1", []byte{0xdd, 0x7f, 0xff, 0xff, 0xff}},
			{"map32 of 2^31-1", []byte{0xdf, 0x7f, 0xff, 0xff, 0xff}},
			{"ext32 of 2^32-1", []byte{0xc9, 0xff, 0xff, 0xff, 0xff, 0x01}},
			{"array32 of 2^24", []byte{0xdd, 0x01, 0x00, 0x00, 0x00}},
			{"map32 of 2^24", []byte{0xdf, 0x01, 0x00, 0x00, 0x00}},
		}
	case "cbor":
		var hs []header
		for _, major := range []header{{"bytes", []byte{0x40}}, {"text", []byte{0x60}}, {"array", []byte{0x80}}, {"map", []byte{0xa0}}} {
			b := major.bytes[0]
			hs = append(hs,
				header{major.name + " of 2^24", []byte{b | 26, 0x01, 0x00, 0x00, 0x00}},
				header{major.name + " of 2^32-1", []byte{b | 26, 0xff, 0xff, 0xff, 0xff}},
				header{major.name + " of 2^40", []byte{b | 27, 0, 0, 1, 0, 0, 0, 0, 0}},
				header{major.name + " of 2^63-1", []byte{b | 27, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}})
		}
		return hs
	case "bson":
		whole := func(element ...byte) []byte {
			return slices.Concat([]byte{byte(len(element) + 5), 0, 0, 0}, element, []byte{0})
		}
		return []header{
			{"document of 2^31-1", []byte{0xff, 0xff, 0xff, 0x7f, 0x02, 'a', 0}},
			{"document of -1", []byte{0xff, 0xff, 0xff, 0xff, 0x00}},
			{"string of 2^31-1", whole(0x02, 'a', 0, 0xff, 0xff, 0xff, 0x7f)},
			{"binary of 2^31-1", whole(0x05, 'a', 0, 0xff, 0xff, 0xff, 0x7f, 0)},
			{"inner document of 2^31-1", whole(0x03, 'a', 0, 0xff, 0xff, 0xff, 0x7f)},
			{"array of 2^31-1", whole(0x04, 'a', 0, 0xff, 0xff, 0xff, 0x7f)},
		}
	case "protobuf":
		var hs []header
		for field := byte(1); field <= 15; field++ {
			hs = append(hs,
				header{"field of 2^31-1", []byte{field<<3 | 2, 0xff, 0xff, 0xff, 0xff, 0x07}},
				header{"field of 2^40", []byte{field<<3 | 2, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20}},
				header{"field of 2^63", []byte{field<<3 | 2, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01}})
		}
		return hs
	case "gob":
		return []header{
			{"message of 2^29", []byte{0xfc, 0x20, 0x00, 0x00, 0x00}},
			{"message of 2^32-1", []byte{0xfc, 0xff, 0xff, 0xff, 0xff}},
			{"message of 2^64-1", []byte{0xf8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}},
		}
	case "avro":
		return []header{
			{"block of 2^24", []byte{0x80, 0x80, 0x80, 0x10}},
			{"block of 2^31", []byte{0x80, 0x80, 0x80, 0x80, 0x10}},
			{"block of 2^40", []byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x40}},
			{"block of -2^40", []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0x3f}},
		}
	case "json", "xml":
		return nil // have no lengths
	}
	// A type byte and a length behind it, whatever the bytes mean.
	var hs []header
	for b := range 256 {
		if b%4 == 1 || b >= 0xc0 {
			hs = append(hs, header{"a byte and 2^32-1", []byte{byte(b), 0xff, 0xff, 0xff, 0xff}})
		}
	}
	return hs
}

// A Nest is a way to nest values.
type Nest struct {
	Name          string
	Head          []byte // before all levels
	Open, Core    []byte
	Close, Tail   []byte
	lengthsBefore func(levels int) []byte // of formats that write lengths first
}

func (n Nest) make(levels int) []byte {
	if n.lengthsBefore != nil {
		return n.lengthsBefore(levels)
	}
	return slices.Concat(n.Head, bytes.Repeat(n.Open, levels), n.Core, bytes.Repeat(n.Close, levels), n.Tail)
}

// Derive finds how a codec nests from three messages of which each holds the
// one before.
func Derive(name string, msgs [3][]byte) (Nest, bool) {
	a, b, c := msgs[0], msgs[1], msgs[2]
	i := bytes.Index(b, a)
	if i < 1 || len(a) == 0 {
		return Nest{}, false
	}
	n := Nest{Name: name, Open: bytes.Clone(b[:i]), Core: bytes.Clone(a), Close: bytes.Clone(b[i+len(a):])}
	return n, bytes.Equal(n.make(2), c)
}

// nestsOf are the ways to nest in a format, at the top and in a field that the
// target does not have.
func nestsOf(format string, msgs [][]byte) []Nest {
	switch format {
	case "json":
		return []Nest{
			{Name: "arrays", Open: []byte("["), Close: []byte("]")},
			{Name: "objects", Open: []byte(`{"a":`), Core: []byte("1"), Close: []byte("}")},
			{Name: "arrays without an end", Open: []byte("[")},
			{Name: "arrays in a field", Head: []byte(`{"zz":`), Open: []byte("["), Close: []byte("]"), Tail: []byte("}")},
			{Name: "objects in a field", Head: []byte(`{"zz":`), Open: []byte(`{"a":`), Core: []byte("1"), Close: []byte("}"), Tail: []byte("}")},
		}
	case "msgpack":
		return []Nest{
			{Name: "arrays", Open: []byte{0x91}, Core: []byte{0xc0}},
			{Name: "maps", Open: []byte{0x81, 0xa1, 'a'}, Core: []byte{0xc0}},
			{Name: "arrays in a field", Head: []byte{0x81, 0xa2, 'z', 'z'}, Open: []byte{0x91}, Core: []byte{0xc0}},
			{Name: "maps in a field", Head: []byte{0x81, 0xa2, 'z', 'z'}, Open: []byte{0x81, 0xa1, 'a'}, Core: []byte{0xc0}},
		}
	case "cbor":
		return []Nest{
			{Name: "arrays", Open: []byte{0x81}, Core: []byte{0xf6}},
			{Name: "maps", Open: []byte{0xa1, 0x61, 'a'}, Core: []byte{0xf6}},
			{Name: "arrays of no stated length", Open: []byte{0x9f}, Close: []byte{0xff}},
			{Name: "tags", Open: []byte{0xd8, 0x64}, Core: []byte{0x00}},
			{Name: "arrays in a field", Head: []byte{0xa1, 0x62, 'z', 'z'}, Open: []byte{0x81}, Core: []byte{0xf6}},
			{Name: "maps in a field", Head: []byte{0xa1, 0x62, 'z', 'z'}, Open: []byte{0xa1, 0x61, 'a'}, Core: []byte{0xf6}},
			{Name: "tags in a field", Head: []byte{0xa1, 0x62, 'z', 'z'}, Open: []byte{0xd8, 0x64}, Core: []byte{0x00}},
		}
	case "bson":
		return []Nest{
			{Name: "documents", lengthsBefore: func(n int) []byte { return bsonNest(n, 0x03, "a") }},
			{Name: "arrays", lengthsBefore: func(n int) []byte { return bsonNest(n, 0x04, "0") }},
		}
	case "protobuf":
		return []Nest{
			{Name: "groups", Open: []byte{15<<3 | 3}, Close: []byte{15<<3 | 4}},
			{Name: "messages in field 1", lengthsBefore: func(n int) []byte { return protobufNest(n, 1<<3|2) }},
		}
	case "xml":
		root := []byte("a")
		if len(msgs) > 0 && bytes.HasPrefix(msgs[0], []byte("<")) {
			if i := bytes.IndexAny(msgs[0], "> "); i > 1 {
				root = msgs[0][1:i]
			}
		}
		return []Nest{
			{Name: "elements", Head: slices.Concat([]byte("<"), root, []byte(">")), Open: []byte("<z>"), Close: []byte("</z>"), Tail: slices.Concat([]byte("</"), root, []byte(">"))},
			{Name: "elements without an end", Head: slices.Concat([]byte("<"), root, []byte(">")), Open: []byte("<z>")},
		}
	}
	return nil
}

// bsonNest nests documents of one element.
func bsonNest(levels int, kind byte, key string) []byte {
	// An empty document has 5 bytes, each level around it 4 for the length, the
	// kind, the key with its zero, and a zero at the end.
	per := 4 + 1 + len(key) + 1 + 1
	out := make([]byte, 0, levels*per+5)
	for i := range levels {
		out = binary.LittleEndian.AppendUint32(out, uint32((levels-i)*per+5))
		out = append(append(append(out, kind), key...), 0)
	}
	out = append(out, 5, 0, 0, 0, 0)
	return append(out, make([]byte, levels)...)
}

// protobufNest nests a field with a length.
func protobufNest(levels int, tag byte) []byte {
	sizes := make([]int, levels)
	size := 0
	for i := range levels {
		sizes[i] = size
		size += 1 + len(binary.AppendUvarint(nil, uint64(size)))
	}
	out := make([]byte, 0, size)
	for i := levels - 1; i >= 0; i-- {
		out = append(out, tag)
		out = binary.AppendUvarint(out, uint64(sizes[i]))
	}
	return out
}
