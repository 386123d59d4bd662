package child

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"
)

const (
	tailBytes = 2048 // of standard error that are kept
	lineBytes = 256  // of a line that is looked at
)

// tail keeps the end of what is written to it, and the line that says what
// the runtime died of, however much follows.
type tail struct {
	mu    sync.Mutex
	end   []byte
	line  []byte // the start of the current line
	fatal string
	stack bool // the runtime said that a stack is full
}

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	t.scan(p)
	if len(p) > tailBytes {
		p = p[len(p)-tailBytes:]
	}
	t.end = append(t.end, p...)
	if over := len(t.end) - tailBytes; over > 0 {
		t.end = append(t.end[:0], t.end[over:]...)
	}
	return n, nil
}

func (t *tail) scan(p []byte) {
	for len(p) > 0 {
		part, rest, whole := bytes.Cut(p, []byte("\n"))
		if room := lineBytes - len(t.line); room > 0 {
			t.line = append(t.line, part[:min(room, len(part))]...)
		}
		p = rest
		if whole {
			t.look()
			t.line = t.line[:0]
		}
	}
}

// look keeps the line if it is the runtime's. The first one counts: a panic
// during a panic is its consequence.
func (t *tail) look() {
	line := string(t.line)
	if strings.HasPrefix(line, "runtime: goroutine stack exceeds") {
		t.stack = true
	}
	if t.fatal == "" && (strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") ||
		strings.HasPrefix(line, "runtime: out of memory") || strings.HasPrefix(line, "SIG")) {
		t.fatal = strings.ToValidUTF8(line, "\uFFFD")
	}
}

// classify tells by what was said what the process died of; why is empty if
// nothing was said.
func (t *tail) classify() (kind Kind, why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.look() // a last line without an end
	switch {
	case t.stack || strings.Contains(t.fatal, "stack overflow"):
		return StackFull, t.fatal
	case strings.Contains(t.fatal, "out of memory") || strings.Contains(t.fatal, "cannot allocate memory"):
		return OutOfMemory, t.fatal
	case t.fatal != "":
		return Panicked, t.fatal
	}
	return "", ""
}

// String returns the end, from the start of a character.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	end := t.end
	for len(end) > 0 && !utf8.RuneStart(end[0]) {
		end = end[1:]
	}
	return strings.ToValidUTF8(strings.TrimSpace(string(end)), "\uFFFD")
}
