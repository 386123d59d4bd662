package serbench

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/serbench/serbench/internal/child"
	"github.com/serbench/serbench/internal/hostinfo"
	"github.com/serbench/serbench/internal/measure"
)

// Runner holds the settings of a run; the zero value is right for most. In
// each field 0 is the default; where "negative: none" stands, a negative value
// switches it off, elsewhere it is an error. A Runner is not changed by Run
// and may be used again, but runs of one process take turns, since they
// change the garbage collector's settings while they measure.
//
// Of Reps, Rounds, Time and CPUTime at most one is set. With none, each payload and op
// is measured until every comparison in it is decided, or its share of the
// budget is used up.
type Runner struct {
	Title   string // of the report
	Author  string // of the report, optional
	Summary string // of the report, optional: what it is about, in a sentence

	Ops     []Op          // default: encode, decode, roundtrip
	Reps    int           // exactly so many timed ops per cell; one more, untimed, is checked behind them
	Rounds  int           // exactly so many rounds: two batches of each cell, in turns; a corpus is gone through whole
	Time    time.Duration // so much wall time per cell
	CPUTime time.Duration // so much user and system CPU time per cell

	// Margin is the relative difference below which two op times count as
	// equivalent; default 0.01. Negative: none, nothing is ever equivalent.
	Margin float64
	// Level is the chance of any wrong verdict in a group of compared cells;
	// default 0.05.
	Level float64
	// Precision, if set, keeps a cell going until the half-width of its own
	// interval is at most this share of its op time.
	Precision float64
	// Budget bounds the wall time of the whole run, checks and all; default
	// 0.3 s per cell, at least 2 s, and more where Latency or Cold is asked
	// for. Negative: none. It does not bound Reps,
	// Time and CPUTime unless it is set.
	Budget time.Duration

	Baseline  string // the codec that others are compared with; default: the first
	AllPairs  bool   // compare every codec with every other, for rankings
	JoinForms bool   // compare across the forms of a payload too

	// Traits: look for all traits of each codec before it is timed, see
	// [ObserveTraits], and fail it for those that spoil a measurement. Without
	// it only aliases-input, reuses-output and the plainest ignores-input are
	// looked for.
	Traits bool

	// Transports are what the ops send and receive go through; see
	// [Transport]. Each is measured with two controls in the same rounds: the
	// transport alone, with the codec's bytes, and the codec alone.
	Transports []Transport `json:"-"`

	// Parallelism lists the numbers of goroutines that do an op at once, beside
	// one alone, which is always measured: {2, 4, 8}. Each goroutine has an
	// instance of the codec, by [Cloner], and inputs and buffers of its own;
	// all are measured in the same rounds. Reps is the total of a cell and
	// must be a multiple; the time of an op is the wall time × goroutines /
	// reps, so that it stays the same where nothing contends. See
	// [Report.Scalings]. Ops through transports are measured on one goroutine.
	Parallelism []int

	// LiveHeap, in bytes, is held while sustained times are measured: what an
	// op takes while the collector works over such a heap. 0: not measured.
	LiveHeap int64

	// Memory: find out what each op costs in memory too, behind all times: the
	// heap that decoded values keep, the peak of one large message, what pools
	// keep after it, and what the collector costs; see [MemoryCost]. It takes a
	// second or two per codec and payload, and a third for each op and live
	// heap, which Budget does not bound. With Launches, every child does it.
	Memory bool
	// MemoryHeaps lists the live heaps, in bytes beside what the process holds
	// itself, over which Memory finds what the collector costs. Default: 0, and
	// LiveHeap if that is set.
	MemoryHeaps []int64
	// Latency is the number of ops of each cell on one goroutine that are timed
	// one by one, for the quantiles of what single calls take, under the
	// process's own collector and over LiveHeap; see [Latency]. 10,000 are
	// enough for p99.9. 0: not measured. Ops that are short against the clock
	// are refused. Not with Launches.
	Latency int
	// Cold also measures decode of messages that are not in the processor's
	// caches, from up to 256 MiB of copies, against the same messages in cache;
	// see [Cold]. Not with Launches.
	Cold bool

	// Launches is the number of child processes that each cell is measured
	// in, one after the other in shuffled order; the program has to call
	// [ServeChild]. 0: in this process. Comparisons then take the launch as
	// the unit, and intervals hold what differs from launch to launch.
	Launches int
	// ChildMemory bounds the memory of a child, in bytes, give or take some
	// 100 MiB of the runtime's own; default none.
	ChildMemory int64
	// ChildTime bounds the wall time of a child, from start to end; default
	// 10 minutes. Negative: none.
	ChildTime time.Duration

	Seed      uint64 // of all shuffling; 0: a new one, which the report records
	Collector Collector
	Plan      Plan
	// KeepSamples bounds the samples kept per cell; default 4,096. Beyond it
	// whole blocks are left out evenly, or, of few blocks, samples at random.
	// Negative: no bound.
	KeepSamples int
	// CallLimit ends a cell whose call does not return: the call's goroutine
	// is abandoned and the run goes on. Default 1 minute. Negative: none.
	CallLimit time.Duration

	// MemoryLimit, in bytes, bounds what codecs may add to the heap: the cell
	// that holds more than that, or an op that allocates more without an end,
	// fails, and the run goes on. Default: half of the memory that the process
	// may use, where the system tells. Negative: none.
	MemoryLimit int64
	// SelfCheck makes each group prove itself: beside the baseline it measures
	// a twin of it, which must not be found different, and a twin that does
	// 2 % more work, which must be found slower. See [Report.SelfChecks].
	SelfCheck bool

	// Compressors, if any, are measured on each codec's messages: sizes and
	// times stand beside the encoded sizes.
	Compressors []Compressor

	// ProfileDir, if set, is a folder, made if it is missing, into which
	// profiles of each measured cell on one goroutine are written once all
	// cells are measured, a second for each: "NNN-cell.cpu.pb.gz", whose
	// samples carry the pprof labels codec, payload, form and op, and
	// "NNN-cell.allocs.pb.gz", which counts the whole process and is read
	// against what it was before: go tool pprof -base NNN-cell.allocs.base.pb.gz
	// NNN-cell.allocs.pb.gz. Files of the same name are replaced. The time is
	// not bounded by Budget. Not with Launches.
	ProfileDir string

	// OnEvent, if set, is called between batches, on the goroutine that
	// measures: never at the same time as itself, nor inside a timed region.
	OnEvent func(Event) `json:"-"`
}

// Collector says who runs the garbage collector while op times are measured.
type Collector string

const (
	// CollectorManaged, the default: it runs between the batches, often
	// enough that the heap stays small. GOGC is restored behind the run.
	CollectorManaged Collector = "managed"
	// CollectorLeave: it runs as the process has it, inside of batches too.
	CollectorLeave Collector = "leave"
)

// Plan holds the finer settings of how samples are taken. The zero value is
// the method's own.
type Plan struct {
	BatchReps int           // ops per batch; 1: a pair of clock readings per op; default: what BatchTime gives
	BatchTime time.Duration // default 300 clock readings, 6 to 20 µs; five times as long in fixed plans
	BlockTime time.Duration // per cell between fresh instances; default 1.5 ms

	// WarmupReps is the number of ops that Reps, Time and CPUTime runs
	// discard before the timed ones; default: as many as Reps, or a tenth of
	// the time, 1 s at most. Negative: none.
	WarmupReps  int
	DropSamples int  // first samples of each cell that are discarded
	MinSamples  int  // Time and CPUTime go on until there are so many
	Declared    bool // one cell after the other, in the order given, instead of interleaved
	// SubtractClock takes the cost of a clock reading, measured beside each
	// batch, off the batch: for batches of one op. Samples can be negative.
	SubtractClock bool
	// SubtractNoop takes the time of as many calls of a codec that does
	// nothing, through the same loop and by the same clock, off each batch.
	SubtractNoop bool
}

// Event is the progress of a run.
type Event struct {
	Phase   string // "verify", "measure", "sustained", "latency", "cold", "memory", "profile"
	Payload string // and form and op, of what was just worked on
	Form    string
	Op      Op
	Codec   string        // phase verify only
	Done    float64       // share of the run's work, 0 to 1
	Elapsed time.Duration //
	Left    time.Duration // estimate
}

// Run checks its arguments, verifies that each codec gives each payload back,
// and measures. It returns a Report in any case, never nil, and the joined
// errors of the cells that failed: errors.As finds an *Error in them. Cells
// that a codec cannot do are skipped, which is no error.
//
// Arguments that cannot be run (nil or nameless codecs and payloads,
// duplicate names, contradictory settings) are one joined error before
// anything is measured. When ctx is done, Run returns the cells measured so
// far, at most one batch late, with Interrupted set and ctx's error.
//
// With Launches, nothing of a codec but its description is called in this
// process.
func (r Runner) Run(ctx context.Context, codecs []Codec, payloads []Payload) (*Report, error) {
	if child.Inside() {
		return newReport(r.Title, time.Now(), Config{Ops: []Op{}}), errInChild
	}
	return r.execute(ctx, codecs, payloads)
}

func (r Runner) execute(ctx context.Context, codecs []Codec, payloads []Payload) (*Report, error) {
	started := time.Now()
	if ctx == nil {
		return newReport(r.Title, started, Config{Ops: []Op{}}), &Error{Err: errors.New("the context is nil")}
	}
	set, err := r.resolve(codecs, payloads)
	report := newReport(r.Title, started, set.config())
	report.Author, report.Summary = r.Author, r.Summary
	if err != nil {
		return report, err
	}
	release, err := measure.TakeTurn(ctx)
	if err != nil {
		report.Interrupted = true
		return report, err
	}
	defer release()

	run := &run{
		settings: set,
		ctx:      ctx,
		report:   report,
		started:  started,
		rand:     rand.New(rand.NewPCG(set.Seed, 0x5e7b)),
		codecs:   codecs,
		payloads: payloads,
		grown:    map[[2]string]*grownValue{},
	}
	run.openEnvironment()
	run.describe()
	if set.Launches > 0 {
		run.launch()
	} else {
		run.verify()
		run.compress()
		run.layOut()
		run.measure()
		run.sustain()
		run.latency()
		run.cold()
		run.weigh() // behind what the budget bounds
		run.profile()
		run.leaveAsFound()
	}
	run.closeEnvironment()
	return report, run.finish()
}

func newReport(title string, started time.Time, config Config) *Report {
	return &Report{
		Schema:       SchemaVersion,
		Title:        title,
		Started:      started.Round(0).UTC(),
		Config:       config,
		Environments: []Environment{},
		Payloads:     []PayloadInfo{},
		Codecs:       []CodecInfo{},
		Results:      []Result{},
		Comparisons:  []Comparison{},
		Warnings:     []Warning{},
	}
}

// run is one call of Run.
type run struct {
	settings
	ctx       context.Context
	report    *Report
	started   time.Time
	rand      *rand.Rand
	codecs    []Codec
	payloads  []Payload
	subjects  []*subject // codec × payload
	cells     []*cell    // one per result, in the report's order
	groups    []*group
	clock     measure.Clock
	facts     measure.ClockFacts
	emptyNs   float64            // an empty loop's turn
	floors    map[Op][]float64   // no-op codec, per group
	drifts    map[string]float64 // control loop, per group
	loadStart hostinfo.Load
	runaway   bool
	grown     map[[2]string]*grownValue // by payload and form
	collector *measure.Collector
	errs      []error
}

// finish joins what went wrong.
func (r *run) finish() error {
	r.report.ElapsedNs = time.Since(r.started).Nanoseconds()
	if err := r.ctx.Err(); err != nil {
		r.report.Interrupted = true
		r.errs = append(r.errs, &Error{Err: err})
	}
	return errors.Join(r.errs...)
}
