package serbench

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

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
	plain  bool  // the copies share nothing with the values: comparing tells what hashing would
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
		k.copies, k.plain = copies, !slices.ContainsFunc(p.values, func(v any) bool { return !plainTree(v, 0) })
	}
	return k
}

// mostPlain levels are looked at by plainTree.
const mostPlain = 1000

// plainTree reports whether a value is made of nothing but what JSON has, so
// that it has no parts that a copy could share. For large documents comparing
// with the copy takes a tenth of the time of hashing.
func plainTree(v any, depth int) bool {
	if depth > mostPlain {
		return false
	}
	switch v := v.(type) {
	case nil, bool, string, float64, int64, uint64:
		return true
	case *any:
		return plainTree(*v, depth+1)
	case *map[string]any:
		return plainTree(*v, depth+1)
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !plainTree(e, depth+1) })
	case map[string]any:
		for _, e := range v {
			if !plainTree(e, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// changed reports whether the values are not what they were.
func (k *keptValues) changed() bool {
	if !k.plain {
		return fidelity.Hash(k.values...) != k.hash
	}
	for i, v := range k.values {
		if !fidelity.Equal(k.copies[i], v, fidelity.Options{}) {
			return true
		}
	}
	return false
}

// mend is an error if the values have changed since they were last looked at,
// and restores them.
func (k *keptValues) mend() error {
	if k == nil || k.spoilt != nil || !k.changed() {
		return nil
	}
	// The copies stay behind: what is handed out may be changed again.
	if again, ok := variant.Clone(k.copies); ok && again != nil {
		for i, v := range k.values {
			reflect.ValueOf(v).Elem().Set(reflect.ValueOf(again[i]).Elem())
		}
	}
	if k.changed() {
		k.spoilt = errors.New("payload: its values were changed by a codec before, and could not be restored")
	}
	return errChanged
}

// leaveAsFound restores what was changed where nobody looked at once: in the
// sustained times and the profiles.
func (r *run) leaveAsFound() {
	looked := map[*keptValues]bool{}
	for _, s := range r.subjects {
		if looked[s.kept] {
			continue
		}
		looked[s.kept] = true
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
