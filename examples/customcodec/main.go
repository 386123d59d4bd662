// Customcodec races a codec that was written from scratch, in plain.go,
// against others. The Runner checks first that it gives the values back.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/msgp"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/examples/internal/cli"
	"github.com/serbench/serbench/examples/payloads"
	"github.com/serbench/serbench/render"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout io.Writer, stderr *os.File) int {
	fs := flag.NewFlagSet("customcodec", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var opts cli.Options
	opts.AddTo(fs)
	if code, done := cli.Parse(fs, args); done {
		return code
	}
	runner := serbench.Runner{
		Title: "A custom codec against msgp and encoding/json",
		Ops:   []serbench.Op{serbench.OpEncode, serbench.OpDecode, serbench.OpAppend},
	}
	codecs, inputs, err := opts.Apply(&runner,
		[]serbench.Codec{Plain{}, msgp.New(), stdlib.JSON()},
		[]serbench.Payload{serbench.NewPayload("repository", payloads.RepositoryValue()), serbench.NewPayload("event", payloads.EventValue())})
	if err != nil {
		fmt.Fprintln(stderr, err)
		return cli.ExitUsage
	}
	return cli.Run(runner, codecs, inputs, opts.Out, stdout, stderr, render.Text)
}
