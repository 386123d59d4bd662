package serbench

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type hijacked struct{ A int }

func (h *hijacked) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, "%d", h.A), nil }
func (h *hijacked) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &h.A) }

type hasTime struct{ At time.Time }

type embedsTime struct {
	time.Time
	Zone string
}

func jsonLike(name string, kind Kind, format string) Codec {
	return NewCodec(name, json.Marshal, json.Unmarshal, WithInfo(Info{Format: format, Kind: kind}))
}

// warningsOf runs the checks and returns the codes on the row, in order.
func warningsOf(t *testing.T, c Codec, p Payload) []string {
	t.Helper()
	report, _ := Runner{Ops: []Op{OpEncode}, Reps: 1}.Run(context.Background(), []Codec{c}, []Payload{p})
	require.Len(t, report.Results, 1)
	var codes []string
	for _, w := range report.Results[0].Warnings {
		switch w.Code {
		case WarnHijacked, WarnPromoted, WarnInvalidJSON:
			assert.NotEmpty(t, w.Message)
			assert.NotEmpty(t, w.Advice)
			codes = append(codes, w.Code)
		}
	}
	return codes
}

func TestUnfairFiguresAreMarked(t *testing.T) {
	bad := func(text string) Codec {
		return NewCodec("bad", func(any) ([]byte, error) { return []byte(text), nil },
			func([]byte, any) error { return nil }, WithInfo(Info{Format: "json"}))
	}
	at := time.Date(2011, 7, 8, 7, 34, 34, 0, time.UTC)
	for _, tt := range []struct {
		name  string
		codec Codec
		p     Payload
		want  []string
	}{
		{"a plain type", jsonLike("c", KindReflect, "json"), NewPayload("p", new(struct{ A int })), nil},
		{"a time is encoded by itself everywhere", jsonLike("c", KindReflect, "json"), NewPayload("p", &hasTime{at}), nil},
		{"a type with MarshalJSON", jsonLike("c", KindReflect, "json"), NewPayload("p", &hijacked{1}), []string{WarnHijacked}},
		{"a codec that says nothing of itself", NewCodec("c", json.Marshal, json.Unmarshal), NewPayload("p", &hijacked{1}), []string{WarnHijacked}},
		{"generated code does not call it", jsonLike("c", KindGenerated, "json"), NewPayload("p", &hijacked{1}), nil},
		{"gob does not call it", jsonLike("c", KindReflect, "gob"), NewPayload("p", &hijacked{1}), nil},
		{"an embedded time takes the struct with it", jsonLike("c", KindReflect, "json"), NewPayload("p", &embedsTime{at, "z"}), []string{WarnPromoted}},
		{"not JSON", bad("{"), NewPayload("p", new(struct{})), []string{WarnInvalidJSON}},
		{"not UTF-8", bad("\"\xff\""), NewPayload("p", new(struct{})), []string{WarnInvalidJSON}},
		{"nothing at all", bad(""), NewPayload("p", new(struct{})), []string{WarnInvalidJSON}},
		{"JSON with white space around", bad(" { }\n"), NewPayload("p", new(struct{})), nil},
	} {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, warningsOf(t, tt.codec, tt.p)) })
	}
}
