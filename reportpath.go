package serbench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// position tells an offset as people and programs do.
func position(data []byte, off int64) string {
	off = max(0, min(off, int64(len(data))))
	before := data[:off]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return fmt.Sprintf("line %d, column %d (byte %d)", line, column, off)
}

// valueAt finds the first value that ends, or opens, at an offset or behind it:
// its path, such as results[3].reps ("" for the top level), and where it
// starts. Where the text is damaged, it is the path of what was open there.
func valueAt(data []byte, off int64) (path string, start int64) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var stack pathStack
	for {
		start = dec.InputOffset()
		token, err := dec.Token()
		if err != nil {
			return stack.String(), off
		}
		delim, isDelim := token.(json.Delim)
		closing := isDelim && (delim == '}' || delim == ']')
		if closing {
			stack.pop()
		} else {
			stack.next(token)
		}
		if dec.InputOffset() >= off {
			rest := data[start:]
			return stack.String(), start + int64(len(rest)-len(bytes.TrimLeft(rest, " \t\r\n:,")))
		}
		if isDelim && !closing {
			stack = append(stack, pathStep{object: delim == '{', wantKey: true, index: -1})
		}
	}
}

type pathStep struct {
	object  bool
	wantKey bool // of an object: the next token is a key, or its end
	key     string
	index   int // of an array
}

type pathStack []pathStep

// next takes in a token that is no end of an object or array.
func (s pathStack) next(token json.Token) {
	if len(s) == 0 {
		return
	}
	switch top := &s[len(s)-1]; {
	case !top.object:
		top.index++
	case top.wantKey:
		top.key, _ = token.(string)
		top.wantKey = false
	default:
		top.wantKey = true
	}
}

func (s *pathStack) pop() {
	if len(*s) > 0 {
		*s = (*s)[:len(*s)-1]
	}
}

func (s pathStack) String() string {
	var b strings.Builder
	for _, step := range s {
		switch {
		case !step.object && step.index < 0, step.object && step.key == "":
			// Nothing of it has been read yet.
		case !step.object:
			b.WriteString("[" + strconv.Itoa(step.index) + "]")
		case plainKey(step.key):
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(step.key)
		default:
			b.WriteString("[" + strconv.Quote(step.key) + "]")
		}
	}
	return b.String()
}

func plainKey(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}
