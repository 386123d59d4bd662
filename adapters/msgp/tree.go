package msgp

import (
	"errors"
	"fmt"

	"github.com/tinylib/msgp/msgp"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/internal/typecheck"
)

// Tree returns the codec for generic values, named "msgp-tree": *any,
// *map[string]any and *[]any, with what encoding/json decodes into them and
// with integers, binary data and times besides. It is safe for concurrent use.
func Tree() serbench.Codec { return tree{} }

type tree struct{}

func (tree) Name() string            { return "msgp-tree" }
func (c tree) Clone() serbench.Codec { return c }

func (tree) Describe() serbench.Info {
	i := info(serbench.KindReflect, "AppendIntf; ReadIntfBytes, for maps ReadMapStrIntfBytes")
	i.Options = map[string]string{
		"integers": "come back as int64, or uint64 where unsigned",
		"time":     "in msgp's own extension 5, which other libraries do not read",
		"panics":   "of generated methods on nil pointers within the tree become errors here, by a recover around each encoding",
	}
	return i
}

func (tree) Supports(v any) error {
	if why := typecheck.Pointer(v); why != "" {
		return serbench.Unsupported(v, why)
	}
	switch v.(type) {
	case *map[string]any, *any, *[]any:
		return nil
	}
	return serbench.Unsupported(v, "is not a generic value: any, map[string]any or []any")
}

func (c tree) Marshal(v any) ([]byte, error) { return c.Append(nil, v) }

func (c tree) Append(dst []byte, v any) (out []byte, err error) {
	defer caught(dst, &out, &err)
	switch v := v.(type) {
	case *map[string]any:
		if v != nil {
			out, err = msgp.AppendMapStrIntf(dst, *v)
			return settle(dst, out, err)
		}
	case *any:
		if v != nil {
			out, err = msgp.AppendIntf(dst, *v)
			return settle(dst, out, err)
		}
	case *[]any:
		if v != nil {
			out, err = msgp.AppendIntf(dst, *v)
			return settle(dst, out, err)
		}
	}
	return dst, c.Supports(v)
}

// Bind has the map at hand, the type of most trees.
func (c tree) Bind(v any) (serbench.Bound, error) {
	if err := c.Supports(v); err != nil {
		return serbench.Bound{}, err
	}
	m, ok := v.(*map[string]any)
	if !ok {
		return serbench.Bound{}, nil
	}
	appendTo := func(dst []byte) (out []byte, err error) {
		defer caught(dst, &out, &err)
		out, err = msgp.AppendMapStrIntf(dst, *m)
		if err != nil {
			return settle(dst, out, err)
		}
		return out, nil
	}
	return serbench.Bound{
		Marshal:   func() ([]byte, error) { return appendTo(nil) },
		Append:    appendTo,
		Unmarshal: func(data []byte) error { return readMap(data, m) },
	}, nil
}

// caught makes an error of a panic: a nil pointer within the tree that has
// generated methods panics there.
func caught(dst []byte, out *[]byte, err *error) {
	if r := recover(); r != nil {
		*out, *err = dst, fmt.Errorf("msgp: panic in AppendIntf: %v", r)
	}
}

func settle(dst, out []byte, err error) ([]byte, error) {
	if err == nil {
		return out, nil
	}
	if ut := (*msgp.ErrUnsupportedType)(nil); errors.As(err, &ut) {
		return dst, fmt.Errorf("msgp: the tree holds a %s: %w", ut.T, errors.ErrUnsupported)
	}
	return dst, err
}

func (c tree) Unmarshal(data []byte, v any) error {
	switch v := v.(type) {
	case *map[string]any:
		if v != nil {
			return readMap(data, v)
		}
	case *any:
		if v != nil {
			return readAny(data, v)
		}
	case *[]any:
		if v != nil {
			return readSlice(data, v)
		}
	}
	return c.Supports(v)
}

// readMap fills the map that is there, as a direct call would; the keys of
// before are gone.
func readMap(data []byte, v *map[string]any) error {
	m, rest, err := msgp.ReadMapStrIntfBytes(data, *v)
	if err = whole(rest, err); err == nil {
		*v = m
	}
	return err
}

func readAny(data []byte, v *any) error {
	x, rest, err := msgp.ReadIntfBytes(data)
	if err = whole(rest, err); err == nil {
		*v = x
	}
	return err
}

func readSlice(data []byte, v *[]any) error {
	var x any
	if err := readAny(data, &x); err != nil {
		return err
	}
	s, ok := x.([]any)
	if !ok && x != nil {
		return fmt.Errorf("msgp: the message holds a %T, not an array", x)
	}
	*v = s
	return nil
}
