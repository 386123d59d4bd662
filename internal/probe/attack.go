// Package probe makes inputs that are no messages, or hostile ones, and judges
// what a decoder does with them. It is meant to run in a child process: some
// of them end the process of some decoders.
package probe

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Class is a kind of bad input.
type Class string

// The classes, in the order in which they are tried: Nested is last, since it
// kills most.
const (
	Own       Class = "own"       // the message as it is: it has to be decoded
	Truncated Class = "truncated" // cut short
	Flipped   Class = "flipped"   // one to three bits inverted
	Random    Class = "random"    // each single byte, and random ones
	Length    Class = "length"    // a header that claims 2^31 to 2^63 elements or bytes
	Nested    Class = "nested"    // 10^2 to 5×10^6 levels
)

// Classes returns all classes but Own.
func Classes() []Class { return []Class{Truncated, Flipped, Random, Length, Nested} }

// An Attack is one input. It is made when it is needed: some are large.
type Attack struct {
	Class  Class
	Series string // attacks that differ only in size or place share it
	Name   string
	Input  func() []byte
	// Whole is the index of the message that was cut, for Truncated and Own.
	Whole int
	// Scale is how large the input claims to be, or how many levels it has; At
	// makes it with another. At is nil for attacks that have none.
	Scale  uint64
	At     func(scale uint64) []byte
	NameAt func(scale uint64) string
}

// Limits of what is made.
const (
	mostCuts      = 200
	flips         = 400
	randoms       = 300
	mostPositions = 48
	mostMessages  = 3 // of a corpus
)

// levels of nesting.
var levels = []int{100, 1_000, 10_000, 100_000, 1_000_000, 5_000_000}

// Attacks returns the attacks on a decoder of the format, made of messages of
// one payload; nests are more ways to nest, see [Derive], to most levels. They
// depend on the arguments alone.
func Attacks(format string, msgs [][]byte, nests []Nest, seed uint64, most int) []Attack {
	msgs = msgs[:min(len(msgs), mostMessages)]
	r := rand.New(rand.NewPCG(seed, 0xa77ac4))
	var out []Attack
	add := func(c Class, series, name string, whole int, input func() []byte) {
		out = append(out, Attack{Class: c, Series: series, Name: name, Input: input, Whole: whole})
	}
	for i, m := range msgs {
		add(Own, "own", "the message", i, func() []byte { return bytes.Clone(m) })
	}
	for i, m := range msgs {
		for _, n := range places(r, len(m), mostCuts/len(msgs)) {
			add(Truncated, "cut", fmt.Sprintf("cut to %d of %d bytes", n, len(m)), i, func() []byte { return bytes.Clone(m[:n]) })
		}
	}
	for range flips {
		m := msgs[r.IntN(len(msgs))]
		if len(m) == 0 {
			break
		}
		var bits []int
		for range 1 + r.IntN(3) {
			bits = append(bits, r.IntN(len(m)*8))
		}
		add(Flipped, "bits", fmt.Sprintf("bits %v inverted", bits), 0, func() []byte {
			b := bytes.Clone(m)
			for _, bit := range bits {
				b[bit/8] ^= 1 << (bit % 8)
			}
			return b
		})
	}
	for b := range 256 {
		add(Random, "byte", fmt.Sprintf("the byte %#02x", b), 0, func() []byte { return []byte{byte(b)} })
	}
	for range randoms {
		s1, s2, n := r.Uint64(), r.Uint64(), 2+r.IntN(63)
		add(Random, "bytes", fmt.Sprintf("%d random bytes", n), 0, func() []byte { return randomBytes(s1, s2, n) })
	}
	scaled := func(c Class, series string, scale uint64, name func(uint64) string, at func(uint64) []byte) {
		out = append(out, Attack{Class: c, Series: series, Name: name(scale), Scale: scale, At: at, NameAt: name, Input: func() []byte { return at(scale) }})
	}
	all := headers(format)
	for _, h := range all {
		scaled(Length, h.name(h.claim), h.claim, h.name, h.at)
	}
	// The more headers, the fewer places each.
	positions := max(4, mostPositions/(1+len(all)/16))
	for i, m := range msgs {
		for _, n := range places(r, len(m), positions) {
			for _, h := range all {
				scaled(Length, h.name(h.claim), h.claim,
					func(claim uint64) string { return fmt.Sprintf("%s at byte %d of message %d", h.name(claim), n, i) },
					func(claim uint64) []byte { return slices.Concat(m[:n], h.at(claim)) })
			}
			for _, w := range anyLength {
				add(Length, "overwritten", fmt.Sprintf("%x over byte %d of message %d", w, n, i), 0, func() []byte {
					b := bytes.Clone(m)
					copy(b[n:], w)
					return b
				})
			}
		}
	}
	for _, nest := range append(nestsOf(format, msgs), nests...) {
		for _, n := range levels {
			if n > most {
				break
			}
			scaled(Nested, nest.Name, uint64(n),
				func(n uint64) string { return fmt.Sprintf("%s, %d levels", nest.Name, n) },
				func(n uint64) []byte { return nest.make(int(n)) })
		}
	}
	return out
}

func randomBytes(s1, s2 uint64, n int) []byte {
	r := rand.New(rand.NewPCG(s1, s2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// places are positions within size bytes: all, or the first ones, the last
// ones and a sample of the others.
func places(r *rand.Rand, size, most int) []int {
	var at []int
	if size <= most {
		for n := range size {
			at = append(at, n)
		}
		return at
	}
	for n := range most / 4 {
		at = append(at, n, size-1-n)
	}
	for len(at) < most {
		at = append(at, r.IntN(size))
	}
	slices.Sort(at)
	return slices.Compact(at)
}
