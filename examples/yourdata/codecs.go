package main

import (
	"encoding/gob"
	"fmt"

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
