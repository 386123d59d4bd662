package probe

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
)

// A header is the beginning of a value that claims to be large.
type header struct {
	what  string
	claim uint64
	at    func(claim uint64) []byte // the header with another claim
}

func (h header) name(claim uint64) string { return h.what + " of " + power(claim) }

// claims are headers of one kind.
func claims(what string, at func(uint64) []byte, claim ...uint64) []header {
	var hs []header
	for _, n := range claim {
		hs = append(hs, header{what, n, at})
	}
	return hs
}

// power writes n as people write limits.
func power(n uint64) string {
	switch k := bits.Len64(n); {
	case n >= 1<<16 && n == 1<<(k-1):
		return fmt.Sprintf("2^%d", k-1)
	case n >= 1<<16 && n == 1<<k-1:
		return fmt.Sprintf("2^%d-1", k)
	}
	return strconv.FormatUint(n, 10)
}

func be32(before []byte, after ...byte) func(uint64) []byte {
	return func(n uint64) []byte {
		return append(binary.BigEndian.AppendUint32(bytes.Clone(before), uint32(n)), after...)
	}
}

func be64(before ...byte) func(uint64) []byte {
	return func(n uint64) []byte { return binary.BigEndian.AppendUint64(bytes.Clone(before), n) }
}

// anyLength are lengths in the ways in which formats write them.
var anyLength = [][]byte{
	{0xff, 0xff, 0xff, 0xff}, {0x7f, 0xff, 0xff, 0xff}, {0xff, 0xff, 0xff, 0x7f},
	{0x80, 0x80, 0x80, 0x80, 0x20},
}

// Claims.
const (
	max31 = 1<<31 - 1
	max32 = 1<<32 - 1
	max63 = 1<<63 - 1
	max64 = 1<<64 - 1
)

// headers are beginnings of values that claim to be large, by the
// specifications of the formats: msgpack.org, RFC 8949, bsonspec.org,
// protobuf.dev, encoding/gob, the Avro specification.
func headers(format string) []header {
	var hs []header
	add := func(what string, at func(uint64) []byte, claim ...uint64) {
		hs = append(hs, claims(what, at, claim...)...)
	}
	switch format {
	case "msgpack":
		add("str32", be32([]byte{0xdb}), max32)
		add("bin32", be32([]byte{0xc6}), max32)
		add("array32", be32([]byte{0xdd}), max32, max31, 1<<24)
		add("map32", be32([]byte{0xdf}), max32, max31, 1<<24)
		add("ext32", be32([]byte{0xc9}, 0x01), max32)
	case "cbor":
		for _, major := range []struct {
			name string
			bits byte
		}{{"bytes", 0x40}, {"text", 0x60}, {"array", 0x80}, {"map", 0xa0}} {
			add(major.name, be32([]byte{major.bits | 26}), 1<<24, max32)
			add(major.name, be64(major.bits|27), 1<<40, max63)
		}
	case "bson":
		document := func(kind byte, after ...byte) func(uint64) []byte {
			return func(n uint64) []byte {
				element := append(binary.LittleEndian.AppendUint32([]byte{kind, 'a', 0}, uint32(n)), after...)
				return slices.Concat([]byte{byte(len(element) + 5), 0, 0, 0}, element, []byte{0})
			}
		}
		add("document", func(n uint64) []byte {
			return append(binary.LittleEndian.AppendUint32(nil, uint32(n)), 0x02, 'a', 0)
		}, max31, max32)
		add("string", document(0x02), max31)
		add("binary", document(0x05, 0), max31)
		add("inner document", document(0x03), max31)
		add("array", document(0x04), max31)
	case "protobuf":
		for field := byte(1); field <= 15; field++ {
			add("field", func(n uint64) []byte { return binary.AppendUvarint([]byte{field<<3 | 2}, n) }, max31, 1<<40, 1<<63)
		}
	case "gob":
		add("message", func(n uint64) []byte { // of encoding/gob: the negated count of bytes, and those
			b := binary.BigEndian.AppendUint64(nil, n)
			for len(b) > 1 && b[0] == 0 {
				b = b[1:]
			}
			return append([]byte{-byte(len(b))}, b...)
		}, 1<<29, max32, max64)
	case "avro":
		zigzag := func(n uint64) []byte { return binary.AppendVarint(nil, int64(n)) }
		add("block", zigzag, 1<<24, 1<<31, 1<<40)
		add("negative block", func(n uint64) []byte { return binary.AppendVarint(nil, -int64(n)) }, 1<<40)
	case "json", "xml": // have no lengths
	default: // a type byte and a length behind it, whatever the bytes mean
		for b := range 256 {
			if b%4 == 1 || b >= 0xc0 {
				add(fmt.Sprintf("the byte %#02x and a length", b), be32([]byte{byte(b)}), max32)
			}
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
