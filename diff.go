package serbench

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/serbench/serbench/internal/stats"
)

// ReportDiff is what changed between two reports.
type ReportDiff struct {
	Changes  []Change  // one per cell that either report has, in the order of the new one, missing cells last
	Warnings []Warning // what makes the two hard to compare, both sides named
	Level    float64   // of the tests and the intervals
	Tests    int       // of time; P is corrected for so many
}

// Presence says in which report a cell is.
type Presence string

// The presences.
const (
	Both    Presence = "both"
	Added   Presence = "new"
	Missing Presence = "missing"
)

// Change is one cell in two reports.
type Change struct {
	Payload, Form, Codec string
	Op                   Op
	Environment, Build   string // "" unless a report has several
	Launch               int
	Transport            string
	Parallelism          int
	Role                 Role
	Presence             Presence
	Old, New             *Result // nil where it is absent
	// The following are nil where a side has no such figure: a failed or
	// skipped cell is no number, and nothing is divided by zero.
	Time       *TimeChange
	Encoded    *SizeChange   // of the messages, in bytes
	Allocs     *FigureChange // per op
	AllocBytes *FigureChange // per op
	// StatusChanged and FidelityChanged compare Result.Status and the class,
	// the kinds and the places of the losses.
	StatusChanged, FidelityChanged bool
	// FidelityWorse: the new side loses more than the old one.
	FidelityWorse bool
}

// TimeChange compares op times as two independent samples.
type TimeChange struct {
	Old, New  float64 // ns per op
	Ratio     float64 // new/old
	Low, High *float64
	P         float64 // two-sided, corrected by Holm's method for all tests of the diff; 1: nothing known
	Method    string
	N         [2]int // independent observations of either side
	// Drift is by how much a loop of fixed work changed while either side was
	// measured, slowest over fastest block: what the machine did by itself. 0:
	// unknown.
	Drift float64
}

// Significant says whether the change is more than chance at this level.
func (c *TimeChange) Significant(level float64) bool { return c != nil && c.P < level }

// FigureChange compares a counted figure.
type FigureChange struct {
	Old, New float64
	// Changed: whole numbers per op that differ, or figures with a part that
	// ops share (a pool that is refilled, a map that grows) that differ by more
	// than 1 %; and in both cases nine tenths of the counted stretches of one
	// side lie beyond nine tenths of those of the other.
	Changed bool
}

// SizeChange compares encoded sizes: of the smallest, the mean and the
// largest message.
type SizeChange struct {
	Old, New FigureSizes
	Changed  bool
}

// FigureSizes are the sizes of a corpus' messages, in bytes.
type FigureSizes struct {
	Min, Max, First int
	Mean            float64
}

// DiffOptions are the settings of a Diff; the zero value is right for most.
type DiffOptions struct {
	Level float64 // chance of any time change found by accident; default 0.05
}

// Diff compares two reports cell by cell. Cells are the same if payload, form,
// codec, op, transport, parallelism and launch are; environment and build
// count only where a report has several of them, so that yesterday's report of
// this machine compares with today's.
//
// Times are tested as unpaired samples whose unit is the block. They were not
// taken side by side: what the machine did meanwhile is in the difference, so
// that a small one says little however certain it looks. To compare times
// well, run both versions in one run.
//
// Neither report is changed; the Changes point into them. The error is that
// of a report that is nil or has one cell twice.
func Diff(old, new *Report, o DiffOptions) (*ReportDiff, error) {
	if old == nil || new == nil {
		return nil, errors.New("serbench: diff: a report is nil")
	}
	if !(o.Level > 0 && o.Level < 1) {
		if o.Level != 0 {
			return nil, fmt.Errorf("serbench: diff: level %v is not a share between 0 and 1", o.Level)
		}
		o.Level = defaultLevel
	}
	several := severalOf(old).or(severalOf(new))
	before, err := byIdentity(old, several, "old")
	if err != nil {
		return nil, err
	}
	after, err := byIdentity(new, several, "new")
	if err != nil {
		return nil, err
	}
	d := &ReportDiff{Changes: []Change{}, Warnings: compareConditions(old, new), Level: o.Level}
	for i := range new.Results {
		res := &new.Results[i]
		id := identityOf(res, several)
		c := id.change()
		c.New, c.Presence = res, Added
		if was := before[id]; was != nil {
			c.Old, c.Presence = was, Both
			c.compare()
			if c.Time != nil {
				c.Time.Drift = max(driftOf(old, was), driftOf(new, res))
			}
		}
		d.Changes = append(d.Changes, c)
	}
	for i := range old.Results {
		id := identityOf(&old.Results[i], several)
		if after[id] == nil {
			c := id.change()
			c.Old, c.Presence = &old.Results[i], Missing
			d.Changes = append(d.Changes, c)
		}
	}
	d.testTimes(o.Level, typicalOf(old, new))
	return d, nil
}

// identity is what makes two results the same cell.
type identity struct {
	payload, form, codec string
	op                   Op
	transport            string
	parallelism, launch  int
	environment, build   string
	role                 Role
}

type several struct{ environments, builds bool }

func (s several) or(t several) several {
	return several{s.environments || t.environments, s.builds || t.builds}
}

func severalOf(r *Report) (s several) {
	for i := range r.Results {
		s.environments = s.environments || r.Results[i].Environment != r.Results[0].Environment
		s.builds = s.builds || r.Results[i].Build != r.Results[0].Build
	}
	return s
}

func identityOf(res *Result, s several) identity {
	id := identity{res.Payload, res.Form, res.Codec, res.Op, cmp.Or(res.Transport, "memory"), max(1, res.Parallelism), res.Launch, "", "", res.Role}
	if s.environments {
		id.environment = res.Environment
	}
	if s.builds {
		id.build = res.Build
	}
	return id
}

func (id identity) change() Change {
	return Change{Payload: id.payload, Form: id.form, Codec: id.codec, Op: id.op, Environment: id.environment,
		Build: id.build, Launch: id.launch, Transport: id.transport, Parallelism: id.parallelism, Role: id.role}
}

func byIdentity(r *Report, s several, which string) (map[identity]*Result, error) {
	at := make(map[identity]*Result, len(r.Results))
	for i := range r.Results {
		res := &r.Results[i]
		id := identityOf(res, s)
		if first := at[id]; first != nil {
			return nil, &Error{Codec: res.Codec, Payload: res.Payload, Form: res.Form, Op: res.Op,
				Err: fmt.Errorf("the %s report has this cell twice: %q and %q", which, first.ID, res.ID)}
		}
		at[id] = res
	}
	return at, nil
}

// compare fills in all but the test of time.
func (c *Change) compare() {
	a, b := c.Old, c.New
	c.StatusChanged = a.Status != b.Status
	c.FidelityChanged, c.FidelityWorse = compareFidelity(a.Fidelity, b.Fidelity)
	if ta, tb := comparableTime(a), comparableTime(b); ta > 0 && tb > 0 && finite(tb/ta) != nil {
		c.Time = &TimeChange{Old: ta, New: tb, Ratio: tb / ta, P: 1}
	}
	if a.Encoded != nil && b.Encoded != nil {
		s := &SizeChange{Old: sizesAt(a.Encoded), New: sizesAt(b.Encoded)}
		s.Changed = s.Old != s.New
		c.Encoded = s
	}
	allocs, bytes := func(n *Counter) uint64 { return n.Allocs }, func(n *Counter) uint64 { return n.AllocBytes }
	c.Allocs = figureChange(a.Estimates.AllocsPerOp, b.Estimates.AllocsPerOp, perOp(a, allocs), perOp(b, allocs))
	c.AllocBytes = figureChange(a.Estimates.AllocBytesPerOp, b.Estimates.AllocBytesPerOp, perOp(a, bytes), perOp(b, bytes))
}

func sizesAt(e *EncodedSize) FigureSizes {
	return FigureSizes{Min: e.Min, Max: e.Max, First: e.FirstBytes, Mean: e.Mean}
}

func comparableTime(res *Result) float64 {
	if has, _ := timed(res); has {
		return res.Estimates.NsPerOp.Value
	}
	return 0
}

// Of a count per op, wholeNumber is how near to a whole number one is that no
// ops share; sharedPart is the relative change that a shared one must exceed.
const (
	wholeNumber = 0.005
	sharedPart  = 0.01
)

// figureChange compares two figures and the counts of the stretches behind
// them.
func figureChange(a, b *Estimate, old, new []float64) *FigureChange {
	if a == nil || b == nil || finite(a.Value) == nil || finite(b.Value) == nil {
		return nil
	}
	f := &FigureChange{Old: a.Value, New: b.Value}
	low, high, lows, highs := a.Value, b.Value, old, new
	if high < low {
		low, high, lows, highs = high, low, new, old
	}
	whole := math.Abs(low-math.Round(low)) < wholeNumber && math.Abs(high-math.Round(high)) < wholeNumber
	switch {
	case whole && math.Round(low) == math.Round(high), !whole && !(high-low > sharedPart*low):
		return f
	case len(lows) > 0 && len(highs) > 0:
		f.Changed = stats.Quantile(highs, 0.1) > stats.Quantile(lows, 0.9)
	default:
		f.Changed = true
	}
	return f
}

// perOp are the counts per op of the stretches that the estimate is made of.
func perOp(res *Result, of func(c *Counter) uint64) (out []float64) {
	for i := range res.Counters {
		if c := &res.Counters[i]; c.Block >= 0 && c.Reps > 0 {
			out = append(out, float64(of(c))/float64(c.Reps))
		}
	}
	return out
}

var classOrder = map[Class]int{Exact: 0, Normalised: 1, Lossy: 2, Broken: 3}

// compareFidelity compares class, kinds and places.
func compareFidelity(a, b *Fidelity) (changed, worse bool) {
	if a == nil || b == nil {
		return false, false // the status says more
	}
	if a.Class != b.Class {
		return true, classOrder[b.Class] > classOrder[a.Class]
	}
	type loss struct {
		value      int
		path, kind string
	}
	was := map[loss]bool{}
	for _, d := range a.Differences {
		was[loss{d.Value, d.Path, d.Kind}] = true
	}
	fresh := 0
	for _, d := range b.Differences {
		if !was[loss{d.Value, d.Path, d.Kind}] {
			fresh++
		}
	}
	changed = a.Total != b.Total || len(a.Differences) != len(b.Differences) || fresh > 0
	return changed, changed && b.Class == Lossy && (b.Total > a.Total || fresh > 0)
}

// driftOf finds the drift of the control loop in a result's group.
func driftOf(r *Report, res *Result) float64 {
	for i := range r.Environments {
		e := &r.Environments[i]
		if e.ID != res.Environment && len(r.Environments) > 1 {
			continue
		}
		name := idPart(res.Payload) + "/"
		for _, k := range []string{name + idPart(res.Form) + "/" + string(res.Op), name + string(res.Op)} {
			if d, ok := e.GroupDrift[k]; ok {
				return d
			}
		}
		return e.ControlDrift
	}
	return 0
}

// quotient is a/b, NaN where it is none.
func quotient(a, b float64) float64 {
	if b == 0 || finite(a/b) == nil {
		return math.NaN()
	}
	return a / b
}
