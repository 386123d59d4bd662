package probe

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/serbench/serbench/internal/hostinfo"
	"github.com/serbench/serbench/internal/measure"
)

// Verdict is what a decoder did with an input, from harmless to worst.
type Verdict string

// The verdicts.
const (
	Refused  Verdict = "error"
	Accepted Verdict = "accepted" // as some value; what was put in may be one
	Wrong    Verdict = "wrong"    // accepted as a value that the input does not hold
	Memory   Verdict = "memory"   // took more than the budget
	Panic    Verdict = "panic"    // or runtime.Goexit
	Slow     Verdict = "slow"     // did not return within the limit
	Killed   Verdict = "killed"   // ended its process
)

// Verdicts returns all verdicts, the worst last.
func Verdicts() []Verdict {
	return []Verdict{Refused, Accepted, Wrong, Memory, Panic, Slow, Killed}
}

// Limits of one call.
type Limits struct {
	Time         time.Duration `json:"time"`
	MemoryFactor int64         `json:"memory_factor"` // bytes per byte of input
	MemoryBase   int64         `json:"memory_base"`   // bytes
}

// Budget is the memory that a call on so much input may take.
func (l Limits) Budget(input int) int64 { return l.MemoryFactor*int64(input) + l.MemoryBase }

// CallTime is the time that a call on so much input may take: a decoder that
// does a megabyte in a second is not slow.
func (l Limits) CallTime(input int) time.Duration {
	return l.Time + time.Duration(input)*time.Microsecond
}

// Outcome of one attack.
type Outcome struct {
	Index   int     `json:"index"`
	Verdict Verdict `json:"verdict,omitempty"` // empty: it was begun
	Detail  string  `json:"detail,omitempty"`
	Size    int     `json:"size,omitempty"`
	Input   []byte  `json:"input,omitempty"` // its beginning, for a verdict worse than Accepted
	Memory  int64   `json:"memory,omitempty"`
	Scale   uint64  `json:"scale,omitempty"` // of a trial of a search
}

// mostInput is kept of an input.
const mostInput = 48

// Decoder decodes input, and tells whether the value is that of the message
// which the attack was made of.
type Decoder func(input []byte) (same func(Attack) bool, err error)

// Judge tries the attack.
func (a Attack) Judge(ctx context.Context, index int, l Limits, decode Decoder) Outcome {
	in := a.Input()
	v, detail, memory := judge(ctx, a, in, l, decode)
	if v == Memory || v == Panic {
		in, detail, memory = shrink(ctx, a, in, v, detail, memory, l, decode)
	}
	o := Outcome{Index: index, Verdict: v, Detail: detail}
	if v == Memory {
		o.Memory = memory
	}
	o.keep(in)
	return o
}

// keep notes what the input was.
func (o *Outcome) keep(in []byte) {
	o.Size = len(in)
	if o.Verdict != Refused && o.Verdict != Accepted {
		o.Input = in[:min(len(in), mostInput)]
	}
}

// Ended is the outcome of an attack that ended the process that tried it.
func (a Attack) Ended(index int, v Verdict, detail string) Outcome {
	o := Outcome{Index: index, Verdict: v, Detail: detail}
	o.keep(a.Input())
	return o
}

func judge(ctx context.Context, a Attack, in []byte, l Limits, decode Decoder) (Verdict, string, int64) {
	var used int64
	var same func(Attack) bool
	limit := l.CallTime(len(in))
	err := guard(ctx, limit, func() error {
		before := taken()
		s, err := decode(in)
		same, used = s, taken()-before // here, where the stack is as large as it was made
		if err == nil {
			return nil
		}
		return &refusal{err}
	})
	if hang := (*measure.HangError)(nil); errors.As(err, &hang) {
		return Slow, fmt.Sprintf("no answer within %v", limit.Round(time.Millisecond)), 0
	}
	var refused *refusal
	switch {
	case err != nil && !errors.As(err, &refused):
		return Panic, oneLine(err.Error()), 0
	case used > l.Budget(len(in)):
		return Memory, "", used
	case err != nil && a.Class == Own:
		return Wrong, "an error for the message itself: " + oneLine(err.Error()), 0
	case err != nil:
		return Refused, "", 0
	}
	if a.Class != Truncated && a.Class != Own {
		return Accepted, "", 0
	}
	equal := false
	if err := measure.Guard(ctx, limit, func() error { equal = same(a); return nil }); err != nil {
		return Panic, "when the decoded value is looked at: " + oneLine(err.Error()), 0
	}
	if !equal {
		return Wrong, "", 0
	}
	return Accepted, "", 0
}

// patience is how many times the limit a call may take that computes for less:
// on a machine that does other work it has to wait.
const patience = 3

// guard is [measure.Guard] with a limit on the time that the process computes.
func guard(ctx context.Context, limit time.Duration, f func() error) error {
	start := time.Now()
	before, known := computed()
	done := make(chan error, 1)
	go func() { done <- measure.Guard(ctx, 0, f) }()
	look := time.NewTimer(limit)
	defer look.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-look.C:
		}
		if now, _ := computed(); !known || now-before >= limit || time.Since(start) >= patience*limit {
			return &measure.HangError{Limit: limit}
		}
		look.Reset(limit / 4)
	}
}

// computed is the CPU time of the process.
func computed() (time.Duration, bool) {
	user, system, ok := hostinfo.CPUTime()
	return user + system, ok
}

// refusal is an error that the decoder returned: not a panic.
type refusal struct{ err error }

func (r *refusal) Error() string { return r.err.Error() }

// taken is the memory that was allocated until now, and what stacks hold.
func taken() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.TotalAlloc) + int64(m.StackInuse)
}

// mostTrials bound the search for a smaller input.
const mostTrials = 60

// shrink looks for a smaller input of the same verdict, by leaving parts out.
func shrink(ctx context.Context, a Attack, in []byte, v Verdict, detail string, memory int64, l Limits, decode Decoder) ([]byte, string, int64) {
	trials := 0
	for part := len(in) / 2; part > 0 && len(in) <= 1<<16; part /= 2 {
		for at := 0; at+part <= len(in) && trials < mostTrials; {
			trials++
			less := append(append([]byte{}, in[:at]...), in[at+part:]...)
			if v2, d2, m2 := judge(ctx, a, less, l, decode); v2 == v {
				in, detail, memory = less, d2, m2
			} else {
				at += part
			}
		}
	}
	return in, detail, memory
}

func oneLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if len(s) > 200 {
		s = s[:200]
	}
	return strings.ToValidUTF8(s, "?")
}
