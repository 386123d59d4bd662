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

// Start makes what is written next go behind dst.
func (w *Writer) Start(dst []byte) { w.b = dst }

// Take returns what was written behind dst, or dst if there is an error, and
// lets go of it.
func (w *Writer) Take(dst []byte, err error) ([]byte, error) {
	b := w.b
	w.b = nil
	if err != nil {
		return dst, err
	}
	return b, nil
}

// TakeLine is Take without the newline with which the encoders of JSON end.
func (w *Writer) TakeLine(dst []byte, err error) ([]byte, error) {
	b := w.b
	w.b = nil
	if err != nil {
		return dst, err
	}
	if n := len(b) - 1; n >= 0 && b[n] == '\n' {
		b = b[:n]
	}
	return b, nil
}

// OrDst returns dst if there is an error, else out.
func OrDst(dst, out []byte, err error) ([]byte, error) {
	if err != nil {
		return dst, err
	}
	return out, nil
}

// AtEnd is the error for bytes after the message, or nil.
func AtEnd(rest int) error {
	if rest > 0 {
		return after(rest)
	}
	return nil
}

func after(rest int) error { return fmt.Errorf("%d bytes after the message", rest) }
