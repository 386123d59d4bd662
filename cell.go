package serbench

import (
	"errors"
	"fmt"
	"math"

	"github.com/serbench/serbench/internal/measure"
)

// A cell is a subject with an op: what [measure.Group] times. Each Fresh
// makes a new instance.
type cell struct {
	subject *subject
	op      Op
	result  *Result
	run     loop
	prepare func(n int) error
	link    *link // of an op through a transport

	parallelism int   // goroutines; 0 and 1: the measuring one alone
	team        *team // of a parallel cell

	values []any  // that the instance encodes
	buf    []byte // of append and stream-encode
	msg    []byte // the last one encoded
	target any    // of decode
}

var _ measure.Cell = (*cell)(nil)

// timed is what is measured of the cell.
func (c *cell) timed() measure.Cell {
	if c.team != nil {
		return c.team
	}
	return c
}

// goroutines that do the op.
func (c *cell) goroutines() int { return max(1, c.parallelism) }

func (c *cell) Run(n int) (int, error) { return c.run(n) }

func (c *cell) Prepare(n int) error {
	if c.prepare == nil {
		return nil
	}
	return c.prepare(n)
}

// Prepares reports whether Prepare does anything.
func (c *cell) Prepares() bool { return c.prepare != nil }

// Fresh implements [measure.Cell].
func (c *cell) Fresh() error {
	_, err := c.build()
	return err
}

// build makes an instance and returns the path by which the codec is called.
func (c *cell) build() (path string, err error) {
	s := c.subject
	values, err := s.payload.Values()
	if err != nil {
		return "", fmt.Errorf("payload: %w", err)
	}
	if err := c.checkArrived(); err != nil {
		return "", err
	}
	c.prepare, c.buf, c.msg = nil, nil, nil
	c.values = values
	c.target = s.payload.New()
	switch c.op {
	case OpEncode:
		return c.buildEncode(values)
	case OpDecode:
		return c.buildDecode()
	case OpRoundtrip:
		return c.buildRoundtrip(values)
	case OpAppend:
		return c.buildAppend(values)
	case OpReuse:
		unmarshal, path, err := bindTarget(s.codec, c.target)
		if err != nil {
			return "", err
		}
		c.run = reuseLoop(unmarshal, s.copies())
		return path + ", target kept", nil
	case OpStreamEncode, OpStreamDecode:
		return c.buildStream(values)
	case OpSend, OpReceive:
		return c.buildWire(values)
	case opControl:
		c.run = (&control{x: 1}).Run
		return "", nil
	}
	return "", fmt.Errorf("unknown op %q", c.op)
}

func (c *cell) buildEncode(values []any) (string, error) {
	s := c.subject
	if s.reuses {
		return "", errors.New("Marshal returned the buffer of an earlier message, so it does not do what this op times; implement Append for a reused buffer")
	}
	bound, err := bindValues(s.codec, values)
	if err != nil {
		return "", err
	}
	if fs := marshals(bound); fs != nil {
		c.run = encodeBoundLoop(fs, &c.msg)
		return "bound Marshal", nil
	}
	c.run = encodeLoop(s.codec, values, &c.msg)
	return "Marshal", nil
}

func (c *cell) buildDecode() (string, error) {
	s := c.subject
	if b, ok := s.codec.(Binder); ok {
		bound, err := b.Bind(c.target)
		if err != nil {
			return "", err
		}
		if bound.Unmarshal != nil {
			c.run = s.payload.typed.decodeBound(bound.Unmarshal, c.target, s.copies())
			return "bound Unmarshal", nil
		}
	}
	c.run = s.payload.typed.decode(s.codec, c.target, s.copies())
	return "Unmarshal", nil
}

func (c *cell) buildRoundtrip(values []any) (string, error) {
	s := c.subject
	if s.reuses {
		return "", errors.New("Marshal returned the buffer of an earlier message, so it does not do what this op times")
	}
	bound, err := bindValues(s.codec, values)
	if err != nil {
		return "", err
	}
	fs, path := marshals(bound), "bound Marshal"
	if fs == nil {
		path = "Marshal"
		for _, v := range values {
			fs = append(fs, func() ([]byte, error) { return s.codec.Marshal(v) })
		}
	}
	unmarshal, upath, err := bindTarget(s.codec, c.target)
	if err != nil {
		return "", err
	}
	c.run = s.payload.typed.roundtrip(fs, unmarshal, c.target)
	return path + ", " + upath, nil
}

func (c *cell) buildAppend(values []any) (string, error) {
	s := c.subject
	bound, err := bindValues(s.codec, values)
	if err != nil {
		return "", err
	}
	if len(bound) > 0 && bound[0].Append != nil {
		fs := make([]func([]byte) ([]byte, error), len(bound))
		for i, b := range bound {
			fs[i] = b.Append
		}
		c.run = appendBoundLoop(fs, &c.buf)
		return "bound Append", nil
	}
	a, ok := s.codec.(Appender)
	if !ok {
		return "", lacks("Append")
	}
	c.run = appendLoop(a, values, &c.buf)
	return "Append", nil
}

func (c *cell) buildStream(values []any) (string, error) {
	s := c.subject
	streamer, ok := s.codec.(Streamer)
	if !ok {
		return "", lacks("NewStream")
	}
	enc := streamer.NewStream()
	if c.op == OpStreamEncode {
		c.run = streamEncodeLoop(enc, values, &c.buf)
		return "Stream.Encode into a reused buffer", nil
	}
	next, at := &queue{}, 0
	c.prepare = func(n int) error {
		// One array for all messages, made anew: decoded values may alias it.
		ends := make([]int, 0, n)
		var all []byte
		for range n {
			var err error
			if all, err = enc.Encode(all, values[at]); err != nil {
				return err
			}
			ends = append(ends, len(all))
			at = (at + 1) % len(values)
		}
		next.msgs = next.msgs[:0]
		start := 0
		for _, end := range ends {
			next.msgs = append(next.msgs, all[start:end:end])
			start = end
		}
		return nil
	}
	c.run = s.payload.typed.streamDecode(streamer.NewStream(), c.target, next)
	return "Stream.Decode", nil
}

// lacks is the error for a codec without the ability that an op needs.
func lacks(method string) error {
	return fmt.Errorf("%w: the codec has no %s", errors.ErrUnsupported, method)
}

// bindValues binds each value; nil if the codec cannot bind.
func bindValues(c Codec, values []any) ([]Bound, error) {
	b, ok := c.(Binder)
	if !ok {
		return nil, nil
	}
	bound := make([]Bound, len(values))
	for i, v := range values {
		var err error
		if bound[i], err = b.Bind(v); err != nil {
			return nil, fmt.Errorf("bind: %w", err)
		}
	}
	return bound, nil
}

func marshals(bound []Bound) []func() ([]byte, error) {
	if len(bound) == 0 || bound[0].Marshal == nil {
		return nil
	}
	fs := make([]func() ([]byte, error), len(bound))
	for i, b := range bound {
		fs[i] = b.Marshal
	}
	return fs
}

func bindTarget(c Codec, target any) (unmarshal func([]byte) error, path string, err error) {
	if b, ok := c.(Binder); ok {
		bound, err := b.Bind(target)
		if err != nil {
			return nil, "", fmt.Errorf("bind: %w", err)
		}
		if bound.Unmarshal != nil {
			return bound.Unmarshal, "bound Unmarshal", nil
		}
	}
	return func(data []byte) error { return c.Unmarshal(data, target) }, "Unmarshal", nil
}

// copies of the subject's messages, in new memory.
func (s *subject) copies() [][]byte {
	out := make([][]byte, len(s.messages))
	for i, m := range s.messages {
		out[i] = append(make([]byte, 0, len(m)), m...)
	}
	return out
}

// prove checks the op's own path before it is timed: that what the instance
// does is what the subject's check has shown for the codec.
func (c *cell) prove() (path string, f Fidelity, sizes *EncodedSize, err error) {
	s := c.subject
	if path, err = c.build(); err != nil {
		return "", f, nil, err
	}
	f.Class = Exact
	// Streams show their steady state from the second message on.
	n := len(s.values)
	if c.op == OpStreamEncode || c.op == OpStreamDecode {
		n = max(n, 3)
	}
	var decoder Stream
	var msgs [][]byte
	for k := range n {
		i := k % len(s.values)
		if err := c.Prepare(1); err != nil {
			return "", f, nil, s.at(i, "prepare", err)
		}
		if done, err := c.run(1); err != nil || done != 1 {
			return "", f, nil, s.at(i, string(c.op), errors.Join(err, fewer(done)))
		}
		got := c.target
		switch c.op {
		case OpEncode, OpAppend:
			data := c.msg
			if c.op == OpAppend {
				data = c.buf
			}
			check := s.payload.New()
			if err := s.codec.Unmarshal(append([]byte(nil), data...), check); err != nil {
				return "", f, nil, s.at(i, "decode of what "+path+" gave", err)
			}
			got = check
		case OpStreamEncode:
			if decoder == nil {
				decoder = s.codec.(Streamer).NewStream()
			}
			msgs = append(msgs, append([]byte(nil), c.buf...))
			check := s.payload.New()
			if err := decoder.Decode(msgs[k], check); err != nil {
				return "", f, nil, s.at(i, "decode of what the stream gave", err)
			}
			got = check
		}
		f.add(s.payload.compare(i, s.values[i], got))
	}
	if len(msgs) > 0 {
		sizes = sizesOf(msgs[1:])
		sizes.FirstBytes = len(msgs[0])
	}
	return path, f, sizes, nil
}

func fewer(done int) error {
	if done == 1 {
		return nil
	}
	return errors.New("the op was not done")
}

// finite is nil where there is no number to report.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
