package vmihailenco

import (
	"testing"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

func codecs() []serbench.Codec { return []serbench.Codec{New()} }

func TestContract(t *testing.T) {
	for _, c := range codecs() {
		t.Run(c.Name(), func(t *testing.T) {
			s := adapttest.Sample()
			s.Accepts = []string{"MessagePack"}
			adapttest.Contract(t, c, s)
			adapttest.Described(t, c, "msgpack", "github.com/vmihailenco/msgpack/v5")
		})
	}
}

func FuzzUnmarshal(f *testing.F) { adapttest.Fuzz(f, codecs()...) }
