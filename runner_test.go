package serbench_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

type event struct {
	Host, Service, Type, State string
}

func jsonCodec(name string) serbench.Codec {
	return serbench.NewCodec(name, json.Marshal, json.Unmarshal, serbench.Concurrent(), serbench.WithInfo(serbench.Info{Format: "json"}))
}

func TestRunMeasuresWhatItIsGiven(t *testing.T) {
	p := serbench.NewPayload("event", &event{"app-01", "http", "service", "critical"})
	r := serbench.Runner{Seed: 1, LiveHeap: 16 << 20}
	rep, err := r.Run(context.Background(), []serbench.Codec{jsonCodec("a"), jsonCodec("b")}, []serbench.Payload{p})
	require.NoError(t, err)
	for _, res := range rep.Results {
		e := res.Estimates.NsPerOp
		require.NotNil(t, e)
		t.Logf("%s %s %.1f [%.1f %.1f] n=%d mean %.1f allocs %v bytes %v sustained %v cpu %v %v", res.ID, res.Status, e.Value, *e.Low, *e.High, e.N, *e.Mean,
			res.Estimates.AllocsPerOp.Value, res.Estimates.AllocBytesPerOp.Value, res.Estimates.SustainedNsPerOp, res.Estimates.CPUNsPerOp.Value, res.Warnings)
	}
	for _, c := range rep.Comparisons {
		t.Logf("%+v %v %v %v", c, *c.Ratio, *c.Low, *c.High)
	}
	t.Logf("%+v", rep.Environments)
	t.Logf("%v %v", rep.ElapsedNs/1e6, rep.Warnings)
}
