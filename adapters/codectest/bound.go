//lint:file-ignore ST1005 these errors begin with the method that they are about

package codectest

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/internal/variant"
)

// boundView makes each call through what Bind returns for the value, or with
// the codec's own method where that lacks a func.
type boundView struct {
	serbench.Codec
	bind    func(v any) (serbench.Bound, error)
	appends bool
}

func newBoundView(c serbench.Codec, b serbench.Binder) *boundView {
	_, appends := c.(serbench.Appender)
	return &boundView{Codec: c, bind: b.Bind, appends: appends}
}

// Marshal calls the bound func twice: the second call has the state that the
// first left.
func (v *boundView) Marshal(x any) ([]byte, error) {
	b, err := v.bind(x)
	if err != nil {
		return nil, err
	}
	if b.Marshal == nil {
		return v.Codec.Marshal(x)
	}
	if _, err := b.Marshal(); err != nil {
		return nil, err
	}
	return b.Marshal()
}

// Append is Marshal's twin.
func (v *boundView) Append(dst []byte, x any) ([]byte, error) {
	b, err := v.bind(x)
	if err != nil {
		return dst, err
	}
	if b.Append == nil {
		if a, ok := v.Codec.(serbench.Appender); ok {
			return a.Append(dst, x)
		}
		return dst, errors.ErrUnsupported
	}
	if _, err := b.Append(nil); err != nil {
		return dst, err
	}
	return b.Append(dst)
}

// Unmarshal decodes with a bound func.
func (v *boundView) Unmarshal(data []byte, x any) error {
	b, err := v.bind(x)
	if err != nil {
		return err
	}
	if b.Unmarshal == nil {
		return v.Codec.Unmarshal(data, x)
	}
	return b.Unmarshal(data)
}

// instances interleaves two instances.
func (s *subject) instances() error {
	c, clones := s.codec.(serbench.Cloner)
	b, binds := s.codec.(serbench.Binder)
	if !clones && !binds {
		return skipf("has neither Clone nor Bind")
	}
	last := len(s.values) - 1
	if clones {
		two := c.Clone()
		if two == nil {
			return errors.New("Clone returned nil")
		}
		if err := s.interleave(
			func() ([]byte, error) { return s.codec.Marshal(s.values[0]) },
			func() ([]byte, error) { return two.Marshal(s.values[last]) }); err != nil {
			return fmt.Errorf("the codec and its clone: %w", err)
		}
	}
	if binds {
		one, err := b.Bind(s.values[0])
		if err != nil {
			return fmt.Errorf("Bind: %w", err)
		}
		two, err := b.Bind(s.values[last])
		if err != nil {
			return fmt.Errorf("Bind: %w", err)
		}
		for _, f := range [][2]func() ([]byte, error){
			{one.Marshal, two.Marshal},
			{appendNil(one.Append), appendNil(two.Append)},
		} {
			if f[0] == nil || f[1] == nil {
				continue
			}
			if err := s.interleave(f[0], f[1]); err != nil {
				return fmt.Errorf("two bound instances: %w", err)
			}
		}
	}
	return nil
}

func appendNil(f func([]byte) ([]byte, error)) func() ([]byte, error) {
	if f == nil {
		return nil
	}
	return func() ([]byte, error) { return f(nil) }
}

// interleave calls two funcs that encode the first and the last value in turn.
func (s *subject) interleave(first, last func() ([]byte, error)) error {
	var msgs [][]byte
	turns := 3
	if s.isLarge() {
		turns = 1
	}
	for range turns {
		for _, f := range []func() ([]byte, error){first, last, last, first} {
			msg, err := f()
			if err != nil {
				return err
			}
			msgs = append(msgs, bytes.Clone(msg))
		}
	}
	for i, msg := range msgs {
		which := 0
		if i%4 == 1 || i%4 == 2 {
			which = len(s.values) - 1
		}
		if err := s.isValue(which, msg); err != nil {
			return fmt.Errorf("message %d of two instances that took turns %w", i, err)
		}
	}
	return nil
}

func (s *subject) boundSeesChanges() error {
	b, ok := s.codec.(serbench.Binder)
	if !ok {
		return skipf("has no Bind")
	}
	v, err := s.decode(s.msgs[0])
	if err != nil {
		return err
	}
	bound, err := b.Bind(v)
	if err != nil {
		return fmt.Errorf("Bind: %w", err)
	}
	encode := bound.Marshal
	if encode == nil {
		encode = appendNil(bound.Append)
	}
	if encode == nil {
		return skipf("binds nothing for encoding")
	}
	before, err := encode()
	if err != nil {
		return err
	}
	before = bytes.Clone(before)
	changes := 8
	if s.isLarge() {
		changes = 1
	}
	for n := range changes {
		if !variant.Change(v, n) {
			return nil
		}
		want, err := s.codec.Marshal(v)
		if err != nil {
			return nil // no value that it encodes
		}
		wanted, err := s.decode(want)
		if err != nil {
			return err
		}
		msg, err := encode()
		if err != nil {
			return fmt.Errorf("after the value changed: %w", err)
		}
		got, err := s.decode(msg)
		if err != nil {
			return fmt.Errorf("after the value changed, its message cannot be decoded: %w", err)
		}
		if !s.same(wanted, got) {
			return fmt.Errorf("after the value changed, the bound func gave another message than Marshal (it was changed from the message of %d bytes)", len(before))
		}
	}
	return nil
}
