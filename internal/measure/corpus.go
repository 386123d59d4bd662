package measure

import "math"

// A corpus that takes longer than a batch is cut into segments of about a
// batch each, and the batches of a block are valued by segment: the faster
// half of batches over unlike inputs would be those with the cheaper inputs.

// segments of the corpus.
func (s *state) segments() int {
	if s.Corpus <= 1 || s.n <= 0 || s.n >= s.Corpus {
		return 1
	}
	return (s.Corpus + s.n - 1) / s.n
}

// bound is where segment k of n begins.
func (s *state) bound(k, n int) int { return int(int64(s.Corpus) * int64(k) / int64(n)) }

// at returns the segment that the instance has come to, and how many ops are
// left of it.
func (s *state) at() (segment, left int) {
	n := s.segments()
	if n == 1 {
		return 0, s.n
	}
	in := s.ran % s.Corpus
	k := int(int64(in) * int64(n) / int64(s.Corpus))
	for s.bound(k+1, n) <= in {
		k++
	}
	return k, s.bound(k+1, n) - in
}

// next is the number of ops of the next batch.
func (s *state) next() int {
	_, n := s.at()
	return n
}

// lacks reports whether a segment of the corpus has no batch in the block.
func (s *state) lacks() bool {
	n := s.segments()
	if n == 1 {
		return false
	}
	for k := range n {
		if k >= len(s.parts) || len(s.parts[k]) == 0 {
			return true
		}
	}
	return false
}

// value of the block in ns per op: the mean over the segments of what typical
// gives for each; NaN if a segment has no batch.
func (s *state) value(typical func([]float64) float64) float64 {
	n := s.segments()
	if n == 1 {
		if len(s.parts) == 0 {
			return math.NaN()
		}
		return typical(s.parts[0])
	}
	if len(s.parts) < n {
		return math.NaN()
	}
	sum := 0.0
	for k := range n {
		sum += typical(s.parts[k]) * float64(s.bound(k+1, n)-s.bound(k, n))
	}
	return sum / float64(s.Corpus)
}

// note adds a batch to the block.
func (s *state) note(segment int, ns float64) {
	for len(s.parts) <= segment {
		s.parts = append(s.parts, nil)
	}
	s.parts[segment] = append(s.parts[segment], ns)
}

// clearBlock forgets the batches of the last block.
func (s *state) clearBlock() {
	for k := range s.parts {
		s.parts[k] = s.parts[k][:0]
	}
	if len(s.parts) > s.segments() {
		s.parts = s.parts[:s.segments()]
	}
}
