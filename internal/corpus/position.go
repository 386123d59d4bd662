// Package corpus reads recorded messages: it splits JSON text into values as
// it comes, knows where each stands, and draws a bounded sample of any number
// of messages.
package corpus

import (
	"bytes"
	"fmt"
)

// Position is a place in a text. Line and Column count from 1, Column in
// bytes; both are 0 in binary data.
type Position struct {
	Offset       int64
	Line, Column int
}

// start of a text.
var start = Position{Line: 1, Column: 1}

// After returns the position behind text that begins at p.
func (p Position) After(text []byte) Position {
	p.Offset += int64(len(text))
	if n := bytes.Count(text, []byte{'\n'}); n > 0 {
		p.Line += n
		p.Column = 1
		text = text[bytes.LastIndexByte(text, '\n')+1:]
	}
	p.Column += len(text)
	return p
}

// Error says where a text is not what it should be.
type Error struct {
	Position
	Expected string // what should stand there
	Found    string // what does; empty: the end
	Err      error  // the cause, if it has one
}

// TooLong is what was found where a message is longer than it may be.
const TooLong = "a longer one"

func (e *Error) Error() string {
	found := e.Found
	if found == "" {
		found = "the end of the input"
	}
	return fmt.Sprintf("expected %s, found %s", e.Expected, found)
}

func (e *Error) Unwrap() error { return e.Err }
