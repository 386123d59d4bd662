package serbench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/serbench/serbench/internal/fidelity"
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
	hash    string // of large, if it is grown
	usual   []int  // values and messages that are small
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
	at := [2]string{c.subject.payload.name, c.subject.payload.form}
	had := r.grown[at] // the same one for all codecs
	if had != nil && fidelity.Hash(had.value) != had.hash {
		had = nil
	}
	var grown *grownValue
	err := r.guarded(func(context.Context) error {
		return w.choose(func(v any, size int) *grownValue {
			if had != nil {
				return had
			}
			grown = r.grow(v, size)
			return grown
		})
	})
	if err != nil {
		return nil, err
	}
	if grown != nil {
		r.grown[at] = grown
	}
	return w, nil
}

// grownValue is a large value made of one of the payload's.
type grownValue struct {
	value any
	hash  string
}

func (w *largeWork) choose(grow func(v any, size int) *grownValue) (err error) {
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
		if g := grow(w.values[k], size); g != nil {
			w.large, w.hash, w.grown = g.value, g.hash, true
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

// grow makes a large value of one that encodes to size bytes, or to another
// size in JSON, which is the measure where JSON can hold it: the large value is
// to be the same for all codecs. It is nil if nothing can grow, or the value
// would become huge.
func (r *run) grow(v any, size int) *grownValue {
	most := int64(grownMost)
	if r.MemoryLimit > 0 {
		most = min(most, r.MemoryLimit/16)
	}
	ok := false
	allocated := func(factor int) (bytes int64) {
		bytes = math.MaxInt64
		for range 3 { // others can only add
			bytes = min(bytes, measure.Allocated(func() { _, ok = variant.Grow(v, factor) }))
		}
		return bytes
	}
	const few, more = 2, 10
	once := (allocated(more) - allocated(few)) / (more - few)
	most /= max(1, once)
	before := jsonSize(v)
	if before > 0 {
		size = before
	}
	factor := min(largeBytes/int64(max(1, size)), most)
	if !ok || factor < 2 {
		return nil
	}
	grown, _ := variant.Grow(v, int(factor))
	if after := jsonSize(grown); before > 0 && after > 0 { // not all of a message grows
		again := min(int64(float64(factor)*largeBytes/float64(after)), most)
		if again > factor+factor/4 {
			grown, _ = variant.Grow(v, int(again))
		}
	}
	return &grownValue{grown, fidelity.Hash(grown)}
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
