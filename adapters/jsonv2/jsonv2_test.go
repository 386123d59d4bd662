package jsonv2

import (
	"testing"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

func codecs() []serbench.Codec { return []serbench.Codec{New(), Default()} }

func TestContract(t *testing.T) {
	adapttest.Reflective(t, "json", "github.com/go-json-experiment/json", nil, codecs()...)
}

func FuzzUnmarshal(f *testing.F) { adapttest.Fuzz(f, codecs()...) }
