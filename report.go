package serbench

import "time"

// SchemaVersion is the version of the report's JSON form that this package
// writes. Within a version keys are only added.
const SchemaVersion = 1

// Report is the outcome of a run: plain data, with a stable JSON form. Times
// are in nanoseconds and sizes in bytes, as the field names say; there is no
// NaN and no infinity in it: what is unknown is absent.
//
// A Report is not changed by the functions that read it; copies of it share
// their slices.
type Report struct {
	Schema       int           `json:"schema"`
	Title        string        `json:"title,omitempty"`
	Author       string        `json:"author,omitempty"`
	Summary      string        `json:"summary,omitempty"`
	Started      time.Time     `json:"started"`
	ElapsedNs    int64         `json:"elapsed_ns"`
	Interrupted  bool          `json:"interrupted"`
	Environments []Environment `json:"environments"`
	Config       Config        `json:"config"`
	Payloads     []PayloadInfo `json:"payloads"`
	Codecs       []CodecInfo   `json:"codecs"`
	Results      []Result      `json:"results"`
	Comparisons  []Comparison  `json:"comparisons"`
	Shares       []Share       `json:"shares,omitempty"`   // the codec's part of what goes through a transport
	Scalings     []Scaling     `json:"scalings,omitempty"` // of ops on several goroutines
	SelfChecks   []SelfCheck   `json:"self_checks,omitempty"`
	Warnings     []Warning     `json:"warnings"`
}

// Environment is where and on what a run took place. Each entry is found out
// as well as the system allows; what it does not tell is absent.
type Environment struct {
	ID              string             `json:"id"`
	GoVersion       string             `json:"go_version,omitempty"`
	GOOS            string             `json:"goos,omitempty"`
	GOARCH          string             `json:"goarch,omitempty"`
	GOAMD64         string             `json:"goamd64,omitempty"` // or the level of another architecture: GOARM64=v8.0
	GOEXPERIMENT    string             `json:"goexperiment,omitempty"`
	GOGC            string             `json:"gogc,omitempty"` // percent, or "off"
	GOMEMLIMITBytes int64              `json:"gomemlimit_bytes,omitempty"`
	OS              string             `json:"os,omitempty"`
	CPUModel        string             `json:"cpu_model,omitempty"`
	CPUs            int                `json:"cpus,omitempty"`
	GOMAXPROCS      int                `json:"gomaxprocs,omitempty"`
	MemoryBytes     int64              `json:"memory_bytes,omitempty"`
	ContainerCPUs   float64            `json:"container_cpus,omitempty"` // limit, in CPUs
	ContainerBytes  int64              `json:"container_bytes,omitempty"`
	Modules         map[string]string  `json:"modules,omitempty"` // path: version
	VCSRevision     string             `json:"vcs_revision,omitempty"`
	VCSModified     bool               `json:"vcs_modified,omitempty"`
	BuildID         string             `json:"build_id,omitempty"`
	RaceDetector    bool               `json:"race_detector,omitempty"`
	ClockResolution float64            `json:"clock_resolution_ns,omitempty"`
	ClockCost       float64            `json:"clock_cost_ns,omitempty"` // of one reading
	FloorNs         map[Op]float64     `json:"floor_ns,omitempty"`      // per op: what the harness takes with a codec that does nothing, beyond an empty loop
	ControlDrift    float64            `json:"control_drift,omitempty"` // slowest block of the control loop / fastest
	LoadStart       *Load              `json:"load_start,omitempty"`
	LoadEnd         *Load              `json:"load_end,omitempty"`
	GroupDrift      map[string]float64 `json:"group_drift,omitempty"` // control drift per group, by "payload/form/op"
}

// Load is the state of the machine at one moment.
type Load struct {
	Load1       *float64 `json:"load1,omitempty"`        // run queue length, mean of a minute
	StealShare  *float64 `json:"steal_share,omitempty"`  // of CPU time since boot (start) or since the start (end), 0 to 1
	CPUPressure *float64 `json:"cpu_pressure,omitempty"` // share of the last 10 s in which something waited for a CPU, 0 to 1
	MemPressure *float64 `json:"mem_pressure,omitempty"` // the same for memory
}

// Config holds the resolved settings of a run: what was asked, with the
// defaults filled in.
type Config struct {
	Mode         string   `json:"mode"` // precision, reps, time, cpu-time
	Ops          []Op     `json:"ops"`
	Reps         int      `json:"reps,omitempty"`
	Rounds       int      `json:"rounds,omitempty"`
	TimeNs       int64    `json:"time_ns,omitempty"`
	CPUTimeNs    int64    `json:"cpu_time_ns,omitempty"`
	Precision    float64  `json:"precision,omitempty"`
	Margin       float64  `json:"margin"`
	Level        float64  `json:"level"`
	BudgetNs     int64    `json:"budget_ns,omitempty"`
	Baseline     string   `json:"baseline,omitempty"`
	AllPairs     bool     `json:"all_pairs"`
	JoinForms    bool     `json:"join_forms"`
	Parallelism  []int    `json:"parallelism,omitempty"`
	Transports   []string `json:"transports,omitempty"`
	LiveHeap     int64    `json:"live_heap_bytes"`
	Memory       bool     `json:"memory,omitempty"`
	MemoryHeaps  []int64  `json:"memory_heaps_bytes,omitempty"`
	Launches     int      `json:"launches"`
	Traits       bool     `json:"traits,omitempty"` // all traits were looked for
	Seed         uint64   `json:"seed"`
	Collector    string   `json:"collector"` // managed, leave
	Order        string   `json:"order"`     // shuffled, declared
	BatchNs      int64    `json:"batch_ns,omitempty"`
	BatchReps    int      `json:"batch_reps,omitempty"`
	BlockNs      int64    `json:"block_ns,omitempty"`
	WarmupReps   int      `json:"warmup_reps,omitempty"` // -1: none; absent: as the mode has it
	DropSamples  int      `json:"drop_samples,omitempty"`
	MinSamples   int      `json:"min_samples,omitempty"`
	SubtractCost bool     `json:"subtract_clock_cost"`
	SubtractNoop bool     `json:"subtract_noop,omitempty"`
	KeepSamples  int      `json:"keep_samples"`
	Looks        []int    `json:"looks,omitempty"`      // blocks after which verdicts are taken
	LookLevel    float64  `json:"look_level,omitempty"` // two-sided, before division by the number of comparisons
	MemoryLimit  int64    `json:"memory_limit_bytes,omitempty"`
	SelfCheck    bool     `json:"self_check,omitempty"`
	Latency      int      `json:"latency,omitempty"` // single ops per cell that were asked for
	Cold         bool     `json:"cold,omitempty"`
}

// PayloadInfo describes one payload in one form.
type PayloadInfo struct {
	Name       string     `json:"name"`
	Form       string     `json:"form"`
	GoType     string     `json:"go_type"`
	Values     int        `json:"values"`
	Hash       string     `json:"hash"` // over the content, not over any encoding
	Source     string     `json:"source,omitempty"`
	Origin     string     `json:"origin,omitempty"` // the payload that this one was derived from
	Derivation string     `json:"derivation,omitempty"`
	Copies     string     `json:"copies"` // "kept": the same values throughout; "fresh": new copies in each block
	Tolerance  *Tolerance `json:"tolerance,omitempty"`
	OwnEqual   bool       `json:"own_equal,omitempty"` // compared by a function of the payload's
	Warnings   []Warning  `json:"warnings,omitempty"`
}

// CodecInfo describes one codec of a run.
type CodecInfo struct {
	Name string `json:"name"`
	Info
	Abilities []string `json:"abilities,omitempty"` // append, bind, clone, describe, stream, support
}

// Status is what became of a cell.
type Status string

// The statuses. Only the first two carry figures that may be ranked, partial
// carries figures without verdicts, the others carry none.
const (
	StatusOK      Status = "ok"
	StatusLossy   Status = "lossy"   // measured, but the codec loses information; see Fidelity
	StatusSkipped Status = "skipped" // the codec cannot do this, or was not asked to; see Reason
	StatusFailed  Status = "failed"
	StatusPartial Status = "partial" // the run ended in the middle of this cell
	StatusNotRun  Status = "not_run" // the run ended before this cell
)

// Result is one cell: a codec on a payload in one form with one op.
type Result struct {
	ID          string       `json:"id"`
	Environment string       `json:"environment,omitempty"`
	Build       string       `json:"build,omitempty"`
	Launch      int          `json:"launch,omitempty"`
	Payload     string       `json:"payload"`
	Form        string       `json:"form"`
	Codec       string       `json:"codec"`
	Op          Op           `json:"op"`
	Transport   string       `json:"transport,omitempty"`
	Role        Role         `json:"role,omitempty"` // of a control beside an op through a transport
	Parallelism int          `json:"parallelism"`
	LiveHeap    int64        `json:"live_heap_bytes"` // held during the sustained slots
	CallPath    string       `json:"call_path,omitempty"`
	Status      Status       `json:"status"`
	Reason      string       `json:"reason,omitempty"`
	Reps        int64        `json:"reps"`       // timed ops in all
	ElapsedNs   int64        `json:"elapsed_ns"` // their time in all
	Samples     []Sample     `json:"samples,omitempty"`
	Thinned     bool         `json:"samples_thinned,omitempty"` // blocks were dropped from Samples to keep within the bound
	Counters    []Counter    `json:"counters,omitempty"`
	Launches    []Launch     `json:"launches,omitempty"` // the processes behind a result of several
	Estimates   Estimates    `json:"estimates"`
	Memory      *MemoryCost  `json:"memory,omitempty"`
	Latency     *Latency     `json:"latency,omitempty"` // of single ops, on request
	Cold        *Cold        `json:"cold,omitempty"`    // decode out of cache, on request
	Encoded     *EncodedSize `json:"encoded_bytes,omitempty"`
	Fidelity    *Fidelity    `json:"fidelity,omitempty"`
	Traits      []Trait      `json:"traits,omitempty"`
	Warnings    []Warning    `json:"warnings,omitempty"`
	Stack       string       `json:"stack,omitempty"` // of a panic
}

// Role says what part of an op through a transport a result is. Only the
// whole is ranked and compared.
type Role string

// The roles.
const (
	RoleWhole     Role = ""          // codec and transport; and every op without a transport
	RoleTransport Role = "transport" // control: the transport with the codec's bytes, no codec
	RoleCodec     Role = "codec"     // control: the codec without the transport
)

// Sample is one timed batch: Reps ops took ElapsedNs. Samples stand in the
// order in which they were taken. Where a cost was subtracted (see Config), a
// time can be below zero.
type Sample struct {
	Block     int   `json:"block"`
	Round     int   `json:"round"` // within the block
	Reps      int64 `json:"reps"`
	ElapsedNs int64 `json:"elapsed_ns"`
}

// Launch is what one child process measured of a cell. Its samples and
// counters are those of the blocks from FirstBlock on.
type Launch struct {
	Launch     int      `json:"launch"` // from 1
	NsPerOp    *float64 `json:"ns_per_op,omitempty"`
	Reps       int64    `json:"reps"`
	ElapsedNs  int64    `json:"elapsed_ns"` // of the timed ops
	ProcessNs  int64    `json:"process_ns"` // from the start of the process to its end
	FirstBlock int      `json:"first_block"`
}

// Counter is what a stretch of Reps ops used, counted outside of the timed
// batches. Block -1 is the sustained stretch under the normal collector.
type Counter struct {
	Block      int    `json:"block"`
	Reps       int64  `json:"reps"`
	Allocs     uint64 `json:"allocs"`
	AllocBytes uint64 `json:"alloc_bytes"`
	UserNs     *int64 `json:"user_ns,omitempty"`
	SystemNs   *int64 `json:"system_ns,omitempty"`
	WallNs     *int64 `json:"wall_ns,omitempty"`
	GCCycles   uint64 `json:"gc_cycles"`
}

// Estimates are the figures of a result; nil means not measured.
type Estimates struct {
	NsPerOp          *Estimate `json:"ns_per_op,omitempty"`           // typical op time, the collector kept apart
	SustainedNsPerOp *Estimate `json:"sustained_ns_per_op,omitempty"` // with the collector at work over the live heap
	CPUNsPerOp       *Estimate `json:"cpu_ns_per_op,omitempty"`       // user and system, all threads
	OpsPerS          *Estimate `json:"ops_per_s,omitempty"`
	AllocsPerOp      *Estimate `json:"allocs_per_op,omitempty"`
	AllocBytesPerOp  *Estimate `json:"alloc_bytes_per_op,omitempty"`
	// FirstCallNs, of encode and decode, is what the very first call took that
	// this run made of the codec's method on this payload: caches filled, code
	// compiled. It is one observation per process; with Launches, the median
	// of theirs. A program that used the codec for this type before Run, or
	// asked whether it supports it, has paid for a part of it.
	FirstCallNs *Estimate `json:"first_call_ns,omitempty"`
}

// Estimate is one figure and how sure it is. Low and High are nil where there
// is no interval; otherwise Confidence is that of the interval.
type Estimate struct {
	Value      float64    `json:"value"`
	Low        *float64   `json:"low,omitempty"`
	High       *float64   `json:"high,omitempty"`
	Confidence float64    `json:"confidence,omitempty"` // 0.95
	Method     string     `json:"method,omitempty"`
	Mean       *float64   `json:"mean,omitempty"`
	Stddev     *float64   `json:"stddev,omitempty"`
	Min        *float64   `json:"min,omitempty"`
	Max        *float64   `json:"max,omitempty"`
	Quantiles  []Quantile `json:"quantiles,omitempty"`
	N          int        `json:"n"` // independent observations behind the value
}

// Quantile is a point of a distribution: a share Q of it lies at or below Value.
type Quantile struct {
	Q     float64 `json:"q"`
	Value float64 `json:"value"`
}

// EncodedSize is the size of the messages over the corpus, in bytes.
type EncodedSize struct {
	Min        int            `json:"min"`
	Mean       float64        `json:"mean"`
	Max        int            `json:"max"`
	FirstBytes int            `json:"first_bytes,omitempty"` // first message of a stream
	Compressed map[string]int `json:"compressed,omitempty"`  // whole corpus, by algorithm
	Total      int64          `json:"total"`
	// Compressions holds sizes and times of each algorithm asked for.
	Compressions []Compression `json:"compressions,omitempty"`
}

// Class says what a round trip preserved.
type Class string

// The classes of fidelity, best first. Exact and normalised rank together.
const (
	Exact      Class = "exact"
	Normalised Class = "normalised" // nothing is lost, the Go representation differs
	Lossy      Class = "lossy"
	Broken     Class = "failed"
)

// Fidelity is the outcome of the check that precedes every timing.
type Fidelity struct {
	Class       Class        `json:"class"`
	Differences []Difference `json:"differences,omitempty"` // a stated number at most
	Total       int          `json:"total,omitempty"`       // differences in all
}

// Difference is one place where the decoded value is not the original.
type Difference struct {
	Value      int    `json:"value"` // index in the corpus
	Path       string `json:"path"`
	Kind       string `json:"kind"` // see internal/fidelity for the enumeration
	Want       string `json:"want,omitempty"`
	Got        string `json:"got,omitempty"`
	Normalised bool   `json:"normalised,omitempty"` // nothing is lost
}

// Verdict is what a comparison found.
type Verdict string

// The verdicts, on the first cell of the comparison against the second.
const (
	Faster     Verdict = "faster"
	Slower     Verdict = "slower"
	Equivalent Verdict = "equivalent" // the whole interval lies within the margin
	Undecided  Verdict = "undecided"
)

// Comparison is the ratio of the op times of two results of one group, A/B:
// above 1, A takes longer.
type Comparison struct {
	A       string   `json:"a"` // Result.ID
	B       string   `json:"b"`
	Ratio   *float64 `json:"ratio,omitempty"`
	Low     *float64 `json:"low,omitempty"`
	High    *float64 `json:"high,omitempty"`
	Level   float64  `json:"level"` // chance of an interval that misses, over the whole group and all looks
	Margin  float64  `json:"margin"`
	Blocks  int      `json:"blocks"`
	Method  string   `json:"method,omitempty"`
	Verdict Verdict  `json:"verdict"`
	Reason  string   `json:"reason,omitempty"` // of undecided
}

// Share is the codec's part of an op that goes through a transport, found in
// the same rounds. The two shares answer two questions and need not add up to
// one: what the codec costs by itself, with its code and data in cache, and
// what would be left if it cost nothing.
type Share struct {
	Whole     string    `json:"whole"`               // Result.ID
	Transport string    `json:"transport,omitempty"` // Result.ID of the transport alone
	Codec     string    `json:"codec,omitempty"`     // Result.ID of the codec alone
	OfCodec   *Estimate `json:"of_codec,omitempty"`  // time of the codec alone / of the whole
	Left      *Estimate `json:"left,omitempty"`      // time of the transport alone / of the whole
	Words     string    `json:"words"`
}

// SelfCheck is a comparison whose answer was known before: that of a cell with
// a twin of itself, or with one that does more work.
type SelfCheck struct {
	Result  string   `json:"result"`          // Result.ID of the cell
	Extra   float64  `json:"extra"`           // share of its own time that the twin works longer; 0: an equal twin
	Ratio   *float64 `json:"ratio,omitempty"` // twin / cell
	Low     *float64 `json:"low,omitempty"`
	High    *float64 `json:"high,omitempty"`
	Blocks  int      `json:"blocks"`
	Verdict Verdict  `json:"verdict"` // on the twin
	Passed  bool     `json:"passed"`  // an equal twin was not called different, a slower one was found slower
}

// Scaling is what doing an op on several goroutines gains over one, found in
// the same rounds.
type Scaling struct {
	Result      string    `json:"result"`          // Result.ID of the op on several goroutines
	Alone       string    `json:"alone,omitempty"` // Result.ID of it on one
	Parallelism int       `json:"parallelism"`
	Processors  int       `json:"processors"`           // those of the goroutines that can run at once: at most GOMAXPROCS
	Speedup     *Estimate `json:"speedup,omitempty"`    // throughput / throughput of one
	Efficiency  *Estimate `json:"efficiency,omitempty"` // speedup / processors
	// MachineSpeedup is that of a loop of arithmetic which shares nothing.
	MachineSpeedup *Estimate `json:"machine_speedup,omitempty"`
	// HarnessShare is the part of a typical batch that letting the goroutines
	// go and waiting for them takes, 0 to 1.
	HarnessShare *float64 `json:"harness_share,omitempty"`
	Words        string   `json:"words"`
}

// Warning is something that a reader of the figures should know.
type Warning struct {
	Code    string `json:"code"` // stable, for programs: "near-floor"
	Message string `json:"message"`
	Advice  string `json:"advice,omitempty"`
}
