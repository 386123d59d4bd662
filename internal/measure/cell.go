package measure

import (
	"math/rand/v2"
	"time"
)

// A Cell is one thing to time. Its methods are called by one goroutine at a
// time; a failed or abandoned cell is not called again.
type Cell interface {
	// Fresh makes new instances for a block: state, inputs, buffers.
	Fresh() error
	// Prepare readies the next n ops, outside of the timing. A cell whose
	// Prepare allocates says so by a method Prepares() bool.
	Prepare(n int) error
	// Run does n ops and returns how many were done before the first error.
	// It is the timed region.
	Run(n int) (int, error)
}

// Spec is a cell and how it takes part in its group.
type Spec struct {
	Cell   Cell
	Corpus int  // length of the cycle of inputs; batches are multiples of it where that is affordable
	Sparse bool // one round per block suffices: floor and control
	Aside  bool // takes no part in Sustained
	Follow bool // measured as long as another cell is, and keeps nothing going itself
}

// Sample is one timed batch.
type Sample struct {
	Block, Round int
	Reps         int
	Elapsed      time.Duration
}

// Counter is what a stretch of ops used outside of the timed batches.
type Counter struct {
	Block      int
	Reps       int
	Allocs     uint64
	AllocBytes uint64
	GCCycles   uint64
	Wall       time.Duration
	User, Sys  time.Duration
	HasCPU     bool
}

// CellOutcome is what was found out about one cell.
type CellOutcome struct {
	Err      error // why it failed; a *PanicError, *HangError, ErrGoexit or the cell's own
	Samples  []Sample
	Thinned  bool // blocks of samples were dropped to keep within Settings.KeepSamples
	Counters []Counter
	Blocks   []float64 // ns per op: the mean of the faster half of the block's batches; of fixed plans their median
	Reps     int64     // timed
	Elapsed  time.Duration
	Batch    int           // ops per batch
	Done     bool          // a fixed plan was carried out in full
	Idle     bool          // a CPU-time plan was ended because the op hardly uses the CPU
	Short    bool          // batches were too short against the clock
	Odd      int           // batches left out because the clock went backwards
	CPU      time.Duration // user and system, of the timed batches; CPU-time plans only
	All      Moments       // of the time per op over all samples, those that were thinned out too
}

// state is a cell's place in a running group.
type state struct {
	Spec
	out    CellOutcome
	n      int     // ops per batch
	rounds int     // of the block in which the cell takes part
	ns     float64 // op time, roughly
	active bool
	fresh  bool        // has instances
	gcSeen int         // collections at the time of the last batch
	ran    int         // ops of this instance so far
	parts  [][]float64 // ns per op of the block's batches, by segment of the corpus

	// Fixed plans: progress within the block, so that a plan can go on after
	// another cell's panic without repeating anything.
	begun    bool
	left     int
	timeLeft time.Duration
	wallLeft time.Duration // CPU-time plans
	batches  int
	dropped  int
	blockNs  []float64
	stretch  usage
	noop     noopCost

	rand   *rand.Rand
	stride int // one of so many samples is kept; 0 and 1: all
	pick   int // of the stride under way
	every  int // one of so many blocks of samples is kept; 0 and 1: all
}

func (s *state) ok() bool { return s.out.Err == nil }

// take records a timed batch.
func (s *state) take(block, round, reps int, d time.Duration) {
	s.keep(Sample{Block: block, Round: round, Reps: reps, Elapsed: d})
	s.out.All.add(float64(d) / float64(reps))
	s.out.Reps += int64(reps)
	s.out.Elapsed += d
}
