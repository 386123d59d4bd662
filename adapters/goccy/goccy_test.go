package goccy

import (
	"testing"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

func codecs() []serbench.Codec { return []serbench.Codec{New(), Unordered()} }

func TestContract(t *testing.T) {
	adapttest.Reflective(t, "json", "github.com/goccy/go-json", nil, codecs()...)
}

func FuzzUnmarshal(f *testing.F) { adapttest.Fuzz(f, codecs()...) }
