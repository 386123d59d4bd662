// Cmpthese repeats the seed "perl-cmpthese": five serializers on one message
// of a long integer array and a few small maps, as Perl's Benchmark::cmpthese
// measures and prints it: one second of CPU time per case, the time of as many
// empty calls taken off, a chart of all pairs. Then it says what the original
// could not.
//
//	go run ./examples/seeds/cmpthese
package main

import (
	"encoding/gob"
	"flag"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/bson"
	"github.com/serbench/serbench/adapters/easyjson"
	"github.com/serbench/serbench/adapters/msgp"
	"github.com/serbench/serbench/adapters/sonic"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/examples/payloads"
	"github.com/serbench/serbench/examples/seeds/internal/seed"
	"github.com/serbench/serbench/render"
)

func main() {
	// gob sends an interface's value only if its type is registered.
	gob.Register(map[string]any{})
	gob.Register([]any{})
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout io.Writer, stderr *os.File) int {
	form := "map"
	p := seed.Program{
		Name:  "cmpthese",
		Study: 5 * time.Second,
		Runner: serbench.Runner{
			Title: "Five serializers on the fat message", Ops: serbench.DefaultOps(),
			CPUTime: time.Second, Collector: serbench.CollectorLeave,
			Plan: serbench.Plan{Declared: true, SubtractNoop: true},
		},
		Flags: func(fs *flag.FlagSet) {
			fs.StringVar(&form, "form", "map", "the message as the original's generic `map`, or as a struct with generated methods")
		},
		Input: func(*serbench.Runner) ([]serbench.Codec, []serbench.Payload, error) {
			all, err := seed.Form(form, payloads.FatPayloads())
			return codecs(form), all, err
		},
		Layout: render.Cmpthese,
	}
	return p.Run(args, stdout, stderr)
}

// codecs in the order of their names, as the original runs its cases.
func codecs(form string) []serbench.Codec {
	all := []serbench.Codec{stdlib.JSON(), stdlib.Gob(), bson.New()}
	if form == "map" {
		all = append(all, sonic.New(), msgp.Tree())
	} else {
		all = append(all, easyjson.New(), msgp.New())
	}
	slices.SortFunc(all, func(a, b serbench.Codec) int { return strings.Compare(a.Name(), b.Name()) })
	return all
}
