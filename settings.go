package serbench

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/serbench/serbench/internal/hostinfo"
	"github.com/serbench/serbench/internal/stats"
)

// settings are a Runner's, checked and with the defaults filled in.
type settings struct {
	Runner
	mode string
}

// Modes of Config.Mode.
const (
	modePrecision = "precision"
	modeReps      = "reps"
	modeRounds    = "rounds"
	modeTime      = "time"
	modeCPUTime   = "cpu-time"
)

const (
	defaultMargin      = 0.01
	defaultLevel       = 0.05
	defaultCellBudget  = 300 * time.Millisecond
	leastBudget        = 2 * time.Second
	defaultKeepSamples = 4096
	defaultCallLimit   = time.Minute
	defaultChildTime   = 10 * time.Minute
)

// resolve checks everything that Run is given and fills in the defaults.
func (r Runner) resolve(codecs []Codec, payloads []Payload) (settings, error) {
	s := settings{Runner: r, mode: modePrecision}
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, &Error{Err: fmt.Errorf(format, args...)})
	}
	errs = append(errs, checkCodecs(codecs)...)
	errs = append(errs, checkPayloads(payloads)...)
	errs = append(errs, checkCompressors(r.Compressors, r.Launches)...)

	s.Ops = slices.Clone(r.Ops)
	if len(s.Ops) == 0 {
		s.Ops = DefaultOps()
		if len(r.Transports) > 0 {
			s.Ops = append(s.Ops, OpSend, OpReceive)
		}
	}
	checkTransports(r, bad)
	if r.SelfCheck && r.Launches > 0 {
		bad("Runner.SelfCheck: twins are measured beside their baseline, in one process, and Launches measures each cell in one of its own")
	}
	for i, op := range s.Ops {
		if !slices.Contains(Ops(), op) {
			bad("Runner.Ops: unknown op %q; there are %s", op, opNames())
		}
		if slices.Index(s.Ops, op) < i {
			bad("Runner.Ops: %s is named twice", op)
		}
	}
	s.Parallelism = r.checkParallelism(bad)
	for _, f := range []struct {
		name  string
		value float64
	}{
		{"Reps", float64(r.Reps)}, {"Rounds", float64(r.Rounds)}, {"Time", float64(r.Time)}, {"CPUTime", float64(r.CPUTime)},
		{"Level", r.Level}, {"Precision", r.Precision}, {"LiveHeap", float64(r.LiveHeap)},
		{"Plan.BatchReps", float64(r.Plan.BatchReps)}, {"Plan.BatchTime", float64(r.Plan.BatchTime)},
		{"Plan.BlockTime", float64(r.Plan.BlockTime)}, {"Plan.DropSamples", float64(r.Plan.DropSamples)},
		{"Plan.MinSamples", float64(r.Plan.MinSamples)},
		{"Latency", float64(r.Latency)}, {"Launches", float64(r.Launches)}, {"ChildMemory", float64(r.ChildMemory)},
	} {
		if f.value < 0 || math.IsNaN(f.value) || math.IsInf(f.value, 0) {
			bad("Runner.%s: %v: must not be negative (or NaN or infinite); 0 means the default", f.name, f.value)
		}
	}
	if r.LiveHeap > 0 {
		if most := mostLiveHeap(hostinfo.Read()); r.LiveHeap > most {
			bad("Runner.LiveHeap: %d bytes are more than %d, half of the memory that the process may use", r.LiveHeap, most)
		}
	}
	s.MemoryHeaps = r.checkMemory(bad)
	if math.IsNaN(r.Margin) || r.Margin >= 1 {
		bad("Runner.Margin: %v is not a share below 1", r.Margin)
	}
	if r.Level >= 1 {
		bad("Runner.Level: %v is not a share below 1", r.Level)
	}
	s.mode = r.pickMode(bad)
	if r.ProfileDir != "" && r.Launches > 0 {
		bad("Runner.ProfileDir: cannot be combined with Launches")
	}
	if r.Latency > mostLatency {
		bad("Runner.Latency: %d single ops of a cell are more than %d", r.Latency, mostLatency)
	}
	if (r.Latency > 0 || r.Cold) && r.Launches > 0 {
		bad("Runner.Latency and Runner.Cold cannot be combined with Launches")
	}
	if r.Baseline != "" && !slices.ContainsFunc(codecs, func(c Codec) bool { return nameOf(c) == r.Baseline }) {
		bad("Runner.Baseline: no codec is named %q", r.Baseline)
	}
	switch r.Collector {
	case "":
		s.Collector = CollectorManaged
	case CollectorManaged, CollectorLeave:
	default:
		bad("Runner.Collector: %q is neither %q nor %q", r.Collector, CollectorManaged, CollectorLeave)
	}
	if err := errors.Join(errs...); err != nil {
		return s, err
	}
	s.fill(codecs, payloads)
	return s, nil
}

// mostLiveHeap is half of the memory that the process may use, 1 TiB where the
// system does not tell.
func mostLiveHeap(h hostinfo.Info) int64 {
	most := int64(1 << 40)
	for _, bytes := range []int64{h.MemoryBytes, h.ContainerBytes} {
		if half := bytes / 2; half > 0 {
			most = min(most, half)
		}
	}
	return most
}

func opNames() string {
	var names []string
	for _, op := range Ops() {
		names = append(names, string(op))
	}
	return strings.Join(names, ", ")
}

// inTurns reports whether a mode measures in the rounds and blocks of the method.
func inTurns(mode string) bool { return mode == modePrecision || mode == modeRounds }

func (r Runner) pickMode(bad func(string, ...any)) string {
	mode, set := modePrecision, 0
	for _, m := range []struct {
		name string
		on   bool
	}{{modeReps, r.Reps > 0}, {modeRounds, r.Rounds > 0}, {modeTime, r.Time > 0}, {modeCPUTime, r.CPUTime > 0}} {
		if m.on {
			mode = m.name
			set++
		}
	}
	switch p := r.Plan; {
	case set > 1:
		bad("Runner: Reps, Rounds, Time and CPUTime exclude each other")
	case inTurns(mode) && (p.WarmupReps != 0 || p.DropSamples != 0 || p.MinSamples != 0 || p.Declared || p.SubtractClock || p.SubtractNoop):
		bad("Runner.Plan: WarmupReps, DropSamples, MinSamples, Declared, SubtractClock and SubtractNoop need Reps, Time or CPUTime")
	case mode != modePrecision && r.Precision > 0:
		bad("Runner.Precision: a run of fixed length cannot reach for a precision")
	case r.SelfCheck && (mode != modePrecision || r.Launches > 0):
		bad("Runner.SelfCheck: needs a run in this process whose length is not fixed")
	case p.SubtractNoop && len(r.Parallelism) > 0 && slices.Max(r.Parallelism) > 1:
		bad("Runner.Plan.SubtractNoop: a codec that does nothing is measured in one goroutine, not in %v", r.Parallelism)
	case mode == modeReps && p.MinSamples > 0:
		bad("Runner.Plan.MinSamples: Reps fixes the number of ops")
	}
	return mode
}

// fill puts the defaults in place of what was left open.
func (s *settings) fill(codecs []Codec, payloads []Payload) {
	if s.Baseline == "" {
		s.Baseline = codecs[0].Name()
	}
	switch {
	case s.Margin == 0:
		s.Margin = defaultMargin
	case s.Margin < 0:
		s.Margin = 0
	}
	if s.Level == 0 {
		s.Level = defaultLevel
	}
	switch {
	case s.Budget < 0:
		s.Budget = 0
	case s.Budget == 0 && s.mode == modePrecision:
		cells := time.Duration(len(codecs) * len(payloads) * s.cellsPerSubject())
		s.Budget = max(leastBudget, cells*defaultCellBudget) * time.Duration(max(1, s.Launches))
		if s.Latency > 0 {
			s.Budget += cells * latencyTime
		}
		if s.Cold && slices.Contains(s.Ops, OpDecode) {
			s.Budget += time.Duration(len(codecs)*len(payloads)) * coldPerCell
		}
	}
	switch {
	case s.KeepSamples == 0:
		s.KeepSamples = defaultKeepSamples
	case s.KeepSamples < 0:
		s.KeepSamples = 0
	}
	switch {
	case s.CallLimit == 0:
		s.CallLimit = defaultCallLimit
	case s.CallLimit < 0:
		s.CallLimit = 0
	}
	switch {
	case s.ChildTime == 0:
		s.ChildTime = defaultChildTime
	case s.ChildTime < 0:
		s.ChildTime = 0
	}
	for s.Seed == 0 {
		s.Seed = rand.Uint64()
	}
}

// cellsPerSubject counts the cells of a codec on a payload.
func (s *settings) cellsPerSubject() (n int) {
	for _, op := range s.Ops {
		if op.throughTransport() {
			n += len(s.Transports) * len(wireRoles)
		} else {
			n += len(s.Parallelism)
		}
	}
	return n
}

func nameOf(c Codec) string {
	if isNil(c) {
		return ""
	}
	return c.Name()
}

// isNil also finds a nil pointer in an interface, whose methods may panic.
func isNil(c Codec) bool {
	if c == nil {
		return true
	}
	v := reflect.ValueOf(c)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

func checkCodecs(codecs []Codec) (errs []error) {
	if len(codecs) == 0 {
		errs = append(errs, &Error{Err: errors.New("no codecs")})
	}
	seen := map[string]int{}
	for i, c := range codecs {
		name := nameOf(c)
		switch first, dup := seen[name]; {
		case isNil(c):
			errs = append(errs, &Error{Err: fmt.Errorf("codecs[%d] is nil", i)})
		case name == "":
			errs = append(errs, &Error{Err: fmt.Errorf("codecs[%d] has no name", i)})
		case dup:
			errs = append(errs, &Error{Codec: name, Err: fmt.Errorf("codecs[%d] has the name of codecs[%d]", i, first)})
		default:
			seen[name] = i
		}
	}
	return errs
}

func checkPayloads(payloads []Payload) (errs []error) {
	if len(payloads) == 0 {
		errs = append(errs, &Error{Err: errors.New("no payloads")})
	}
	seen := map[[2]string]int{}
	for i, p := range payloads {
		key := [2]string{p.name, p.form}
		first, dup := seen[key]
		switch {
		case p.typed == nil:
			errs = append(errs, &Error{Err: fmt.Errorf("payloads[%d] was not made by NewPayload or NewPayloadFunc", i)})
			continue
		case p.name == "":
			errs = append(errs, &Error{Err: fmt.Errorf("payloads[%d] has no name", i)})
		case p.form == "":
			errs = append(errs, &Error{Payload: p.name, Err: fmt.Errorf("payloads[%d] has no form", i)})
		case dup:
			errs = append(errs, &Error{Payload: p.name, Form: p.form, Err: fmt.Errorf("payloads[%d] has the name and form of payloads[%d]", i, first)})
		default:
			seen[key] = i
		}
		if err := p.constant(); err != nil {
			errs = append(errs, &Error{Payload: p.name, Form: p.form, Err: err})
		}
	}
	return errs
}

// config is what the report says of the settings.
func (s settings) config() Config {
	c := Config{
		Mode: s.mode, Ops: s.Ops, Reps: s.Reps, Rounds: s.Rounds, TimeNs: s.Time.Nanoseconds(), CPUTimeNs: s.CPUTime.Nanoseconds(),
		Precision: s.Precision, Margin: s.Margin, Level: s.Level, BudgetNs: s.Budget.Nanoseconds(),
		Baseline: s.Baseline, AllPairs: s.AllPairs, JoinForms: s.JoinForms, LiveHeap: s.LiveHeap, Launches: s.Launches, Traits: s.Traits, Seed: s.Seed,
		Collector: string(s.Collector), Order: "shuffled",
		BatchNs: s.Plan.BatchTime.Nanoseconds(), BatchReps: s.Plan.BatchReps, BlockNs: s.Plan.BlockTime.Nanoseconds(),
		WarmupReps: max(s.Plan.WarmupReps, -1), DropSamples: s.Plan.DropSamples, MinSamples: s.Plan.MinSamples,
		SelfCheck: s.SelfCheck, SubtractCost: s.Plan.SubtractClock, SubtractNoop: s.Plan.SubtractNoop, KeepSamples: s.KeepSamples,
	}
	if len(s.Parallelism) > 1 {
		c.Parallelism = s.Parallelism
	}
	c.Latency, c.Cold = s.Latency, s.Cold
	if s.Plan.Declared {
		c.Order = "declared"
	}
	if c.Ops == nil {
		c.Ops = []Op{}
	}
	c.Memory, c.MemoryHeaps = s.Memory, s.MemoryHeaps
	for _, t := range s.Transports {
		if t != nil {
			c.Transports = append(c.Transports, t.Name())
		}
	}
	if s.mode == modePrecision {
		c.Looks, c.LookLevel = stats.Looks(), s.lookLevel()
	}
	// A refused setting may not be a number; the report still has to be written.
	for _, f := range []*float64{&c.Precision, &c.Margin, &c.Level} {
		if math.IsNaN(*f) || math.IsInf(*f, 0) {
			*f = 0
		}
	}
	return c
}
