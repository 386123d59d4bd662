package zoopb

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/protobuf"
	"github.com/serbench/serbench/examples/payloads/zoo"
)

// What the conversion loses would be laid at the codec's door.
func TestConversionItselfLosesNothingButNil(t *testing.T) {
	for _, tt := range []struct{ name string }{
		{"int64 min"}, {"uint64 max"}, {"float32 0.1"}, {"float64 NaN"}, {"string emoji"}, {"[]byte 256"}, {"slice filled"}, {"map filled"},
		{"map with int keys"}, {"pointer nil"}, {"pointer to 0"}, {"pointer to struct"}, {"pointer to struct, nil"}, {"nesting 200 levels"},
		{"time UTC, ns"}, {"time zero"}, {"duration ns"}, {"tree in a field"}, {"struct two fields of one type"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, p := find(t, tt.name)
			values, err := p.Values()
			require.NoError(t, err)
			data, err := c.Marshal(values[0])
			require.NoError(t, err)
			got := p.New()
			require.NoError(t, c.Unmarshal(data, got))
			assert.Equal(t, serbench.Exact, p.Compare(values[0], got).Class, p.Compare(values[0], got))
		})
	}
}

func find(t *testing.T, name string) (serbench.Codec, serbench.Payload) {
	for _, k := range zoo.Cases() {
		if k.Name == name {
			c := Convert(protobuf.New(), k.Payload.Type())
			require.NotNil(t, c)
			return c, k.Payload
		}
	}
	require.FailNow(t, "no such case", name)
	return nil, serbench.Payload{}
}

func TestNoPlaceInTheSchema(t *testing.T) {
	assert.Nil(t, Convert(protobuf.New(), reflect.TypeFor[zoo.Complex]()))
}
