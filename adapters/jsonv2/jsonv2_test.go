package jsonv2

import (
	"testing"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

func codecs() []serbench.Codec { return []serbench.Codec{New(), Default()} }

func TestContract(t *testing.T) {
	for _, c := range codecs() {
		t.Run(c.Name(), func(t *testing.T) {
			s := adapttest.Sample()
			s.Accepts = []string{"JSON object"}
			adapttest.Contract(t, c, s)
			adapttest.Described(t, c, "json", "github.com/go-json-experiment/json")
		})
	}
}

func FuzzUnmarshal(f *testing.F) { adapttest.Fuzz(f, codecs()...) }
