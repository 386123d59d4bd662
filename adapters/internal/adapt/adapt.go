// Package adapt makes a codec of a library that takes any Go value, so that
// such an adapter states its calls, its options and its name, and nothing
// else. What the contract of [serbench.Codec] asks beyond that is done here.
package adapt

import (
	"errors"
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
	// New returns the library's calls, with state of their own, on the value
	// that *v holds whenever one of them is called: a pointer to a type that
	// passed Supports, or to one about to fail in the library. Append returns
	// dst as it was with an error; Unmarshal refuses what stands after the
	// message. When New is called *v may be nil.
	//
	// Note: the calls take no argument for the value, so that those of a bound
	// codec are what the adapter wrote, with nothing in between.
	New func(v *any) serbench.Bound
	// Types finds what the library cannot encode; see [JSON] and [Binary]. The
	// zero value finds nothing.
	Types typecheck.Walk
	// Refuse, if set, gives the reason why a type is refused for another
	// cause, or "".
	Refuse func(reflect.Type) string
	// Panics, if set, tells of which types the library panics on some value or
	// input. There a panic in it is an error.
	Panics func(reflect.Type) bool
}

// New returns the codec.
func New(l Library) serbench.Codec {
	if l.Info.Version == "" {
		l.Info.Version = buildinfo.Version(l.Info.Library)
	}
	if l.Info.Kind == "" {
		l.Info.Kind = serbench.KindReflect
	}
	if l.Panics != nil {
		l.Info.Options = with(l.Info.Options, "panics", "of the library become errors here, by a recover around each call on types where they occur")
	}
	return newCodec(&l)
}

func with(m map[string]string, key, value string) map[string]string {
	out := map[string]string{key: value}
	for k, v := range m {
		out[k] = v
	}
	return out
}

func newCodec(l *Library) *codec {
	c := &codec{lib: l}
	c.calls = l.New(&c.value)
	if l.Panics != nil {
		c.calls = guarded(l.Name, c.calls)
	}
	return c
}

type codec struct {
	lib   *Library
	calls serbench.Bound
	value any // of the call that is running
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
func (c *codec) Clone() serbench.Codec   { return newCodec(c.lib) }

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
	c.value = v
	out, err := c.calls.Marshal()
	return out, c.done(err)
}

func (c *codec) Append(dst []byte, v any) ([]byte, error) {
	if err := pointer(v); err != nil {
		return dst, err
	}
	c.value = v
	out, err := c.calls.Append(dst)
	return out, c.done(err)
}

func (c *codec) Unmarshal(data []byte, v any) error {
	if err := pointer(v); err != nil {
		return err
	}
	c.value = v
	return c.done(c.calls.Unmarshal(data))
}

// done lets go of the value, and explains an error if it is about its type.
func (c *codec) done(err error) error {
	v := c.value
	c.value = nil
	if err == nil {
		return nil
	}
	return errors.Join(c.Supports(v), err)
}

func (c *codec) Bind(v any) (serbench.Bound, error) {
	if err := c.Supports(v); err != nil {
		return serbench.Bound{}, err
	}
	calls := c.lib.New(&v)
	if c.lib.Panics != nil && c.lib.Panics(reflect.TypeOf(v).Elem()) {
		return guarded(c.lib.Name, calls), nil
	}
	return calls, nil
}

// Broken returns calls that fail with err: for options that a later version
// of a library may refuse.
func Broken(err error) serbench.Bound {
	return serbench.Bound{
		Marshal:   func() ([]byte, error) { return nil, err },
		Append:    func(dst []byte) ([]byte, error) { return dst, err },
		Unmarshal: func([]byte) error { return err },
	}
}
