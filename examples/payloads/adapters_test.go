package payloads_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/easyjson"
	"github.com/serbench/serbench/adapters/msgp"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/adapters/ugorji"
	"github.com/serbench/serbench/examples/payloads"
	"github.com/serbench/serbench/internal/codeccheck"
)

// The adapters keep their contract with code as the generators write it.
func TestAdaptersOnTheStructs(t *testing.T) {
	big := payloads.RepositoryValue()
	for len(big.Repository.Description) < 70_000 {
		big.Repository.Description += big.Repository.Description
	}
	for _, c := range []serbench.Codec{
		stdlib.JSON(), stdlib.Gob(), msgp.New(), easyjson.New(),
		ugorji.JSON(), ugorji.MsgPack(), ugorji.CBOR(), ugorji.Binc(), ugorji.Simple(),
	} {
		t.Run(c.Name(), func(t *testing.T) {
			s := codeccheck.Sample{Value: payloads.RepositoryValue(), Big: big, Accepts: accepts(c)}
			codeccheck.Run(t, c.(codeccheck.Codec), s)
		})
	}
}

// accepts names what is a message of the codec's own format. Fields that the
// struct does not have are passed over.
func accepts(c serbench.Codec) []string {
	switch c.(serbench.Describer).Describe().Format {
	case "json":
		return []string{"JSON object"}
	case "msgpack":
		return []string{"MessagePack"}
	case "cbor":
		return []string{"CBOR"}
	case "binc":
		return []string{"one zero"} // nil
	}
	return nil
}

func TestAdaptersOnTheMaps(t *testing.T) {
	event := payloads.EventMap()
	for _, c := range []serbench.Codec{
		stdlib.JSON(), stdlib.Gob(), msgp.Tree(),
		ugorji.JSON(), ugorji.MsgPack(), ugorji.CBOR(), ugorji.Binc(), ugorji.Simple(),
	} {
		data, err := c.Marshal(&event)
		require.NoError(t, err, c.Name())
		var got map[string]any
		require.NoError(t, c.Unmarshal(data, &got), c.Name())
		assert.Equal(t, event, got, c.Name())
	}
	for _, c := range []serbench.Codec{msgp.New(), easyjson.New()} {
		assert.ErrorIs(t, c.(serbench.Supporter).Supports(&event), errors.ErrUnsupported, "%s: a map has no generated methods", c.Name())
	}
}

func TestLists(t *testing.T) {
	assert.Len(t, payloads.RepositoryPayloads(), 2)
	assert.Len(t, payloads.EventPayloads(), 3)
}
