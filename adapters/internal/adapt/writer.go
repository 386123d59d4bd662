package adapt

import "fmt"

// A Writer appends what is written to a slice, for libraries that encode to
// an io.Writer.
type Writer struct{ b []byte }

// Write appends p.
func (w *Writer) Write(p []byte) (int, error) {
	w.b = append(w.b, p...)
	return len(p), nil
}

// WriteByte appends c.
func (w *Writer) WriteByte(c byte) error {
	w.b = append(w.b, c)
	return nil
}

// WriteString appends s.
func (w *Writer) WriteString(s string) (int, error) {
	w.b = append(w.b, s...)
	return len(s), nil
}

// Into returns what encode writes, behind dst, and lets go of it.
func (w *Writer) Into(dst []byte, encode func(v any) error, v any) ([]byte, error) {
	w.b = dst
	err := encode(v)
	out := w.b
	w.b = nil
	return out, err
}

// Line is Into without the newline with which the encoders of JSON end.
func (w *Writer) Line(dst []byte, encode func(v any) error, v any) ([]byte, error) {
	out, err := w.Into(dst, encode, v)
	if n := len(out) - 1; err == nil && n >= len(dst) && out[n] == '\n' {
		out = out[:n]
	}
	return out, err
}

// AtEnd is the error for bytes after the message, or nil.
func AtEnd(rest int) error {
	if rest > 0 {
		return fmt.Errorf("%d bytes after the message", rest)
	}
	return nil
}
