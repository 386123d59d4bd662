package serbench

import (
	"fmt"
	"slices"

	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/stats"
)

// noop is the codec that does nothing: what is left is the harness.
type noop struct{ msg []byte }

func (noop) Name() string                             { return "" }
func (n noop) Clone() Codec                           { return n }
func (n noop) Marshal(any) ([]byte, error)            { return n.msg, nil }
func (noop) Unmarshal([]byte, any) error              { return nil }
func (noop) Append(dst []byte, _ any) ([]byte, error) { return dst, nil }
func (noop) NewStream() Stream                        { return noopStream{} }

type noopStream struct{}

func (noopStream) Encode(dst []byte, _ any) ([]byte, error) { return dst, nil }
func (noopStream) Decode([]byte, any) error                 { return nil }

// control is a fixed piece of arithmetic that takes the same time on a
// machine that stays the same.
type control struct{ x uint64 }

func (c *control) Fresh() error      { return nil }
func (c *control) Prepare(int) error { return nil }

func (c *control) Run(n int) (int, error) {
	x := c.x | 1
	for range n {
		for range 64 { // a chain: each step waits for the one before
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
		}
	}
	c.x = x
	return n, nil
}

// controls are the cells that each group carries beside its own: the no-op
// codec on the group's payload, and the control loop.
func (r *run) controls(g *group) []measure.Spec {
	s, op := g.cells[0].subject, g.op
	if g.wire != nil {
		op = OpEncode
	}
	floor := &cell{op: op, subject: &subject{codec: noop{msg: make([]byte, 8)}, payload: s.payload, values: s.values,
		messages: make([][]byte, len(s.values))}}
	return []measure.Spec{
		{Cell: floor, Sparse: true, Corpus: len(s.values)},
		{Cell: &control{x: r.Seed}, Sparse: true},
	}
}

// mostDrift of the control loop that a run may show without a warning.
const mostDrift = 1.5

// recordControls keeps the group's floor and drift.
func (r *run) recordControls(g *group, outs []measure.CellOutcome) {
	if len(outs) < 2 {
		return
	}
	if f := stats.Median(outs[0].Blocks); finite(f) != nil {
		r.floors[g.op] = append(r.floors[g.op], max(0, f-r.emptyNs))
	}
	if blocks := outs[1].Blocks; len(blocks) > 1 {
		drift := slices.Max(blocks) / slices.Min(blocks)
		if finite(drift) == nil {
			return
		}
		r.drifts[g.name] = drift
		if drift > mostDrift {
			w := Warning{Code: "machine-drift",
				Message: fmt.Sprintf("%s: a loop of fixed work took up to %.2g times as long as at its fastest while this was measured", g.name, drift),
				Advice:  "the machine was busy or changed its clock; ratios are paired and hold, times per op are this run's only"}
			r.report.Warnings = append(r.report.Warnings, w)
		}
	}
}

// emptyLoop is the time of one turn of a loop with nothing in it, in ns.
func emptyLoop(clock measure.Clock) float64 {
	const n = 20_000
	best := 0.0
	for range 7 {
		t0 := clock()
		for range n {
		}
		if d := float64(clock()-t0) / n; d > 0 && (best == 0 || d < best) {
			best = d
		}
	}
	return best
}
