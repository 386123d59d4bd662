package measure

import (
	"math"
	"slices"
)

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

// keep records the sample unless its like are left out, see thin.
func (s *state) keep(m Sample) {
	if n := s.out.All.N; s.stride > 1 {
		if n%s.stride == 0 {
			s.pick = s.rand.IntN(s.stride)
		}
		if n%s.stride != s.pick {
			return
		}
	}
	if s.every > 1 && m.Block%s.every != 0 {
		return
	}
	s.out.Samples = append(s.out.Samples, m)
}

// thin drops every second block of samples once there are more than keep, and
// as many of those to come, so that what is kept is spread evenly over the run;
// where there are few blocks, samples within them.
func (s *state) thin(keep int) {
	for keep > 0 && len(s.out.Samples) > keep {
		if s.keptBlocks() < fewBlocks {
			s.thinWithin(keep)
			return
		}
		s.every = 2 * max(1, s.every)
		s.out.Samples = slices.DeleteFunc(s.out.Samples, func(m Sample) bool { return m.Block%s.every != 0 })
		s.out.Thinned = true
	}
}

func (s *state) keptBlocks() (n int) {
	last := -1
	for _, m := range s.out.Samples {
		if m.Block != last {
			n, last = n+1, m.Block
		}
	}
	return n
}

// thinWithin keeps one of each two neighbours until there are no more than
// keep, and as few of those to come. Which one is left to chance: every second
// one would be those of every second value of a corpus, or of the first half
// of each round.
func (s *state) thinWithin(keep int) {
	for keep > 0 && len(s.out.Samples) > keep {
		all := s.out.Samples
		kept := all[:0]
		for i := 0; i < len(all); i += 2 {
			kept = append(kept, all[min(i+s.rand.IntN(2), len(all)-1)])
		}
		s.out.Samples, s.out.Thinned = kept, true
		s.stride = 2 * max(1, s.stride)
		s.pick = s.rand.IntN(s.stride)
	}
}

// boundWithin keeps the samples of one long block within bounds.
func (g *Group) boundWithin(s *state) {
	if k := g.set.KeepSamples; k > 0 && len(s.out.Samples)/4 > k {
		s.thinWithin(2 * k)
	}
}
