package serbench

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type domain struct{ N int }

type message struct {
	Number string `json:"number"`
}

func toMessage(m *message, d *domain) error {
	if d.N < 0 {
		return errors.New("negative")
	}
	m.Number = strconv.Itoa(d.N)
	return nil
}

func fromMessage(d *domain, m *message) (err error) {
	d.N, err = strconv.Atoi(m.Number)
	return err
}

// schemaCodec only knows messages.
type schemaCodec struct{}

func (*schemaCodec) Name() string   { return "schema" }
func (*schemaCodec) Describe() Info { return Info{Format: "json", CallPath: "json.Marshal"} }

func (*schemaCodec) Supports(v any) error {
	if _, ok := v.(*message); !ok {
		return Unsupported(v, "is no message")
	}
	return nil
}

func (c *schemaCodec) Marshal(v any) ([]byte, error) {
	if err := c.Supports(v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}
func (c *schemaCodec) Unmarshal(data []byte, v any) error { return json.Unmarshal(data, v) }

type appendingCodec struct{ schemaCodec }

func (c *appendingCodec) Append(dst []byte, v any) ([]byte, error) {
	out, err := c.Marshal(v)
	if err != nil {
		return dst, err
	}
	return append(dst, out...), nil
}
func (c *appendingCodec) Clone() Codec { return new(appendingCodec) }

func TestConvertEncodesTheMessage(t *testing.T) {
	c := Convert(new(appendingCodec), toMessage, fromMessage)
	assert.Equal(t, "schema+convert", c.Name())
	data, err := c.Marshal(&domain{N: 7})
	require.NoError(t, err)
	assert.Equal(t, `{"number":"7"}`, string(data))
	var got domain
	require.NoError(t, c.Unmarshal(data, &got))
	assert.Equal(t, domain{N: 7}, got)

	out, err := c.(Appender).Append([]byte("p"), &domain{N: 7})
	require.NoError(t, err)
	assert.Equal(t, `p{"number":"7"}`, string(out))

	info := c.(Describer).Describe()
	assert.Equal(t, "json", info.Format)
	assert.Equal(t, "json.Marshal; conversion to and from the message in each call", info.CallPath)
}

func TestConvertHasTheAbilitiesOfItsCodec(t *testing.T) {
	for _, tt := range []struct {
		name            string
		inner           Codec
		appends, clones bool
	}{
		{"neither", new(schemaCodec), false, false},
		{"both", new(appendingCodec), true, true},
		{"only clones", NewCodec("c", nil, nil, Concurrent()), false, true},
		{"only appends", struct {
			Codec
			Appender
		}{new(schemaCodec), new(appendingCodec)}, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := Convert(tt.inner, toMessage, fromMessage)
			_, ok := c.(Appender)
			assert.Equal(t, tt.appends, ok)
			cl, ok := c.(Cloner)
			assert.Equal(t, tt.clones, ok)
			if ok {
				assert.Equal(t, c.Name(), cl.Clone().Name())
			}
		})
	}
}

func TestConvertRefuses(t *testing.T) {
	c := Convert(new(appendingCodec), toMessage, fromMessage)
	for _, tt := range []struct {
		name        string
		v           any
		unsupported bool
		want        string
	}{
		{"another type", &message{}, true, "unsupported: type serbench.message is not what this codec converts, *serbench.domain"},
		{"nil", nil, true, "is not what this codec converts"},
		{"a value", domain{}, true, "is not what this codec converts"},
		{"a nil pointer", (*domain)(nil), true, "came as a nil pointer"},
		{"what to refuses", &domain{N: -1}, false, "negative"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := c.(Supporter).Supports(tt.v)
			assert.ErrorContains(t, err, tt.want)
			_, err = c.Marshal(tt.v)
			assert.ErrorContains(t, err, tt.want)
			assert.Equal(t, tt.unsupported, errors.Is(err, errors.ErrUnsupported))
			out, err := c.(Appender).Append([]byte("kept"), tt.v)
			assert.ErrorContains(t, err, tt.want)
			assert.Equal(t, "kept", string(out))
		})
	}
	var got domain
	assert.Error(t, c.Unmarshal([]byte(`{"number":"x"}`), &got), "an error of from")
	assert.Error(t, c.Unmarshal([]byte(`{`), &got), "an error of the codec")
	assert.ErrorIs(t, c.Unmarshal([]byte(`{}`), new(message)), errors.ErrUnsupported)

	broken := Convert[domain, message](new(schemaCodec), nil, nil)
	_, err := broken.Marshal(&domain{})
	assert.ErrorContains(t, err, "nil function")
	wrong := Convert(new(schemaCodec), func(*string, *domain) error { return nil }, func(*domain, *string) error { return nil })
	assert.ErrorIs(t, wrong.(Supporter).Supports(&domain{}), errors.ErrUnsupported, "the inner codec does not know string")
}

func ExampleConvert() {
	type Event struct{ At int }
	type EventMessage struct {
		At string `json:"at"`
	}
	schema := NewCodec("schema", json.Marshal, json.Unmarshal)
	c := Convert(schema,
		func(m *EventMessage, e *Event) error { m.At = strconv.Itoa(e.At); return nil },
		func(e *Event, m *EventMessage) (err error) { e.At, err = strconv.Atoi(m.At); return err })
	data, _ := c.Marshal(&Event{At: 5})
	fmt.Println(c.Name(), string(data))
	// Output: schema+convert {"at":"5"}
}
