package codectest

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/serbench/serbench"
)

// mostCuts are the lengths to which a message is cut.
const mostCuts = 200

// bytesCut bounds what one message is cut into, but for the fewest cuts.
const (
	bytesCut   = 4 << 20
	fewestCuts = 8
)

// cuts are lengths from 0 to size-1: all, or the first and last ones and a
// sample of the others that is the same each time.
func cuts(size int) []int {
	var at []int
	mostCuts := min(mostCuts, max(fewestCuts, bytesCut/(size+1)))
	if size <= mostCuts {
		for n := range size {
			at = append(at, n)
		}
		return at
	}
	r := rand.New(rand.NewPCG(uint64(size), 0xc075))
	for n := range mostCuts / 4 {
		at = append(at, n, size-1-n)
	}
	for len(at) < mostCuts {
		at = append(at, r.IntN(size))
	}
	return at
}

// mostMessages of a corpus are cut and lengthened.
const mostMessages = 4

func (s *subject) wholeMessage() error {
	for i, msg := range s.msgs[:min(len(s.msgs), mostMessages)] {
		if err := s.cutShort(i, msg); err != nil {
			return err
		}
		if err := s.trailing(i, msg); err != nil {
			return err
		}
	}
	return nil
}

// cutShort lets pass what is still the whole value: a message without the
// newline that ended it. Less than half of a message cannot hold it, nor can
// an empty one, unless there is nothing in it.
func (s *subject) cutShort(i int, msg []byte) error {
	for k, n := range cuts(len(msg)) {
		parts := [][]byte{bytes.Clone(msg[:n]), bytes.Clone(msg)[:n]}
		if len(msg) > large { // in turns
			parts = parts[k/2%2:][:1]
		}
		for _, part := range parts {
			got := s.payload.New()
			err := s.codec.Unmarshal(part, got)
			if err != nil {
				continue
			}
			if !s.same(s.decoded[i], got) {
				if s.kit.Open && n < len(msg)-1 {
					continue
				}
				return fmt.Errorf("accepted the message of value %d cut to %d of %d bytes, as another value", i, n, len(msg))
			}
			if 2*n < len(msg) && !s.same(s.payload.New(), got) {
				return fmt.Errorf("gave value %d back from %d of the %d bytes of its message, which cannot hold it", i, n, len(msg))
			}
		}
	}
	return nil
}

func (s *subject) trailing(i int, msg []byte) error {
	tails := []struct {
		name string
		tail []byte
	}{
		{"a letter", []byte("x")}, {"the same message", msg},
		{"a zero byte", []byte{0}}, {"a brace", []byte("}")}, {"MessagePack nil", []byte{0xc0}}, {"0xff", []byte{0xff}},
	}
	if len(msg) > large {
		tails = tails[:2]
	}
	for _, t := range tails {
		if len(t.tail) == 0 || s.kit.Open && bytes.Equal(t.tail, msg) {
			continue
		}
		if err := s.codec.Unmarshal(slices.Concat(msg, t.tail), s.payload.New()); err == nil {
			return fmt.Errorf("accepted the message of value %d with %s behind it", i, t.name)
		}
	}
	return nil
}

// refused are values that no codec handles.
func (s *subject) refused() []named {
	v := s.values[0]
	list := []named{
		{"nil", nil},
		{"a nil pointer", reflect.Zero(reflect.TypeOf(v)).Interface()},
		{"a pointer to a nil pointer", reflect.New(reflect.TypeOf(v)).Interface()},
		{"a channel", make(chan int)},
		{"a pointer to a channel", new(chan int)},
		{"a pointer to a function", new(func())},
	}
	if k := reflect.TypeOf(v).Elem().Kind(); k != reflect.Pointer && k != reflect.Interface {
		list = append(list, named{"a value that is not a pointer", reflect.ValueOf(v).Elem().Interface()})
	}
	return list
}

type named struct {
	name string
	v    any
}

func (s *subject) refuses() error {
	var errs []error
	bad := func(name, call string, err error) {
		errs = append(errs, fmt.Errorf("%s: %s returned %w", name, call, errOrNone(err)))
	}
	try := func(name, call string, want error, f func() error) {
		if err := recovered(f); want == nil && isPanic(err) || want != nil && !errors.Is(err, want) {
			bad(name, call, err)
		}
	}
	own := map[string]bool{}
	list := s.refused()
	for _, name := range sortedKeys(s.kit.Unsupported) {
		own[name] = true
		list = append(list, named{name, s.kit.Unsupported[name]})
	}
	for _, n := range list {
		if sup, ok := s.codec.(serbench.Supporter); ok && s.view == "" {
			try(n.name, "Supports", errors.ErrUnsupported, func() error { return sup.Supports(n.v) })
		}
		try(n.name, "Marshal", errors.ErrUnsupported, func() error { _, err := s.codec.Marshal(n.v); return err })
		if a, ok := s.codec.(serbench.Appender); ok {
			try(n.name, "Append", errors.ErrUnsupported, func() error { _, err := a.Append(nil, n.v); return err })
		}
		var want error = errors.ErrUnsupported
		if own[n.name] {
			want = nil // a library that can decode into it may
		}
		try(n.name, "Unmarshal", want, func() error { return s.codec.Unmarshal(bytes.Clone(s.msgs[0]), n.v) })
	}
	return errors.Join(errs...)
}

var errNoError = errors.New("no error")

func errOrNone(err error) error {
	if err == nil {
		return errNoError
	}
	return err
}

// panicked is a panic of a call that was expected to be an error.
type panicked struct{ value any }

func (p *panicked) Error() string { return fmt.Sprintf("a panic: %v", p.value) }

func isPanic(err error) bool {
	_, ok := errors.AsType[*panicked](err)
	return ok
}

func recovered(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &panicked{r}
		}
	}()
	return f()
}

// afterErrors makes calls that are errors, whatever they return, and then
// looks whether everything is as before.
func (s *subject) afterErrors() error {
	harm := func(f func() error) { _ = recovered(f) }
	for i, msg := range s.msgs[:min(len(s.msgs), mostMessages)] {
		for _, in := range [][]byte{nil, {0}, msg[:len(msg)/2], bytes.Repeat([]byte{0xff}, 64), slices.Concat(msg, []byte{0xff})} {
			harm(func() error { return s.codec.Unmarshal(bytes.Clone(in), s.payload.New()) })
		}
		for _, n := range s.refused() {
			harm(func() error { _, err := s.codec.Marshal(n.v); return err })
			if len(msg) <= large { // the case unsupported has done that
				harm(func() error { return s.codec.Unmarshal(bytes.Clone(msg), n.v) })
			}
		}
		if err := s.decodesTo(i, msg); err != nil {
			return fmt.Errorf("after calls that failed, the message of value %d %w", i, err)
		}
		again, err := s.codec.Marshal(s.values[i])
		if err != nil {
			return fmt.Errorf("after calls that failed, Marshal of value %d: %w", i, err)
		}
		if err := s.isValue(i, again); err != nil {
			return fmt.Errorf("after calls that failed, a new message of value %d %w", i, err)
		}
	}
	return nil
}
