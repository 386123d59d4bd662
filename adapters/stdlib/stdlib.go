// Package stdlib adapts the codecs of the standard library: [JSON] and [Gob].
package stdlib

import (
	"reflect"
	"runtime"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/internal/typecheck"
)

// codec is what the codecs of this package are.
type codec interface {
	serbench.Codec
	serbench.Appender
	serbench.Supporter
	serbench.Describer
	serbench.Cloner
}

var (
	_ codec             = (*jsonCodec)(nil)
	_ serbench.Binder   = (*jsonCodec)(nil)
	_ codec             = (*gobCodec)(nil)
	_ serbench.Streamer = (*gobCodec)(nil)
)

func info(pkg, format, callPath string) serbench.Info {
	return serbench.Info{
		Format:   format,
		Library:  pkg,
		Version:  runtime.Version(),
		Kind:     serbench.KindReflect,
		CallPath: callPath,
	}
}

// check is nil for a pointer to a value.
func check(v any) error {
	if why := typecheck.Pointer(v); why != "" {
		return serbench.Unsupported(v, why)
	}
	return nil
}

// checkType is nil for a pointer to a value in whose type w finds nothing bad.
func checkType(v any, w typecheck.Walk, cannot string) error {
	if err := check(v); err != nil {
		return err
	}
	path, bad := w.Find(reflect.TypeOf(v))
	switch {
	case bad == nil:
		return nil
	case path == "":
		return serbench.Unsupported(v, cannot)
	}
	return serbench.Unsupported(v, "has a field "+path+" of type "+bad.String()+", which "+cannot)
}

// writer appends what is written to a slice.
type writer struct{ b []byte }

func (w *writer) Write(p []byte) (int, error) {
	w.b = append(w.b, p...)
	return len(p), nil
}

// take returns what was written and lets go of it.
func (w *writer) take() []byte {
	b := w.b
	w.b = nil
	return b
}
