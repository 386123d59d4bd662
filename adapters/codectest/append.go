package codectest

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/serbench/serbench"
)

// appender returns the codec's Append; a bound codec has one if the codec has.
func (s *subject) appender() (serbench.Appender, error) {
	if v, ok := s.codec.(*boundView); ok && !v.appends {
		return nil, skipf("has no Append")
	}
	a, ok := s.codec.(serbench.Appender)
	if !ok {
		return nil, skipf("has no Append")
	}
	return a, nil
}

func (s *subject) appendPrefix() error {
	a, err := s.appender()
	if err != nil {
		return err
	}
	for i, v := range s.values[:min(len(s.values), mostMessages)] {
		size := len(s.msgs[i])
		for _, capacity := range s.capacities(size) {
			for _, prefix := range prefixes(capacity, size) {
				array := bytes.Repeat([]byte{0xa5}, capacity)
				head := bytes.Clone(array[:prefix])
				out, err := a.Append(array[:prefix], v)
				if err != nil {
					return fmt.Errorf("cap %d, len %d: %w", capacity, prefix, err)
				}
				if !bytes.HasPrefix(out, head) || !bytes.Equal(array[:prefix], head) {
					return fmt.Errorf("cap %d, len %d: the prefix is not what it was", capacity, prefix)
				}
				if err := s.isValue(i, out[prefix:]); err != nil {
					return fmt.Errorf("cap %d, len %d: what was appended %w", capacity, prefix, err)
				}
			}
		}
	}
	return nil
}

// appendNotKept looks for two mistakes of codecs with a pool of buffers: that
// the caller's array lands in it and is written to by a later call, and that
// it is read, after the caller has gone on to use it.
func (s *subject) appendNotKept() error {
	a, err := s.appender()
	if err != nil {
		return err
	}
	type call struct{ array, out, arrayThen, outThen []byte }
	last := len(s.values) - 1
	for i, v := range s.values[:min(len(s.values), mostMessages)] {
		size := len(s.msgs[i])
		for _, capacity := range s.capacities(size) {
			var calls []call
			for _, prefix := range prefixes(capacity, size) {
				array := make([]byte, capacity)
				out, err := a.Append(array[:prefix], v)
				if err != nil {
					return fmt.Errorf("cap %d, len %d: %w", capacity, prefix, err)
				}
				calls = append(calls, call{array, out, bytes.Clone(array), bytes.Clone(out)})
			}
			var later [][2][]byte
			for _, j := range []int{last, i} {
				out, err := a.Append(nil, s.values[j])
				if err != nil {
					return err
				}
				later = append(later, twice(out))
			}
			for _, c := range calls {
				if !bytes.Equal(c.array, c.arrayThen) {
					return fmt.Errorf("cap %d: the caller's array was written to by a later call", capacity)
				}
				if !bytes.Equal(c.out, c.outThen) {
					return fmt.Errorf("cap %d: the result was written to by a later call", capacity)
				}
				overwrite(c.array)
				overwrite(c.out[:cap(c.out)])
			}
			for _, l := range later {
				if !bytes.Equal(l[0], l[1]) {
					return fmt.Errorf("cap %d: a result changed when the array of one before was written to", capacity)
				}
			}
			if out, err := a.Append(nil, v); err != nil {
				return err
			} else if err := s.isValue(i, out); err != nil {
				return fmt.Errorf("cap %d: after the caller overwrote its array, a new message %w", capacity, err)
			}
		}
	}
	return nil
}

// overwrite writes in large pieces: under the race detector a loop over bytes
// would take a hundred times as long.
func overwrite(b []byte) {
	for len(b) > 0 {
		b = b[copy(b, junk):]
	}
}

var junk = bytes.Repeat([]byte{0x5a}, 16<<10)

func (s *subject) appendError() error {
	a, err := s.appender()
	if err != nil {
		return err
	}
	for _, n := range s.refused() {
		array := []byte("kept, and this is behind it")
		dst := array[:4]
		out, err := a.Append(dst, n.v)
		if err == nil {
			continue // for the case "unsupported" to say
		}
		if !bytes.Equal(out, []byte("kept")) || &out[0] != &array[0] {
			return fmt.Errorf("%s: Append returned %d bytes instead of the %d of dst", n.name, len(out), len(dst))
		}
	}
	if out, err := a.Append([]byte("kept"), s.values[0]); err != nil {
		return fmt.Errorf("after an error: %w", err)
	} else if err := s.isValue(0, out[4:]); err != nil {
		return errors.Join(errors.New("after an error, what was appended"), err)
	}
	return nil
}

// fewCapacities are tried on payloads behind the first ones.
const fewCapacities = 8

func (s *subject) capacities(size int) []int {
	cs := capacities(size)
	if !s.thorough {
		cs = cs[:min(len(cs), fewCapacities)]
	}
	return cs
}

// bytesAppended bounds what one case appends of one value.
const bytesAppended = 4 << 20

// capacities run from 0 to 65,536 and pass every power of two and the size of
// the message closely; for large messages, as many of them as bytesAppended
// allows, the powers of two first, at which pools have their sizes.
func capacities(size int) []int {
	cs := []int{0, size, 65536, 1024, 32768, 512, 4096, 2048, 8192, 16384}
	for p := 4; p < 65536; p *= 2 {
		cs = append(cs, p, p-1, p+1)
	}
	for d := -2; d <= 2; d++ {
		cs = append(cs, max(0, size+d))
	}
	cs = append(cs, 1, 2, 3, 7, 100, 1000, 3000, 10000, 20000, 40000, 65000, 65535)
	return cs[:min(len(cs), max(3, bytesAppended/(4*(size+1))))]
}

// prefixes are lengths at which the message does and does not fit.
func prefixes(capacity, size int) []int {
	ps, tried := []int{0}, []int{capacity - size, capacity, 1, capacity - size - 1, capacity - size + 1, capacity - 1}
	if size > large {
		tried = tried[:2]
	}
	for _, p := range tried {
		if p > 0 && p <= capacity {
			ps = append(ps, p)
		}
	}
	return ps
}
