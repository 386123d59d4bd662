package bson

import (
	"testing"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapttest"
	"github.com/serbench/serbench/internal/hostinfo"
)

func codecs() []serbench.Codec { return []serbench.Codec{New(), Default()} }

func TestContract(t *testing.T) {
	const library = "go.mongodb.org/mongo-driver/v2"
	adapttest.Reflective(t, "bson", library, map[string]string{
		"hostile-input": "allocates what a length within a document claims: 136 bytes end the process, see docs/robustness.md",
	}, New())
	var except map[string]string
	if hostinfo.UnderRace() {
		except = map[string]string{"hostile-input": "recurses as deep as documents are nested: beyond the budget with the race detector's larger frames"}
	}
	adapttest.Reflective(t, "bson", library, except, Default())
}

func FuzzUnmarshal(f *testing.F) { adapttest.Fuzz(f, codecs()...) }
