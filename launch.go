package serbench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/serbench/serbench/internal/child"
)

// launchCell is a cell that is measured in children.
type launchCell struct {
	*cell
	hash     string
	launches []*Report // of one result each
	process  []time.Duration
	over     bool // no more launches: it failed or cannot be done
}

// launch measures every cell in child processes: one of each per turn, in a
// new order each time, so that a slow minute hits all alike.
func (r *run) launch() {
	cells := r.layOutLaunches()
	build := childBuild()
	total, done := len(cells)*r.Launches, 0
	for turn := range r.Launches {
		order := r.rand.Perm(len(cells))
		for _, i := range order {
			c := cells[i]
			done++
			if c.over {
				continue
			}
			if r.ctx.Err() != nil || turn > 0 && r.Budget > 0 && time.Since(r.started) > r.Budget {
				break
			}
			if death := r.launchOne(c, build, turn+1, len(cells)); death != nil && (death.Kind == child.NotReached || death.Kind == child.NotStarted) && turn == 0 {
				// No other child will fare better.
				for _, other := range cells {
					if other != c && !other.over && len(other.launches) == 0 {
						other.over = true
						r.failCell(other.cell, launchError(death))
					}
				}
			}
			r.event(Event{Phase: "measure", Payload: c.result.Payload, Form: c.result.Form, Op: c.op, Codec: c.result.Codec,
				Done: float64(done) / float64(total)})
		}
	}
	for _, c := range cells {
		r.mergeLaunches(c)
	}
	r.compareLaunches(cells)
}

// layOutLaunches makes the results and the groups, without calling a codec.
func (r *run) layOutLaunches() (cells []*launchCell) {
	groups := map[string]*group{}
	for pi, p := range r.payloads {
		for _, op := range r.Ops {
			for _, codec := range r.codecs {
				c := &cell{op: op, subject: &subject{codec: codec, payload: p, status: StatusOK}}
				c.result = &Result{
					ID:      resultID(p.name, p.form, codec.Name(), op),
					Payload: p.name, Form: p.form, Codec: codec.Name(), Op: op, Parallelism: 1,
					Environment: r.report.Environments[0].ID, Status: StatusOK,
				}
				r.cells = append(r.cells, c)
				cells = append(cells, &launchCell{cell: c, hash: r.report.Payloads[pi].Hash})
				key := p.name + "\x00" + p.form + "\x00" + string(op)
				if r.JoinForms {
					key = p.name + "\x00" + string(op)
				}
				g := groups[key]
				if g == nil {
					g = &group{name: idPart(p.name) + "/" + idPart(p.form) + "/" + string(op), op: op}
					groups[key] = g
					r.groups = append(r.groups, g)
				}
				g.cells = append(g.cells, c)
			}
		}
	}
	r.report.Results = make([]Result, len(r.cells))
	for i, c := range r.cells {
		r.report.Results[i] = *c.result
		c.result = &r.report.Results[i]
	}
	return cells
}

// launchOne measures the cell in one child.
func (r *run) launchOne(c *launchCell, build string, turn, cells int) *child.Death {
	job := childJob{Codec: c.result.Codec, Payload: c.result.Payload, Form: c.result.Form, Hash: c.hash, Runner: r.Runner}
	job.Runner.Launches, job.Runner.Ops, job.Runner.Baseline = 0, []Op{c.op}, ""
	job.Runner.Seed = r.rand.Uint64()
	job.Runner.Margin = orNone(r.Margin)
	job.Runner.KeepSamples = orNoneInt(r.KeepSamples / max(1, r.Launches))
	job.Runner.CallLimit = time.Duration(orNoneInt(int(r.CallLimit)))
	job.Runner.MemoryLimit = int64(orNoneInt(int(r.MemoryLimit)))
	job.Runner.Budget = -1
	if r.Budget > 0 && r.mode == modePrecision {
		job.Runner.Budget = max(r.Budget/time.Duration(cells*r.Launches), 100*time.Millisecond)
	}
	input, err := json.Marshal(job)
	if err != nil {
		r.endLaunches(c, err)
		return nil
	}
	out := child.Run(r.ctx, child.Job{
		Name: c.result.ID, Input: input, Build: build, Memory: r.ChildMemory, Time: r.ChildTime,
	})
	if d := out.Death; d != nil {
		if d.Kind == child.Cancelled {
			return d
		}
		r.endLaunches(c, fmt.Errorf("launch %d: %w", turn, launchError(d)))
		return d
	}
	report, err := ReadReport(bytes.NewReader(out.Output))
	if err == nil && len(report.Results) != 1 {
		err = fmt.Errorf("%d results instead of one", len(report.Results))
	}
	if err == nil && report.Results[0].ID != c.result.ID {
		err = fmt.Errorf("it is of %q, not of %q", report.Results[0].ID, c.result.ID)
	}
	if err != nil {
		r.endLaunches(c, fmt.Errorf("launch %d: the child's report: %w", turn, err))
		return nil
	}
	switch res := report.Results[0]; res.Status {
	case StatusOK, StatusLossy:
		c.launches = append(c.launches, report)
		c.process = append(c.process, out.Elapsed)
	case StatusSkipped, StatusFailed:
		c.over = true
		c.result.Status, c.result.Reason, c.result.Stack = res.Status, res.Reason, res.Stack
		c.result.Encoded, c.result.Fidelity, c.result.Traits = res.Encoded, res.Fidelity, res.Traits
		if res.Status == StatusFailed {
			c.launches = nil
			r.errs = append(r.errs, r.errorAt(c.cell, fmt.Errorf("launch %d: %s", turn, res.Reason)))
		}
	}
	return nil
}

// endLaunches fails the cell: figures of the launches before are not shown,
// since what failed once in n launches is no codec to recommend.
func (r *run) endLaunches(c *launchCell, err error) {
	c.over, c.launches = true, nil
	r.failCell(c.cell, err)
}

func launchError(d *child.Death) error {
	if d.Kind != child.NotReached {
		return d
	}
	text := fmt.Sprintf("the child process did not reach serbench.ServeChild (%s); %s", d.Reason, twoLines)
	if d.Stderr != "" {
		text += "\nits standard error ends: " + d.Stderr
	}
	return &notReachedError{text, d}
}

type notReachedError struct {
	text  string
	death *child.Death
}

func (e *notReachedError) Error() string { return e.text }
func (e *notReachedError) Unwrap() error { return e.death }

// orNone turns a resolved 0, which means none, into what a Runner takes for it.
func orNone(x float64) float64 {
	if x == 0 {
		return -1
	}
	return x
}

func orNoneInt(x int) int {
	if x == 0 {
		return -1
	}
	return x
}
