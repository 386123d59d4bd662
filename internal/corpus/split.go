package corpus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Layout is how values lie in a JSON text.
type Layout int

// The layouts. Auto takes an array of objects for an array, several values
// behind each other for lines, and all else for one document.
const (
	Auto Layout = iota
	Document
	Array
	Lines
)

// Splitter cuts a JSON text into values, holding one at a time. It finds the
// ends of values by quotes and brackets alone and leaves their inside to
// encoding/json.
type Splitter struct {
	r       io.Reader
	most    int64 // bytes of one value; 0: no bound
	layout  Layout
	buf     []byte // what was read; buf[at:] is unused
	at      int
	eof     bool
	err     error // of the reader, behind buf
	pos     Position
	opening Position // of an array that is a document
	raw     []byte
	count   int
	first   bool // nothing was read yet
	multi   bool // the first value of several spans lines: so may others
	inside  bool // of the array
	done    bool
}

const chunk = 64 << 10

// NewSplitter reads r, which is not closed. A value longer than most bytes is
// an error; 0: no bound.
func NewSplitter(r io.Reader, layout Layout, most int64) *Splitter {
	return &Splitter{r: r, layout: layout, most: most, pos: start, first: true}
}

// Layout is the one found, once a value has been read and another was asked
// for; until then it can be Auto.
func (s *Splitter) Layout() Layout { return s.layout }

// Next returns the next value, valid until the call after, and where it
// begins; io.EOF at the end. Other errors are an *Error or the reader's.
func (s *Splitter) Next() ([]byte, Position, error) {
	if s.done {
		return nil, s.pos, io.EOF
	}
	raw, pos, err := s.next()
	if err != nil {
		s.done = true
		return nil, pos, err
	}
	if !json.Valid(raw) {
		s.done = true
		return nil, pos, syntax(raw, pos)
	}
	s.count++
	return raw, pos, nil
}

func (s *Splitter) next() ([]byte, Position, error) {
	s.raw = s.raw[:0]
	if s.first {
		s.first = false
		if err := s.open(); err != nil {
			return nil, s.pos, err
		}
		if len(s.raw) > 0 { // an array that is a document
			return s.value(1)
		}
	} else if s.inside {
		if err := s.space(); err != nil {
			return nil, s.pos, err
		}
		switch c, ok := s.peek(); {
		case ok && c == ']':
			return s.closeArray()
		case ok && c == ',':
			s.skip(1)
		default:
			return nil, s.pos, s.expected("',' or ']' behind an element of the array")
		}
	}
	if err := s.space(); err != nil {
		return nil, s.pos, err
	}
	c, ok := s.peek()
	switch {
	case s.inside && ok && c == ']' && s.count == 0:
		return s.closeArray()
	case s.inside && (!ok || c == ',' || c == ']'):
		return nil, s.pos, s.expected("an element of the array")
	case !ok && s.err != nil:
		return nil, s.pos, s.err
	case !ok && s.count == 0:
		return nil, s.pos, s.expected("a JSON value")
	case !ok:
		if s.layout == Auto {
			s.layout = Document
		}
		return nil, s.pos, io.EOF
	case s.count > 0 && s.layout == Document:
		return nil, s.pos, s.expected("the end of the input behind the document")
	case s.count == 1 && s.layout == Auto:
		s.layout = Lines
	}
	return s.value(0)
}

// open looks at how the text begins.
func (s *Splitter) open() error {
	for len(s.buf) < 3 && !s.eof { // enough to see a byte order mark
		s.read(len(s.buf))
	}
	if bytes.HasPrefix(s.buf[s.at:], []byte("\xef\xbb\xbf")) {
		s.skip(3)
		s.pos.Column = 1
	}
	if err := s.space(); err != nil {
		return err
	}
	c, ok := s.peek()
	switch {
	case s.layout == Array && (!ok || c != '['):
		return s.expected("'[' of an array")
	case !ok || c != '[' || s.layout == Document || s.layout == Lines:
		return nil
	}
	opening := s.pos
	s.skip(1)
	if err := s.space(); err != nil {
		return err
	}
	if c, _ := s.peek(); c == '{' || s.layout == Array {
		s.inside, s.layout = true, Array
		return nil
	}
	s.raw, s.opening = append(s.raw, '['), opening
	s.layout = Document
	// What stood between is white space: lines and columns stay as they were.
	for range s.pos.Line - opening.Line {
		s.raw = append(s.raw, '\n')
	}
	for column := opening.After(s.raw).Column; column < s.pos.Column; column++ {
		s.raw = append(s.raw, ' ')
	}
	return nil
}

func (s *Splitter) closeArray() ([]byte, Position, error) {
	s.skip(1)
	if err := s.space(); err != nil {
		return nil, s.pos, err
	}
	if _, ok := s.peek(); ok {
		return nil, s.pos, s.expected("the end of the input behind the array")
	}
	if s.err != nil {
		return nil, s.pos, s.err
	}
	return nil, s.pos, io.EOF
}

// value collects one value that begins here; depth is the number of brackets
// that are open in raw already.
func (s *Splitter) value(depth int) ([]byte, Position, error) {
	pos := s.pos
	if depth > 0 {
		pos = s.opening
	}
	strict := s.layout == Lines && !s.multi
	var quoted, escaped, bare bool
	for s.peekable() {
		end := -1
		b := s.buf[s.at:]
	scan:
		for i, c := range b {
			switch {
			case quoted:
				switch {
				case escaped:
					escaped = false
				case c == '\\':
					escaped = true
				case c == '"':
					quoted = false
					if depth == 0 {
						end = i + 1
						break scan
					}
				}
			case bare && (c <= ' ' || c == ',' || c == ']' || c == '}' || c == '[' || c == '{' || c == '"' || c == ':'):
				end = i
				break scan
			case c == '"':
				quoted = true
			case c == '{' || c == '[':
				depth++
			case c == '}' || c == ']':
				depth--
				if depth <= 0 {
					end = i + 1
					break scan
				}
			case depth == 0:
				bare = true
			case c == '\n' && strict:
				s.take(i)
				return nil, s.pos, &Error{Position: s.pos, Expected: "the rest of the value that began at column " + strconv.Itoa(pos.Column) + ": one that follows others ends with its line", Found: "the end of the line"}
			}
		}
		if end >= 0 {
			s.take(end)
		} else {
			s.take(len(b))
		}
		if s.most > 0 && int64(len(s.raw)) > s.most {
			return nil, pos, &Error{Position: pos, Expected: fmt.Sprintf("a value of at most %d bytes", s.most), Found: TooLong}
		}
		if end >= 0 {
			break
		}
	}
	if s.err != nil && !s.peekable() {
		return nil, s.pos, s.err
	}
	if s.count == 0 && bytes.IndexByte(s.raw, '\n') >= 0 {
		s.multi = true
	}
	return s.raw, pos, nil
}

// take moves n bytes of the buffer to raw.
func (s *Splitter) take(n int) {
	s.raw = append(s.raw, s.buf[s.at:s.at+n]...)
	s.skip(n)
}

func (s *Splitter) skip(n int) {
	s.pos = s.pos.After(s.buf[s.at : s.at+n])
	s.at += n
}

// space skips white space.
func (s *Splitter) space() error {
	for s.peekable() {
		b := s.buf[s.at:]
		i := 0
		for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
			i++
		}
		s.skip(i)
		if i < len(b) {
			return nil
		}
	}
	return s.err
}

func (s *Splitter) peek() (byte, bool) {
	if !s.peekable() {
		return 0, false
	}
	return s.buf[s.at], true
}

func (s *Splitter) peekable() bool {
	if s.at == len(s.buf) {
		s.fill()
	}
	return s.at < len(s.buf)
}

func (s *Splitter) fill() {
	for s.at == len(s.buf) && !s.eof {
		s.at = 0
		s.read(0)
	}
}

// read reads once, behind the first keep bytes of the buffer.
func (s *Splitter) read(keep int) {
	if s.buf == nil {
		s.buf = make([]byte, 0, chunk)
	}
	n, err := s.r.Read(s.buf[keep:cap(s.buf)])
	s.buf = s.buf[:keep+n]
	if err != nil {
		s.eof = true
		if !errors.Is(err, io.EOF) {
			s.err = err
		}
	}
}

// expected is the error for what stands here.
func (s *Splitter) expected(what string) error {
	e := &Error{Position: s.pos, Expected: what}
	if c, ok := s.peek(); ok {
		e.Found = quoteByte(c)
	}
	return e
}

func quoteByte(c byte) string {
	if c < 0x80 {
		return strconv.QuoteRune(rune(c))
	}
	return fmt.Sprintf("byte 0x%02x", c)
}

// syntax says what is wrong inside a value that begins at pos.
func syntax(raw []byte, pos Position) error {
	err := json.Unmarshal(raw, new(json.RawMessage))
	e := &Error{Position: pos, Expected: "valid JSON", Found: "a value that is not", Err: err}
	s := (*json.SyntaxError)(nil)
	if !errors.As(err, &s) {
		return e
	}
	at := min(max(int(s.Offset)-1, 0), len(raw))
	if s.Offset >= int64(len(raw)) && endsEarly(raw) {
		at = len(raw)
	}
	e.Position = pos.After(raw[:at])
	e.Found = ""
	if at < len(raw) {
		e.Found = quoteByte(raw[at])
	}
	e.Expected = expectation(s.Error())
	return e
}

// endsEarly reports whether what is wrong with raw is that it ends.
func endsEarly(raw []byte) bool {
	_, err := json.NewDecoder(bytes.NewReader(raw)).Token()
	for d := json.NewDecoder(bytes.NewReader(raw)); err == nil; {
		_, err = d.Token()
	}
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
}
