package sonic

import (
	"testing"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

func codecs() []serbench.Codec { return []serbench.Codec{New(), Default(), Fast()} }

func TestContract(t *testing.T) {
	adapttest.Reflective(t, "json", "github.com/bytedance/sonic", nil, codecs()...)
}

func FuzzUnmarshal(f *testing.F) { adapttest.Fuzz(f, codecs()...) }
