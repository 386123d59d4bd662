// Yourtype shows how to compare codecs on types of your own. Its types are in
// ./model; one has generated methods, the other has none, so that the table
// shows what a codec says that needs them:
//
//	go run ./examples/yourtype
//
// Copy this file, put your types in place of model's, and your recorded
// messages in place of the made-up ones:
//
//	orders, err := serbench.LoadJSON[model.Order]("order", file, serbench.LoadOptions{Source: name})
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/cbor"
	"github.com/serbench/serbench/adapters/easyjson"
	"github.com/serbench/serbench/adapters/msgp"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/adapters/vmihailenco"
	"github.com/serbench/serbench/examples/internal/cli"
	"github.com/serbench/serbench/examples/yourtype/model"
	"github.com/serbench/serbench/render"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout io.Writer, stderr *os.File) int {
	fs := flag.NewFlagSet("yourtype", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var opts cli.Options
	opts.AddTo(fs)
	if code, done := cli.Parse(fs, args); done {
		return code
	}
	codecs := []serbench.Codec{stdlib.JSON(), easyjson.New(), msgp.New(), vmihailenco.New(), cbor.New(), stdlib.Gob()}
	payloads := []serbench.Payload{
		serbench.NewGenerated[model.Order]("order", 100, serbench.Generator{Seed: 1}),
		serbench.NewGenerated[model.Receipt]("receipt", 100, serbench.Generator{Seed: 1}),
	}
	runner := serbench.Runner{Title: "types of your own", AllPairs: true, Budget: 15 * time.Second}
	codecs, payloads, err := opts.Apply(&runner, codecs, payloads)
	if err != nil {
		fmt.Fprintln(stderr, "yourtype:", err)
		return cli.ExitUsage
	}
	if runner.Reps > 0 || runner.Time > 0 {
		runner.Budget = 0
	}
	return cli.Run(runner, codecs, payloads, opts.Out, stdout, stderr, render.Text)
}
