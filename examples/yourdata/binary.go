package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"reflect"

	"github.com/fxamacker/cbor/v2"
	"github.com/tinylib/msgp/msgp"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/internal/corpus"
)

// loadMsgpack takes messages behind each other, or one array of maps, whose
// elements are then the messages.
func loadMsgpack(name string, r io.Reader, l serbench.LoadOptions) (serbench.Payload, error) {
	return loadItems(name, corpus.MessagePack, r, l, func(data []byte) (any, error) {
		v, _, err := msgp.ReadIntfBytes(data)
		return v, err
	})
}

// loadCBOR takes a sequence of items (RFC 8742), or one array of maps.
func loadCBOR(name string, r io.Reader, l serbench.LoadOptions) (serbench.Payload, error) {
	mode, err := cbor.DecOptions{
		DefaultMapType:  reflect.TypeFor[map[string]any](),
		IntDec:          cbor.IntDecConvertSignedOrBigInt,
		MaxNestedLevels: corpus.MostLevels, MaxArrayElements: math.MaxInt32, MaxMapPairs: math.MaxInt32,
	}.DecMode()
	if err != nil {
		return serbench.Payload{}, err
	}
	return loadItems(name, corpus.CBOR, r, l, func(data []byte) (v any, err error) {
		err = mode.Unmarshal(data, &v)
		return v, err
	})
}

func loadItems(name string, format func(io.Reader, int64) *corpus.Items, r io.Reader, l serbench.LoadOptions,
	decode func([]byte) (any, error)) (serbench.Payload, error) {
	items, again := format(r, l.MaxMessage), format(nil, 0)
	next := func() ([]byte, error) {
		data, _, err := items.Next()
		return data, err
	}
	a := altered{keys: func(data []byte) (n int64) {
		again.Reset(bytes.NewReader(data))
		for {
			if _, _, err := again.Next(); err != nil {
				return n
			}
			n += again.Pairs()
		}
	}}
	l.Kept = func(data []byte, _, offset int64) { a.look(data, offset+items.Skipped(), decode) }
	p, err := serbench.LoadMessagesAny(name, next, func(data []byte) (any, error) {
		v, err := decode(data)
		return plain(v, new(int64)), err
	}, l)
	if e := (*serbench.LoadError)(nil); errors.As(err, &e) && !errors.As(err, new(*corpus.Error)) {
		e.Offset += items.Skipped() // of which LoadMessages knows nothing
	}
	return a.noted(p), err
}

// altered counts what the values do not have of their messages.
type altered struct {
	rounded, duplicates count
	keys                func([]byte) int64
}

type count struct{ n, first int64 }

func (c *count) add(n, offset int64) {
	if c.n == 0 {
		c.first = offset
	}
	c.n += n
}

func (a *altered) look(data []byte, offset int64, decode func([]byte) (any, error)) {
	v, err := decode(data)
	if err != nil {
		return // the loader says so
	}
	var rounded int64
	plain(v, &rounded)
	a.rounded.add(rounded, offset)
	a.duplicates.add(a.keys(data)-keys(v), offset)
}

func (a *altered) noted(p serbench.Payload) serbench.Payload {
	if n := a.rounded.n; n > 0 {
		p = p.With(serbench.Noted(serbench.Warning{Code: "numbers-rounded",
			Message: fmt.Sprintf("%d whole numbers that fit neither int64 nor uint64 were rounded to float64; the first in the message at byte %d", n, a.rounded.first)}))
	}
	if n := a.duplicates.n; n > 0 {
		p = p.With(serbench.Noted(serbench.Warning{Code: "duplicate-keys", Advice: "look at what writes these messages",
			Message: fmt.Sprintf("%d keys that stood in the same map before: the last value was loaded; the first in the message at byte %d", n, a.duplicates.first)}))
	}
	return p
}

// keys counts those of all maps in a value.
func keys(v any) (n int64) {
	switch v := v.(type) {
	case map[string]any:
		n = int64(len(v))
		for _, e := range v {
			n += keys(e)
		}
	case []any:
		for _, e := range v {
			n += keys(e)
		}
	}
	return n
}

// plain replaces integers by an int64 if they fit, or a uint64, or a float64,
// as the loader of JSON does.
func plain(v any, rounded *int64) any {
	switch v := v.(type) {
	case uint64:
		if v <= math.MaxInt64 {
			return int64(v)
		}
	case big.Int:
		if v.IsUint64() {
			return v.Uint64()
		}
		f, accuracy := new(big.Float).SetInt(&v).Float64()
		if accuracy != big.Exact {
			*rounded++
		}
		return f
	case map[string]any:
		for k, e := range v {
			v[k] = plain(e, rounded)
		}
	case []any:
		for i, e := range v {
			v[i] = plain(e, rounded)
		}
	}
	return v
}

// whichBinary reads ahead and returns the format in which what is there makes
// whole messages; empty if that is so in both or in none.
func whichBinary(r *bufio.Reader) string {
	head, err := r.Peek(32 << 10)
	whole := err != nil // all of the input
	isMsgpack := walks(corpus.MessagePack(bytes.NewReader(head), 0), whole)
	isCBOR := walks(corpus.CBOR(bytes.NewReader(head), 0), whole)
	switch {
	case isMsgpack && !isCBOR:
		return "msgpack"
	case isCBOR && !isMsgpack:
		return "cbor"
	}
	return ""
}

func walks(items *corpus.Items, whole bool) bool {
	for {
		_, _, err := items.Next()
		e := (*corpus.Error)(nil)
		switch {
		case errors.Is(err, io.EOF):
			return true
		case errors.As(err, &e):
			return !whole && e.Found == "" // the end
		}
	}
}
