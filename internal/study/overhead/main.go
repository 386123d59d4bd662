// Command overhead measures what an adapter adds to its library: each adapter
// against the same library called without it, by the same call path, the two
// interleaved by the Runner.
//
//	go run ./internal/study/overhead -w docs/overhead.md
//	go run ./internal/study/overhead -codec msgp
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/all"
	"github.com/serbench/serbench/examples/payloads"
)

func main() {
	write := flag.String("w", "", "write the document to `FILE`")
	only := flag.String("codec", "", "only adapters whose name matches this `REGEXP`")
	budget := flag.Duration("budget", 6*time.Second, "wall time per adapter and payload, for three ops")
	flag.Parse()
	if err := run(*write, *only, *budget); err != nil {
		fmt.Fprintln(os.Stderr, "overhead:", err)
		os.Exit(1)
	}
}

func run(write, only string, budget time.Duration) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-codec: %w", err)
	}
	verified, cells, err := verification() // first, so that nothing is warm
	if err != nil {
		return err
	}
	var rows []row
	var environment serbench.Environment
	for _, p := range append(jsonPairs(), binaryPairs()...) {
		if !match.MatchString(p.adapter.Name()) {
			continue
		}
		for _, input := range p.inputs() {
			fmt.Fprintln(os.Stderr, p.adapter.Name(), input.Name())
			report, err := measure(p, input, budget)
			if err != nil {
				return err
			}
			environment = report.Environments[0]
			rows = append(rows, rowsOf(report)...)
		}
	}
	if len(rows) == 0 {
		return fmt.Errorf("-codec %q matches no adapter", only)
	}
	var out bytes.Buffer
	document(&out, rows, environment, verified, cells)
	if write != "" {
		return os.WriteFile(write, out.Bytes(), 0o644)
	}
	_, err = os.Stdout.Write(out.Bytes())
	return err
}

const directName = "direct"

// measure races the adapter against the direct calls on one payload.
func measure(p pair, input serbench.Payload, budget time.Duration) (*serbench.Report, error) {
	runner := serbench.Runner{
		Ops:      []serbench.Op{serbench.OpEncode, serbench.OpAppend, serbench.OpDecode},
		Baseline: directName,
		// No margin within which the two would be declared equivalent early:
		// the interval is to become as narrow as the time allows.
		Margin: -1, Precision: 0.003, Budget: budget,
	}
	return runner.Run(context.Background(), []serbench.Codec{direct{directName, p.direct}, p.adapter}, []serbench.Payload{input})
}

// verification times the check before timing: of all codecs on the first
// seed's document, in both forms.
func verification() (time.Duration, int, error) {
	codecs, inputs := all.Codecs(), payloads.RepositoryPayloads()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var last time.Duration
	runner := serbench.Runner{Ops: []serbench.Op{serbench.OpEncode}, Reps: 1, OnEvent: func(e serbench.Event) {
		if e.Phase == "verify" {
			last = e.Elapsed
			return
		}
		cancel()
	}}
	_, err := runner.Run(ctx, codecs, inputs)
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	return last, len(codecs) * len(inputs), err
}

// equal compares messages by their own equality.
func equal[T any](want, got *T) error {
	if !proto.Equal(any(want).(proto.Message), any(got).(proto.Message)) {
		return errors.New("the messages differ")
	}
	return nil
}

func must(errs ...error) {
	if err := errors.Join(errs...); err != nil {
		panic(err) // an option that worked when this was written
	}
}
