package serbench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/variant"
)

// largeWork is an op on one large message, and on usual ones beside it.
type largeWork struct {
	subject *subject
	op      Op
	values  []any // the payload's
	large   any   // a pointer to the value
	grown   bool
	usual   []int // values and messages that are small
	message []byte

	slot   any // what the op encodes, or decodes into
	encode func() ([]byte, error)
	decode func([]byte) error
	input  []byte // of decode
	out    []byte // of encode
}

const (
	largeBytes = 4 << 20  // encoded; a message of a quarter of it is large enough
	largeMany  = 8        // a large message is so many times as long as a usual one
	usualMost  = 256      // usual values are so many at most
	grownMost  = 16 << 20 // bytes of a grown value, about
)

// prepareLarge finds the large value: the payload's largest, if it is large
// beside others or nothing in it can grow, or else one that is grown.
func (r *run) prepareLarge(c *cell) (*largeWork, error) {
	w := &largeWork{subject: c.subject, op: c.op}
	if err := r.guarded(func(context.Context) error { return w.choose(r.grow) }); err != nil {
		return nil, err
	}
	return w, nil
}

func (w *largeWork) choose(grow func(v any, size int) (any, bool)) (err error) {
	s := w.subject
	if w.values, err = s.payload.Values(); err != nil {
		return fmt.Errorf("payload: %w", err)
	}
	k := 0
	for i, msg := range s.messages {
		if len(msg) > len(s.messages[k]) {
			k = i
		}
	}
	size := len(s.messages[k])
	w.large = w.values[k]
	if size < largeBytes/4 {
		if v, ok := grow(w.values[k], size); ok {
			w.large, w.grown = v, true
		}
	}
	for i, msg := range s.messages {
		if w.grown || len(msg) <= size/largeMany {
			w.usual = append(w.usual, i)
		}
	}
	w.usual = w.usual[:min(len(w.usual), usualMost)]
	return nil
}

// grow returns a copy of a value that encodes to size bytes, so many times as
// large as makes a large message, unless the copy would become huge.
func (r *run) grow(v any, size int) (any, bool) {
	most := int64(grownMost)
	if r.MemoryLimit > 0 {
		most = min(most, r.MemoryLimit/16)
	}
	ok := false
	allocated := func(factor int) int64 {
		return measure.Allocated(func() { _, ok = variant.Grow(v, factor) })
	}
	const few, more = 2, 10
	once := (allocated(more) - allocated(few)) / (more - few)
	most /= max(1, once)
	factor := min(largeBytes/int64(max(1, size)), most)
	if !ok || factor < 2 {
		return nil, false
	}
	grown, ok := variant.Grow(v, int(factor))
	// Not all of a message grows. How much of it does is seen in JSON: the
	// codec itself must not have met anything large before it is weighed.
	before, after := jsonSize(v), jsonSize(grown)
	if before == 0 || after == 0 {
		return grown, ok
	}
	lacks := largeBytes / (float64(size) * float64(after) / float64(before))
	if again := min(int64(float64(factor)*lacks), most); again > factor+factor/4 {
		return variant.Grow(v, int(again))
	}
	return grown, ok
}

// jsonSize is 0 of what JSON cannot hold.
func jsonSize(v any) int {
	text, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return len(text)
}

// bind makes an instance, and for decode the message.
func (w *largeWork) bind() error {
	s := w.subject
	if w.op == OpDecode {
		msg, err := s.apart().Marshal(w.large)
		if err != nil {
			return fmt.Errorf("encode: %w", err)
		}
		w.message = slices.Clone(msg)
	}
	codec := s.apart()
	w.slot = s.payload.New()
	if w.op == OpDecode {
		var err error
		w.decode, _, err = bindTarget(codec, w.slot)
		return err
	}
	put(w.slot, w.values[0])
	bound, err := bindValues(codec, []any{w.slot})
	if err != nil {
		return err
	}
	if fs := marshals(bound); fs != nil {
		w.encode = fs[0]
	} else {
		w.encode = func() ([]byte, error) { return codec.Marshal(w.slot) }
	}
	return nil
}

// ready gives the op its input: the value, or a message in memory of its own.
func (w *largeWork) ready(v any, msg []byte) {
	if w.op == OpDecode {
		empty(w.slot)
		w.input = slices.Clone(msg)
		return
	}
	put(w.slot, v)
}

func (w *largeWork) do() (err error) {
	if w.op == OpDecode {
		return w.decode(w.input)
	}
	w.out, err = w.encode()
	return err
}

// drop forgets input and result.
func (w *largeWork) drop() error {
	empty(w.slot)
	w.input, w.out = nil, nil
	return nil
}

func (w *largeWork) doLarge() error {
	w.ready(w.large, w.message)
	return errors.Join(w.do(), w.drop())
}

func (w *largeWork) doUsual() error {
	for _, i := range w.usual {
		w.ready(w.values[i], w.subject.messages[i])
		if err := w.do(); err != nil {
			return w.subject.at(i, string(w.op), err)
		}
	}
	return w.drop()
}

// prove checks that the large message comes back as the payload's do.
func (w *largeWork) prove() error {
	s := w.subject
	w.ready(w.large, w.message)
	if err := w.do(); err != nil {
		return fmt.Errorf("%s: %w", w.op, err)
	}
	got := w.slot
	if w.op == OpEncode {
		w.message = slices.Clone(w.out)
		got = s.payload.New()
		if err := s.codec.Unmarshal(slices.Clone(w.message), got); err != nil {
			return fmt.Errorf("decode: %w", err)
		}
	}
	if f := s.payload.compare(0, w.large, got); f.Class == Lossy && s.status != StatusLossy {
		d := f.Differences[0]
		return fmt.Errorf("it does not come back: %s: %s (%s, %s)", d.Path, d.Kind, d.Want, d.Got)
	}
	return w.drop()
}

func (w *largeWork) job() measure.Job {
	return measure.Job{
		// Usual ones before: some codecs hold on to the last message until the
		// next call.
		Before: func() error { defer w.ready(w.large, w.message); return w.doUsual() },
		Op:     w.do,
		After:  w.drop,
	}
}
