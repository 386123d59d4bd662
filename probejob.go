package serbench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/probe"
)

// probeJob is what a child of a probe does: encode the values, if it has no
// messages yet, else try the attacks from one on, until one of them has no end.
type probeJob struct {
	Limits   probe.Limits
	Messages [][]byte        `json:",omitempty"`
	Lossy    []bool          `json:",omitempty"` // what came back of each was not what was encoded
	Nests    []probe.Nest    `json:",omitempty"`
	Format   string          `json:",omitempty"`
	Seed     uint64          `json:",omitempty"`
	Levels   int             `json:",omitempty"`
	From     int             `json:",omitempty"`
	Before   []probe.Outcome `json:",omitempty"` // of other children
	Outcomes string          `json:",omitempty"` // file, a line per beginning and end of an attack
	Search   *probe.Search   `json:",omitempty"` // instead of trying all
}

// probeMessages answers a job without messages.
type probeMessages struct {
	Messages [][]byte
	Lossy    []bool
	Nests    []probe.Nest
	Skipped  string
	Death    string
}

func (j *probeJob) do(ctx context.Context, c Codec, p Payload) ([]byte, error) {
	values, err := p.Values()
	if err != nil {
		return nil, err
	}
	if len(j.Messages) == 0 {
		return json.Marshal(j.encode(ctx, c, p, values))
	}
	return []byte("{}"), j.attack(ctx, c, p, values)
}

// encode makes the messages, decodes them, and finds out how the codec nests.
func (j *probeJob) encode(ctx context.Context, c Codec, p Payload, values []any) (m probeMessages) {
	err := measure.Guard(ctx, j.Limits.Time, func() error {
		if s, ok := c.(Supporter); ok {
			if err := s.Supports(values[0]); err != nil {
				return err
			}
		}
		for i, v := range values {
			msg, err := c.Marshal(v)
			if err != nil {
				return fmt.Errorf("encode value %d: %w", i, err)
			}
			m.Messages = append(m.Messages, bytes.Clone(msg))
		}
		for i, msg := range m.Messages {
			got := p.New()
			if err := c.Unmarshal(bytes.Clone(msg), got); err != nil {
				return fmt.Errorf("decode value %d: %w", i, err)
			}
			m.Lossy = append(m.Lossy, p.compare(0, values[i], got).Class == Lossy)
		}
		return nil
	})
	panicked, hang := (*measure.PanicError)(nil), (*measure.HangError)(nil)
	switch {
	case errors.As(err, &panicked), errors.As(err, &hang), errors.Is(err, measure.ErrGoexit):
		return probeMessages{Death: err.Error()} // a call may still be writing to m
	case err != nil:
		m.Skipped = err.Error()
		return m
	}
	if len(m.Messages) >= 3 {
		if n, ok := probe.Derive("the payload's own type", [3][]byte(m.Messages[:3])); ok {
			m.Nests = append(m.Nests, n)
		}
	}
	_ = measure.Guard(ctx, j.Limits.Time, func() error { m.Nests = append(m.Nests, nests(c)...); return nil })
	return m
}

// nests are those of lists and maps of any value, if the codec has them.
func nests(c Codec) (found []probe.Nest) {
	for name, wrap := range map[string]func(any) any{
		"lists as it encodes them": func(v any) any { return []any{v} },
		"maps as it encodes them":  func(v any) any { return map[string]any{"a": v} },
	} {
		var msgs [3][]byte
		v := wrap(nil)
		for i := range msgs {
			msg, err := c.Marshal(&v)
			if err != nil {
				return found
			}
			msgs[i] = bytes.Clone(msg)
			v = wrap(v)
		}
		if n, ok := probe.Derive(name, msgs); ok {
			found = append(found, n)
		}
	}
	slices.SortFunc(found, func(a, b probe.Nest) int { return bytes.Compare(a.Open, b.Open) })
	return found
}

func (j *probeJob) attack(ctx context.Context, c Codec, p Payload, values []any) error {
	f, err := os.OpenFile(j.Outcomes, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	want := make([]any, len(j.Messages))
	attacks := probe.Attacks(j.Format, j.Messages, j.Nests, j.Seed, j.Levels)
	decode := func(in []byte) (func(probe.Attack) bool, error) {
		got := p.New()
		err := c.Unmarshal(in, got)
		return func(a probe.Attack) bool {
			if a.Class == probe.Own {
				// This process has encoded nothing: the value is all in the message.
				return j.Lossy[a.Whole] || p.compare(0, values[a.Whole], got).Class != Lossy
			}
			if want[a.Whole] == nil {
				w := p.New()
				if c.Unmarshal(bytes.Clone(j.Messages[a.Whole]), w) != nil {
					return false
				}
				want[a.Whole] = w
			}
			return p.compare(0, want[a.Whole], got).Class == Exact
		}, err
	}
	if j.Search != nil {
		return j.search(ctx, f, attacks[j.Search.Index], decode)
	}
	outcomes := slices.Clone(j.Before)
	for i := j.From; i >= 0 && ctx.Err() == nil; i = probe.Next(attacks, outcomes) {
		if err := writeLine(f, probe.Outcome{Index: i}); err != nil {
			return err
		}
		o := attacks[i].Judge(ctx, i, j.Limits, decode)
		if err := writeLine(f, o); err != nil {
			return err
		}
		outcomes = append(outcomes, o)
		if o.Verdict == probe.Slow {
			return nil // the call goes on: only the end of the process ends it
		}
	}
	return nil
}

func writeLine(f *os.File, o probe.Outcome) error {
	line, err := json.Marshal(o)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return err
}

// readOutcomes reads what a child wrote, each attack once; the last one may
// have been begun only. The file is removed.
func readOutcomes(file string) ([]probe.Outcome, error) {
	f, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer os.Remove(file)
	defer f.Close()
	var out []probe.Outcome
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var o probe.Outcome
		if json.Unmarshal(lines.Bytes(), &o) != nil {
			break // cut short by the end of the process
		}
		if n := len(out) - 1; n >= 0 && out[n].Index == o.Index {
			out[n] = o
			continue
		}
		out = append(out, o)
	}
	return out, lines.Err()
}
