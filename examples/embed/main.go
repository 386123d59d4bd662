// Embed is a program with serbench in it: it runs a small suite when asked to
// and hands the Report on as JSON, to a file or over HTTP. It uses nothing
// but the exported API.
//
//	go run ./examples/embed -o report.json
//	go run ./examples/embed -listen 127.0.0.1:8080   # then GET /report
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/serbench/serbench"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("embed", flag.ContinueOnError)
	fs.SetOutput(stderr)
	out := fs.String("o", "", "write the report to `FILE`; without -listen the default is standard output")
	listen := fs.String("listen", "", "serve the report at /report on `ADDR`")
	reps := fs.Int("reps", 2000, "timed ops per cell")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if *reps < 1 || fs.NArg() > 0 {
		fmt.Fprintln(stderr, "embed: -reps must be 1 or more, and there are no further arguments")
		return 2
	}
	var err error
	switch {
	case *listen != "":
		err = serve(ctx, *listen, *reps, stderr)
	default:
		err = store(ctx, *out, *reps, stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "embed:", err)
		return 1
	}
	return 0
}

// order is a type of this program.
type order struct {
	ID    int64    `json:"id"`
	Items []string `json:"items"`
	Paid  bool     `json:"paid"`
}

// suite is what this program wants to know: whether its compact JSON is
// worth the trouble.
func suite(ctx context.Context, reps int) (*serbench.Report, error) {
	plain := serbench.NewCodec("json", json.Marshal, json.Unmarshal, serbench.Concurrent(),
		serbench.WithInfo(serbench.Info{Format: "json", Library: "encoding/json", Kind: serbench.KindReflect}))
	indented := serbench.NewCodec("json-indent",
		func(v any) ([]byte, error) { return json.MarshalIndent(v, "", "  ") }, json.Unmarshal, serbench.Concurrent(),
		serbench.WithInfo(serbench.Info{Format: "json", Library: "encoding/json", Kind: serbench.KindReflect}))
	orders := serbench.NewPayload("orders",
		&order{ID: 1, Items: []string{"tea", "milk"}, Paid: true},
		&order{ID: 2, Items: []string{"bread"}})
	runner := serbench.Runner{Title: "orders", Reps: reps}
	return runner.Run(ctx, []serbench.Codec{plain, indented}, []serbench.Payload{orders})
}

func store(ctx context.Context, name string, reps int, stdout io.Writer) error {
	report, err := suite(ctx, reps)
	if err != nil {
		return err
	}
	if name == "" {
		return report.WriteJSON(stdout)
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := report.WriteJSON(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func serve(ctx context.Context, addr string, reps int, stderr io.Writer) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /report", func(w http.ResponseWriter, req *http.Request) {
		report, err := suite(req.Context(), reps)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if err := report.WriteJSON(w); err != nil {
			fmt.Fprintln(stderr, "embed:", err)
		}
	})
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "embed: GET http://%s/report\n", ln.Addr())
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	stopped := context.AfterFunc(ctx, func() { server.Close() })
	defer stopped()
	if err := server.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
