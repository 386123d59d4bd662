// Protobm repeats the seed "ruby-protobuf": a message of twenty fields, three
// of them set, in protobuf's binary format and its JSON, as Ruby's
// Benchmark.bm measures and prints it: 100,000 reps per row, no warm-up, user,
// system and wall time; once for each back end. Then it says what the original
// could not.
//
//	go run ./examples/seeds/protobm
//	go run ./examples/seeds/protobm -fill dense
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/easyjson"
	"github.com/serbench/serbench/adapters/protobuf"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/adapters/vtprotobuf"
	"github.com/serbench/serbench/examples/payloads"
	"github.com/serbench/serbench/examples/payloads/payloadspb"
	"github.com/serbench/serbench/examples/seeds/internal/seed"
	"github.com/serbench/serbench/render"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// backEnd is a table: one way to encode the message.
type backEnd struct {
	title        string
	form         string
	binary, json string // codecs
}

var backEnds = []backEnd{
	{"protobuf-go, generated messages", "proto", "protobuf", "protojson"},
	{"vtprotobuf", "proto", "vtprotobuf", "vtprotobuf-json"},
	{"protobuf-go, messages by their descriptor", "dynamic", "protobuf-dynamic", "protojson"},
	{"encoding/json on a struct: other bytes, with the fields that are not set", "struct", "", "json"},
	{"easyjson on a struct: other bytes, with the fields that are not set", "struct", "", "easyjson"},
}

func run(args []string, stdout io.Writer, stderr *os.File) int {
	fill := "sparse"
	p := seed.Program{
		Name:  "protobm",
		Study: 5 * time.Second,
		Runner: serbench.Runner{
			Title: "protobuf and its JSON on a message of twenty fields", Ops: []serbench.Op{serbench.OpEncode, serbench.OpDecode},
			Reps: 100_000, Collector: serbench.CollectorLeave, Plan: serbench.Plan{Declared: true, WarmupReps: -1},
		},
		Flags: func(fs *flag.FlagSet) {
			fs.StringVar(&fill, "fill", "sparse", "set three fields, as the original, or all: `sparse` or dense")
		},
		Input: func(*serbench.Runner) ([]serbench.Codec, []serbench.Payload, error) {
			all, err := input(fill)
			return codecs(), all, err
		},
		Layout: layout,
	}
	return p.Run(args, stdout, stderr)
}

func codecs() []serbench.Codec {
	generated, plain := reflect.TypeFor[*payloadspb.TestMessage](), reflect.TypeFor[*payloads.TestMessage]()
	dynamic := protobuf.Dynamic((&payloadspb.TestMessage{}).ProtoReflect().Descriptor())
	return []serbench.Codec{
		only{protobuf.New(), generated}, dynamic, only{protobuf.JSON(), generated},
		vtprotobuf.New(), noJSON(),
		only{stdlib.JSON(), plain}, easyjson.New(),
	}
}

// only is a codec for the one type that its rows in the tables are about.
type only struct {
	serbench.Codec
	typ reflect.Type
}

func (o only) Describe() serbench.Info {
	if d, ok := o.Codec.(serbench.Describer); ok {
		return d.Describe()
	}
	return serbench.Info{}
}

func (o only) Supports(v any) error {
	if reflect.TypeOf(v) != o.typ {
		return serbench.Unsupported(v, "is not what "+o.Name()+" is measured on here, "+o.typ.Elem().String())
	}
	return nil
}

// noJSON stands for what vtprotobuf does not have: a row with the reason.
func noJSON() serbench.Codec { return missing{} }

type missing struct{}

func (missing) Name() string                      { return "vtprotobuf-json" }
func (m missing) Marshal(v any) ([]byte, error)   { return nil, m.Supports(v) }
func (m missing) Unmarshal(_ []byte, v any) error { return m.Supports(v) }
func (missing) Supports(v any) error {
	return serbench.Unsupported(v, "has no JSON methods: vtprotobuf generates none")
}

func input(fill string) ([]serbench.Payload, error) {
	name := map[string]string{"sparse": "testmessage", "dense": "testmessage-dense"}[fill]
	if name == "" {
		return nil, fmt.Errorf("-fill %q: there are sparse and dense", fill)
	}
	var out []serbench.Payload
	for _, p := range slices.Concat(payloadspb.TestMessagePayloads(), payloads.TestMessagePayloads()) {
		if p.Name() != name || p.FormName() == "map" {
			continue
		}
		out = append(out, p)
		if p.FormName() != "proto" {
			continue
		}
		values, err := p.Values()
		if err != nil {
			return nil, err
		}
		out = append(out, serbench.NewPayloadFunc(name, func() ([]*dynamicpb.Message, error) {
			m, err := protobuf.DynamicMessage(values[0].(proto.Message))
			return []*dynamicpb.Message{m}, err
		}).With(serbench.Form("dynamic"), serbench.Equal(protobuf.Equal[dynamicpb.Message])))
	}
	return out, nil
}

// layout writes a table for each back end, the original's rows in its order.
func layout(w io.Writer, r *serbench.Report) error {
	var errs []error
	for i, b := range backEnds {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "# %s\n", b.title)
		errs = append(errs, render.RubyTable{Label: b.label}.Write(w, r))
	}
	errs = append(errs, sizes(w, r))
	return errors.Join(errs...)
}

// label is the original's name of a row, "" for what is no row of the table.
func (b backEnd) label(res *serbench.Result) string {
	if res.Form != b.form {
		return ""
	}
	switch res.Codec {
	case b.binary:
		return "." + string(res.Op)
	case b.json:
		return "." + string(res.Op) + "_json"
	}
	return ""
}

// sizes says what the original did not: how large the messages are.
func sizes(w io.Writer, r *serbench.Report) error {
	var parts []string
	for _, res := range r.Results {
		if res.Op == serbench.OpEncode && res.Encoded != nil {
			parts = append(parts, fmt.Sprintf("%s (%s) %d", res.Codec, res.Form, res.Encoded.Max))
		}
	}
	_, err := fmt.Fprintf(w, "\nbytes: %s\n", strings.Join(parts, ", "))
	return err
}
