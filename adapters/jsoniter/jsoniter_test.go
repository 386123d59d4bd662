package jsoniter

import (
	"testing"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

func codecs() []serbench.Codec { return []serbench.Codec{New(), Fastest()} }

func TestContract(t *testing.T) {
	for _, c := range codecs() {
		t.Run(c.Name(), func(t *testing.T) {
			s := adapttest.Sample()
			s.Accepts = []string{"JSON object"}
			if c.Name() == "jsoniter-fastest-lossy" {
				s.Value.(*adapttest.Item).F, s.Big.(*adapttest.Item).F = 0.5, 0.5
			}
			adapttest.Contract(t, c, s)
			adapttest.Described(t, c, "json", "github.com/json-iterator/go")
		})
	}
}

func FuzzUnmarshal(f *testing.F) { adapttest.Fuzz(f, codecs()...) }
