package serbench_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

func TestDerivedPayloads(t *testing.T) {
	const text = `{"type":"Feature","geometry":[[[[1,2],[3,4]]],[[[5,6]]]],"line":[[7,8],[9,10]],"one":[11,12],"mixed":[[1],"x"],"none":[],"null":null}`
	geo, err := serbench.LoadJSONAny("geo", strings.NewReader(text), serbench.LoadOptions{Source: "geo.json"})
	require.NoError(t, err)

	flat, err := serbench.Flatten(geo)
	require.NoError(t, err)
	assert.Equal(t, []map[string]any{{"type": "Feature",
		"geometry": []any{[]any{1.0, 2.0, 3.0, 4.0}, []any{5.0, 6.0}},
		"line":     []any{7.0, 8.0, 9.0, 10.0}, "one": []any{11.0, 12.0},
		"mixed": []any{[]any{1.0}, "x"}, "none": []any{}, "null": nil}}, values[map[string]any](t, flat))

	packed, err := serbench.Pack(flat)
	require.NoError(t, err)
	assert.Equal(t, []map[string]any{{"type": "Feature",
		"geometry": []any{[]float64{1, 2, 3, 4}, []float64{5, 6}},
		"line":     []float64{7, 8, 9, 10}, "one": []float64{11, 12},
		"mixed": []any{[]float64{1}, "x"}, "none": []any{}, "null": nil}}, values[map[string]any](t, packed))
	assert.IsType(t, []any{}, values[map[string]any](t, geo)[0]["one"], "the origin is left as it was")

	codec := serbench.NewCodec("json", json.Marshal, json.Unmarshal)
	report, err := serbench.Runner{Reps: 10, Ops: []serbench.Op{serbench.OpEncode}}.Run(context.Background(),
		[]serbench.Codec{codec}, []serbench.Payload{geo, flat, packed})
	require.NoError(t, err)
	for i, want := range []serbench.PayloadInfo{
		{Name: "geo"}, {Name: "geo-flattened", Origin: "geo", Derivation: "flattened"},
		{Name: "geo-flattened-packed", Origin: "geo-flattened", Derivation: "packed"},
	} {
		got := report.Payloads[i]
		assert.Equal(t, want, serbench.PayloadInfo{Name: got.Name, Origin: got.Origin, Derivation: got.Derivation})
		assert.Equal(t, "geo.json", got.Source)
		assert.Equal(t, "map", got.Form)
	}
}

func TestOnlyGenericPayloadsAreDerived(t *testing.T) {
	_, err := serbench.Pack(serbench.NewPayload("r", &reading{}))
	assert.EqualError(t, err, "serbench: payload r: form struct: packed: values of serbench_test.reading are not generic: any, map[string]any or []any")
	_, err = serbench.Flatten(serbench.Payload{})
	assert.Error(t, err)
	list, err := serbench.Flatten(serbench.NewPayload("l", &[]any{[]any{1.0}, []any{2.0}}))
	require.NoError(t, err)
	assert.Equal(t, []any{[]any{1.0, 2.0}}, values[any](t, list))
}
