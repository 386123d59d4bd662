package serbench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/serbench/serbench/internal/child"
	"github.com/serbench/serbench/internal/fidelity"
	"github.com/serbench/serbench/internal/hostinfo"
)

// ServeChild turns the process into a worker, if it is a copy of the program
// that [Runner.Run] started because of [Runner.Launches], or [Probe.Run], and
// reports whether it was one. A program that uses these calls it before Run,
// with the same codecs and payloads, and returns when it served:
//
//	served, err := serbench.ServeChild(ctx, codecs, payloads)
//	if served || err != nil { return err }
//
// Under go test the place for it is TestMain. The parent starts the copy with
// its own arguments and the environment variable SERBENCH_CHILD, which names
// the cell and where the result goes. What the copy prints to standard output
// is discarded; the end of standard error stands in the reason of a cell that
// failed. A payload of another content than the parent's is refused.
//
// In a process that is no such copy nothing happens: it returns false and nil.
// The error is about the exchange with the parent, not about the cell.
func ServeChild(ctx context.Context, codecs []Codec, payloads []Payload) (served bool, err error) {
	served, err = child.Serve(ctx, childBuild(), func(ctx context.Context, _ string, input []byte) ([]byte, error) {
		var job childJob
		if err := json.Unmarshal(input, &job); err != nil {
			return nil, fmt.Errorf("the parent's order: %w", err)
		}
		return job.do(ctx, codecs, payloads)
	})
	if err != nil {
		err = &Error{Err: err}
	}
	return served, err
}

var errInChild = &Error{Err: errors.New("this process was started as a child to measure one cell, but did not return after, or did not call, ServeChild; " + twoLines)}

// twoLines is what a program lacks whose children do not answer.
const twoLines = "call it before Run, with the same lists (under go test in TestMain), and return:\n" +
	"\tserved, err := serbench.ServeChild(ctx, codecs, payloads)\n" +
	"\tif served || err != nil { return }"

// childBuild identifies the program to its copies.
func childBuild() string { return hostinfo.BuildID() }

// childJob is what the parent orders: one cell.
type childJob struct {
	Codec   string
	Payload string
	Form    string
	Hash    string // of the payload's content
	Runner  Runner
	Probe   *probeJob `json:",omitempty"` // instead of measuring a cell
}

func (j childJob) do(ctx context.Context, codecs []Codec, payloads []Payload) ([]byte, error) {
	c := slices.IndexFunc(codecs, func(c Codec) bool { return nameOf(c) == j.Codec })
	if c < 0 {
		return nil, fmt.Errorf("the list given to ServeChild has no codec %q", j.Codec)
	}
	p := slices.IndexFunc(payloads, func(p Payload) bool { return p.name == j.Payload && p.form == j.Form })
	if p < 0 {
		return nil, fmt.Errorf("the list given to ServeChild has no payload %q in form %q", j.Payload, j.Form)
	}
	if payloads[p].err != nil {
		return nil, fmt.Errorf("the payload given to ServeChild: %w", payloads[p].err)
	}
	if j.Probe != nil {
		return j.Probe.do(ctx, codecs[c], payloads[p])
	}
	if h := fidelity.Hash(payloads[p].values...); h != j.Hash {
		return nil, fmt.Errorf("the payload given to ServeChild has other content than the parent's: hash %s, not %s", h, j.Hash)
	}
	report, err := j.Runner.execute(ctx, codecs[c:c+1], payloads[p:p+1])
	if len(report.Results) == 0 {
		return nil, errors.Join(err, errors.New("the child measured nothing"))
	}
	var out bytes.Buffer
	if err := report.WriteJSON(&out); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
