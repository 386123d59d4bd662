// Command interop lets the codecs of one format decode each other's messages
// and shows what comes out, as Markdown.
//
//	go run ./examples/interop                           # print it
//	go run ./examples/interop -w docs/interop.md        # write it
//	go run ./examples/interop -check docs/interop.md    # fail if the file is not current
package main

import (
	"bytes"
	"encoding/gob"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/all"
	"github.com/serbench/serbench/examples/internal/cli"
	"github.com/serbench/serbench/examples/payloads"
	"github.com/serbench/serbench/examples/payloads/payloadspb"
	"github.com/serbench/serbench/examples/payloads/zoo"
)

func main() {
	write := flag.String("w", "", "write the document to `FILE`")
	check := flag.String("check", "", "compare the document with `FILE`; exit with 1 if they differ")
	flag.Parse()
	if flag.NArg() > 0 || *write != "" && *check != "" {
		flag.Usage()
		os.Exit(2)
	}
	// A decoder that makes local times shows as such wherever this runs.
	time.Local = time.FixedZone("Local", 3600)
	// gob encodes in interfaces only what a program registers.
	for _, v := range []any{map[string]any{}, []any{}, time.Time{}, time.Second, zoo.Two{}, zoo.Square{}} {
		gob.Register(v)
	}
	if err := run(os.Stdout, *write, *check); err != nil {
		fmt.Fprintln(os.Stderr, "interop:", err)
		os.Exit(1)
	}
}

func run(stdout io.Writer, write, check string) error {
	var doc bytes.Buffer
	document(&doc, matrices(codecs(), inputs()))
	return cli.Document(stdout, doc.Bytes(), write, check, cli.Differs(check, "interop"))
}

// codecs are all, and the one that needs to be told its schema.
func codecs() []serbench.Codec { return append(all.Codecs(), dynamic{}) }

// inputs are a value of every kind, and the payloads that other documents
// show.
func inputs() []serbench.Payload {
	var list []serbench.Payload
	for _, c := range zoo.Cases() {
		list = append(list, c.Payload)
	}
	list = append(list, payloads.RepositoryPayloads()...)
	list = append(list, payloads.EventPayloads()...)
	list = append(list, payloads.TestMessagePayloads()...)
	return append(list, payloadspb.Payloads()[:4]...)
}
