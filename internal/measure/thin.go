package measure

import "math"

// Moments are the count, mean, spread and ends of the values added.
type Moments struct {
	N        int
	Mean     float64
	Min, Max float64
	squares  float64 // sum of (x - Mean)^2
}

// add updates the moments. Source: Welford 1962.
func (m *Moments) add(x float64) {
	if m.N == 0 {
		m.Min, m.Max = x, x
	}
	m.N++
	m.Min, m.Max = min(m.Min, x), max(m.Max, x)
	d := x - m.Mean
	m.Mean += d / float64(m.N)
	m.squares += d * (x - m.Mean)
}

// Stddev is the sample standard deviation; NaN of fewer than two values.
func (m Moments) Stddev() float64 {
	if m.N < 2 {
		return math.NaN()
	}
	return math.Sqrt(m.squares / float64(m.N-1))
}

// fewBlocks are too few for one of two to be dropped.
const fewBlocks = 16

// thin drops every second block of samples once there are more than keep, so
// that what is kept still spans the run; where there are few blocks, every
// second sample.
func (s *state) thin(keep int) {
	if keep <= 0 || len(s.out.Samples) <= keep {
		return
	}
	if blocks := s.out.Samples[len(s.out.Samples)-1].Block - s.out.Samples[0].Block + 1; blocks < fewBlocks {
		s.thinWithin(keep)
		return
	}
	kept := s.out.Samples[:0]
	seen, last := -1, -1
	for _, m := range s.out.Samples {
		if m.Block != last {
			last = m.Block
			seen++
		}
		if seen%2 == 0 {
			kept = append(kept, m)
		}
	}
	s.out.Samples, s.out.Thinned = kept, true
}

// thinWithin drops every second sample until there are no more than keep, and
// as many of those to come.
func (s *state) thinWithin(keep int) {
	for keep > 0 && len(s.out.Samples) > keep {
		kept := s.out.Samples[:0]
		for i := 0; i < len(s.out.Samples); i += 2 {
			kept = append(kept, s.out.Samples[i])
		}
		s.out.Samples, s.out.Thinned = kept, true
		s.stride = 2 * max(1, s.stride)
	}
}
