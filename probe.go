package serbench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/serbench/serbench/internal/child"
	"github.com/serbench/serbench/internal/hostinfo"
	"github.com/serbench/serbench/internal/probe"
)

// Probe holds the settings of a robustness probe: what codecs do with input
// that is no message, or a hostile one. The zero value is right for most.
//
// Some decoders end their process on such input, so each codec and payload is
// probed in copies of this program; the program has to call [ServeChild].
type Probe struct {
	Seed uint64 // of what is random; with one seed the inputs are the same each time
	// CallTime is how long one call may compute, with a microsecond per byte of
	// input more; default 3 s. On a machine that does other work, or where the
	// call waits for something, it may take three times as long.
	CallTime time.Duration
	// PlainTime is what the plain calls, which come first, may take together: a
	// codec that recurses without end needs seconds to fill its stack. Default
	// 20 s, and at least CallTime.
	PlainTime time.Duration
	// MemoryFactor and MemoryBase are the memory that a call may take, in
	// bytes per byte of input and beside that: what it allocates in all, and
	// its stack. Defaults 64 and 16 MiB.
	MemoryFactor, MemoryBase int64
	// ChildMemory bounds a child, in bytes (on Linux); default 2 GiB, with
	// which a stack may grow as far as in any other process. Under the race
	// detector, which needs more, there is no bound.
	ChildMemory int64
	// ChildTime bounds the wall time of one child; default 3 minutes.
	ChildTime time.Duration
	// Levels bounds how deep values are nested; default 5,000,000.
	Levels int
	// Workers is the number of children at a time; default 2.
	Workers int
	// Searches bounds the children that find the smallest claim, or number of
	// levels, that kills or takes too much memory, for each such finding;
	// default 4, negative: none.
	Searches int
	// Args are the arguments of the children; nil: those of this program. A
	// test passes what leads to its call of ServeChild.
	Args []string
}

// Robustness is what a codec did with bad input of one payload's type.
type Robustness struct {
	Codec   string `json:"codec"`
	Payload string `json:"payload"`
	Form    string `json:"form"`
	// Skipped says why there are no findings: the payload is not for the
	// codec, or one of its values cannot be encoded.
	Skipped string `json:"skipped,omitempty"`
	// Death says that plain calls, encoding and decoding the values, already
	// ended or stopped the process. There are no findings then.
	Death    string         `json:"death,omitempty"`
	Findings []ProbeFinding `json:"findings,omitempty"`
}

// ProbeFinding is what a codec did with the inputs of one class.
type ProbeFinding struct {
	// Class is own (the message itself, decoded in another process than the
	// one that encoded it), truncated, flipped, random, length or nested.
	Class  string         `json:"class"`
	Tried  int            `json:"tried"`
	Counts map[string]int `json:"counts"` // by verdict
	// Worst is, from harmless to worst: error, accepted (as some value: what
	// was put in may be one), wrong (accepted as a value that the input does
	// not hold), memory (more than the budget), panic, slow (did not return in
	// time) or killed (ended its process).
	Worst string `json:"worst"`
	// The smallest input with that verdict.
	Attack      string `json:"attack,omitempty"`
	Detail      string `json:"detail,omitempty"`
	InputSize   int    `json:"input_bytes,omitempty"`
	Input       []byte `json:"input,omitempty"` // its beginning
	MemoryBytes int64  `json:"memory_bytes,omitempty"`
	// Scale is the smallest claim (class length) or number of levels (nested)
	// that was found to kill or to take too much memory, by bisection, and
	// Below the largest one that was tried and does not. They are within 13 % of
	// each other, unless [Probe.Searches] was too small a number, or another
	// payload of the codec had led to the same Scale before.
	Scale uint64 `json:"scale,omitempty"`
	Below uint64 `json:"below,omitempty"`
	Left  int    `json:"left,omitempty"` // inputs left out, after smaller ones like them had ended the process
}

// Run probes every codec with every payload, in the order of the lists. The
// error is about arguments, or children that could not be used; there are no
// findings then for what it concerns, which is no statement that all is well.
// When ctx is done the children are ended, and its error is returned beside
// what was found until then.
func (p Probe) Run(ctx context.Context, codecs []Codec, payloads []Payload) ([]Robustness, error) {
	if child.Inside() {
		return nil, errInChild
	}
	if err := errors.Join(append(checkCodecs(codecs), checkPayloads(payloads)...)...); err != nil {
		return nil, err
	}
	p.fill()
	out := make([]Robustness, len(codecs)*len(payloads))
	tried := make([]*probed, len(out))
	errs := make([]error, len(out))
	at := func(i int, err error) {
		if err != nil {
			errs[i] = &Error{Codec: out[i].Codec, Payload: out[i].Payload, Form: out[i].Form, Err: err}
		}
	}
	p.spread(len(out), func(i int) {
		c, pay := codecs[i/len(payloads)], payloads[i%len(payloads)]
		out[i] = Robustness{Codec: c.Name(), Payload: pay.name, Form: pay.form}
		var err error
		tried[i], err = p.one(ctx, &out[i], infoOf(c).Format)
		at(i, err)
	})
	// The payloads of one codec one after the other: the first tells where to
	// look in the others.
	p.spread(len(codecs), func(k int) {
		known := map[string]probe.Search{}
		for i := k * len(payloads); i < (k+1)*len(payloads) && ctx.Err() == nil; i++ {
			if tried[i] != nil && errs[i] == nil {
				at(i, p.searches(ctx, &out[i], tried[i], known))
			}
		}
	})
	if ctx.Err() != nil {
		return out, &Error{Err: ctx.Err()}
	}
	return out, errors.Join(errs...)
}

// spread calls do for 0 to n-1, as many at a time as there are workers.
func (p Probe) spread(n int, do func(int)) {
	var wg sync.WaitGroup
	turns := make(chan struct{}, p.Workers)
	for i := range n {
		turns <- struct{}{}
		wg.Go(func() {
			defer func() { <-turns }()
			do(i)
		})
	}
	wg.Wait()
}

func (p *Probe) fill() {
	switch {
	case p.Searches == 0:
		p.Searches = 4
	case p.Searches < 0:
		p.Searches = 0
	}
	if p.CallTime <= 0 {
		p.CallTime = 3 * time.Second
	}
	if p.PlainTime <= 0 {
		p.PlainTime = 20 * time.Second
	}
	if p.MemoryFactor <= 0 {
		p.MemoryFactor = 64
	}
	if p.MemoryBase <= 0 {
		p.MemoryBase = 16 << 20
	}
	if p.ChildMemory <= 0 {
		p.ChildMemory = 2 << 30
	}
	if hostinfo.UnderRace() {
		p.ChildMemory = 0
	}
	if p.Levels <= 0 {
		p.Levels = 5_000_000
	}
	if p.ChildTime <= 0 {
		p.ChildTime = 3 * time.Minute
	}
	if p.Workers <= 0 {
		p.Workers = 2
	}
}

func (p Probe) limits() probe.Limits {
	return probe.Limits{Time: p.CallTime, MemoryFactor: p.MemoryFactor, MemoryBase: p.MemoryBase}
}

// probed is what was tried of a codec on a payload.
type probed struct {
	job      probeJob
	attacks  []probe.Attack
	outcomes []probe.Outcome
	found    []probe.Finding
}

// one probes a codec on a payload: one child makes the messages, and as many
// as are needed decode what is made of them.
func (p Probe) one(ctx context.Context, r *Robustness, format string) (*probed, error) {
	var made probeMessages
	plain := p.limits()
	plain.Time = max(plain.Time, p.PlainTime)
	death := p.launch(ctx, r, &probeJob{Limits: plain}, &made)
	switch {
	case death == nil:
	case harmful(death):
		r.Death = death.Error()
		return nil, nil
	default:
		return nil, launchError(death)
	}
	if made.Skipped != "" {
		r.Skipped = made.Skipped
		return nil, nil
	}
	if made.Death != "" {
		r.Death = made.Death
		return nil, nil
	}
	dir, err := os.MkdirTemp("", "serbench-probe-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "outcomes")
	job := &probeJob{Limits: p.limits(), Messages: made.Messages, Lossy: made.Lossy, Nests: made.Nests, Format: format, Seed: p.Seed, Levels: p.Levels, Outcomes: file}
	attacks := probe.Attacks(format, made.Messages, made.Nests, p.Seed, p.Levels)
	var outcomes []probe.Outcome
	for next := probe.Next(attacks, nil); next >= 0; next = probe.Next(attacks, outcomes) {
		job.From, job.Before = next, bad(outcomes)
		death := p.launch(ctx, r, job, new(struct{}))
		more, err := readOutcomes(file)
		if err != nil {
			return nil, err
		}
		if death != nil && !harmful(death) {
			return nil, launchError(death)
		}
		if len(more) == 0 {
			if death != nil {
				return nil, death
			}
			return nil, errors.New("a child tried nothing")
		}
		outcomes = append(outcomes, finishOutcomes(attacks, more, death)...)
	}
	all := &probed{job: *job, attacks: attacks, outcomes: outcomes, found: probe.Collect(attacks, outcomes)}
	for _, f := range all.found {
		found := ProbeFinding{Class: string(f.Class), Tried: f.Tried, Counts: map[string]int{}, Worst: string(f.Worst), Left: f.Left}
		for v, n := range f.Counts {
			found.Counts[string(v)] = n
		}
		if f.Worst != probe.Refused {
			found.Attack, found.Detail, found.InputSize, found.Input, found.MemoryBytes = f.Name, f.Detail, f.Size, f.Input, f.Memory
		}
		r.Findings = append(r.Findings, found)
	}
	return all, nil
}

// launch has a child do the job and decodes its answer.
func (p Probe) launch(ctx context.Context, r *Robustness, job *probeJob, answer any) *child.Death {
	input, err := json.Marshal(childJob{Codec: r.Codec, Payload: r.Payload, Form: r.Form, Probe: job})
	if err != nil {
		return &child.Death{Kind: child.NotStarted, Reason: err.Error()}
	}
	out := child.Run(ctx, child.Job{
		Name: probeName(r.Codec, r.Payload, r.Form), Input: input, Build: childBuild(),
		Memory: p.ChildMemory, Time: p.ChildTime, Args: p.Args,
	})
	if out.Death != nil {
		return out.Death
	}
	if err := json.Unmarshal(out.Output, answer); err != nil {
		return &child.Death{Kind: child.BadAnswer, Reason: err.Error()}
	}
	return nil
}

func probeName(codec, payload, form string) string {
	return fmt.Sprintf("probe %q %q %q", codec, payload, form)
}

// ServesProbe reports whether this process was started by [Probe.Run] to
// probe c with one of the payloads: where a program has several lists, it
// tells which to pass to [ServeChild].
func ServesProbe(c Codec, payloads ...Payload) bool {
	name := child.Name()
	return name != "" && slices.ContainsFunc(payloads, func(p Payload) bool { return probeName(c.Name(), p.name, p.form) == name })
}

// harmful reports whether the codec caused the death.
func harmful(d *child.Death) bool {
	switch d.Kind {
	case child.Panicked, child.StackFull, child.OutOfMemory, child.Killed, child.TimedOut, child.Exited:
		return true
	}
	return false
}

// bad keeps what Next looks at.
func bad(outcomes []probe.Outcome) (kept []probe.Outcome) {
	for _, o := range outcomes {
		if o.Verdict == probe.Killed || o.Verdict == probe.Slow {
			kept = append(kept, probe.Outcome{Index: o.Index, Verdict: o.Verdict})
		}
	}
	return kept
}

// finishOutcomes gives the attack that was begun and not ended the verdict.
func finishOutcomes(attacks []probe.Attack, more []probe.Outcome, death *child.Death) []probe.Outcome {
	n := len(more) - 1
	if more[n].Verdict != "" {
		return more
	}
	verdict, detail := probe.Killed, "its process ended"
	switch {
	case death == nil:
	case death.Kind == child.TimedOut:
		verdict, detail = probe.Slow, death.Reason
	case death.Kind == child.StackFull, death.Kind == child.OutOfMemory:
		detail = string(death.Kind)
	default:
		detail = death.Reason
	}
	more[n] = attacks[more[n].Index].Ended(more[n].Index, verdict, detail)
	return more
}
