// Command robustness shows what each codec does with input that is no message,
// or a hostile one: cut short, with bits inverted, claiming to be huge, nested
// deeply, random. It starts copies of itself, since some inputs end the
// process of some codecs.
//
//	go run ./examples/robustness                              # print it
//	go run ./examples/robustness -w docs/robustness.md        # write it
//	go run ./examples/robustness -check docs/robustness.md    # fail if a verdict is not the file's
//	go run ./examples/robustness -codec 'cbor|vmihailenco'    # only these
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/all"
	"github.com/serbench/serbench/examples/internal/cli"
	"github.com/serbench/serbench/examples/payloads"
	"github.com/serbench/serbench/examples/payloads/payloadspb"
	"github.com/serbench/serbench/examples/payloads/zoo"
)

// seed of the inputs: the same each time.
const seed = 1

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	served, err := serbench.ServeChild(ctx, all.Codecs(), inputs())
	if served {
		if err != nil {
			fmt.Fprintln(os.Stderr, "robustness:", err)
			os.Exit(1)
		}
		return
	}
	write := flag.String("w", "", "write the document to `FILE`")
	check := flag.String("check", "", "compare the table with that of `FILE`; exit with 1 if they differ")
	pick := flag.String("codec", "", "only codecs whose name matches this `REGEXP`")
	flag.Parse()
	re, err := regexp.Compile(*pick)
	if flag.NArg() > 0 || *write != "" && *check != "" || err != nil {
		flag.Usage()
		os.Exit(2)
	}
	codecs := slices.DeleteFunc(all.Codecs(), func(c serbench.Codec) bool { return !re.MatchString(c.Name()) })
	if err := run(ctx, os.Stdout, codecs, *write, *check); err != nil {
		fmt.Fprintln(os.Stderr, "robustness:", err)
		os.Exit(1)
	}
}

// inputs are what is decoded: a tree of any value, a struct that holds its own
// type, and a message of a schema.
func inputs() []serbench.Payload {
	message := payloadspb.TestMessagePayloads()[1]
	return []serbench.Payload{
		serbench.NewPayload("repository", new(payloads.RepositoryMap())),
		serbench.NewPayload("chain", chain(1), chain(2), chain(3)),
		message,
	}
}

// chain nests; each is the one before in another link, so that the probe
// finds how a codec nests the type.
func chain(links int) *zoo.Node {
	var n *zoo.Node
	for range links {
		n = &zoo.Node{N: 1, Next: n}
	}
	return n
}

func run(ctx context.Context, stdout io.Writer, codecs []serbench.Codec, write, check string) error {
	found, err := serbench.Probe{Seed: seed}.Run(ctx, codecs, inputs())
	if err != nil {
		return err
	}
	var doc bytes.Buffer
	document(&doc, codecs, found)
	return cli.Document(stdout, doc.Bytes(), write, check, func(old, now []byte) error {
		return cli.Differs(check, "robustness")(rows(old), rows(now))
	})
}

// rows are the lines of the table, with one word for all verdicts in bold:
// whether a call is ended by its time, its memory or the system depends on the
// machine.
func rows(doc []byte) []byte {
	start := bytes.Index(doc, []byte(tableStart))
	end := bytes.Index(doc, []byte(tableEnd))
	if start < 0 || end < start {
		return nil
	}
	return bold.ReplaceAll(doc[start:end], []byte("**bad**"))
}

var bold = regexp.MustCompile(`\*\*[a-z]+\*\*`)
