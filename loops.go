package serbench

// A loop does n ops and returns how many were done before the first error.
// What stands in its for statement is the timed region.
type loop func(n int) (int, error)

// typed holds what must know the payload's type at compile time: the loops
// that clear the target, so that clearing is one assignment.
type typed interface {
	newTarget() any
	decode(c Codec, target any, msgs [][]byte) loop
	decodeBound(unmarshal func([]byte) error, target any, msgs [][]byte) loop
	roundtrip(marshal []func() ([]byte, error), unmarshal func([]byte) error, target any) loop
	decodeEach(c Codec, next *queue) eachDecoder
	streamDecode(s Stream, target any, next *queue) loop
	receive(l *link, unmarshal func([]byte) error, target any) loop
}

type typedOps[T any] struct{}

func (typedOps[T]) newTarget() any { return new(T) }

func (typedOps[T]) decode(c Codec, target any, msgs [][]byte) loop {
	t, at := target.(*T), 0
	return func(n int) (int, error) {
		k := at
		for i := range n {
			*t = *new(T)
			if err := c.Unmarshal(msgs[k], target); err != nil {
				return i, err
			}
			if k++; k == len(msgs) {
				k = 0
			}
		}
		at = k
		return n, nil
	}
}

func (typedOps[T]) decodeBound(unmarshal func([]byte) error, target any, msgs [][]byte) loop {
	t, at := target.(*T), 0
	return func(n int) (int, error) {
		k := at
		for i := range n {
			*t = *new(T)
			if err := unmarshal(msgs[k]); err != nil {
				return i, err
			}
			if k++; k == len(msgs) {
				k = 0
			}
		}
		at = k
		return n, nil
	}
}

func (typedOps[T]) roundtrip(marshal []func() ([]byte, error), unmarshal func([]byte) error, target any) loop {
	t, at := target.(*T), 0
	return func(n int) (int, error) {
		k := at
		for i := range n {
			msg, err := marshal[k]()
			if err != nil {
				return i, err
			}
			*t = *new(T)
			if err := unmarshal(msg); err != nil {
				return i, err
			}
			if k++; k == len(marshal) {
				k = 0
			}
		}
		at = k
		return n, nil
	}
}

func (typedOps[T]) streamDecode(s Stream, target any, next *queue) loop {
	t := target.(*T)
	return func(n int) (int, error) {
		for i, msg := range next.msgs[:n] {
			*t = *new(T)
			if err := s.Decode(msg, target); err != nil {
				return i, err
			}
		}
		return n, nil
	}
}

// queue holds the messages that a stream decodes next.
type queue struct{ msgs [][]byte }

func encodeLoop(c Codec, values []any, last *[]byte) loop {
	at := 0
	return func(n int) (int, error) {
		k := at
		var msg []byte
		var err error
		for i := range n {
			if msg, err = c.Marshal(values[k]); err != nil {
				return i, err
			}
			if k++; k == len(values) {
				k = 0
			}
		}
		at, *last = k, msg
		return n, nil
	}
}

func encodeBoundLoop(marshal []func() ([]byte, error), last *[]byte) loop {
	at := 0
	return func(n int) (int, error) {
		k := at
		var msg []byte
		var err error
		for i := range n {
			if msg, err = marshal[k](); err != nil {
				return i, err
			}
			if k++; k == len(marshal) {
				k = 0
			}
		}
		at, *last = k, msg
		return n, nil
	}
}

func appendLoop(a Appender, values []any, buf *[]byte) loop {
	at := 0
	return func(n int) (int, error) {
		k, b := at, *buf
		for i := range n {
			var err error
			if b, err = a.Append(b[:0], values[k]); err != nil {
				return i, err
			}
			if k++; k == len(values) {
				k = 0
			}
		}
		at, *buf = k, b
		return n, nil
	}
}

func appendBoundLoop(appends []func([]byte) ([]byte, error), buf *[]byte) loop {
	at := 0
	return func(n int) (int, error) {
		k, b := at, *buf
		for i := range n {
			var err error
			if b, err = appends[k](b[:0]); err != nil {
				return i, err
			}
			if k++; k == len(appends) {
				k = 0
			}
		}
		at, *buf = k, b
		return n, nil
	}
}

func reuseLoop(unmarshal func([]byte) error, msgs [][]byte) loop {
	at := 0
	return func(n int) (int, error) {
		k := at
		for i := range n {
			if err := unmarshal(msgs[k]); err != nil {
				return i, err
			}
			if k++; k == len(msgs) {
				k = 0
			}
		}
		at = k
		return n, nil
	}
}

func streamEncodeLoop(s Stream, values []any, buf *[]byte) loop {
	at := 0
	return func(n int) (int, error) {
		k, b := at, *buf
		for i := range n {
			var err error
			if b, err = s.Encode(b[:0], values[k]); err != nil {
				return i, err
			}
			if k++; k == len(values) {
				k = 0
			}
		}
		at, *buf = k, b
		return n, nil
	}
}

// eachDecoder decodes the next messages into targets of their own.
type eachDecoder struct {
	run     loop
	targets func(n int)     // makes n new ones
	target  func(i int) any // one of them
}

func (typedOps[T]) decodeEach(c Codec, next *queue) eachDecoder {
	var targets []T
	return eachDecoder{
		run: func(n int) (int, error) {
			for i, msg := range next.msgs[:n] {
				if err := c.Unmarshal(msg, &targets[i]); err != nil {
					return i, err
				}
			}
			return n, nil
		},
		targets: func(n int) { targets = make([]T, n) },
		target:  func(i int) any { return &targets[i] },
	}
}
