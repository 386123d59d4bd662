package valuegen

import (
	"math/bits"
	"math/rand/v2"
)

// source is a stream of random numbers. Note: it uses nothing of math/rand/v2
// but the PCG generator itself, whose output is fixed by its specification;
// how Rand makes ranges and floats of it is not.
type source struct {
	pcg  *rand.PCG
	seed uint64
}

func newSource(seed uint64) source {
	return source{pcg: rand.NewPCG(seed, 0x76616c756567656e), seed: seed}
}

// child is the stream of a named part, so that a field's values do not depend
// on the fields beside it.
func (s source) child(name string) source {
	return newSource(mix(s.seed ^ hash(name)))
}

// at is the stream of the i-th value of a list, whatever came before.
func (s source) at(i uint64) source { return newSource(mix(s.seed + mix(i+1))) }

func (s source) bits() uint64 { return s.pcg.Uint64() }

// below returns a number in [0, n); n must be above 0. The bias of the
// multiplication is below n/2^64.
func (s source) below(n uint64) uint64 {
	hi, _ := bits.Mul64(s.pcg.Uint64(), n)
	return hi
}

func (s source) index(n int) int { return int(s.below(uint64(n))) }

// between returns a number from low to high, both included.
func (s source) between(low, high int) int { return low + s.index(high-low+1) }

// share returns a number in [0, 1).
func (s source) share() float64 { return float64(s.pcg.Uint64()>>11) / (1 << 53) }

// hash is FNV-1a.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
