package corpus

import (
	"container/heap"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Sample is a uniform random sample without replacement of messages that come
// one by one, within bounds of count and bytes. Every message gets a random
// key, and those with the lowest keys are kept; once one was dropped for its
// key, none with a higher key comes in any more, so that the bound on bytes
// does not favour short messages that come late.
type Sample struct {
	mostValues int
	mostBytes  int64
	pcg        *rand.PCG
	kept       byKey
	bytes      int64
	seen       int64
	seenBytes  int64
	bar        [2]uint64 // keys from here on are refused
	barred     bool
}

// NewSample makes an empty sample; 0 is no bound. At least one message is
// kept, however long.
func NewSample(mostValues int, mostBytes int64, seed uint64) *Sample {
	return &Sample{mostValues: mostValues, mostBytes: mostBytes, pcg: rand.NewPCG(seed, 0x73616d706c65)}
}

// Message is one that was kept.
type Message struct {
	Data  []byte
	Index int64 // among all, from 0
	Position
	key [2]uint64
}

// Add offers a message, which is copied if it is kept.
func (s *Sample) Add(data []byte, pos Position) {
	m := Message{Index: s.seen, Position: pos, key: [2]uint64{s.pcg.Uint64(), uint64(s.seen)}}
	s.seen++
	s.seenBytes += int64(len(data))
	if s.barred && !less(m.key, s.bar) {
		return
	}
	m.Data = slices.Clone(data)
	if m.Data == nil {
		m.Data = []byte{}
	}
	heap.Push(&s.kept, m)
	s.bytes += int64(len(data))
	for len(s.kept) > 1 && (s.mostValues > 0 && len(s.kept) > s.mostValues || s.mostBytes > 0 && s.bytes > s.mostBytes) {
		out := heap.Pop(&s.kept).(Message)
		s.bytes -= int64(len(out.Data))
		s.bar, s.barred = out.key, true
	}
}

// Seen returns how many messages were offered, and their bytes.
func (s *Sample) Seen() (n int64, size int64) { return s.seen, s.seenBytes }

// Bytes of the messages that were kept.
func (s *Sample) Bytes() int64 { return s.bytes }

// Messages returns those that were kept, in the order in which they came.
func (s *Sample) Messages() []Message {
	out := slices.Clone([]Message(s.kept))
	slices.SortFunc(out, func(a, b Message) int { return int(a.Index - b.Index) })
	return out
}

func less(a, b [2]uint64) bool {
	_, borrow := bits.Sub64(a[1], b[1], 0)
	_, borrow = bits.Sub64(a[0], b[0], borrow)
	return borrow == 1
}

// byKey is a heap with the highest key on top.
type byKey []Message

func (h byKey) Len() int           { return len(h) }
func (h byKey) Less(i, k int) bool { return less(h[k].key, h[i].key) }
func (h byKey) Swap(i, k int)      { h[i], h[k] = h[k], h[i] }
func (h *byKey) Push(x any)        { *h = append(*h, x.(Message)) }
func (h *byKey) Pop() any {
	old := *h
	last := old[len(old)-1]
	old[len(old)-1] = Message{}
	*h = old[:len(old)-1]
	return last
}
