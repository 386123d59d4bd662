package serbench_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

type logged struct {
	Sensor string  `json:"sensor"`
	Value  float64 `json:"value"`
	Count  int8    `json:"count,omitempty"`
}

func values[T any](t *testing.T, p serbench.Payload) (out []T) {
	t.Helper()
	vs, err := p.Values()
	require.NoError(t, err)
	for _, v := range vs {
		require.IsType(t, new(T), v)
		out = append(out, *v.(*T))
	}
	return out
}

func TestLoadJSONIntoATypeOfTheCaller(t *testing.T) {
	p, err := serbench.LoadJSON[logged]("readings", strings.NewReader("{\"sensor\":\"a\",\"value\":1.5}\n{\"sensor\":\"b\",\"value\":2}\n"), serbench.LoadOptions{Source: "r.ndjson"})
	require.NoError(t, err)
	assert.Equal(t, []logged{{"a", 1.5, 0}, {"b", 2, 0}}, values[logged](t, p))
	assert.Equal(t, "struct", p.FormName())
	first, _ := p.Values()
	second, _ := p.Values()
	assert.NotSame(t, first[0], second[0], "a small corpus is decoded anew")
}

func TestNumbersInsideAnyAreChosen(t *testing.T) {
	const text = `{"small":1,"big":9007199254740993,"frac":1.0,"exp":1e3,"wide":18446744073709551615,"huge":18446744073709551616,"minus":-0,"deep":[{"n":-7}]}`
	for numbers, want := range map[serbench.Numbers]map[string]any{
		serbench.NumbersFloat64: {"small": 1.0, "big": 9007199254740992.0, "frac": 1.0, "exp": 1000.0, "wide": 18446744073709551616.0, "huge": 18446744073709551616.0,
			"minus": 0.0, "deep": []any{map[string]any{"n": -7.0}}},
		serbench.NumbersInt64: {"small": int64(1), "big": int64(9007199254740993), "frac": 1.0, "exp": 1000.0, "wide": uint64(18446744073709551615), "huge": 18446744073709551616.0,
			"minus": 0.0, "deep": []any{map[string]any{"n": int64(-7)}}},
	} {
		p, err := serbench.LoadJSONAny("n", strings.NewReader(text), serbench.LoadOptions{Numbers: numbers})
		require.NoError(t, err)
		assert.Equal(t, []map[string]any{want}, values[map[string]any](t, p))
		assert.Equal(t, "map", p.FormName())
		p, err = serbench.LoadJSON[any]("n", strings.NewReader(text), serbench.LoadOptions{Numbers: numbers})
		require.NoError(t, err)
		assert.Equal(t, []any{want}, values[any](t, p))
	}
}

func TestLoadJSONAnyTakesAnyUnlessAllAreObjects(t *testing.T) {
	p, err := serbench.LoadJSONAny("mixed", strings.NewReader("{}\n[1]\n"), serbench.LoadOptions{})
	require.NoError(t, err)
	assert.Equal(t, []any{map[string]any{}, []any{1.0}}, values[any](t, p))
	p, err = serbench.LoadJSONAny("points", strings.NewReader("[1,2]"), serbench.LoadOptions{Layout: serbench.LayoutArray})
	require.NoError(t, err)
	assert.Equal(t, []any{1.0, 2.0}, values[any](t, p))
}

func TestLoadErrorsSayWhere(t *testing.T) {
	load := func(text string) error {
		_, err := serbench.LoadJSON[logged]("r", strings.NewReader(text), serbench.LoadOptions{Source: "r.json"})
		return err
	}
	for _, c := range []struct{ name, text, want string }{
		{"syntax", "{}\n{\"sensor\" 1}", `serbench: load r.json: line 2, column 11 (byte 13), message 1: expected ':' behind a key, found '1'`},
		{"wrong type", "{\"sensor\":\"x\",\n\"value\":\"y\"}", `serbench: load r.json: line 2, column 9 (byte 23), message 0: expected a value for float64 (value), found a JSON string`},
		{"out of range", `{"count":300}`, `serbench: load r.json: line 1, column 10 (byte 9), message 0: expected a value for int8 (count), found a JSON number 300`},
		{"unknown member", "{}\n\n{\"wind\":1}", `serbench: load r.json: line 3, column 1 (byte 4), message 1: json: unknown field "wind"`},
		{"empty", "", `serbench: load r.json: line 1, column 1 (byte 0), message 0: expected a JSON value, found the end of the input`},
		{"empty array", "[ ]", `message 0: expected a value for serbench_test.logged, found a JSON array`},
	} {
		err := load(c.text)
		require.Error(t, err, c.name)
		if c.name == "empty array" {
			assert.Contains(t, err.Error(), c.want)
		} else {
			assert.Equal(t, c.want, err.Error(), c.name)
		}
		assert.ErrorAs(t, err, new(*serbench.LoadError), c.name)
	}
	_, err := serbench.LoadJSON[logged]("r", strings.NewReader("[]"), serbench.LoadOptions{Layout: serbench.LayoutArray})
	assert.ErrorContains(t, err, "there are no values")
	_, err = serbench.LoadJSON[logged]("r", strings.NewReader(`{"wind":1}`), serbench.LoadOptions{AllowUnknown: true})
	assert.NoError(t, err)
	_, err = serbench.LoadJSON[any]("r", strings.NewReader(`{"x":1e999}`), serbench.LoadOptions{Numbers: serbench.NumbersInt64})
	assert.ErrorContains(t, err, "the number 1e999 is beyond float64")
	_, err = serbench.LoadJSON[any]("r", strings.NewReader(`{"x":"`+strings.Repeat("y", 100)+`"}`), serbench.LoadOptions{MaxMessage: 50})
	assert.ErrorContains(t, err, "at most 50 bytes")
	_, err = serbench.LoadJSON[any]("r", strings.NewReader(`1`), serbench.LoadOptions{Layout: 9})
	assert.ErrorContains(t, err, "layout 9")
}

// A large input is one that never ends up in memory: this one is made while
// it is read.
func TestLargeInputIsSampledAndTheReportSaysSo(t *testing.T) {
	const lines = 200_000
	r, w := io.Pipe()
	go func() {
		for i := range lines {
			if _, err := fmt.Fprintf(w, "{\"n\":%d}\n", i); err != nil {
				return
			}
		}
		w.Close()
	}()
	p, err := serbench.LoadJSONAny("n", r, serbench.LoadOptions{Source: "n.ndjson", MaxValues: 100, Seed: 5})
	require.NoError(t, err)
	last, sum := -1.0, 0.0
	vs := values[map[string]any](t, p)
	require.Len(t, vs, 100)
	for _, v := range vs {
		n := v["n"].(float64)
		require.Greater(t, n, last, "in the order of the input")
		last, sum = n, sum+n
	}
	assert.InDelta(t, lines/2, sum/100, lines/8, "from all of it")
	codec := serbench.NewCodec("json", json.Marshal, json.Unmarshal)
	report, err := serbench.Runner{Reps: 100, Ops: []serbench.Op{serbench.OpEncode}}.Run(context.Background(), []serbench.Codec{codec}, []serbench.Payload{p})
	require.NoError(t, err)
	assert.Contains(t, report.Payloads[0].Source, "n.ndjson: 100 of 200000 messages, ")
	require.Len(t, report.Payloads[0].Warnings, 1)
	assert.Equal(t, "sampled", report.Payloads[0].Warnings[0].Code)
}

// What encoding/json alters without an error is said, with the place.
func TestWhatLoadingAltersIsAWarning(t *testing.T) {
	const text = "{\"id\":9007199254740993,\"pi\":3.14159265358979323846}\n{\"id\":1,\"id\":2}\n{\"t\":\"caf\xe9\"}\n{\"t\":\"\\ud800\"}\n"
	warnings := func(p serbench.Payload, err error) (out []string) {
		require.NoError(t, err)
		codec := serbench.NewCodec("json", json.Marshal, json.Unmarshal)
		report, _ := serbench.Runner{Reps: 1, Ops: []serbench.Op{serbench.OpEncode}}.Run(context.Background(), []serbench.Codec{codec}, []serbench.Payload{p})
		for _, w := range report.Payloads[0].Warnings {
			out = append(out, w.Code+": "+w.Message)
		}
		return out
	}
	duplicate := `duplicate-keys: a key that stood in the same object before: the last value was loaded; the first at line 2, column 9 (byte 60): "id"`
	invalid := `invalid-text: 2 strings with bytes or escapes that are no Unicode text: loaded with U+FFFD in their place; the first at line 3, column 6 (byte 73): "\"caf\xe9\""`
	rounded := " of more digits than a float64 holds: rounded when loaded; the first at line 1, column "
	assert.Equal(t, []string{"numbers-rounded: 2 numbers" + rounded + "7 (byte 6): 9007199254740993", duplicate, invalid},
		warnings(serbench.LoadJSONAny("x", strings.NewReader(text), serbench.LoadOptions{})))
	assert.Equal(t, []string{"numbers-rounded: a number" + rounded + "29 (byte 28): 3.14159265358979323846", duplicate, invalid},
		warnings(serbench.LoadJSON[any]("x", strings.NewReader(text), serbench.LoadOptions{Numbers: serbench.NumbersInt64})))
	type doc struct {
		ID json.Number `json:"id"`
		Pi json.Number `json:"pi"`
		T  string      `json:"t"`
	}
	assert.Equal(t, []string{duplicate, invalid}, warnings(serbench.LoadJSON[doc]("x", strings.NewReader(text), serbench.LoadOptions{})))

	note := serbench.Warning{Code: "by-hand", Message: "made by hand"}
	p := serbench.NewPayload("x", new(1))
	noted := p.With(serbench.Noted(note))
	assert.Equal(t, []string{"by-hand: made by hand"}, warnings(noted, nil))
	assert.Empty(t, warnings(p, nil), "the payload itself is as it was")
}

func TestLoadMessagesOfAnotherFormat(t *testing.T) {
	from := func(msgs ...string) func() ([]byte, error) {
		return func() ([]byte, error) {
			if len(msgs) == 0 {
				return nil, io.EOF
			}
			m := msgs[0]
			msgs = msgs[1:]
			if m == "cut" {
				return nil, fmt.Errorf("message is cut: %w", io.ErrUnexpectedEOF)
			}
			return []byte(m), nil
		}
	}
	decode := func(data []byte, s *string) error { *s = strings.ToUpper(string(data)); return nil }
	p, err := serbench.LoadMessages("words", from("a", "", "c"), decode, serbench.LoadOptions{})
	require.NoError(t, err)
	assert.Equal(t, []string{"A", "", "C"}, values[string](t, p))

	_, err = serbench.LoadMessages("words", from("abc", "cut"), decode, serbench.LoadOptions{Source: "w"})
	assert.EqualError(t, err, "serbench: load w: byte 3, message 1: message is cut: unexpected EOF")
	_, err = serbench.LoadMessages("words", from(), decode, serbench.LoadOptions{})
	assert.ErrorContains(t, err, "no values")
	bad := errors.New("bad")
	_, err = serbench.LoadMessagesAny("words", from("a", "b"), func(data []byte) (any, error) {
		if string(data) == "b" {
			return nil, bad
		}
		return map[string]any{"m": string(data)}, nil
	}, serbench.LoadOptions{})
	assert.ErrorIs(t, err, bad)
	assert.ErrorContains(t, err, "byte 1, message 1")
}

func ExampleLoadJSON() {
	type order struct {
		ID    int64    `json:"id"`
		Items []string `json:"items"`
	}
	recorded := strings.NewReader(`{"id":1,"items":["tea"]}
{"id":2,"items":["bread","milk"]}`)
	orders, err := serbench.LoadJSON[order]("orders", recorded, serbench.LoadOptions{Source: "orders.ndjson"})
	if err != nil {
		fmt.Println(err)
		return
	}
	all, _ := orders.Values()
	fmt.Println(len(all), all[1].(*order).Items)
	// Output: 2 [bread milk]
}
