package main

import (
	"encoding/gob"
	"fmt"
	"time"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/all"
)

// codecs are those of adapters/all that take values in generic form. Unless
// all variants are asked for, one of each library and format: the first.
func codecs(variants bool) (out []serbench.Codec) {
	// gob sends an interface's value only if its type is registered.
	gob.Register(map[string]any{})
	gob.Register([]any{})
	seen := map[string]bool{}
	for _, c := range all.Codecs() {
		if !takesGeneric(c) {
			continue
		}
		if d, ok := c.(serbench.Describer); ok && !variants {
			i := d.Describe()
			of := fmt.Sprint(i.Library, " ", i.Format)
			if seen[of] {
				continue
			}
			seen[of] = true
		}
		out = append(out, c)
	}
	return out
}

// takesGeneric reports whether a codec gives a small generic value back. What
// it makes of the values of a file is for the Runner to find out.
func takesGeneric(c serbench.Codec) bool {
	in := map[string]any{"a": []any{"b", true, map[string]any{}}}
	if s, ok := c.(serbench.Supporter); ok && s.Supports(&in) != nil {
		return false
	}
	data, err := c.Marshal(&in)
	if err != nil {
		return false
	}
	var out map[string]any
	return c.Unmarshal(data, &out) == nil && len(out) == 1
}

// rehearse sends the payloads through all codecs once. It returns the first
// codec that loses nothing of them, since one that does is compared with none
// (large numbers make encoding/json such a one), and about how long the
// Runner's checks take, which come before its measuring.
func rehearse(codecs []serbench.Codec, payloads []serbench.Payload) (baseline string, checks time.Duration) {
	start := time.Now()
	for _, c := range codecs {
		lost := false
		for _, p := range payloads {
			lost = loses(c, p) || lost
		}
		if !lost && baseline == "" {
			baseline = c.Name()
		}
	}
	return baseline, 12 * time.Since(start)
}

// loses reports whether a codec does not give a payload back. It may be
// anybody's: a panic is for the Runner to tell.
func loses(c serbench.Codec, p serbench.Payload) (lost bool) {
	defer func() {
		if recover() != nil {
			lost = true
		}
	}()
	values, err := p.Values()
	if err != nil {
		return true
	}
	for _, v := range values {
		data, err := c.Marshal(v)
		if err != nil {
			return true
		}
		got := p.New()
		if c.Unmarshal(data, got) != nil {
			return true
		}
		lost = p.Compare(v, got).Class == serbench.Lossy || lost
	}
	return lost
}
