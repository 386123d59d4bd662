//lint:file-ignore ST1005 these errors begin with the method that they are about

package codectest

import (
	"fmt"

	"github.com/serbench/serbench"
)

// defaultGenerated values are made up of each payload's type.
const defaultGenerated = 8

// generated tries values of the payload's type that the codec's author has not
// seen. One that it refuses to encode may be outside of what it is for.
func (s *subject) generated() error {
	n := s.kit.Generated
	if n == 0 {
		n = defaultGenerated
	}
	if n < 0 {
		return skipf("no values are to be made up")
	}
	refused, why := 0, error(nil)
	for i := range n {
		v := s.payload.New()
		if _, err := s.kit.generator(i).Fill(v, i); err != nil {
			return skipf("no values can be made up: %v", err)
		}
		msg, err := s.codec.Marshal(v)
		if err != nil {
			refused, why = refused+1, err
			continue
		}
		got, err := s.decode(msg)
		if err != nil {
			return fmt.Errorf("Unmarshal of generated value %d: %w", i, err)
		}
		f := s.payload.Compare(v, got)
		if f.Class != serbench.Lossy {
			continue
		}
		lost := fmt.Errorf("generated value %d is not what it was: %s", i, lossOf(f))
		if s.kit.AllowLoss {
			return skipf("%v", lost)
		}
		return lost
	}
	if refused == n {
		return skipf("it encodes none of the generated values: %v", why)
	}
	return nil
}

// generator makes the i-th value: every fourth one is large.
func (k Kit) generator(i int) serbench.Generator {
	g := k.Generator
	if i%4 == 3 && g.MaxText == 0 && g.MaxLen == 0 {
		g.MaxText, g.MaxLen = 3000, 12
	}
	return g
}

func lossOf(f serbench.Fidelity) (text string) {
	for _, d := range f.Differences {
		if d.Normalised {
			continue
		}
		if text != "" {
			text += "; "
		}
		text += fmt.Sprintf("%s: %s (%s -> %s)", d.Path, d.Kind, d.Want, d.Got)
	}
	return text
}
