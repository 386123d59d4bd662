package serbench_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

func TestTheFirstCallIsAFigureOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		encodes, decodes := 0, 0
		codec := serbench.NewCodec("lazy", func(v any) ([]byte, error) {
			if encodes++; encodes == 1 {
				time.Sleep(70 * time.Millisecond)
			}
			time.Sleep(time.Millisecond)
			return json.Marshal(v)
		}, func(data []byte, v any) error {
			if decodes++; decodes == 1 {
				time.Sleep(30 * time.Millisecond)
			}
			time.Sleep(time.Millisecond)
			return json.Unmarshal(data, v)
		})
		report, err := serbench.Runner{Reps: 50}.Run(context.Background(), []serbench.Codec{codec},
			[]serbench.Payload{serbench.NewPayload("reading", &reading{Sensor: "a"}, &reading{Sensor: "b"})})
		require.NoError(t, err)
		for i, want := range map[int]float64{0: 71e6, 1: 31e6} {
			e := report.Results[i].Estimates
			require.NotNil(t, e.FirstCallNs)
			assert.InEpsilon(t, want, e.FirstCallNs.Value, 0.01, "%s", report.Results[i].Op)
			assert.InEpsilon(t, 1e6, e.NsPerOp.Value, 0.01, "the op time holds nothing of it")
		}
		assert.Nil(t, report.Results[2].Estimates.FirstCallNs, "a round trip has no first call of its own")
	})
}
