// Quickstart compares the codecs of serbench on one document, a repository's
// description, as a struct and as a map, and prints a ranked table per op:
//
//	go run ./examples/quickstart
//
// It takes less than 20 seconds. Ctrl-C prints what is done.
package main

import (
	"encoding/gob"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/all"
	"github.com/serbench/serbench/adapters/easyjson"
	"github.com/serbench/serbench/adapters/msgp"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/adapters/ugorji"
	"github.com/serbench/serbench/examples/internal/cli"
	"github.com/serbench/serbench/examples/payloads"
	"github.com/serbench/serbench/examples/payloads/payloadspb"
	"github.com/serbench/serbench/render"
)

func main() {
	// gob sends an interface's value only if its type is registered.
	gob.Register(map[string]any{})
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout io.Writer, stderr *os.File) int {
	fs := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var opts cli.Options
	opts.AddTo(fs)
	budget := fs.Duration("budget", 18*time.Second, "wall time for the whole run; with -reps or -time there is no bound")
	everything := fs.Bool("all", false, "every codec of adapters/all, also on the document as a protobuf message; takes a minute, if -budget does not say otherwise")
	if code, done := cli.Parse(fs, args); done {
		return code
	}
	codecs, inputs := card(), payloads.RepositoryPayloads()
	if *everything {
		codecs, inputs = all.Codecs(), append(inputs, messages()...)
		if !isSet(fs, "budget") {
			*budget = time.Minute
		}
	}
	runner := serbench.Runner{
		Title:    "The repository document",
		AllPairs: true,
		LiveHeap: 64 << 20,
		Budget:   *budget,
	}
	codecs, inputs, err := opts.Apply(&runner, codecs, inputs)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return cli.ExitUsage
	}
	if runner.Reps > 0 || runner.Time > 0 {
		runner.Budget = 0
	}
	return cli.Run(runner, codecs, inputs, opts.Out, stdout, stderr, render.Text)
}

func isSet(fs *flag.FlagSet, name string) (set bool) {
	fs.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}

// messages are the document as a protobuf message.
func messages() []serbench.Payload {
	return slices.DeleteFunc(payloadspb.Payloads(), func(p serbench.Payload) bool { return p.Name() != "repository" })
}

// card lists the codecs that the main job compares.
func card() []serbench.Codec {
	return []serbench.Codec{
		stdlib.JSON(), stdlib.Gob(), msgp.New(), msgp.Tree(), easyjson.New(),
		ugorji.JSON(), ugorji.MsgPack(), ugorji.CBOR(), ugorji.Binc(), ugorji.Simple(),
	}
}
