package serbench_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

// note is a payload whose blob stands as it is at the end of its message.
type note struct {
	ID   int64
	Tags map[string]string `json:",omitempty"`
	Blob []byte            `json:"-"`
}

func noteMarshal(v any) ([]byte, error) {
	n, ok := v.(*note)
	if !ok {
		return nil, serbench.Unsupported(v, "is no *note")
	}
	head, err := json.Marshal(n)
	msg := binary.LittleEndian.AppendUint32(nil, uint32(len(head)))
	return append(append(msg, head...), n.Blob...), err
}

func noteUnmarshal(data []byte, v any) error {
	n, ok := v.(*note)
	if !ok {
		return serbench.Unsupported(v, "is no *note")
	}
	if len(data) < 4 || len(data) < 4+int(binary.LittleEndian.Uint32(data)) {
		return errors.New("short")
	}
	end := 4 + int(binary.LittleEndian.Uint32(data))
	*n = note{}
	if err := json.Unmarshal(data[4:end], n); err != nil {
		return err
	}
	n.Blob = bytes.Clone(data[end:])
	return nil
}

func notes() serbench.Payload {
	return serbench.NewPayload("note",
		&note{ID: 1, Tags: map[string]string{"a": "b"}, Blob: []byte("some bytes")}, &note{Blob: []byte("others")})
}

// traitful are codecs that each have one trait, by its name.
func traitful() map[string]serbench.Codec {
	codec := func(marshal func(any) ([]byte, error), unmarshal func([]byte, any) error, opts ...serbench.CodecOption) serbench.Codec {
		if marshal == nil {
			marshal = noteMarshal
		}
		if unmarshal == nil {
			unmarshal = noteUnmarshal
		}
		return serbench.NewCodec("x", marshal, unmarshal, opts...)
	}
	var buf, lastBlob []byte
	var held []*note
	var heldInput [][]byte
	table := map[string]note{}
	count := 0
	var shared atomic.Pointer[[]byte]
	return map[string]serbench.Codec{
		serbench.TraitAliasesInput: codec(nil, func(data []byte, v any) error {
			err := noteUnmarshal(data, v)
			if n := v.(*note); err == nil {
				n.Blob = data[len(data)-len(n.Blob):]
			}
			return err
		}),
		serbench.TraitReusesOutput: codec(func(v any) ([]byte, error) {
			msg, err := noteMarshal(v)
			buf = append(buf[:0], msg...)
			return buf, err
		}, nil),
		serbench.TraitReusesDecoded: codec(nil, func(data []byte, v any) error {
			err := noteUnmarshal(data, v)
			if n := v.(*note); err == nil {
				lastBlob = append(lastBlob[:0], n.Blob...)
				n.Blob = lastBlob[:len(n.Blob):len(n.Blob)]
			}
			return err
		}),
		serbench.TraitIgnoresInput: codec(nil, func(data []byte, v any) error {
			*v.(*note) = note{ID: 1, Tags: map[string]string{"a": "b"}, Blob: []byte("some bytes")}
			return nil
		}),
		serbench.TraitNotSelfContained: codec(func(v any) ([]byte, error) {
			key := strconv.Itoa(len(table))
			n := *v.(*note)
			n.Blob = bytes.Clone(n.Blob)
			table[key] = n
			return []byte(key), nil
		}, func(data []byte, v any) error {
			n, ok := table[string(data)]
			n.Blob = bytes.Clone(n.Blob)
			*v.(*note) = n
			if !ok {
				return errors.New("unknown")
			}
			return nil
		}),
		serbench.TraitWritesToInput: codec(nil, func(data []byte, v any) error {
			err := noteUnmarshal(data, v)
			data[len(data)-1] ^= 1
			return err
		}),
		serbench.TraitWritesToValue: codec(func(v any) ([]byte, error) {
			msg, err := noteMarshal(v)
			slices.Sort(v.(*note).Blob)
			return msg, err
		}, nil),
		serbench.TraitKeepsInput: codec(nil, func(data []byte, v any) error {
			heldInput = append(heldInput, data)
			return noteUnmarshal(data, v)
		}),
		serbench.TraitKeepsValue: codec(func(v any) ([]byte, error) {
			held = append(held, v.(*note))
			return noteMarshal(v)
		}, nil),
		serbench.TraitNotDeterministic: codec(func(v any) ([]byte, error) {
			n := *v.(*note)
			head, err := json.Marshal(n)
			count++
			head = append(head, strings.Repeat(" ", count%7)...)
			msg := binary.LittleEndian.AppendUint32(nil, uint32(len(head)))
			return append(append(msg, head...), n.Blob...), err
		}, nil),
		serbench.TraitStaleFields: codec(nil, func(data []byte, v any) error {
			var n note
			err := noteUnmarshal(data, &n)
			to := v.(*note)
			to.Tags, to.Blob = n.Tags, n.Blob
			if n.ID != 0 { // overwrites a field only with what is not zero
				to.ID = n.ID
			}
			return err
		}),
		serbench.TraitStaleKeys: codec(nil, func(data []byte, v any) error {
			var n note
			err := noteUnmarshal(data, &n)
			to := v.(*note)
			to.ID, to.Blob = n.ID, n.Blob
			if to.Tags == nil || n.Tags == nil {
				to.Tags = n.Tags
				return err
			}
			for k, x := range n.Tags {
				to.Tags[k] = x
			}
			return err
		}),
		serbench.TraitNotConcurrent: codec(func(v any) ([]byte, error) {
			msg, err := noteMarshal(v)
			shared.Store(&msg)
			return bytes.Clone(*shared.Load()), err
		}, nil), // has no Clone
	}
}

// Of a codec that breaks a rule, no number is of any worth.
func TestEveryTraitIsSeenByTheRunner(t *testing.T) {
	fails := []string{serbench.TraitIgnoresInput, serbench.TraitNotSelfContained, serbench.TraitWritesToInput, serbench.TraitWritesToValue}
	codecs := traitful()
	for _, trait := range traitNames(t) {
		t.Run(trait, func(t *testing.T) {
			c := codecs[trait]
			require.NotNil(t, c, "there is no test codec with the trait")
			r := serbench.Runner{Reps: 3, Traits: true, Ops: []serbench.Op{serbench.OpDecode}}
			report, err := r.Run(t.Context(), []serbench.Codec{c}, []serbench.Payload{notes()})
			res := report.Results[0]
			if slices.Contains(fails, trait) {
				require.Error(t, err)
				assert.Equal(t, serbench.StatusFailed, res.Status)
				assert.Nil(t, res.Estimates.NsPerOp)
				return
			}
			require.NoError(t, err)
			want := []string{trait}
			if trait != serbench.TraitNotConcurrent {
				want = append(want, serbench.TraitNotConcurrent) // none of these has a Clone
			}
			assert.Equal(t, want, names(res.Traits), "%v", res.Traits)
		})
	}
}

// traitNames are the values of the constants in traits.go.
func traitNames(t *testing.T) (values []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "traits.go", nil, 0)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if ok && strings.HasPrefix(spec.Names[0].Name, "Trait") && len(spec.Values) == 1 {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			require.NoError(t, err)
			values = append(values, value)
		}
		return true
	})
	require.GreaterOrEqual(t, len(values), 13)
	return values
}

// A codec that holds a value only costs memory; one that gives an old message
// for it is not to be timed.
func TestTheRunnerTellsAHeldValueFromARememberedOne(t *testing.T) {
	var held []any
	holds := serbench.NewCodec("holds", func(v any) ([]byte, error) { held = append(held, v); return json.Marshal(v) }, json.Unmarshal)
	for _, ops := range [][]serbench.Op{{serbench.OpEncode}, {serbench.OpRoundtrip}} {
		report, err := run(t, serbench.Runner{Traits: true, Ops: ops}, []serbench.Codec{holds, serbench.NewCodec("remembers", remembering(), json.Unmarshal)}, orderPayload())
		require.Error(t, err)
		res := result(t, report, "holds", ops[0])
		assert.Equal(t, serbench.StatusOK, res.Status, res.Reason)
		assert.Contains(t, names(res.Traits), serbench.TraitKeepsValue)
		assert.Equal(t, serbench.StatusFailed, result(t, report, "remembers", ops[0]).Status)
	}
}

// Some decoders end their process on an empty message: the Runner does not try
// it in its own.
func TestTheRunnerDecodesOnlyWhatTheCodecEncoded(t *testing.T) {
	for _, traits := range []bool{false, true} {
		wrote := map[string]bool{}
		c := serbench.NewCodec("wary", func(v any) ([]byte, error) {
			msg, err := json.Marshal(v)
			wrote[string(msg)] = true
			return msg, err
		}, func(data []byte, v any) error {
			assert.True(t, wrote[string(data)], "%q", data)
			return json.Unmarshal(data, v)
		})
		all := []serbench.Op{serbench.OpEncode, serbench.OpDecode, serbench.OpRoundtrip, serbench.OpReuse}
		_, err := run(t, serbench.Runner{Traits: traits, Ops: all}, []serbench.Codec{c}, orderPayload(), eventPayload())
		require.NoError(t, err)
	}
}
