// Package adapt makes a codec of a library that takes any Go value, so that
// such an adapter states its calls, its options and its name, and nothing
// else. What the contract of [serbench.Codec] asks beyond that is done here.
package adapt

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/internal/buildinfo"
	"github.com/serbench/serbench/internal/typecheck"
)

// A Library is what an adapter knows about its library.
type Library struct {
	Name string
	// Info needs Format, Library, CallPath and Options; the version is that of
	// the module named in Library, the kind KindReflect, unless they are set.
	Info serbench.Info
	// New returns the calls with fresh state, for one goroutine.
	New func() Calls
	// Stateless: the calls share nothing, so that one instance serves all.
	Stateless bool
	// Types finds what the library cannot encode; see [JSON] and [Binary]. The
	// zero value finds nothing.
	Types typecheck.Walk
	// Refuse, if set, gives the reason why a type is refused for another
	// cause, or "".
	Refuse func(reflect.Type) string
	// Panics: the library panics on some input; a panic in it is an error.
	Panics bool
}

// Calls are the library's functions. They are given a pointer to a value of a
// type that passed Supports, or one about to fail in the library.
type Calls struct {
	Marshal   func(v any) ([]byte, error)
	Append    func(dst []byte, v any) ([]byte, error) // what it returns with an error is not looked at
	Unmarshal func(data []byte, v any) error          // refuses what stands after the message
}

// New returns the codec. It panics if the library lacks a call: a mistake of
// the adapter that its first test finds.
func New(l Library) serbench.Codec {
	if l.Info.Version == "" {
		l.Info.Version = buildinfo.Version(l.Info.Library)
	}
	if l.Info.Kind == "" {
		l.Info.Kind = serbench.KindReflect
	}
	if l.Panics {
		l.Info.Options = with(l.Info.Options, "panics", "of the library become errors here, by a recover around each call")
	}
	return &codec{lib: &l, calls: l.fresh()}
}

func with(m map[string]string, key, value string) map[string]string {
	out := map[string]string{key: value}
	for k, v := range m {
		out[k] = v
	}
	return out
}

// fresh returns the calls with what the contract adds to them.
func (l *Library) fresh() Calls {
	calls := l.New()
	if calls.Marshal == nil || calls.Append == nil || calls.Unmarshal == nil {
		panic("adapt: " + l.Name + " lacks a call")
	}
	if l.Panics {
		return guarded(l.Name, calls)
	}
	return calls
}

type codec struct {
	lib   *Library
	calls Calls
}

var (
	_ serbench.Appender  = (*codec)(nil)
	_ serbench.Supporter = (*codec)(nil)
	_ serbench.Describer = (*codec)(nil)
	_ serbench.Cloner    = (*codec)(nil)
	_ serbench.Binder    = (*codec)(nil)
)

func (c *codec) Name() string            { return c.lib.Name }
func (c *codec) Describe() serbench.Info { return c.lib.Info }

func (c *codec) Clone() serbench.Codec {
	if c.lib.Stateless {
		return c
	}
	return &codec{lib: c.lib, calls: c.lib.fresh()}
}

func (c *codec) Supports(v any) error {
	if err := pointer(v); err != nil {
		return err
	}
	t := reflect.TypeOf(v).Elem()
	if c.lib.Refuse != nil {
		if why := c.lib.Refuse(t); why != "" {
			return serbench.Unsupported(v, why)
		}
	}
	if c.lib.Types.Bad == nil {
		return nil
	}
	if path, bad := c.lib.Types.Find(t); bad != nil {
		cannot := "which " + c.lib.Info.Library + " cannot encode"
		if path == "" {
			return serbench.Unsupported(v, "is a "+bad.Kind().String()+", "+cannot)
		}
		return serbench.Unsupported(v, "has a field "+path+" of type "+bad.String()+", "+cannot)
	}
	return nil
}

func pointer(v any) error {
	if why := typecheck.Pointer(v); why != "" {
		return serbench.Unsupported(v, why)
	}
	return nil
}

// Marshal and the other methods look at the type only once the library has
// failed: a type that is not supported is then named as such.
func (c *codec) Marshal(v any) ([]byte, error) {
	if err := pointer(v); err != nil {
		return nil, err
	}
	out, err := c.calls.Marshal(v)
	if err != nil {
		return nil, errors.Join(c.Supports(v), err)
	}
	return out, nil
}

func (c *codec) Append(dst []byte, v any) ([]byte, error) {
	if err := pointer(v); err != nil {
		return dst, err
	}
	out, err := c.calls.Append(dst, v)
	if err != nil {
		return dst, errors.Join(c.Supports(v), err)
	}
	return out, nil
}

func (c *codec) Unmarshal(data []byte, v any) error {
	if err := pointer(v); err != nil {
		return err
	}
	if err := c.calls.Unmarshal(data, v); err != nil {
		return errors.Join(c.Supports(v), err)
	}
	return nil
}

func (c *codec) Bind(v any) (serbench.Bound, error) {
	if err := c.Supports(v); err != nil {
		return serbench.Bound{}, err
	}
	calls := c.lib.fresh()
	return serbench.Bound{
		Marshal: func() ([]byte, error) { return calls.Marshal(v) },
		Append: func(dst []byte) ([]byte, error) {
			out, err := calls.Append(dst, v)
			if err != nil {
				return dst, err
			}
			return out, nil
		},
		Unmarshal: func(data []byte) error { return calls.Unmarshal(data, v) },
	}, nil
}

// guarded turns panics of the library into errors.
func guarded(name string, c Calls) Calls {
	caught := func(call string, err *error) {
		if r := recover(); r != nil {
			*err = fmt.Errorf("%s: panic in %s: %v", name, call, r)
		}
	}
	return Calls{
		Marshal: func(v any) (out []byte, err error) {
			defer caught("Marshal", &err)
			return c.Marshal(v)
		},
		Append: func(dst []byte, v any) (out []byte, err error) {
			defer caught("Append", &err)
			return c.Append(dst, v)
		},
		Unmarshal: func(data []byte, v any) (err error) {
			defer caught("Unmarshal", &err)
			return c.Unmarshal(data, v)
		},
	}
}

// Broken returns calls that fail with err: for options that a later version
// of a library may refuse.
func Broken(err error) Calls {
	return Calls{
		Marshal:   func(any) ([]byte, error) { return nil, err },
		Append:    func([]byte, any) ([]byte, error) { return nil, err },
		Unmarshal: func([]byte, any) error { return err },
	}
}
