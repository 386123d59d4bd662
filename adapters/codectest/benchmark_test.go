package codectest_test

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/codectest"
)

func BenchmarkBridge(b *testing.B) {
	lossy := &fake{name: "lossy", marshal: func(t *thing) ([]byte, error) { return []byte("{}"), nil }}
	f := &fake{name: "honest"}
	codectest.Benchmark(b, []serbench.Codec{f, appending{&fake{name: "appends"}, nil}, lossy},
		[]serbench.Payload{serbench.NewPayload("thing", things2()[0], things2()[1]), serbench.NewPayload("unknown", new(int))})
}

func TestBenchmarkIsReadByGoTestAndBenchstat(t *testing.T) {
	out, err := exec.Command(os.Args[0], "-test.run=^$", "-test.bench=^BenchmarkBridge$", "-test.benchtime=10x", "-test.count=2").CombinedOutput()
	require.NoError(t, err, "%s", out)
	lines := regexp.MustCompile(`(?m)^BenchmarkBridge/codec=\S+/payload=thing/form=struct/op=\w+\S*\s+10\t.* ns/op\t.* wire-B/op\t.* B/op\t.* allocs/op$`).FindAllString(string(out), -1)
	assert.Len(t, lines, 10, "encode and decode of two codecs and append of one, twice:\n%s", out)
	assert.NotRegexp(t, `codec=lossy/\S+\s+10\t`, string(out), "a codec that loses data gets no number")
}

func BenchmarkRunnerInside(b *testing.B) {
	for b.Loop() {
		_, err := serbench.Runner{Reps: 10, Ops: []serbench.Op{serbench.OpEncode}}.Run(b.Context(), []serbench.Codec{&fake{name: "honest"}}, []serbench.Payload{things()})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// The Runner is not testing.Benchmark, which waits for ever inside another.
func TestTheRunnerCanBeCalledInABenchmark(t *testing.T) {
	out, err := exec.CommandContext(context.Background(), os.Args[0], "-test.run=^$", "-test.bench=^BenchmarkRunnerInside$", "-test.benchtime=2x", "-test.timeout=1m").CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Regexp(t, `(?m)^BenchmarkRunnerInside\S*\s+2\t`, string(out))
}
