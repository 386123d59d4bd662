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
func position(data []byte, off int) string {
	off = max(0, min(off, len(data)))
	before := data[:off]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return fmt.Sprintf("line %d, column %d (byte %d)", line, column, off)
}

// valueAt finds the first value that ends, or opens, at an offset or behind it:
// its path, such as results[3].reps ("" for the top level), and where it
// starts. Where the text is damaged, it is the path of what was open there.
//
// Note: a json.Decoder would give the same tokens, but takes a second for the
// 20 MB of a large report.
func valueAt(data []byte, off int) (path string, start int) {
	var stack pathStack
	for i := 0; i < len(data); {
		end := tokenEnd(data, i)
		switch c := data[i]; c {
		case ' ', '\t', '\r', '\n', ':':
		case ',':
			stack.comma()
		case '}', ']':
			if len(stack) > 0 {
				stack = stack[:len(stack)-1]
			}
			if end >= off {
				return stack.String(), i
			}
		default:
			stack.value(data[i:end])
			if end >= off {
				return stack.String(), i
			}
			if c == '{' || c == '[' {
				stack = append(stack, pathStep{object: c == '{', wantKey: c == '{', index: -1})
			}
		}
		i = end
	}
	return stack.String(), min(off, len(data))
}

// tokenEnd returns where the token ends that starts at i.
func tokenEnd(data []byte, i int) int {
	if data[i] == '"' {
		for i++; i < len(data); i++ {
			switch data[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return len(data)
	}
	const single = " \t\r\n:,{}[]"
	if strings.IndexByte(single, data[i]) >= 0 {
		return i + 1
	}
	if n := bytes.IndexAny(data[i:], single+`"`); n > 0 {
		return i + n
	}
	return len(data)
}

type pathStep struct {
	object  bool
	wantKey bool // of an object: the next token is a key
	key     string
	index   int // of an array
}

type pathStack []pathStep

// value takes in a token that is a key, a scalar, or the start of an object
// or array.
func (s pathStack) value(token []byte) {
	if len(s) == 0 {
		return
	}
	switch top := &s[len(s)-1]; {
	case !top.object:
		top.index++
	case top.wantKey:
		top.key = ""
		_ = json.Unmarshal(token, &top.key) // a damaged key has no name
		top.wantKey = false
	}
}

func (s pathStack) comma() {
	if len(s) > 0 {
		s[len(s)-1].wantKey = s[len(s)-1].object
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
	return cutPath(b.String())
}

// mostPath is how many bytes of a path an error holds: keys can be of any
// length and depth.
const mostPath = 200

// cutPath leaves out the middle of a long path.
func cutPath(path string) string {
	const gap = "..."
	if len(path) <= mostPath {
		return path
	}
	head, tail := (mostPath-len(gap))/2, len(path)-(mostPath-len(gap))/2
	for !utf8.RuneStart(path[head]) {
		head--
	}
	for tail < len(path) && !utf8.RuneStart(path[tail]) {
		tail++
	}
	return path[:head] + gap + path[tail:]
}

func plainKey(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}
