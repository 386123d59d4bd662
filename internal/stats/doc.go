// Package stats holds the statistics behind serbench's intervals and
// verdicts: pure functions over []float64 that hold no state and draw no
// random numbers but from a seed that the caller gives.
//
// It prefers estimators that a few wild observations cannot move, since time
// on a shared machine is never normally distributed, and it prefers saying
// nothing to saying too much: where the data cannot carry an interval the
// interval is the whole line, and no verdict follows from it.
//
// # Rules that hold for every function
//
//   - A caller's slice is only read. Functions that must sort work on a copy.
//   - NaN and the infinities are not observations. They are left out, and the
//     N of a result says how many values were used.
//   - A single figure that does not exist (the median of nothing) is NaN, as
//     each comment says. An [Interval], a [Decision], a [Shift] and a p-value
//     never hold a NaN, whatever they are given.
//   - A level is the chance that an interval misses, two-sided: 0.05, not
//     0.95. At level 0, or one that is negative or NaN, an interval is the
//     whole line; at level 1 and above it is a point.
package stats
