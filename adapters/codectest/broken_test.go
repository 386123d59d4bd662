package codectest_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/serbench/serbench"
)

// thing is what the codecs here encode.
type thing struct {
	A, B  string
	N     int64
	Blob  []byte
	Words []string
}

func things() serbench.Payload {
	return serbench.NewPayload("thing",
		&thing{A: "alpha", B: "beta", N: 1 << 40, Blob: []byte("some bytes"), Words: []string{"x", "yz"}},
		&thing{A: "another", B: "value", N: -7, Blob: []byte{0, 255}, Words: []string{"one"}},
		&thing{A: string(bytes.Repeat([]byte("long "), 3000)), B: "b", Blob: []byte{1}, Words: []string{""}})
}

// only returns v as the one type that these codecs know.
func only(v any) (*thing, error) {
	t, ok := v.(*thing)
	if !ok || t == nil {
		return nil, serbench.Unsupported(v, "is no *thing")
	}
	return t, nil
}

// A fake is a codec that keeps all rules, but for what is replaced in it.
type fake struct {
	name      string
	marshal   func(*thing) ([]byte, error)
	unmarshal func([]byte, *thing) error
}

func (f *fake) Name() string { return f.name }

func (f *fake) Marshal(v any) ([]byte, error) {
	t, err := only(v)
	if err != nil {
		return nil, err
	}
	if f.marshal != nil {
		return f.marshal(t)
	}
	return json.Marshal(t)
}

func (f *fake) Unmarshal(data []byte, v any) error {
	t, err := only(v)
	if err != nil {
		return err
	}
	if f.unmarshal != nil {
		return f.unmarshal(data, t)
	}
	*t = thing{}
	return json.Unmarshal(data, t)
}

// A cloning fake states that it is safe for concurrent use.
type cloning struct{ *fake }

func (c cloning) Clone() serbench.Codec { return c }

// An appending fake appends what it marshals.
type appending struct {
	*fake
	append func(dst []byte, t *thing) ([]byte, error)
}

func (a appending) Append(dst []byte, v any) ([]byte, error) {
	t, err := only(v)
	if err != nil {
		return dst, err
	}
	if a.append != nil {
		return a.append(dst, t)
	}
	msg, err := json.Marshal(t)
	if err != nil {
		return dst, err
	}
	return append(dst, msg...), nil
}

// binding is a fake with a Bind, and streaming one with streams.
type binding struct {
	*fake
	bind func(t *thing) serbench.Bound
}

func (b binding) Bind(v any) (serbench.Bound, error) {
	t, err := only(v)
	if err != nil {
		return serbench.Bound{}, err
	}
	if b.bind != nil {
		return b.bind(t), nil
	}
	return serbench.Bound{Marshal: func() ([]byte, error) { return json.Marshal(t) }}, nil
}

type streaming struct {
	*fake
	shared *int // of all streams, if it is set
}

func (s streaming) NewStream() serbench.Stream {
	n := s.shared
	if n == nil {
		n = new(int)
	}
	return &numbered{n}
}

// numbered streams begin each message with its number.
type numbered struct{ n *int }

func (s *numbered) Encode(dst []byte, v any) ([]byte, error) {
	t, err := only(v)
	if err != nil {
		return dst, err
	}
	msg, err := json.Marshal(t)
	if err != nil {
		return dst, err
	}
	*s.n++
	return append(append(dst, byte(*s.n)), msg...), nil
}

func (s *numbered) Decode(data []byte, v any) error {
	*s.n++
	if len(data) == 0 || data[0] != byte(*s.n) {
		return errors.New("not the next message")
	}
	t, err := only(v)
	if err != nil {
		return err
	}
	*t = thing{}
	return json.Unmarshal(data[1:], t)
}

// broken is a codec with one mistake, and the case that finds it.
type broken struct {
	name  string
	fails string
	codec func() serbench.Codec
}

func one(name, fails string, f fake) broken {
	f.name = name
	return broken{name, fails, func() serbench.Codec { return &f }}
}

// brokenCodecs are attempts to get a dangerous or a cheating codec past the
// kit.
func brokenCodecs() []broken {
	var scratch []byte
	var lastValue *thing
	cache := map[*thing][]byte{}
	var held []*thing
	var heldInput [][]byte
	table := map[uint32]thing{}
	var pooled []string
	var static []byte
	sticky := false
	return []broken{
		one("ignores-its-input", "input-used", fake{unmarshal: func(_ []byte, t *thing) error {
			*t = *things2()[0]
			return nil
		}}),
		{"gives-back-the-last-value", "input-used", func() serbench.Codec {
			return &fake{name: "gives-back-the-last-value", marshal: func(t *thing) ([]byte, error) {
				c := clone(t)
				lastValue = c
				return json.Marshal(t)
			}, unmarshal: func(data []byte, t *thing) error {
				if !json.Valid(data) {
					return errors.New("not JSON")
				}
				*t = *clone(lastValue)
				return nil
			}}
		}},
		one("aliases-its-input", "input-not-kept", fake{marshal: plainMarshal, unmarshal: func(data []byte, t *thing) error {
			if err := plainUnmarshal(data, t); err != nil {
				return err
			}
			t.Blob = data[len(data)-len(t.Blob):]
			return nil
		}}),
		one("hoards-its-input", "input-not-kept", fake{unmarshal: func(data []byte, t *thing) error {
			heldInput = append(heldInput, data)
			*t = thing{}
			return json.Unmarshal(data, t)
		}}),
		one("decodes-in-place", "input-only-read", fake{marshal: plainMarshal, unmarshal: func(data []byte, t *thing) error {
			err := plainUnmarshal(data, t)
			if err == nil {
				data[len(data)-1] ^= 1
			}
			return err
		}}),
		one("reuses-its-output", "output-kept", fake{marshal: func(t *thing) ([]byte, error) {
			msg, err := json.Marshal(t)
			scratch = append(scratch[:0], msg...)
			return scratch, err
		}}),
		one("takes-turns-with-two-buffers", "output-kept", fake{marshal: turns()}),
		one("cuts-messages-from-one-array", "output-kept", fake{marshal: arena()}),
		one("keeps-its-message", "output-kept", fake{marshal: func(t *thing) ([]byte, error) {
			msg, err := json.Marshal(t)
			if !bytes.Equal(msg, static) || len(static) == 0 {
				if len(msg) > 200 {
					return msg, err
				}
				static = msg
			}
			return static, err
		}}),
		one("loses-a-field", "round-trip", fake{marshal: func(t *thing) ([]byte, error) {
			c := *t
			c.B = ""
			return json.Marshal(c)
		}}),
		one("swaps-two-fields", "round-trip", fake{marshal: func(t *thing) ([]byte, error) {
			c := *t
			c.A, c.B = c.B, c.A
			return json.Marshal(c)
		}}),
		one("cuts-a-long-string", "round-trip", fake{marshal: func(t *thing) ([]byte, error) {
			c := *t
			c.A = c.A[:min(len(c.A), 10_000)]
			return json.Marshal(c)
		}}),
		one("panics", "returns", fake{unmarshal: func([]byte, *thing) error { panic("no") }}),
		one("calls-goexit", "returns", fake{marshal: func(*thing) ([]byte, error) { runtime.Goexit(); return nil, nil }}),
		one("panics-on-the-last-value", "returns", fake{marshal: func(t *thing) ([]byte, error) {
			_ = t.Words[0][:len(t.A)/10000]
			return json.Marshal(t)
		}}),
		one("changes-v", "value-only-read", fake{marshal: func(t *thing) ([]byte, error) {
			msg, err := json.Marshal(t)
			slices.Sort(t.Blob)
			return msg, err
		}}),
		one("caches-by-pointer", "value-not-kept", fake{marshal: func(t *thing) ([]byte, error) {
			if cache[t] == nil {
				msg, err := json.Marshal(t)
				if err != nil {
					return nil, err
				}
				cache[t] = msg
			}
			return bytes.Clone(cache[t]), nil
		}}),
		{"caches-the-last-value", "value-not-kept", func() serbench.Codec {
			var last *thing
			var msg []byte
			return &fake{name: "caches-the-last-value", marshal: func(t *thing) ([]byte, error) {
				if t == last {
					return bytes.Clone(msg), nil
				}
				out, err := json.Marshal(t)
				last, msg = t, bytes.Clone(out)
				return out, err
			}}
		}},
		one("hoards-values", "value-not-kept", fake{marshal: func(t *thing) ([]byte, error) {
			held = append(held, t)
			return json.Marshal(t)
		}}),
		one("remembers-instead-of-encoding", "self-contained", fake{marshal: func(t *thing) ([]byte, error) {
			n := uint32(len(table) + 1)
			table[n] = *clone(t)
			return binary.BigEndian.AppendUint32(nil, n), nil
		}, unmarshal: func(data []byte, t *thing) error {
			if len(data) != 4 {
				return errors.New("a number of four bytes is needed")
			}
			v, ok := table[binary.BigEndian.Uint32(data)]
			if !ok {
				return errors.New("unknown")
			}
			*t = *clone(&v)
			return nil
		}}),
		one("shares-what-it-decoded", "decoded-kept", fake{unmarshal: func(data []byte, t *thing) error {
			var c thing
			if err := json.Unmarshal(data, &c); err != nil {
				return err
			}
			pooled = append(pooled[:0], c.Words...)
			c.Words = pooled[:len(c.Words):len(c.Words)]
			*t = c
			return nil
		}}),
		one("accepts-anything", "whole-message", fake{unmarshal: func(data []byte, t *thing) error {
			*t = thing{}
			_ = json.NewDecoder(bytes.NewReader(data)).Decode(t)
			return nil
		}}),
		one("accepts-what-follows", "whole-message", fake{unmarshal: func(data []byte, t *thing) error {
			*t = thing{}
			return json.NewDecoder(bytes.NewReader(data)).Decode(t)
		}}),
		one("accepts-a-message-cut-in-a-slice-with-the-rest-behind", "whole-message", fake{marshal: plainMarshal, unmarshal: func(data []byte, t *thing) error {
			if n := binary.LittleEndian.Uint32(append(bytes.Clone(data), 0, 0, 0, 0)); int(n) > len(data) && int(n) <= cap(data) {
				data = data[:n]
			}
			return plainUnmarshal(data, t)
		}}),
		{"panics-on-nil", "unsupported", func() serbench.Codec {
			return serbench.NewCodec("panics-on-nil", func(v any) ([]byte, error) { return json.Marshal(v.(*thing)) }, (&fake{}).Unmarshal)
		}},
		{"does-not-say-unsupported", "unsupported", func() serbench.Codec {
			return serbench.NewCodec("does-not-say-unsupported", (&fake{}).Marshal, func(data []byte, v any) error {
				if t, ok := v.(*thing); ok && t != nil {
					return (&fake{}).Unmarshal(data, t)
				}
				return errors.New("no")
			})
		}},
		{"an-error-is-sticky", "after-errors", func() serbench.Codec {
			return &fake{name: "an-error-is-sticky", unmarshal: func(data []byte, t *thing) error {
				if bytes.Count(data, []byte{0xff}) == 64 {
					sticky = true
				}
				if sticky {
					return errors.New("an error before")
				}
				*t = thing{}
				return json.Unmarshal(data, t)
			}}
		}},
		{"races", "concurrent", func() serbench.Codec {
			// A race that the detector does not see: nothing is written
			// without a lock, but the message is another goroutine's.
			var shared atomic.Pointer[[]byte]
			return cloning{&fake{name: "races", marshal: func(t *thing) ([]byte, error) {
				msg, err := json.Marshal(t)
				shared.Store(&msg)
				for range 20 {
					runtime.Gosched()
				}
				return bytes.Clone(*shared.Load()), err
			}}}
		}},
		{"deadlocks-in-pairs", "concurrent", func() serbench.Codec {
			var mu sync.Mutex
			return cloning{&fake{name: "deadlocks-in-pairs", marshal: func(t *thing) ([]byte, error) {
				if !mu.TryLock() {
					return nil, errors.New("busy")
				}
				defer mu.Unlock()
				runtime.Gosched()
				return json.Marshal(t)
			}}}
		}},
		{"shouts", "describe", func() serbench.Codec { return &fake{name: "SHOUTS/its name"} }},
		{"drops-the-prefix", "append-prefix", func() serbench.Codec {
			return appending{&fake{name: "drops-the-prefix"}, func(_ []byte, t *thing) ([]byte, error) { return json.Marshal(t) }}
		}},
		{"overflows-at-a-power-of-two", "append-prefix", func() serbench.Codec {
			return appending{&fake{name: "overflows-at-a-power-of-two"}, func(dst []byte, t *thing) ([]byte, error) {
				msg, err := json.Marshal(t)
				if cap(dst) == 4096 && len(dst)+len(msg) > cap(dst) {
					return msg, err
				}
				return append(dst, msg...), err
			}}
		}},
		{"pools-the-callers-buffer", "append-not-kept", func() serbench.Codec {
			var pool []byte
			return appending{&fake{name: "pools-the-callers-buffer"}, func(dst []byte, t *thing) ([]byte, error) {
				msg, err := json.Marshal(t)
				if cap(pool) > len(msg) {
					copy(pool[:cap(pool)], msg) // scratch
				}
				if cap(dst) == 1024 && len(dst)+len(msg) > cap(dst) {
					pool = dst[:0]
				}
				return append(dst, msg...), err
			}}
		}},
		{"returns-nothing-on-error", "append-error", func() serbench.Codec {
			return onError{&fake{name: "returns-nothing-on-error"}}
		}},
		{"binds-a-copy", "bound-sees-changes", func() serbench.Codec {
			return binding{&fake{name: "binds-a-copy"}, func(t *thing) serbench.Bound {
				c := clone(t)
				return serbench.Bound{Marshal: func() ([]byte, error) { return json.Marshal(c) }}
			}}
		}},
		{"has-one-encoder-for-all-bound", "instances", func() serbench.Codec {
			var current *thing
			return binding{&fake{name: "has-one-encoder-for-all-bound"}, func(t *thing) serbench.Bound {
				current = t
				return serbench.Bound{Marshal: func() ([]byte, error) { return json.Marshal(current) }}
			}}
		}},
		{"shares-state-between-streams", "stream", func() serbench.Codec {
			return streaming{&fake{name: "shares-state-between-streams"}, new(int)}
		}},
		{"refuses-what-it-encodes", "supports", func() serbench.Codec {
			return hesitant{&fake{name: "refuses-what-it-encodes"}}
		}},
	}
}

type onError struct{ *fake }

func (o onError) Append(dst []byte, v any) ([]byte, error) {
	msg, err := o.Marshal(v)
	if err != nil {
		return nil, err
	}
	return append(dst, msg...), nil
}

// hesitant takes a type for unsupported once it has a value of it.
type hesitant struct{ *fake }

func (h hesitant) Supports(v any) error {
	t, err := only(v)
	if err == nil && t.N == -7 {
		return serbench.Unsupported(v, "is not liked")
	}
	return err
}

func things2() []*thing {
	values, _ := things().Values()
	var ts []*thing
	for _, v := range values {
		ts = append(ts, v.(*thing))
	}
	return ts
}

func clone(t *thing) *thing {
	c := *t
	c.Blob, c.Words = slices.Clone(t.Blob), slices.Clone(t.Words)
	return &c
}

// plainMarshal writes the size of the message, JSON without the blob, and the
// blob: a format in which the input can be aliased.
func plainMarshal(t *thing) ([]byte, error) {
	c := *t
	c.Blob = nil
	msg, err := json.Marshal(c)
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(msg)+len(t.Blob)+8))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(msg)))
	return append(append(out, msg...), t.Blob...), err
}

func plainUnmarshal(data []byte, t *thing) error {
	if len(data) < 8 || int(binary.LittleEndian.Uint32(data)) != len(data) {
		return errors.New("not of the size that it says")
	}
	n := int(binary.LittleEndian.Uint32(data[4:])) + 8
	if n > len(data) {
		return errors.New("short")
	}
	*t = thing{}
	if err := json.Unmarshal(data[8:n], t); err != nil {
		return err
	}
	t.Blob = bytes.Clone(data[n:])
	return nil
}

// turns returns every second message in the same buffer.
func turns() func(*thing) ([]byte, error) {
	var bufs [2][]byte
	i := 0
	return func(t *thing) ([]byte, error) {
		msg, err := json.Marshal(t)
		i = 1 - i
		bufs[i] = append(bufs[i][:0], msg...)
		return bufs[i], err
	}
}

// arena returns parts of large arrays, without an end to their capacity.
func arena() func(*thing) ([]byte, error) {
	var chunk []byte
	return func(t *thing) ([]byte, error) {
		msg, err := json.Marshal(t)
		if cap(chunk)-len(chunk) < len(msg) {
			chunk = make([]byte, 0, 1<<20)
		}
		start := len(chunk)
		chunk = append(chunk, msg...)
		return chunk[start:], err
	}
}
