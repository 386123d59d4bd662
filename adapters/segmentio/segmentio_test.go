package segmentio

import (
	"testing"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

func codecs() []serbench.Codec { return []serbench.Codec{New()} }

func TestContract(t *testing.T) {
	adapttest.Reflective(t, "json", "github.com/segmentio/encoding", map[string]string{"hostile-input": "nests as deep as the input says, with more than 64 bytes of stack for each bracket: 60,000 are beyond the budget, two million end the process, see docs/robustness.md"}, codecs()...)
}

func FuzzUnmarshal(f *testing.F) { adapttest.Fuzz(f, codecs()...) }
