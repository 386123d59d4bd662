package bson

import (
	"testing"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

func codecs() []serbench.Codec { return []serbench.Codec{New(), Default()} }

func TestContract(t *testing.T) {
	adapttest.Reflective(t, "bson", "go.mongodb.org/mongo-driver/v2", map[string]string{"hostile-input": "allocates the length that a string claims"}, codecs()...)
}

func FuzzUnmarshal(f *testing.F) { adapttest.Fuzz(f, codecs()...) }
