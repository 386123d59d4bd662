package jsoniter

import (
	"strings"
	"testing"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/codectest"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

func codecs() []serbench.Codec { return []serbench.Codec{New(), Fastest()} }

func TestContract(t *testing.T) {
	for _, c := range codecs() {
		t.Run(c.Name(), func(t *testing.T) {
			p, kit := adapttest.Items(), codectest.Kit{Unsupported: adapttest.Unsupported()}
			if c.Name() == "jsoniter-fastest-lossy" {
				short, long := adapttest.NewItem("value"), adapttest.NewItem(strings.Repeat("x", 70_000))
				short.F, long.F = 0.5, 0.5 // which six digits hold
				p = serbench.NewPayload("item", short, long)
				kit.Except = map[string]string{"generated": "writes floating point numbers with six digits, and says so in its name"}
			}
			adapttest.Contract(t, c, kit, p)
			adapttest.Described(t, c, "json", "github.com/json-iterator/go")
		})
	}
}

func FuzzUnmarshal(f *testing.F) { adapttest.Fuzz(f, codecs()...) }
