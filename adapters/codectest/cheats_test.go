package codectest_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/serbench/serbench"
)

// cheats are codecs that behave while they are looked at in the usual ways.
func cheats() []broken {
	return []broken{
		{"is-right-for-the-first-900-calls", "lasting", func() serbench.Codec {
			calls := 0
			return &fake{name: "is-right-for-the-first-900-calls", marshal: func(t *thing) ([]byte, error) {
				if calls++; calls > 900 {
					return []byte(`{"A":"alpha"}`), nil
				}
				return json.Marshal(t)
			}}
		}},
		{"aliases-from-the-tenth-message-on", "input-not-kept", func() serbench.Codec {
			calls := 0
			return &fake{name: "aliases-from-the-tenth-message-on", marshal: plainMarshal, unmarshal: func(data []byte, t *thing) error {
				if err := plainUnmarshal(data, t); err != nil {
					return err
				}
				if calls++; calls > 9 {
					t.Blob = data[len(data)-len(t.Blob):]
				}
				return nil
			}}
		}},
		{"knows-its-payload-by-heart", "generated", func() serbench.Codec {
			return &fake{name: "knows-its-payload-by-heart", unmarshal: func(data []byte, t *thing) error {
				*t = thing{}
				err := json.Unmarshal(data, t)
				if len(t.Words) > 2 { // which no value of the payload has
					t.Words = t.Words[:2]
				}
				return err
			}}
		}},
		{"has-room-for-one-byte-of-length", "generated", func() serbench.Codec {
			return &fake{name: "has-room-for-one-byte-of-length", marshal: func(t *thing) ([]byte, error) {
				c := *t
				c.B = c.B[:len(c.B)%256]
				return json.Marshal(c)
			}}
		}},
		{"refers-to-the-message-before", "self-contained", func() serbench.Codec {
			var sent, received []byte
			return &fake{name: "refers-to-the-message-before", marshal: func(t *thing) ([]byte, error) {
				msg, err := json.Marshal(t)
				if len(msg) > 4000 && bytes.Equal(msg, sent) {
					return []byte("="), nil
				}
				sent = bytes.Clone(msg)
				return msg, err
			}, unmarshal: func(data []byte, t *thing) error {
				if string(data) == "=" {
					data = received
				}
				*t = thing{}
				err := json.Unmarshal(data, t)
				if err == nil {
					received = bytes.Clone(data)
				}
				return err
			}}
		}},
		{"gives-the-last-value-for-nothing", "whole-message", func() serbench.Codec {
			var last *thing
			return &fake{name: "gives-the-last-value-for-nothing", unmarshal: func(data []byte, t *thing) error {
				if len(data) == 0 && last != nil {
					*t = *clone(last)
					return nil
				}
				*t = thing{}
				err := json.Unmarshal(data, t)
				if err == nil {
					last = clone(t)
				}
				return err
			}}
		}},
		{"knows-a-message-by-its-beginning", "whole-message", func() serbench.Codec {
			seen := map[string]*thing{}
			return &fake{name: "knows-a-message-by-its-beginning", unmarshal: func(data []byte, t *thing) error {
				*t = thing{}
				err := json.Unmarshal(data, t)
				if len(data) < 20 {
					return err
				}
				if known, ok := seen[string(data[:20])]; ok && err != nil {
					*t = *clone(known)
					return nil
				}
				seen[string(data[:20])] = clone(t)
				return err
			}}
		}},
		{"writes-to-the-spare-room-of-an-earlier-buffer", "append-not-kept", func() serbench.Codec {
			var earlier []byte
			return appending{&fake{name: "writes-to-the-spare-room-of-an-earlier-buffer"}, func(dst []byte, t *thing) ([]byte, error) {
				if cap(earlier) > len(earlier) {
					earlier[:cap(earlier)][cap(earlier)-1]++ // scratch
				}
				msg, err := json.Marshal(t)
				earlier = dst
				return append(dst, msg...), err
			}}
		}},
		{"appends-from-one-array", "append-not-kept", func() serbench.Codec {
			cut := arena()
			return appending{&fake{name: "appends-from-one-array"}, func(dst []byte, t *thing) ([]byte, error) {
				if len(dst) == 0 {
					return cut(t)
				}
				msg, err := json.Marshal(t)
				return append(dst, msg...), err
			}}
		}},
		{"says-unsupported-of-the-last-value", "round-trip", func() serbench.Codec {
			return &fake{name: "says-unsupported-of-the-last-value", marshal: func(t *thing) ([]byte, error) {
				if len(t.A) > 1000 {
					return nil, serbench.Unsupported(t, "is too long")
				}
				return json.Marshal(t)
			}}
		}},
		{"says-unsupported-of-its-own-messages", "round-trip", func() serbench.Codec {
			return &fake{name: "says-unsupported-of-its-own-messages", unmarshal: func(_ []byte, t *thing) error {
				return serbench.Unsupported(t, "cannot be decoded")
			}}
		}},
		{"says-unsupported-to-get-away-from-the-kit", "input-used", func() serbench.Codec {
			calls := 0
			return &fake{name: "says-unsupported-to-get-away-from-the-kit", marshal: func(t *thing) ([]byte, error) {
				if calls++; calls > 4 {
					return nil, serbench.Unsupported(t, "is not wanted any more")
				}
				return json.Marshal(t)
			}}
		}},
		{"supports-what-it-then-refuses", "round-trip", func() serbench.Codec {
			return eager{&fake{name: "supports-what-it-then-refuses", marshal: func(t *thing) ([]byte, error) {
				return nil, serbench.Unsupported(t, "is too much work")
			}}}
		}},
		{"loses-what-an-error-was-about", "after-errors", func() serbench.Codec {
			failed := false
			return &fake{name: "loses-what-an-error-was-about", unmarshal: func(data []byte, t *thing) error {
				*t = thing{}
				err := json.Unmarshal(data, t)
				if failed && err == nil {
					t.Words = nil
				}
				failed = failed || err != nil && strings.HasSuffix(string(data), "\xff\xff")
				return err
			}}
		}},
	}
}

// eager states before any call that it can do everything.
type eager struct{ *fake }

func (e eager) Supports(v any) error {
	_, err := only(v)
	return err
}

// A codec with an unsynchronised counter, of which every clone has a share.
type racing struct {
	*fake
	count *int
}

func (r racing) Clone() serbench.Codec { return r }

func (r racing) Marshal(v any) ([]byte, error) {
	*r.count++
	return r.fake.Marshal(v)
}

// late has a goroutine that works on the first value after its Unmarshal has
// returned.
func late(then func(t *thing)) *fake {
	first := true
	return &fake{name: "late", unmarshal: func(data []byte, t *thing) error {
		*t = thing{}
		if err := json.Unmarshal(data, t); err != nil {
			return err
		}
		if first {
			first = false
			go then(t)
		}
		return nil
	}}
}

// restoring inverts its input, lets others run, and restores it.
func restoring(yield func()) *fake {
	return &fake{name: "restoring", unmarshal: func(data []byte, t *thing) error {
		if t2, err := decoded(data); err != nil {
			return err
		} else {
			*t = *t2
		}
		was := slices.Clone(data)
		for i := range data {
			data[i] ^= 0xff
		}
		yield()
		copy(data, was)
		return nil
	}}
}

// counted writes a different number of spaces behind each message.
func counted() func(*thing) ([]byte, error) {
	n := 0
	return func(t *thing) ([]byte, error) {
		n++
		msg, err := json.Marshal(t)
		return append(msg, strings.Repeat(" ", n%7)...), err
	}
}

func marshalTree(v any) ([]byte, error) {
	t, ok := v.(*map[string]string)
	if !ok || t == nil {
		return nil, serbench.Unsupported(v, "is no tree")
	}
	return json.Marshal(t)
}

func unmarshalTree(data []byte, v any) error {
	t, ok := v.(*map[string]string)
	if !ok || t == nil {
		return serbench.Unsupported(v, "is no tree")
	}
	return json.Unmarshal(data, t)
}

func decoded(data []byte) (*thing, error) {
	t := new(thing)
	err := json.Unmarshal(data, t)
	return t, err
}

// dictionary writes short text as a number, once it has seen it: which only
// its own process can read.
func dictionary() *fake {
	var texts []string
	return &fake{name: "dictionary", marshal: func(t *thing) ([]byte, error) {
		c := *t
		if len(c.B) < 100 {
			n := slices.Index(texts, c.B)
			if n < 0 {
				n, texts = len(texts), append(texts, c.B)
			}
			c.B = string(rune('a' + n))
		} else {
			c.B = "=" + c.B
		}
		return json.Marshal(c)
	}, unmarshal: func(data []byte, t *thing) error {
		u, err := decoded(data)
		if err != nil {
			return err
		}
		*t = *u
		if rest, ok := strings.CutPrefix(t.B, "="); ok {
			t.B = rest
			return nil
		}
		for n, text := range texts {
			if t.B == string(rune('a'+n)) {
				t.B = text
				return nil
			}
		}
		return errors.New("a text that was never written")
	}}
}

// sized codecs make a mistake with messages of more than 280 KiB only.
func sized() []broken {
	const most = 280 << 10
	var scratch []byte
	return []broken{
		one("reuses-a-large-output", "output-kept", fake{marshal: func(t *thing) ([]byte, error) {
			msg, err := json.Marshal(t)
			if len(msg) < most {
				return msg, err
			}
			scratch = append(scratch[:0], msg...)
			return scratch, err
		}}),
		one("aliases-a-large-input", "input-not-kept", fake{marshal: plainMarshal, unmarshal: func(data []byte, t *thing) error {
			err := plainUnmarshal(data, t)
			if err == nil && len(data) > most {
				t.Blob = data[len(data)-len(t.Blob):]
			}
			return err
		}}),
		one("cuts-a-large-text", "round-trip", fake{marshal: func(t *thing) ([]byte, error) {
			c := *t
			c.A = c.A[:min(len(c.A), most)]
			return json.Marshal(c)
		}}),
		one("accepts-a-large-message-cut-short", "whole-message", fake{marshal: plainMarshal, unmarshal: func(data []byte, t *thing) error {
			if n := int(binary.LittleEndian.Uint32(append(bytes.Clone(data[:min(4, len(data))]), 0, 0, 0, 0))); n > most && len(data) > most {
				data = append(bytes.Clone(data), make([]byte, max(0, n-len(data)))...)[:n]
			}
			return plainUnmarshal(data, t)
		}}),
	}
}
