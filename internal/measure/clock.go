// Package measure times cells: it knows batches, rounds and blocks, the
// collector, the clocks and the counters, and nothing of codecs. What is
// timed is behind [Cell]; what the samples mean is internal/stats' to say.
//
// The method, with the experiments that led to it, is in docs/method.md.
package measure

import "time"

// Clock reads the time since some fixed moment.
type Clock func() time.Duration

// SystemClock is the monotonic clock. Note: time.Since of a fixed base reads
// one clock, time.Now two.
func SystemClock() Clock {
	base := time.Now()
	return func() time.Duration { return time.Since(base) }
}

// ClockFacts are a clock's properties in ns; 0 where it never moved.
type ClockFacts struct {
	Resolution float64 // smallest step seen
	Cost       float64 // of one reading
}

// Measure finds a clock's properties, in at most about a millisecond.
func (c Clock) Measure() ClockFacts {
	var f ClockFacts
	const reads = 2000
	for range 3 {
		start := c()
		prev := start
		for range reads {
			now := c()
			if d := float64(now - prev); d > 0 && (f.Resolution == 0 || d < f.Resolution) {
				f.Resolution = d
			}
			prev = now
		}
		if cost := float64(prev-start) / reads; cost > 0 && (f.Cost == 0 || cost < f.Cost) {
			f.Cost = cost
		}
	}
	return f
}

// batchTarget is how long a batch should be: 1,500 clock readings, and at
// least 1,000 steps of a coarse clock, within the bounds where longer batches
// catch more of the machine's noise than they remove of the clock's.
func (f ClockFacts) batchTarget() time.Duration {
	const low, high = 30 * time.Microsecond, 100 * time.Microsecond
	d := min(max(time.Duration(1500*f.Cost), low), high)
	if f.coarse() {
		d = max(d, time.Duration(1000*f.Resolution))
	}
	return d
}

// turnTarget is how long the batches of cells are that take turns until they
// are told apart, each after a lead-in: a fifth of batchTarget. What makes one
// batch slow lasts longer than that, so it hits the batches beside it alike.
func (f ClockFacts) turnTarget() time.Duration {
	if f.coarse() {
		return f.batchTarget()
	}
	return f.batchTarget() / 5
}

// coarse reports whether the clock moves in steps that matter. The smallest
// step seen is about a reading's cost on a fine clock; only a step well above
// it is a coarse clock's.
func (f ClockFacts) coarse() bool { return f.Resolution > 4*f.Cost }
