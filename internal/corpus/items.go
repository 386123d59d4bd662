package corpus

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Items cuts MessagePack or CBOR into messages, holding one at a time: the
// items that stand behind each other, or the elements of one array whose first
// element is a map. Any other array is one message. It follows the lengths
// alone and leaves the inside to a library.
type Items struct {
	r     *bufio.Reader
	head  func(first byte, s *Items) head
	isMap func(first byte) bool
	most  int64 // bytes of one message; 0: no bound
	magic []byte

	at      int64 // offset behind what was read
	raw     []byte
	stack   []frame
	pairs   int64
	begun   bool
	inside  bool // of the array
	open    bool // which ends with a break
	left    uint64
	skipped int64 // bytes that belong to no message
	short   error // the input ended in a head
	err     error
}

// head is the beginning of an item: what follows it.
type head struct {
	what  string // in words
	bytes uint64 // of content
	items uint64 // inside of it
	kind  kind
	bad   string // what should stand there instead, if it is none
}

type kind byte

const (
	plain kind = iota
	list
	table
	openList
	openTable
	openText // chunks, up to a break
	openData
	tag
	text
	data
	stop // a break
)

// frame is an item that is not complete.
type frame struct {
	head
	start int64
	done  uint64 // items inside, for those that end with a break
}

// MostLevels that an item may be nested.
const MostLevels = 10_000

// MessagePack reads messages of that format. A message longer than most bytes
// is an error; 0: no bound.
func MessagePack(r io.Reader, most int64) *Items {
	return &Items{r: bufio.NewReaderSize(r, chunk), most: most, head: msgpackHead,
		isMap: func(c byte) bool { return c&0xf0 == 0x80 || c == 0xde || c == 0xdf }}
}

// CBOR reads items of that format, RFC 8949, a sequence of them (RFC 8742) or
// an array; the tag that tells CBOR from other files is skipped.
func CBOR(r io.Reader, most int64) *Items {
	return &Items{r: bufio.NewReaderSize(r, chunk), most: most, head: cborHead,
		isMap: func(c byte) bool { return c>>5 == 5 }, magic: []byte{0xd9, 0xd9, 0xf7}}
}

// Reset makes it read r from the beginning.
func (s *Items) Reset(r io.Reader) {
	s.r.Reset(r)
	*s = Items{r: s.r, head: s.head, isMap: s.isMap, most: s.most, magic: s.magic, raw: s.raw[:0], stack: s.stack[:0]}
}

// Skipped is the number of bytes before the first message that belong to none.
func (s *Items) Skipped() int64 { return s.skipped }

// Pairs is the number of keys with values in the last message, in all of its
// maps.
func (s *Items) Pairs() int64 { return s.pairs }

// Next returns the next message, valid until the call after, and where it
// begins; io.EOF at the end. Other errors are an *Error or the reader's.
func (s *Items) Next() ([]byte, Position, error) {
	if s.err != nil {
		return nil, Position{Offset: s.at}, s.err
	}
	start := s.at
	s.raw, s.stack, s.pairs = s.raw[:0], s.stack[:0], 0
	if err := s.next(&start); err != nil {
		s.err = err
		return nil, Position{Offset: s.at}, err
	}
	return s.raw, Position{Offset: start}, nil
}

func (s *Items) next(start *int64) error {
	if !s.begun {
		s.begun = true
		if done, err := s.begin(); done || err != nil {
			*start = s.skipped
			return err
		}
		*start = s.at
	}
	switch c, err := s.peek(); {
	case err != nil && !errors.Is(err, io.EOF):
		return err
	case s.inside && s.open && err == nil && c == 0xff:
		s.skip(1)
		return s.end()
	case s.inside && !s.open && s.left == 0:
		return s.end()
	case s.inside && err != nil:
		return s.expected(s.at, "an element of the array", err)
	case err != nil:
		return io.EOF
	}
	if !s.open && s.inside {
		s.left--
	}
	return s.item()
}

// begin looks at how the input begins. done: the first message was read.
func (s *Items) begin() (done bool, err error) {
	if b, _ := s.r.Peek(len(s.magic)); len(s.magic) > 0 && bytes.Equal(b, s.magic) {
		s.skip(len(s.magic))
	}
	s.skipped = s.at
	if _, err := s.peek(); err != nil {
		return false, nil //nolint:nilerr // next says what it means
	}
	h, err := s.readHead()
	if err != nil {
		return false, err
	}
	if h.kind == list && h.items > 0 || h.kind == openList {
		if c, err := s.peek(); err == nil && s.isMap(c) {
			s.inside, s.open, s.left = true, h.kind == openList, h.items
			s.raw, s.skipped = s.raw[:0], s.at
			return false, nil
		}
	}
	return true, s.rest(h, s.skipped)
}

// end of the array: nothing may follow.
func (s *Items) end() error {
	switch c, err := s.peek(); {
	case err == nil:
		return &Error{Position: Position{Offset: s.at}, Expected: "the end of the input behind the array", Found: fmt.Sprintf("byte 0x%02x", c)}
	case !errors.Is(err, io.EOF):
		return err
	}
	return io.EOF
}

// item reads one item whole.
func (s *Items) item() error {
	start := s.at
	h, err := s.readHead()
	if err != nil {
		return err
	}
	return s.rest(h, start)
}

// rest reads what follows the head of an item that began at start.
func (s *Items) rest(h head, start int64) error {
	for {
		if err := s.content(h, start); err != nil {
			return err
		}
		if h.kind == stop {
			if err := s.closeOpen(start); err != nil {
				return err
			}
		} else if h.items > 0 || h.kind == openList || h.kind == openTable || h.kind == openText || h.kind == openData {
			if len(s.stack) == MostLevels {
				return &Error{Position: Position{Offset: start}, Expected: fmt.Sprintf("at most %d levels of nesting", MostLevels), Found: "more"}
			}
			s.stack = append(s.stack, frame{head: h, start: start})
		} else {
			s.complete()
		}
		if len(s.stack) == 0 {
			return nil
		}
		start = s.at
		var err error
		if h, err = s.readHead(); err != nil {
			return err
		}
		top := s.stack[len(s.stack)-1]
		if top.kind == openText && h.kind != text && h.kind != stop || top.kind == openData && h.kind != data && h.kind != stop {
			return &Error{Position: Position{Offset: start}, Expected: "a piece of the " + top.what + ", or its end", Found: h.what}
		}
	}
}

// complete counts an item that is, and all that it completes.
func (s *Items) complete() {
	for len(s.stack) > 0 {
		top := &s.stack[len(s.stack)-1]
		top.done++
		if top.items == 0 || top.done < top.items {
			return
		}
		if top.kind == table {
			s.pairs += int64(top.items / 2)
		}
		s.stack = s.stack[:len(s.stack)-1]
	}
}

func (s *Items) closeOpen(start int64) error {
	bad := "an item, not a break"
	if len(s.stack) > 0 {
		top := s.stack[len(s.stack)-1]
		switch {
		case top.items > 0: // it says how many there are
		case top.kind == openTable && top.done%2 == 1:
			bad = "the value of a key"
		default:
			if top.kind == openTable {
				s.pairs += int64(top.done / 2)
			}
			s.stack = s.stack[:len(s.stack)-1]
			s.complete()
			return nil
		}
	}
	return &Error{Position: Position{Offset: start}, Expected: bad, Found: "byte 0xff"}
}

func (s *Items) readHead() (head, error) {
	start := s.at
	c, err := s.peek()
	if err != nil {
		return head{}, s.expected(s.at, s.missing(), err)
	}
	s.take(1)
	h := s.head(c, s)
	switch {
	case s.short != nil:
		return h, s.expected(s.at+int64(s.r.Buffered()), fmt.Sprintf("the rest of the %s that began at byte %d", h.what, start), s.short)
	case h.bad != "":
		return h, &Error{Position: Position{Offset: start}, Expected: h.bad, Found: fmt.Sprintf("byte 0x%02x", c)}
	case h.items > math.MaxInt64:
		return h, &Error{Position: Position{Offset: start}, Expected: "a possible length", Found: fmt.Sprint(h.items)}
	}
	return h, nil
}

// argument is the number of n bytes behind a first byte; 0 if the input ends.
func (s *Items) argument(n int) (x uint64) {
	b, err := s.r.Peek(n)
	if err != nil {
		s.short = err
		return 0
	}
	for _, c := range b {
		x = x<<8 | uint64(c)
	}
	s.take(n)
	return x
}

// missing says what an end of the input leaves out.
func (s *Items) missing() string {
	if len(s.stack) == 0 {
		return "an item"
	}
	top := s.stack[len(s.stack)-1]
	if top.items == 0 {
		return fmt.Sprintf("the end of the %s that began at byte %d", top.what, top.start)
	}
	n, what := top.items, "items"
	if top.kind == table {
		n, what = n/2, "pairs"
	}
	return fmt.Sprintf("the rest of the %s of %d %s that began at byte %d", top.what, n, what, top.start)
}

// content moves the bytes behind a head to raw, as they come: a length is a
// claim.
func (s *Items) content(h head, start int64) error {
	for left := h.bytes; left > 0; {
		if s.most > 0 && (int64(len(s.raw)) > s.most || left > uint64(s.most)) {
			return s.tooLong()
		}
		n := int(min(left, chunk))
		s.raw = slices.Grow(s.raw, n)
		got, err := io.ReadFull(s.r, s.raw[len(s.raw):len(s.raw)+n])
		s.raw = s.raw[:len(s.raw)+got]
		s.at += int64(got)
		left -= uint64(got)
		if err != nil {
			return s.expected(s.at, fmt.Sprintf("%d more bytes of the %s that began at byte %d", left, h.what, start), err)
		}
	}
	if s.most > 0 && int64(len(s.raw)) > s.most {
		return s.tooLong()
	}
	return nil
}

func (s *Items) tooLong() error {
	return &Error{Position: Position{Offset: s.at - int64(len(s.raw))}, Expected: fmt.Sprintf("a message of at most %d bytes", s.most), Found: TooLong}
}

// expected is the error for an end of the input, or the reader's own.
func (s *Items) expected(at int64, what string, err error) error {
	if err != io.EOF && err != io.ErrUnexpectedEOF { //nolint:errorlint // a wrapped one is the reader's own
		return err
	}
	return &Error{Position: Position{Offset: at}, Expected: what}
}

func (s *Items) peek() (byte, error) {
	b, err := s.r.Peek(1)
	if err != nil {
		return 0, err
	}
	return b[0], nil
}

// take moves n bytes that were peeked at to raw.
func (s *Items) take(n int) {
	b, _ := s.r.Peek(n)
	s.raw = append(s.raw, b...)
	s.skip(n)
}

func (s *Items) skip(n int) {
	n, _ = s.r.Discard(n)
	s.at += int64(n)
}
