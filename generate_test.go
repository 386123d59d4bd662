package serbench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

type booking struct {
	ID    int64    `json:"id"`
	Guest string   `json:"guest"`
	Notes []string `json:"notes"`
	Out   io.Writer
}

func TestGeneratedPayloadsAreTheSameInEveryRun(t *testing.T) {
	codec := serbench.NewCodec("json", json.Marshal, json.Unmarshal)
	p := serbench.NewGenerated[booking]("bookings", 5, serbench.Generator{Seed: 3})
	run := func() *serbench.Report {
		report, err := serbench.Runner{Reps: 10, Ops: []serbench.Op{serbench.OpEncode}}.Run(context.Background(),
			[]serbench.Codec{codec}, []serbench.Payload{p})
		require.NoError(t, err)
		return report
	}
	first := run().Payloads[0]
	assert.Equal(t, first.Hash, run().Payloads[0].Hash)
	assert.Equal(t, 5, first.Values)
	assert.Equal(t, "generated, seed 3", first.Source)
	assert.Equal(t, "fresh", first.Copies)
	require.Len(t, first.Warnings, 1, "what the generator cannot fill is said")
	assert.Contains(t, first.Warnings[0].Message, "Out (an interface with methods, io.Writer")
}

func TestGeneratorRefusesWrongSettings(t *testing.T) {
	for _, g := range []serbench.Generator{{MinLen: 5, MaxLen: 2}, {NilShare: 2}, {TimeStep: -1}, {Numbers: [2]float64{3, 1}}} {
		_, err := serbench.Generate[booking](1, g)
		assert.ErrorContains(t, err, "serbench: generator: ", "%+v", g)
	}
	_, err := serbench.Generate[booking](-1, serbench.Generator{})
	assert.Error(t, err)
}

func TestGeneratorBoundsFollowEachOther(t *testing.T) {
	for _, g := range []serbench.Generator{{MaxLen: -1, MaxText: -1}, {MaxText: 2}, {MinText: 100}, {MinLen: 9}, {MinLen: -1, MaxLen: 1}} {
		_, err := serbench.Generate[booking](3, g)
		assert.NoError(t, err, "%+v", g)
	}
}

func ExampleGenerate() {
	type order struct {
		ID       int64
		Customer string
		Currency string
	}
	orders, err := serbench.Generate[order](2, serbench.Generator{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range orders {
		fmt.Printf("%+v\n", *o)
	}
	// Output:
	// {ID:207797353 Customer:Olga Dimov Currency:CHF}
	// {ID:475966631328 Customer:Pavel Sato Currency:CHF}
}

func ExampleGenerator() {
	type colour string
	type car struct {
		Paint colour
		Doors int
	}
	g := serbench.Generator{
		Numbers: [2]float64{2, 5},
		Make: map[reflect.Type]func(uint64) any{
			reflect.TypeFor[colour](): func(random uint64) any { return []colour{"red", "green"}[random%2] },
		},
	}
	cars := serbench.NewGenerated[car]("cars", 100, g)
	fmt.Println(cars.Name(), cars.FormName(), cars.Type())
	// Output: cars struct serbench_test.car
}
