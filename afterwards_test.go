package serbench_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

// A codec that is right for as many calls as a check makes, and cheap from
// then on, must not win.
func TestACodecThatGetsCheapAfterTheCheckGetsNoNumber(t *testing.T) {
	for op, cheap := range map[serbench.Op]string{serbench.OpEncode: "marshal", serbench.OpDecode: "unmarshal", serbench.OpRoundtrip: "unmarshal"} {
		marshals, unmarshals := 0, 0
		cheat := serbench.NewCodec("cheat", func(v any) ([]byte, error) {
			if marshals++; cheap == "marshal" && marshals > 40 {
				return []byte("{}"), nil
			}
			return json.Marshal(v)
		}, func(data []byte, v any) error {
			if unmarshals++; cheap == "unmarshal" && unmarshals > 40 {
				return nil
			}
			return json.Unmarshal(data, v)
		})
		report, err := run(t, serbench.Runner{Reps: 500, Ops: []serbench.Op{op}}, []serbench.Codec{jsonCodec("honest"), cheat}, orderPayload())
		require.ErrorContains(t, err, "codec cheat: payload order: form struct: op "+string(op)+": after the timed calls")
		res := result(t, report, "cheat", op)
		assert.Equal(t, serbench.StatusFailed, res.Status, res.Reason)
		assert.Equal(t, serbench.Estimates{}, res.Estimates)
		assert.Empty(t, report.Comparisons, "with what failed nothing is compared")
		assert.Equal(t, serbench.StatusOK, result(t, report, "honest", op).Status)
	}
}
