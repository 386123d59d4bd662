package serbench_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

type order struct {
	ID    int64
	Name  string            `json:",omitempty"`
	Attrs map[string]string `json:",omitempty"`
}

func orderPayload() serbench.Payload {
	return serbench.NewPayload("order", &order{ID: 1, Attrs: map[string]string{"a": "b"}}, &order{ID: 2, Name: "two"})
}

func names(traits []serbench.Trait) (ns []string) {
	for _, t := range traits {
		ns = append(ns, t.Name)
	}
	return ns
}

func TestTraitsOfACodec(t *testing.T) {
	strict := func(data []byte, v any) error { *v.(*order) = order{}; return json.Unmarshal(data, v) }
	count := 0
	for name, tt := range map[string]struct {
		codec serbench.Codec
		want  []string
	}{
		"clears its target, states that it is concurrent": {
			serbench.NewCodec("x", json.Marshal, strict, serbench.Concurrent()), nil},
		"leaves what the message does not have, as encoding/json does": {
			serbench.NewCodec("x", json.Marshal, json.Unmarshal, serbench.Concurrent()),
			[]string{serbench.TraitStaleFields, serbench.TraitStaleKeys}},
		"does not state that it is concurrent": {
			serbench.NewCodec("x", json.Marshal, strict), []string{serbench.TraitNotConcurrent}},
		"numbers its messages": {
			serbench.NewCodec("x", func(v any) ([]byte, error) {
				msg, err := json.Marshal(v)
				count++
				return append(msg, strings.Repeat(" ", count%7)...), err
			}, strict), []string{serbench.TraitNotDeterministic, serbench.TraitNotConcurrent}},
	} {
		t.Run(name, func(t *testing.T) {
			traits, err := serbench.ObserveTraits(context.Background(), tt.codec, orderPayload(), 0)
			require.NoError(t, err)
			assert.Equal(t, tt.want, names(traits), "%v", traits)
		})
	}
}

func TestObservationsThatCannotBeMade(t *testing.T) {
	ctx := context.Background()
	_, err := serbench.ObserveTraits(ctx, nil, orderPayload(), 0)
	assert.ErrorContains(t, err, "the codec is nil")
	_, err = serbench.ObserveTraits(ctx, jsonCodec("json"), serbench.Payload{}, 0)
	assert.ErrorContains(t, err, "no values")
	_, err = serbench.ObserveTraits(ctx, serbench.NewCodec("x", func(any) ([]byte, error) { panic("no") }, json.Unmarshal), orderPayload(), 0)
	assert.ErrorContains(t, err, "codec x: payload order: ")
	assert.ErrorContains(t, err, "panic: no")
	end := make(chan struct{})
	defer close(end)
	calls := 0
	hangs := serbench.NewCodec("x", json.Marshal, func(data []byte, v any) error {
		if calls++; calls > 4 {
			<-end
		}
		return json.Unmarshal(data, v)
	})
	_, err = serbench.ObserveTraits(ctx, hangs, orderPayload(), 50*time.Millisecond)
	assert.ErrorContains(t, err, "aliases-input: a call did not return within 50ms")
}

func TestRunnerShowsTraitsBesideTheNumbers(t *testing.T) {
	r := serbench.Runner{Reps: 3, Traits: true, Ops: []serbench.Op{serbench.OpEncode}}
	report, err := r.Run(context.Background(), []serbench.Codec{
		serbench.NewCodec("plain", json.Marshal, json.Unmarshal, serbench.Concurrent())}, []serbench.Payload{orderPayload()})
	require.NoError(t, err)
	assert.Equal(t, []string{serbench.TraitStaleFields, serbench.TraitStaleKeys}, names(report.Results[0].Traits))
	assert.True(t, report.Config.Traits)
}

func TestACodecThatRemembersTheLastValueKeepsIt(t *testing.T) {
	c := serbench.NewCodec("remembers", remembering(), json.Unmarshal)
	for _, p := range []serbench.Payload{orderPayload(), serbench.NewPayload("one", &order{ID: 1})} {
		traits, err := serbench.ObserveTraits(context.Background(), c, p, 0)
		require.NoError(t, err)
		assert.Contains(t, traits, serbench.Trait{Name: serbench.TraitKeepsValue, Detail: "encoded again after it was changed, a value gave the message of what it was before"})
	}
}

func TestACodecThatCheatsGetsNoNumber(t *testing.T) {
	table := map[string]order{}
	memo := serbench.NewCodec("memo", func(v any) ([]byte, error) {
		key := fmt.Sprint(len(table))
		table[key] = *v.(*order)
		return []byte(key), nil
	}, func(data []byte, v any) error {
		o, ok := table[string(data)]
		if !ok {
			return errors.New("unknown")
		}
		*v.(*order) = o
		return nil
	})
	writes := serbench.NewCodec("writes", func(v any) ([]byte, error) {
		msg, err := json.Marshal(v)
		v.(*order).ID++
		return msg, err
	}, json.Unmarshal)
	for _, c := range []serbench.Codec{memo, writes} {
		r := serbench.Runner{Reps: 3, Traits: true, Ops: []serbench.Op{serbench.OpEncode}}
		report, err := r.Run(context.Background(), []serbench.Codec{c}, []serbench.Payload{orderPayload()})
		assert.Error(t, err)
		assert.Equal(t, serbench.StatusFailed, report.Results[0].Status, report.Results[0].Reason)
		assert.Nil(t, report.Results[0].Estimates.NsPerOp)
	}
}
