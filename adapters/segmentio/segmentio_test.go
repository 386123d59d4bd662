package segmentio

import (
	"testing"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

func codecs() []serbench.Codec { return []serbench.Codec{New()} }

func TestContract(t *testing.T) {
	adapttest.Reflective(t, "json", "github.com/segmentio/encoding", map[string]string{"hostile-input": "quadratic in the depth of nesting"}, codecs()...)
}

func FuzzUnmarshal(f *testing.F) { adapttest.Fuzz(f, codecs()...) }
