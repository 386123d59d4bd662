package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/codectest"
	"github.com/serbench/serbench/examples/payloads"
)

func inputs() []serbench.Payload {
	long := payloads.RepositoryValue()
	long.Repository.Description = strings.Repeat(long.Repository.Description, 500)
	return []serbench.Payload{
		serbench.NewPayload("repository", payloads.RepositoryValue(), long),
		serbench.NewPayload("event", payloads.EventValue()),
	}
}

// Run it with -race too.
func TestPlainKeepsTheContract(t *testing.T) {
	codectest.Kit{Unsupported: map[string]any{
		"a map":               &map[string]any{"a": 1},
		"an unexported field": &struct{ a int }{1},
		"a slice in a struct": &struct{ L []int }{},
	}}.Run(t, Plain{}, inputs()...)
}

// hasty is Plain as it was first written: it shares its buffer between calls.
type hasty struct{ buf *[]byte }

func (h hasty) Name() string { return "hasty" }

func (h hasty) Marshal(v any) (out []byte, err error) {
	*h.buf, err = Plain{}.Append((*h.buf)[:0], v)
	return *h.buf, err
}

func (h hasty) Unmarshal(data []byte, v any) error { return Plain{}.Unmarshal(data, v) }

func TestTheKitCatchesTheFirstVersion(t *testing.T) {
	err := codectest.TestCodec(hasty{new([]byte)}, inputs()...)
	assert.ErrorContains(t, err, "output-kept: reuses-output")
	assert.ErrorContains(t, err, "rule: The message belongs to the caller")
}

// For go test -bench . -count 10 | benchstat -col /codec -
func BenchmarkPlain(b *testing.B) {
	codectest.Benchmark(b, []serbench.Codec{Plain{}}, inputs())
}
