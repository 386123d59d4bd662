package serbench_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"

	"github.com/serbench/serbench"
)

type reading struct {
	Sensor string  `json:"sensor"`
	Value  float64 `json:"value"`
}

func ExampleRunner_Run() {
	codecs := []serbench.Codec{
		serbench.NewCodec("json", json.Marshal, json.Unmarshal, serbench.Concurrent()),
		serbench.NewCodec("xml", xml.Marshal, xml.Unmarshal, serbench.Concurrent()),
	}
	payloads := []serbench.Payload{
		serbench.NewPayload("reading", &reading{"cellar", 11.5}),
	}
	report, err := serbench.Runner{Ops: []serbench.Op{serbench.OpDecode}}.Run(context.Background(), codecs, payloads)
	if err != nil {
		fmt.Println(err)
	}
	for _, c := range report.Comparisons {
		fmt.Println(c.A, "is", c.Verdict, "than", c.B)
	}
	// Output:
	// reading/struct/json/decode is faster than reading/struct/xml/decode
}

func ExampleNewCodec() {
	codec := serbench.NewCodec("json", json.Marshal, json.Unmarshal,
		serbench.Concurrent(),
		serbench.WithInfo(serbench.Info{Format: "json", Library: "encoding/json", Kind: serbench.KindReflect}))
	data, err := codec.Marshal(&reading{"cellar", 11.5})
	fmt.Println(codec.Name(), string(data), err)
	// Output:
	// json {"sensor":"cellar","value":11.5} <nil>
}

func ExampleNewPayload() {
	one := serbench.NewPayload("reading", &reading{"cellar", 11.5})
	corpus := serbench.NewPayload("readings", &reading{"cellar", 11.5}, &reading{"attic", 27})
	generic := serbench.NewPayload("reading", &map[string]any{"sensor": "cellar", "value": 11.5})
	for _, p := range []serbench.Payload{one, corpus, generic} {
		values, err := p.Values()
		fmt.Println(p.Name(), p.FormName(), p.Type(), len(values), err)
	}
	// Output:
	// reading struct serbench_test.reading 1 <nil>
	// readings struct serbench_test.reading 2 <nil>
	// reading map map[string]interface {} 1 <nil>
}

func ExampleNewPayloadFunc() {
	p := serbench.NewPayloadFunc("reading", func() ([]*reading, error) {
		return []*reading{{"cellar", 11.5}}, nil
	})
	a, _ := p.Values()
	b, _ := p.Values()
	fmt.Println(a[0] != b[0], *a[0].(*reading) == *b[0].(*reading))
	// Output:
	// true true
}

func ExamplePayload_Compare() {
	p := serbench.NewPayload("reading", &reading{"cellar", 11.5})
	f := p.Compare(&reading{"cellar", 11.5}, &reading{"", 11.5})
	fmt.Println(f.Class)
	for _, d := range f.Differences {
		fmt.Printf("%s: %s -> %s\n", d.Path, d.Want, d.Got)
	}
	// Output:
	// lossy
	// .sensor: "cellar" -> ""
}

func ExampleUnsupported() {
	err := serbench.Unsupported(&reading{}, "has no MarshalMsg; run msgp")
	fmt.Println(err, errors.Is(err, errors.ErrUnsupported))
	// Output:
	// unsupported: type serbench_test.reading has no MarshalMsg; run msgp true
}

func ExampleReadReport() {
	codec := serbench.NewCodec("json", json.Marshal, json.Unmarshal)
	report, _ := serbench.Runner{Reps: 100}.Run(context.Background(), []serbench.Codec{codec},
		[]serbench.Payload{serbench.NewPayload("reading", &reading{"cellar", 11.5})})
	var file bytes.Buffer
	if err := report.WriteJSON(&file); err != nil {
		fmt.Println(err)
	}
	again, err := serbench.ReadReport(&file)
	fmt.Println(len(again.Results), again.Results[0].ID, again.Results[0].Reps, err)
	// Output:
	// 3 reading/struct/json/encode 100 <nil>
}
