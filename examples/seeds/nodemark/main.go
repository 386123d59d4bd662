// Nodemark repeats the seed "deno-nodemark": how the layout of the data changes
// what a serializer costs, as nodemark measures and prints it: 3.3 seconds per
// case, each call timed by itself, the cost of reading the clock taken off.
// Then it says what the original could not.
//
//	go run ./examples/seeds/nodemark
//	go run ./examples/seeds/nodemark -layout all -op encode,decode
//	go run ./examples/seeds/nodemark -podcasts sample-large.json -geo USA.geojson
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/msgp"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/examples/payloads"
	"github.com/serbench/serbench/examples/seeds/internal/seed"
	"github.com/serbench/serbench/render"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// layouts by their names on the command line; the original's four come first.
var layouts = []struct{ name, payload string }{
	{"strings", "podcasts"}, {"nested", "geo"}, {"flat", "geo-flat"}, {"bytes", "geo-bytes"}, {"packed", "geo-packed"},
}

func run(args []string, stdout io.Writer, stderr *os.File) int {
	var form, layout, podcasts, geo string
	var table render.NodemarkTable
	p := seed.Program{
		Name:  "nodemark",
		Study: 5 * time.Second,
		Runner: serbench.Runner{
			Title: "JSON and MessagePack on four layouts", Ops: []serbench.Op{serbench.OpEncode},
			Time: 3300 * time.Millisecond, Collector: serbench.CollectorLeave,
			Plan: serbench.Plan{Declared: true, BatchReps: 1, DropSamples: 5, MinSamples: 10, SubtractClock: true, WarmupReps: -1},
		},
		Flags: func(fs *flag.FlagSet) {
			fs.StringVar(&form, "form", "map", "the documents as the original's generic `map`, or as structs with generated methods")
			fs.StringVar(&layout, "layout", "strings,nested,flat,bytes", "a comma-separated `LIST` of strings, nested, flat, bytes, packed; or all")
			fs.StringVar(&podcasts, "podcasts", "", "read the strings from this JSON `FILE` instead of generating them")
			fs.StringVar(&geo, "geo", "", "read the numbers from this GeoJSON `FILE` instead of generating them")
			fs.StringVar(&table.Unit, "unit", "ops/sec", "`UNIT` of the results: ops/sec, ns, us, ms or s")
			fs.IntVar(&table.Precision, "precision", 0, "`DIGITS` behind the point of times, 0 to 6")
		},
		Input: func(*serbench.Runner) ([]serbench.Codec, []serbench.Payload, error) {
			if err := table.Write(io.Discard, &serbench.Report{}); err != nil {
				return nil, nil, err
			}
			all, err := input(layout, form, podcasts, geo)
			return codecs(form), all, err
		},
		Layout: func(w io.Writer, r *serbench.Report) error { return table.Write(w, r) },
	}
	return p.Run(args, stdout, stderr)
}

func codecs(form string) []serbench.Codec {
	if form == "map" {
		return []serbench.Codec{stdlib.JSON(), msgp.Tree()}
	}
	return []serbench.Codec{stdlib.JSON(), msgp.New()}
}

// input is the payloads of the named layouts, in the order of their names.
func input(layout, form, podcasts, geo string) ([]serbench.Payload, error) {
	texts, err := payloads.PodcastPayloads(podcasts)
	if err != nil {
		return nil, err
	}
	numbers, err := payloads.GeoPayloads(geo)
	if err != nil {
		return nil, err
	}
	all, err := seed.Form(form, slices.Concat(texts, numbers))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, l := range layouts {
		names = append(names, l.name)
	}
	picked := names
	if layout != "all" {
		picked = strings.Split(layout, ",")
	}
	var out []serbench.Payload
	for _, name := range picked {
		i := slices.Index(names, strings.TrimSpace(name))
		if i < 0 {
			return nil, fmt.Errorf("-layout: unknown layout %q; there are %s, and all", name, strings.Join(names, ", "))
		}
		at := slices.IndexFunc(all, func(p serbench.Payload) bool { return p.Name() == layouts[i].payload })
		out = append(out, all[at])
	}
	return out, nil
}
