package serbench_test

import (
	"fmt"

	"github.com/serbench/serbench"
)

// measured makes a report of figures that a run would have found.
func measured(figures map[string][2]float64) *serbench.Report {
	r := &serbench.Report{Schema: 1, Config: serbench.Config{Margin: 0.01}, Environments: []serbench.Environment{{ID: "here", GoVersion: "go1.26.0"}}}
	for _, codec := range []string{"json", "msgp", "cbor"} {
		ns, size := figures[codec][0], figures[codec][1]
		if ns == 0 {
			continue
		}
		res := serbench.Result{ID: codec, Environment: "here", Payload: "event", Form: "struct", Codec: codec, Op: serbench.OpEncode, Parallelism: 1, Status: serbench.StatusOK}
		low, high := ns*0.99, ns*1.01
		res.Estimates.NsPerOp = &serbench.Estimate{Value: ns, Low: &low, High: &high, Confidence: 0.95, N: 32}
		res.Encoded = &serbench.EncodedSize{Min: int(size), Mean: size, Max: int(size)}
		r.Results = append(r.Results, res)
	}
	return r
}

func ExampleStandings() {
	report := measured(map[string][2]float64{"json": {310, 70}, "msgp": {100, 54}, "cbor": {101, 55}})
	for _, group := range serbench.Standings(report, serbench.View{Baseline: "json"}) {
		fmt.Println(group.Payload, group.Op)
		for _, s := range group.Standings {
			fmt.Printf("%d %s %.2f of json's time, front %v\n", s.Rank, s.Result.Codec, s.Ratio.Value, s.Front)
		}
	}
	// Output:
	// event encode
	// 1 msgp 0.32 of json's time, front true
	// 1 cbor 0.33 of json's time, front false
	// 3 json 1.00 of json's time, front false
}

func ExampleGeoMeans() {
	report := measured(map[string][2]float64{"json": {300, 70}, "msgp": {100, 54}})
	for _, o := range serbench.GeoMeans(report, serbench.View{Baseline: "json"}) {
		fmt.Printf("%s, %d of %d payloads:", o.Op, o.N, o.Of)
		for _, c := range o.Codecs {
			fmt.Printf(" %s %.2f", c.Codec, c.Ratio)
		}
		fmt.Println()
	}
	// Output: encode, 1 of 1 payloads: msgp 0.33 json 1.00
}

func ExampleMessagesPerSecond() {
	report := measured(map[string][2]float64{"json": {310, 70}})
	t, ok := serbench.MessagesPerSecond(&report.Results[0], serbench.Link{BitsPerSecond: 100e6, CPUShare: 0.5, OverheadBytes: 55})
	fmt.Printf("%.0f messages per second, bound by %s, %v\n", t.PerSecond, t.Bottleneck, ok)
	// Output: 100000 messages per second, bound by link, true
}

func ExampleDiff() {
	old := measured(map[string][2]float64{"json": {310, 70}, "msgp": {100, 54}})
	new := measured(map[string][2]float64{"json": {312, 70}, "msgp": {150, 55}})
	new.Environments[0].GoVersion = "go1.27.0"
	diff, err := serbench.Diff(old, new, serbench.DiffOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	findings, err := serbench.Gate(diff, serbench.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range findings {
		fmt.Println(f.Fails, f.Change.Codec, f.Kind)
	}
	for _, w := range diff.Warnings {
		fmt.Println(w.Message)
	}
	// Output:
	// true msgp size
	// true msgp time
	// Go version: old go1.26.0, new go1.27.0
}

func ExampleMerge() {
	here := measured(map[string][2]float64{"json": {310, 70}})
	there := measured(map[string][2]float64{"json": {290, 70}})
	there.Environments[0].GoVersion = "go1.27.0"
	all, err := serbench.Merge(here, there)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, res := range all.Results {
		fmt.Println(res.Environment, res.Codec, res.Estimates.NsPerOp.Value)
	}
	_, err = serbench.Merge(here, here)
	fmt.Println(err)
	// Output:
	// go1.26.0 json 310
	// go1.27.0 json 290
	// serbench: codec json: payload event: form struct: op encode: reports 1 and 2 both have this cell for environment "here"; give one of them another Environment.ID or Result.Launch
}

func ExampleSelect() {
	report := measured(map[string][2]float64{"json": {310, 70}, "msgp": {100, 54}})
	small := serbench.Select(report, func(res *serbench.Result) bool { return res.Codec == "msgp" })
	fmt.Println(len(small.Results), small.Results[0].Codec)
	// Output: 1 msgp
}
