package serbench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/serbench/serbench"
)

// What is a codec worth through a queue? Each op is measured with its two
// controls, and the report says how much of the time is the codec.
func ExampleTransport() {
	codec := serbench.NewCodec("json", json.Marshal, json.Unmarshal)
	payload := serbench.NewPayload("point", &struct{ X, Y int }{1, 2})
	runner := serbench.Runner{
		Ops:        []serbench.Op{serbench.OpSend, serbench.OpReceive},
		Transports: []serbench.Transport{serbench.Loopback()},
		Reps:       100,
	}
	report, err := runner.Run(context.Background(), []serbench.Codec{codec}, []serbench.Payload{payload})
	if err != nil {
		fmt.Println(err)
	}
	for _, s := range report.Shares {
		fmt.Println(s.Whole, s.OfCodec != nil, s.Left != nil)
	}
	// Output:
	// point/struct/json/send@loopback true true
	// point/struct/json/receive@loopback true true
}

// A program whose cells are measured in processes of their own calls
// ServeChild first: its copies do their work there and return.
func ExampleServeChild() {
	main := func(ctx context.Context) error {
		codecs := []serbench.Codec{serbench.NewCodec("json", json.Marshal, json.Unmarshal)}
		payloads := []serbench.Payload{serbench.NewPayload("point", &struct{ X, Y int }{1, 2})}

		served, err := serbench.ServeChild(ctx, codecs, payloads)
		if served || err != nil {
			return err
		}
		report, err := serbench.Runner{Launches: 5, ChildMemory: 1 << 30}.Run(ctx, codecs, payloads)
		if err != nil {
			return err
		}
		return report.WriteJSON(os.Stdout)
	}
	_ = main
	// Output:
}
