package serbench

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"time"
	"weak"

	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/variant"
)

// keepsValue changes a value after it was encoded, and then waits for the
// collector to find that nobody holds it.
func (o *observer) keepsValue() (string, error) {
	for n := range o.leaves() {
		v, err := o.decode(o.msgs[0])
		if err != nil {
			return "", err
		}
		msg, err := o.codec.Marshal(v)
		if err != nil {
			return "", fmt.Errorf("encode: %w", err)
		}
		kept := slices.Clone(msg)
		if !variant.Change(v, n) {
			break
		}
		if !slices.Equal(msg, kept) {
			return "a message changed with the value, after Marshal had returned", nil
		}
		// Before any other value: a codec may remember the last one only.
		got, gotErr := o.again(v)
		// The codec has not seen the copy: what it makes of it is right.
		fresh, err := o.decode(o.msgs[0])
		if err != nil {
			return "", err
		}
		variant.Change(fresh, n)
		want, err := o.again(fresh)
		if err != nil {
			continue // not a value that it encodes
		}
		if gotErr != nil || !o.same(want, got) {
			return "encoded again after it was changed, a value gave the message of what it was before", nil
		}
	}
	return o.held(func() (any, func() error, error) {
		v, err := o.decode(o.msgs[0])
		return v, func() error { _, err := o.codec.Marshal(v); return err }, err
	})
}

func (o *observer) keepsInput() (string, error) {
	return o.held(func() (any, func() error, error) {
		data := new([1 << 12]byte) // not one of the small objects that share a block
		if len(o.msgs[0]) > len(data) {
			return nil, nil, nil
		}
		n := copy(data[:], o.msgs[0])
		return data, func() error { return o.codec.Unmarshal(data[:n], o.payload.New()) }, nil
	})
}

// leastHeld is the size of an object that has a block of its own, whatever is
// in it. Source: maxTinySize in the runtime's allocator.
const leastHeld = 16

// held calls the codec with an object that nobody else refers to, then with
// others, and reports whether the object outlives that. Objects in a sync.Pool
// are let go by the second collection.
func (o *observer) held(give func() (object any, call func() error, err error)) (string, error) {
	var w weak.Pointer[byte]
	// In a function of its own, so that no frame refers to the object.
	given := false
	err := func() error {
		object, call, err := give()
		if err != nil || object == nil || reflect.TypeOf(object).Elem().Size() < leastHeld {
			return err
		}
		given = true
		w = weak.Make((*byte)(reflect.ValueOf(object).UnsafePointer()))
		return call()
	}()
	if err != nil || !given {
		return "", err
	}
	for range 2 {
		if _, err := o.again(o.values[0]); err != nil {
			return "", err
		}
	}
	for range 4 {
		if w.Value() == nil {
			return "", nil
		}
		runtime.GC()
	}
	if w.Value() == nil {
		return "", nil
	}
	return heldTooLong, nil
}

const heldTooLong = "held beyond the next call: the garbage collector could not free it"

// Concurrent use, as it is observed.
const (
	concurrentGoroutines = 4
	concurrentReps       = 24
	concurrentTime       = 50 * time.Millisecond
)

func (o *observer) notConcurrent() (string, error) {
	cloner, ok := o.codec.(Cloner)
	if !ok {
		return "has no Clone: it does not say that it is safe, and was not tried", nil
	}
	// Each goroutine has a value and a codec of its own, and its own copies.
	values := append(slices.Clone(o.values), o.others()...)
	want := make([]any, len(values))
	for i, v := range values {
		var err error
		if want[i], err = o.again(v); err != nil {
			return "", err
		}
	}
	clones := make([]Codec, concurrentGoroutines)
	for i := range clones {
		if clones[i] = cloner.Clone(); clones[i] == nil {
			return "", errors.New("Clone returned nil")
		}
	}
	var wg sync.WaitGroup
	seen := make([]string, len(clones))
	for g, c := range clones {
		wg.Go(func() {
			err := measure.Guard(o.ctx, o.limit, func() error {
				for i, start := 0, time.Now(); i < concurrentReps && (i < 1 || time.Since(start) < concurrentTime); i++ {
					if err := o.trip(c, values[(g+i)%len(values)], want[(g+i)%len(values)]); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				seen[g] = "clones disturb each other: " + err.Error()
			}
		})
	}
	wg.Wait()
	for _, s := range seen {
		if s != "" {
			return s, nil
		}
	}
	return "", nil
}

// trip encodes v and decodes it, letting others run in between.
func (o *observer) trip(c Codec, v, want any) error {
	msg, err := c.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	runtime.Gosched()
	got := o.payload.New()
	if err := c.Unmarshal(slices.Clone(msg), got); err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	if !o.same(want, got) {
		return errors.New("a value came back as another")
	}
	return nil
}
