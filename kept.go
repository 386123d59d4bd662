package serbench

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/serbench/serbench/internal/fidelity"
	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/variant"
)

// errChanged is the reason for a codec that wrote to what it was to encode.
var errChanged = errors.New("the codec changed the payload's values")

// keptValues are a payload's own values, which all codecs get, and what it
// takes to give them their content back.
type keptValues struct {
	values []any
	copies []any // nil if none could be made
	hash   string
	spoilt error // for good
}

// keep is nil for payloads that make new values each time: there a codec
// spoils its own only.
func keep(p Payload) *keptValues {
	if p.fresh != nil {
		return nil
	}
	k := &keptValues{values: p.values, hash: fidelity.Hash(p.values...)}
	if copies, ok := variant.Clone(p.values); ok && fidelity.Hash(copies...) == k.hash {
		k.copies = copies
	}
	return k
}

// mend is an error if the values have changed since they were last looked at,
// and restores them.
func (k *keptValues) mend() error {
	if k == nil || k.spoilt != nil || fidelity.Hash(k.values...) == k.hash {
		return nil
	}
	// The copies stay behind: what is handed out may be changed again.
	if again, ok := variant.Clone(k.copies); ok && again != nil {
		for i, v := range k.values {
			reflect.ValueOf(v).Elem().Set(reflect.ValueOf(again[i]).Elem())
		}
	}
	if fidelity.Hash(k.values...) != k.hash {
		k.spoilt = errors.New("payload: its values were changed by a codec before, and could not be restored")
	}
	return errChanged
}

// leaveAsFound restores what was changed where nobody looked at once: in the
// sustained times and the profiles.
func (r *run) leaveAsFound() {
	for _, s := range r.subjects {
		if s.kept.mend() != nil {
			r.report.Warnings = append(r.report.Warnings, Warning{Code: "payload-changed",
				Message: "a codec changed the values of payload " + s.payload.name + " while sustained times or profiles were made"})
		}
	}
}

// usable is an error if the values are not what they were.
func (k *keptValues) usable() error {
	if k == nil {
		return nil
	}
	return k.spoilt
}

// blame looks, after a group was measured, whether the values are as they
// were. It returns the error of each cell, nil for most. Where several codecs
// had the same values in turn nobody knows who it was: they get a warning.
func (r *run) blame(g *group, outs []measure.CellOutcome) []error {
	errs := make([]error, len(g.cells))
	having := map[*keptValues][]int{}
	for i, c := range g.cells {
		if k := c.subject.kept; k != nil {
			having[k] = append(having[k], i)
		} else if outs[i].Err == nil && c.values != nil && fidelity.Hash(c.values...) != c.subject.hash {
			errs[i] = fmt.Errorf("while measured: %w", errChanged)
		}
	}
	for k, cells := range having {
		if k.mend() == nil {
			continue
		}
		codecs := map[string]bool{}
		for _, i := range cells {
			codecs[g.cells[i].result.Codec] = true
		}
		for _, i := range cells {
			if len(codecs) == 1 {
				errs[i] = fmt.Errorf("while measured: %w", errChanged)
				continue
			}
			g.cells[i].result.note(Warning{Code: "payload-changed",
				Message: "one of the codecs of this group changed the payload's values while they were measured, so that not all encoded the same",
				Advice:  "make the payload with NewPayloadFunc: each codec has values of its own then, and the one that changes them is named"})
		}
	}
	return errs
}
