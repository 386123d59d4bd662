package serbench

import (
	"context"
	"os"
	"path/filepath"

	"github.com/serbench/serbench/internal/child"
	"github.com/serbench/serbench/internal/probe"
)

// searches finds, for what killed or took too much memory, the smallest claim
// or number of levels that does. known holds what was found on other payloads
// of the codec.
func (p Probe) searches(ctx context.Context, r *Robustness, all *probed, known map[string]probe.Search) error {
	for i, f := range all.found {
		if f.Worst != probe.Killed && f.Worst != probe.Memory {
			continue
		}
		a := all.attacks[f.Index]
		s, ok := probe.NewSearch(all.attacks, all.outcomes, f.Index, f.Worst)
		if !ok || p.Searches == 0 {
			continue
		}
		key := string(f.Class) + string(f.Worst) + a.Series
		if k, ok := known[key]; ok {
			s.Guess = k.High
		}
		s, err := p.search(ctx, r, all.job, s)
		if err != nil {
			return err
		}
		known[key] = s
		x := &r.Findings[i]
		x.Scale, x.Below = s.High, s.Low
		if f.Class == probe.Nested { // the input of another class may have got smaller in another way
			in := a.At(s.High)
			x.Attack, x.InputSize, x.Input = a.NameAt(s.High), len(in), in[:min(len(in), len(x.Input))]
		}
	}
	return nil
}

// search narrows down, in a bounded number of children.
func (p Probe) search(ctx context.Context, r *Robustness, job probeJob, s probe.Search) (probe.Search, error) {
	dir, err := os.MkdirTemp("", "serbench-probe-")
	if err != nil {
		return s, err
	}
	defer os.RemoveAll(dir)
	job.Outcomes, job.From, job.Before = filepath.Join(dir, "outcomes"), 0, nil
	for range p.Searches {
		if !s.Open() || ctx.Err() != nil {
			break
		}
		job.Search = &s
		death := p.launch(ctx, r, &job, new(struct{}))
		if death != nil && !harmful(death) {
			return s, launchError(death)
		}
		trials, err := readOutcomes(job.Outcomes)
		if err != nil {
			return s, err
		}
		if len(trials) == 0 {
			break
		}
		for _, t := range trials {
			switch { // begun, and never ended
			case t.Verdict != "":
			case death != nil && death.Kind == child.TimedOut:
				t.Verdict = probe.Slow
			default:
				t.Verdict = probe.Killed
			}
			s.Narrow(t.Scale, t.Verdict)
		}
	}
	return s, nil
}

// search tries one scale after the other, until one ends the process or all is
// known.
func (j *probeJob) search(ctx context.Context, f *os.File, a probe.Attack, decode probe.Decoder) error {
	s := *j.Search
	for i := 0; s.Open() && ctx.Err() == nil; i++ {
		n := s.Next()
		if err := writeLine(f, probe.Outcome{Index: i, Scale: n}); err != nil {
			return err
		}
		o := a.Try(ctx, n, j.Limits, decode)
		o.Index = i
		if err := writeLine(f, o); err != nil {
			return err
		}
		if s.Narrow(n, o.Verdict); o.Verdict == probe.Slow {
			return nil // the call goes on: only the end of the process ends it
		}
	}
	return nil
}
