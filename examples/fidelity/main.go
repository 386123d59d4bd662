// Command fidelity shows what each codec does to each kind of value: a table
// of codecs and kinds in Markdown, with what changes in words below it.
//
//	go run ./examples/fidelity                            # print it
//	go run ./examples/fidelity -w docs/fidelity.md        # write it
//	go run ./examples/fidelity -check docs/fidelity.md    # fail if the file is not current
package main

import (
	"bytes"
	"encoding/gob"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/serbench/serbench/adapters/all"
	"github.com/serbench/serbench/examples/internal/cli"
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
	// gob decodes into interfaces only what a program registers.
	for _, v := range []any{map[string]any{}, []any{}, time.Time{}, time.Second, zoo.Two{}, zoo.Square{}} {
		gob.Register(v)
	}
	if err := run(os.Stdout, *write, *check); err != nil {
		fmt.Fprintln(os.Stderr, "fidelity:", err)
		os.Exit(1)
	}
}

func run(stdout io.Writer, write, check string) error {
	var buf bytes.Buffer
	cases := zoo.Cases()
	document(&buf, matrix(all.Codecs(), cases), cases)
	return cli.Document(stdout, buf.Bytes(), write, check, func(old, now []byte) error {
		if line := firstDifference(old, now); line > 0 {
			return cli.Stale(check, fmt.Sprintf(" from line %d on", line), "fidelity")
		}
		return nil
	})
}

// firstDifference returns the number of the first line that differs, or 0.
func firstDifference(a, b []byte) int {
	la, lb := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range max(len(la), len(lb)) {
		if i >= len(la) || i >= len(lb) || !bytes.Equal(la[i], lb[i]) {
			return i + 1
		}
	}
	return 0
}
