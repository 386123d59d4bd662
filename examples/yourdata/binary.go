package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/fxamacker/cbor/v2"
	"github.com/tinylib/msgp/msgp"

	"github.com/serbench/serbench"
)

// counter counts what was read.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// loadMsgpack takes messages behind each other, or one array of maps, whose
// elements are then the messages.
func loadMsgpack(name string, r io.Reader, l serbench.LoadOptions) (serbench.Payload, error) {
	in := &counter{r: r}
	m := msgp.NewReader(in)
	var buf bytes.Buffer
	first, left := true, int64(-1) // elements of the array, -1: no array
	next := func() ([]byte, error) {
		buf.Reset()
		begin := in.n - int64(m.R.Buffered())
		elements := int64(1)
		if t, err := m.NextType(); first && err == nil && t == msgp.ArrayType {
			n, err := m.ReadArrayHeader()
			if err != nil {
				return nil, at(in, m, err)
			}
			if t, err := m.NextType(); err == nil && t == msgp.MapType && n > 0 {
				left = int64(n)
			} else { // a message that is an array
				buf.Write(msgp.AppendArrayHeader(nil, n))
				elements = int64(n)
			}
		}
		first = false
		if left == 0 {
			if _, err := m.NextType(); !errors.Is(err, io.EOF) {
				return nil, at(in, m, errors.New("expected the end of the input behind the array"))
			}
			return nil, io.EOF
		}
		left = max(left-1, -1)
		for range elements {
			if _, err := m.CopyNext(&buf); err != nil {
				if end := in.n - int64(m.R.Buffered()); errors.Is(err, io.EOF) && (end > begin || left >= 0) {
					err = io.ErrUnexpectedEOF
				} else if errors.Is(err, io.EOF) {
					return nil, io.EOF
				}
				return nil, at(in, m, err)
			}
		}
		return buf.Bytes(), nil
	}
	return serbench.LoadMessagesAny(name, next, func(data []byte) (any, error) {
		v, _, err := msgp.ReadIntfBytes(data)
		return v, err
	}, l)
}

// at says where in the input the reader is.
func at(in *counter, m *msgp.Reader, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, msgp.ErrShortBytes) {
		return fmt.Errorf("at byte %d: expected the rest of the value, found the end of the input", in.n)
	}
	return fmt.Errorf("at byte %d: %w", in.n-int64(m.R.Buffered()), err)
}

// loadCBOR takes a sequence of items (RFC 8742), or one array of maps.
func loadCBOR(name string, r io.Reader, l serbench.LoadOptions) (serbench.Payload, error) {
	mode, err := cbor.DecOptions{
		DefaultMapType:  reflect.TypeFor[map[string]any](),
		IntDec:          cbor.IntDecConvertSignedOrBigInt,
		MaxNestedLevels: 1000, MaxArrayElements: 1 << 30, MaxMapPairs: 1 << 30,
	}.DecMode()
	if err != nil {
		return serbench.Payload{}, err
	}
	d := mode.NewDecoder(r)
	var elements []cbor.RawMessage
	first := true
	next := func() ([]byte, error) {
		if len(elements) > 0 {
			e := elements[0]
			elements = elements[1:]
			return e, nil
		}
		var item cbor.RawMessage
		if err := d.Decode(&item); err != nil {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				err = errors.New("expected the rest of the item, found the end of the input")
			}
			return nil, err
		}
		if first && len(item) > 1 && item[0]>>5 == 4 {
			var list []cbor.RawMessage
			if err := mode.Unmarshal(item, &list); err == nil && len(list) > 0 && list[0][0]>>5 == 5 {
				elements = list[1:]
				item = list[0]
			}
		}
		first = false
		return item, nil
	}
	return serbench.LoadMessagesAny(name, next, func(data []byte) (v any, err error) {
		err = mode.Unmarshal(data, &v)
		return v, err
	}, l)
}

// whichBinary reads ahead and returns the format in which what is there makes
// whole messages; empty if that is so in both or in none.
func whichBinary(r *bufio.Reader) string {
	head, err := r.Peek(32 << 10)
	whole := err != nil // all of the input
	isMsgpack := walks(head, whole, func(b []byte) ([]byte, error) {
		rest, err := msgp.Skip(b)
		if errors.Is(err, msgp.ErrShortBytes) {
			err = io.ErrUnexpectedEOF
		}
		return rest, err
	})
	isCBOR := walks(head, whole, func(b []byte) ([]byte, error) {
		return cbor.UnmarshalFirst(b, new(cbor.RawMessage))
	})
	switch {
	case isMsgpack && !isCBOR:
		return "msgpack"
	case isCBOR && !isMsgpack:
		return "cbor"
	}
	return ""
}

func walks(b []byte, whole bool, skip func([]byte) ([]byte, error)) bool {
	for len(b) > 0 {
		rest, err := skip(b)
		if err != nil {
			return !whole && errors.Is(err, io.ErrUnexpectedEOF)
		}
		b = rest
	}
	return true
}
