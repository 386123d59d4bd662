package corpus

// msgpackHead knows the first bytes of the MessagePack specification.
func msgpackHead(c byte, s *Items) head {
	switch {
	case c <= 0x7f, c >= 0xe0:
		return head{what: "integer"}
	case c <= 0x8f:
		return head{what: "map", kind: table, items: 2 * uint64(c&0x0f)}
	case c <= 0x9f:
		return head{what: "array", kind: list, items: uint64(c & 0x0f)}
	case c <= 0xbf:
		return head{what: "string", bytes: uint64(c & 0x1f)}
	}
	width := func(of byte) int { return 1 << (c - of) } // of a length or a number
	switch c {
	case 0xc0, 0xc2, 0xc3:
		return head{what: "nil or boolean"}
	case 0xc1:
		return head{what: "value", bad: "the first byte of a value"}
	case 0xc4, 0xc5, 0xc6:
		return head{what: "binary value", bytes: s.argument(width(0xc4))}
	case 0xc7, 0xc8, 0xc9:
		return head{what: "extension", bytes: 1 + s.argument(width(0xc7))}
	case 0xca, 0xcb:
		return head{what: "floating-point number", bytes: uint64(4 * width(0xca))}
	case 0xcc, 0xcd, 0xce, 0xcf:
		return head{what: "integer", bytes: uint64(width(0xcc))}
	case 0xd0, 0xd1, 0xd2, 0xd3:
		return head{what: "integer", bytes: uint64(width(0xd0))}
	case 0xd4, 0xd5, 0xd6, 0xd7, 0xd8:
		return head{what: "extension", bytes: 1 + uint64(width(0xd4))}
	case 0xd9, 0xda, 0xdb:
		return head{what: "string", bytes: s.argument(width(0xd9))}
	case 0xdc, 0xdd:
		return head{what: "array", kind: list, items: s.argument(2 * width(0xdc))}
	}
	return head{what: "map", kind: table, items: 2 * s.argument(2*width(0xde))} // 0xde, 0xdf
}

// cborHead knows the heads of RFC 8949, section 3.
func cborHead(c byte, s *Items) head {
	major, info := c>>5, c&0x1f
	h := [8]head{
		{what: "integer"}, {what: "integer"}, {what: "byte string", kind: data}, {what: "text string", kind: text},
		{what: "array", kind: list}, {what: "map", kind: table}, {what: "tag", kind: tag}, {what: "simple value"},
	}[major]
	var n uint64
	switch {
	case info < 24:
		n = uint64(info)
	case info < 28:
		n = s.argument(1 << (info - 24))
	case info < 31:
		h.bad = "the first byte of an item"
		return h
	case major == 7:
		return head{what: "break", kind: stop}
	case major == 2 || major == 3 || major == 4 || major == 5: // of indefinite length
		h.kind = [8]kind{2: openData, 3: openText, 4: openList, 5: openTable}[major]
		return h
	default:
		h.bad = "the first byte of an item"
		return h
	}
	switch h.kind {
	case data, text:
		h.bytes = n
	case list:
		h.items = n
	case table:
		if h.items = 2 * n; h.items < n {
			h.items = 1<<64 - 1 // refused
		}
	case tag:
		h.items = 1
	case plain:
		if major == 7 && info == 24 && n < 32 {
			h.bad = "a simple value in its short form"
		}
	}
	return h
}
