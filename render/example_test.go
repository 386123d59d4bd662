package render_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/render"
)

func twoCodecs() *serbench.Report {
	result := func(codec string, ns float64) serbench.Result {
		return serbench.Result{ID: codec, Payload: "event", Form: "struct", Op: serbench.OpEncode, Codec: codec, Parallelism: 1,
			Status: serbench.StatusOK, Reps: 1000, Estimates: serbench.Estimates{NsPerOp: &serbench.Estimate{Value: ns}}}
	}
	return &serbench.Report{Results: []serbench.Result{result("json", 310), result("msgp", 100)}}
}

func ExampleMarkdown() {
	err := render.Markdown(os.Stdout, twoCodecs(), render.Options{Columns: []string{"codec", "time/op", "ratio"}, MaxBytes: render.StepSummaryBytes})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// # serbench report
	//
	//
	// ## event (struct), encode
	//
	// | codec | time/op | ratio |
	// | --- | ---: | ---: |
	// | msgp | 100.0 ns | 1 |
	// | json | 310.0 ns | 3.10 |
	//
	// Not compared: the order is that of the figures.
	//
	// time/op: of a typical op, without the garbage collector; its interval speaks of this run on this machine.
}

func ExampleCSV() {
	var b strings.Builder
	err := render.CSV(&b, twoCodecs(), render.Options{Columns: []string{"codec", "op", "ns_per_op"}, Safe: true})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Print(strings.ReplaceAll(b.String(), "\r\n", "\n"))
	// Output:
	// codec,op,ns_per_op
	// msgp,encode,100
	// json,encode,310
}

func ExampleBench() {
	if err := render.Bench(os.Stdout, twoCodecs()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// Unit encoded-B better=lower assume=exact
	// Unit B/op better=lower
	// Unit allocs/op better=lower
	// pkg: github.com/serbench/serbench
	// BenchmarkSerbench/payload=event/form=struct/codec=msgp/op=encode-1	1000	100 ns/op
	// BenchmarkSerbench/payload=event/form=struct/codec=json/op=encode-1	1000	310 ns/op
}
