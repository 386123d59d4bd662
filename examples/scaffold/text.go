package main

const typesText = `// Package types holds a copy of {{.Type}} of {{.From}}, for a comparison.
{{- if .Notes}}
//
// Left behind:
{{- range .Notes}}
//   - {{.}}
{{- end}}
{{- end}}
package types

// msgp: "tag json" takes the fields' names from their json tags. easyjson:
// without -no_std_marshalers every JSON library would call its methods, and be
// measured as easyjson by a detour.

{{- /* Written as values: go generate looks for its lines in this text too. */}}
{{"//go:generate"}} go tool msgp -file types.go -o types_msgp.go -tests=false -d "tag json" -v
{{"//go:generate"}} go tool easyjson -all -no_std_marshalers -output_filename types_easyjson.go types.go
{{if .Imports}}
import (
{{- range .Imports}}
	"{{.}}"
{{- end}}
)
{{end}}
{{range .Directives}}
//msgp:{{.}}
{{- end}}

{{range .Decls}}
{{.}}
{{end}}`

const mainText = `// This program compares codecs on {{.Type}}, copied from {{.From}}:
//
//	go generate ./... && go run .
//	go run . -data recorded.ndjson    # your own messages instead of made-up ones
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	{{- if .Enums}}
	"reflect"
	{{- end}}
	"time"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/cbor"
	"github.com/serbench/serbench/adapters/easyjson"
	"github.com/serbench/serbench/adapters/goccy"
	"github.com/serbench/serbench/adapters/jsonv2"
	"github.com/serbench/serbench/adapters/msgp"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/adapters/ugorji"
	"github.com/serbench/serbench/adapters/vmihailenco"
	"github.com/serbench/serbench/render"

	"{{.Module}}/types"
)

var codecs = []serbench.Codec{
	stdlib.JSON(), jsonv2.New(), easyjson.New(), goccy.New(),
	msgp.New(), vmihailenco.New(), ugorji.MsgPack(),
	cbor.New(), stdlib.Gob(),
}

// generator makes up values; set its fields to make them more like yours.
var generator = serbench.Generator{
	Seed: 1,
{{- if .Enums}}
	Make: map[reflect.Type]func(random uint64) any{
{{- range .Enums}}
		reflect.TypeFor[types.{{.Name}}](): func(random uint64) any {
			values := []types.{{.Name}}{ {{- range .Values}}{{.}}, {{end -}} }
			return values[random%uint64(len(values))]
		},
{{- end}}
	},
{{- end}}
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	data := flag.String("data", "", "recorded messages, a ` + "`FILE`" + ` of JSON or NDJSON; default: made-up values")
	n := flag.Int("n", 100, "made-up values, at most; fewer if they are large")
	budget := flag.Duration("budget", 15*time.Second, "wall time for the run; a minute decides more comparisons")
	out := flag.String("o", "", "write the report as JSON to ` + "`FILE`" + ` too")
	flag.Parse()

	// Large values need not be many: the checks before the timing take time too.
	if one, err := serbench.Generate[types.{{.Type}}](1, generator); err == nil {
		if text, err := json.Marshal(one[0]); err == nil {
			*n = min(*n, max(1, 64<<10/len(text)))
		}
	}
	payload := serbench.NewGenerated[types.{{.Type}}]("{{.Payload}}", *n, generator)
	if *data != "" {
		f, err := os.Open(*data)
		if err != nil {
			return err
		}
		defer f.Close()
		if payload, err = serbench.LoadJSON[types.{{.Type}}]("{{.Payload}}", f, serbench.LoadOptions{Source: *data}); err != nil {
			return err
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	runner := serbench.Runner{Title: "{{.Type}}", AllPairs: true, Budget: *budget}
	report, failed := runner.Run(ctx, codecs, []serbench.Payload{payload})
	if err := render.Text(os.Stdout, report); err != nil {
		return err
	}
	if *out != "" {
		f, err := os.Create(*out)
		if err != nil {
			return err
		}
		if err := report.WriteJSON(f); err != nil {
			f.Close()
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return failed
}
`
