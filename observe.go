package serbench

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/serbench/serbench/internal/fidelity"
	"github.com/serbench/serbench/internal/variant"
)

// mostLeaves are changed one by one to make other values of a payload's type.
const mostLeaves = 8

// leaves is mostLeaves, or fewer where a message is large.
func (o *observer) leaves() int {
	if len(o.msgs[0]) > largeMessage {
		return 1
	}
	return mostLeaves
}

// largeMessage is a size, in bytes, from which on less is tried.
const largeMessage = 256 << 10

// differing are values of the payload's type that differ from the first:
// changed copies of it, and the rest of the corpus.
func (o *observer) differing() []any {
	if o.differ != nil {
		return o.differ
	}
	for n := range o.leaves() {
		v, err := o.decode(o.msgs[0])
		if err != nil || !variant.Change(v, n) {
			break
		}
		o.differ = append(o.differ, v)
	}
	for i := range min(len(o.values)-1, o.leaves()) {
		if !bytes.Equal(o.msgs[i+1], o.msgs[0]) {
			o.differ = append(o.differ, o.values[i+1])
		}
	}
	return o.differ
}

// others are some of them that the codec encodes to other bytes.
func (o *observer) others() (values []any) {
	for _, v := range o.differing() {
		if msg, err := o.encode(v); err == nil && !bytes.Equal(msg, o.msgs[0]) {
			values = append(values, v)
		}
	}
	return values[:min(len(values), o.leaves())]
}

func (o *observer) aliasesInput() (string, error) {
	for _, msg := range o.msgs {
		want, err := o.decode(msg)
		if err != nil {
			return "", err
		}
		data, got := bytes.Clone(msg), o.payload.New()
		if err := o.codec.Unmarshal(data, got); err != nil {
			return "", fmt.Errorf("decode: %w", err)
		}
		if !o.same(want, got) {
			continue // not to be told apart from what other observations are about
		}
		invert(data)
		if !o.same(want, got) {
			return "the decoded value changed when the input was overwritten", nil
		}
	}
	return "", nil
}

// invert changes every byte, in one write of all: under the race detector a
// loop would take a hundred times as long.
func invert(data []byte) { copy(data, inverted(data)) }

//go:norace
func inverted(data []byte) []byte {
	out := make([]byte, len(data))
	for i, b := range data {
		out[i] = b ^ 0x55
	}
	return out
}

// reusesOutput keeps messages while others are made. Each message is the
// caller's with all of its capacity: in the end all of it is overwritten.
func (o *observer) reusesOutput() (string, error) {
	var kept, copies [][]byte
	for _, v := range append(slices.Clone(o.values), o.others()...) {
		for range 2 {
			msg, err := o.codec.Marshal(v)
			if err != nil {
				return "", fmt.Errorf("encode: %w", err)
			}
			kept, copies = append(kept, msg), append(copies, bytes.Clone(msg))
		}
	}
	for i, msg := range kept {
		switch {
		case i > 0 && overlap(kept[i-1], msg):
			return "Marshal returned the buffer of the message before", nil
		case !bytes.Equal(msg, copies[i]):
			return "a message changed with a later Marshal", nil
		}
	}
	last := len(kept) - 1
	for _, msg := range kept[:last] {
		invert(msg[:cap(msg)])
	}
	if !bytes.Equal(kept[last], copies[last]) {
		return "a message changed when the spare capacity of another was written to", nil
	}
	msg, err := o.encode(o.values[0])
	if err != nil {
		return "", err
	}
	if bytes.Equal(msg, o.msgs[0]) {
		return "", nil
	}
	want, err := o.decode(o.msgs[0])
	if err != nil {
		return "", err
	}
	if got, err := o.decode(msg); err != nil || !o.same(want, got) {
		return "after earlier messages were overwritten, Marshal returned a spoilt one", nil
	}
	return "", nil
}

func overlap(a, b []byte) bool {
	return cap(a) > 0 && cap(b) > 0 && &a[:1][0] == &b[:1][0]
}

func (o *observer) reusesDecoded() (string, error) {
	got, err := o.decode(o.msgs[0])
	if err != nil {
		return "", err
	}
	before := o.payload.compare(0, o.values[0], got)
	for _, v := range append(o.others(), o.values...) {
		if _, err := o.again(v); err != nil {
			return "", err
		}
	}
	if after := o.payload.compare(0, o.values[0], got); after.Class != before.Class || after.Total != before.Total {
		return "a decoded value changed with a later Unmarshal", nil
	}
	return "", nil
}

// ignoresInput gives the decoder messages of the codec's own alone: one that
// recurses without end on an empty message, or on none, would end the process.
func (o *observer) ignoresInput() (string, error) {
	first, err := o.decode(o.msgs[0])
	if err != nil || !o.same(first, first) {
		return "", err
	}
	alike := 0
	for _, v := range o.differing() {
		msg, err := o.encode(v)
		if err != nil {
			continue
		}
		// The codec has just seen another value: it must not give that.
		if again, err := o.decode(o.msgs[0]); err == nil && !o.same(first, again) {
			return "one message decoded to two values, depending on the calls before", nil
		}
		if bytes.Equal(msg, o.msgs[0]) {
			continue
		}
		other, err := o.decode(msg)
		if err != nil {
			alike++
			continue
		}
		if !o.same(first, other) {
			return "", nil
		}
		alike++
	}
	if alike == 0 {
		return "", nil
	}
	return fmt.Sprintf("%d messages that differ decoded to equal values", alike+1), nil
}

// notSelfContained encodes text that cannot be made small. 4,096 characters of
// 64 kinds hold 3,072 bytes of information.
func (o *observer) notSelfContained() (string, error) {
	const size, least = 4096, 3000
	for n := range o.leaves() {
		v, err := o.decode(o.msgs[0])
		if err != nil {
			return "", err
		}
		if !variant.Fill(v, n, size, uint64(n)) {
			break
		}
		for range 2 { // the second one may refer to the first
			msg, err := o.encode(v)
			if err != nil {
				break
			}
			got, err := o.decode(msg)
			if len(msg) < least && err == nil && o.same(v, got) {
				return fmt.Sprintf("%d bytes of random text came back from a message of %d bytes, which cannot hold them", size, len(msg)), nil
			}
		}
	}
	return "", nil
}

func (o *observer) writesToInput() (string, error) {
	for _, msg := range o.msgs {
		array := append(bytes.Clone(msg), bytes.Repeat([]byte{0xa5}, 16)...)
		kept := bytes.Clone(array)
		if err := o.codec.Unmarshal(array[:len(msg)], o.payload.New()); err != nil {
			return "", fmt.Errorf("decode: %w", err)
		}
		if !bytes.Equal(array[:len(msg)], kept[:len(msg)]) {
			return "Unmarshal changed its input", nil
		}
		if !bytes.Equal(array, kept) {
			return "Unmarshal wrote behind its input, into the array that it is part of", nil
		}
	}
	return "", nil
}

func (o *observer) writesToValue() (string, error) {
	if fidelity.Hash(o.values...) != o.hash {
		return "Marshal changed the value", nil
	}
	return "", nil
}

// timesEncoded is how often one value is encoded: a map of two keys, in an
// order that varies, comes out alike each time in one of 128 observations.
const timesEncoded = 8

func (o *observer) notDeterministic() (string, error) {
	for i, v := range o.values {
		times := timesEncoded
		if len(o.msgs[i]) > largeMessage {
			times = 2
		}
		for range times {
			msg, err := o.codec.Marshal(v)
			if err != nil {
				return "", fmt.Errorf("encode: %w", err)
			}
			if !bytes.Equal(msg, o.msgs[i]) {
				return "one value was encoded to different bytes", nil
			}
		}
	}
	return "", nil
}

func (o *observer) staleFields() (string, error) { u := o.useAgain(); return u.fields, u.err }
func (o *observer) staleKeys() (string, error)   { u := o.useAgain(); return u.keys, u.err }

// used is what targets kept that had been used before.
type used struct {
	fields, keys string
	err          error
}

func (o *observer) useAgain() used {
	if o.used == nil {
		fields, keys, err := o.stale()
		o.used = &used{fields, keys, err}
	}
	return *o.used
}

// stale decodes into targets that hold something: one with everything filled,
// and those that decoded another value before.
func (o *observer) stale() (fields, keys string, err error) {
	for i, msg := range o.msgs {
		want, err := o.decode(msg)
		if err != nil {
			return "", "", err
		}
		var targets []any
		filled := o.payload.New()
		variant.Populate(filled)
		targets = append(targets, filled)
		if other, err := o.decode(o.msgs[(i+1)%len(o.msgs)]); err == nil {
			targets = append(targets, other)
		}
		for _, target := range targets {
			if err := o.codec.Unmarshal(bytes.Clone(msg), target); err != nil {
				if errors.Is(err, errors.ErrUnsupported) {
					continue
				}
				return "decoding into a used target is an error: " + err.Error(), keys, nil
			}
			for _, d := range o.payload.compare(0, want, target).Differences {
				switch what := strings.TrimSpace(d.Path + " " + d.Got); {
				case d.Kind == string(fidelity.ExtraKey):
					keys = "a used target kept " + what
				case fields == "":
					fields = "a used target kept " + what
				}
			}
		}
	}
	return fields, keys, nil
}
