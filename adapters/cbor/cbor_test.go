package cbor

import (
	"testing"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

func codecs() []serbench.Codec { return []serbench.Codec{New(), Canonical()} }

func TestContract(t *testing.T) {
	adapttest.Reflective(t, "cbor", "github.com/fxamacker/cbor/v2", nil, codecs()...)
}

func FuzzUnmarshal(f *testing.F) { adapttest.Fuzz(f, codecs()...) }
