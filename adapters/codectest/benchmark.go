package codectest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/serbench/serbench"
)

// Benchmark runs each codec on each payload as sub-benchmarks of b, for go
// test -bench: encode, decode and, for an Appender, append. Their names are
// codec=…/payload=…/form=…/op=…, so that
//
//	go test -bench . -count 10 | benchstat -col /codec -
//
// sets the codecs side by side. Each reports its allocations and, as
// wire-B/op, the size of the message; a corpus is cycled in order, and the
// size is then its mean.
//
// Before a codec is timed its values are encoded, decoded and compared: one
// that loses something is skipped with what it loses, since its time would be
// that of another task. Values that it does not support are skipped.
//
// Note: go test runs all of one codec before the next, so that what changes
// about the machine in between counts for one of them; the Runner measures
// codecs in turns, and says how sure a difference is. It can be called within
// a test or a benchmark.
func Benchmark(b *testing.B, codecs []serbench.Codec, payloads []serbench.Payload) {
	b.Helper()
	if len(codecs) == 0 || len(payloads) == 0 {
		b.Fatal("codectest: Benchmark needs codecs and payloads")
	}
	for _, c := range codecs {
		if c == nil {
			b.Fatal("codectest: a codec is nil")
		}
		for _, p := range payloads {
			name := fmt.Sprintf("codec=%s/payload=%s/form=%s", part(c.Name()), part(p.Name()), part(p.FormName()))
			b.Run(name+"/op=encode", func(b *testing.B) { newBench(b, c, p).encode() })
			b.Run(name+"/op=decode", func(b *testing.B) { newBench(b, c, p).decode() })
			if _, ok := c.(serbench.Appender); ok {
				b.Run(name+"/op=append", func(b *testing.B) { newBench(b, c, p).append() })
			}
		}
	}
}

// part keeps a name from being taken for more than one part of a benchmark's.
func part(name string) string {
	return strings.NewReplacer("/", "_", "=", "_", " ", "_").Replace(name)
}

// bench is one benchmark, checked.
type bench struct {
	b       *testing.B
	codec   serbench.Codec
	payload serbench.Payload
	values  []any
	msgs    [][]byte
	size    int
}

func newBench(b *testing.B, c serbench.Codec, p serbench.Payload) *bench {
	b.Helper()
	x := &bench{b: b, codec: c, payload: p}
	values, err := p.Values()
	if err != nil {
		b.Fatal(err)
	}
	x.values = values
	if s, ok := c.(serbench.Supporter); ok {
		x.must(s.Supports(values[0]))
	}
	for i, v := range values {
		msg, err := c.Marshal(v)
		x.must(err)
		x.msgs = append(x.msgs, bytes.Clone(msg))
		x.size += len(msg)
		got := p.New()
		x.must(c.Unmarshal(bytes.Clone(msg), got))
		if f := p.Compare(v, got); f.Class == serbench.Lossy {
			d := f.Differences[0]
			b.Skipf("lossy: value %d: %s %s (%s -> %s)", i, d.Path, d.Kind, d.Want, d.Got)
		}
	}
	b.ReportAllocs()
	return x
}

// must skips what is not supported and fails at other errors.
func (x *bench) must(err error) {
	x.b.Helper()
	if errors.Is(err, errors.ErrUnsupported) {
		x.b.Skip(err)
	}
	if err != nil {
		x.b.Fatal(err)
	}
}

func (x *bench) done() {
	x.b.ReportMetric(float64(x.size)/float64(len(x.msgs)), "wire-B/op")
}

func (x *bench) encode() {
	i := 0
	for x.b.Loop() {
		if _, err := x.codec.Marshal(x.values[i]); err != nil {
			x.b.Fatal(err)
		}
		if i++; i == len(x.values) {
			i = 0
		}
	}
	x.done()
}

func (x *bench) append() {
	a := x.codec.(serbench.Appender)
	var buf []byte
	i := 0
	for x.b.Loop() {
		out, err := a.Append(buf[:0], x.values[i])
		if err != nil {
			x.b.Fatal(err)
		}
		buf = out
		if i++; i == len(x.values) {
			i = 0
		}
	}
	x.done()
}

// decode decodes into a new target each time, as a program without a pool
// does: a target that is used again could keep what it held.
func (x *bench) decode() {
	i := 0
	for x.b.Loop() {
		if err := x.codec.Unmarshal(x.msgs[i], x.payload.New()); err != nil {
			x.b.Fatal(err)
		}
		if i++; i == len(x.msgs) {
			i = 0
		}
	}
	x.done()
}
