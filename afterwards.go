package serbench

import (
	"errors"
	"fmt"
	"slices"

	"github.com/serbench/serbench/internal/measure"
)

// errChangedSides is about a codec that did what it should while it was
// checked, and something else while it was timed.
var errChangedSides = errors.New("after the timed calls the codec gave another value than in the check before them: its figures are those of other work")

// stillRight does the op of each cell once more, untimed, with the instance
// that was timed last, and looks at what comes of it.
func (r *run) stillRight(g *group, outs []measure.CellOutcome) []error {
	errs := make([]error, len(g.cells))
	if g.wire != nil || r.ctx.Err() != nil || r.runaway {
		return errs
	}
	for i, c := range g.cells {
		if outs[i].Err != nil || outs[i].Reps == 0 || c.team != nil || c.subject.status != StatusOK || c.result.Status != StatusOK {
			continue
		}
		changed := func(w Warning) bool { return w.Code == "payload-changed" }
		if slices.ContainsFunc(c.result.Warnings, changed) {
			continue // what is right nobody knows
		}
		switch c.op {
		case OpEncode, OpAppend, OpDecode, OpRoundtrip:
			errs[i] = measure.Guard(r.ctx, r.CallLimit, c.onceMore)
		}
	}
	return errs
}

// onceMore fails if the value that the op ends with is none of the payload's:
// which of a corpus comes next the instance knows alone.
func (c *cell) onceMore() error {
	s := c.subject
	if done, err := c.run(1); err != nil || done != 1 {
		return fmt.Errorf("once more, after the timed calls: %w", errors.Join(err, fewer(done)))
	}
	got := c.target
	if msg := c.last(); msg != nil || c.op == OpEncode || c.op == OpAppend {
		got = s.payload.New()
		if err := s.codec.Unmarshal(append([]byte(nil), msg...), got); err != nil {
			return fmt.Errorf("%w: decode: %w", errChangedSides, err)
		}
	}
	for _, v := range s.values {
		if s.payload.keeps(v, got) {
			return nil
		}
	}
	return errChangedSides
}
