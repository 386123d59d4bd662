//lint:file-ignore ST1005 these errors begin with the method that they are about

package codectest

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/serbench/serbench"
)

// timesStreamed is how often the values pass through a stream.
const timesStreamed = 3

func (s *subject) stream() error {
	st, ok := s.codec.(serbench.Streamer)
	if !ok {
		return skipf("has no NewStream")
	}
	// Two streams take turns.
	encoders := [2]serbench.Stream{st.NewStream(), st.NewStream()}
	decoders := [2]serbench.Stream{st.NewStream(), st.NewStream()}
	var outs, copies [2][][]byte
	for range timesStreamed {
		for i, v := range s.values {
			for k, e := range encoders {
				dst := make([]byte, 4, 100)
				copy(dst, "kept")
				out, err := e.Encode(dst, v)
				if err != nil {
					return fmt.Errorf("Encode of value %d: %w", i, err)
				}
				if !bytes.HasPrefix(out, []byte("kept")) {
					return errors.New("Encode does not keep the prefix")
				}
				outs[k], copies[k] = append(outs[k], out), append(copies[k], bytes.Clone(out))
			}
		}
	}
	for n := range outs[0] {
		for k, d := range decoders {
			if !bytes.Equal(outs[k][n], copies[k][n]) {
				return fmt.Errorf("message %d was written to by a later Encode", n)
			}
			data, got := bytes.Clone(copies[k][n][4:]), s.payload.New()
			if err := d.Decode(data, got); err != nil {
				return fmt.Errorf("Decode of message %d: %w", n, err)
			}
			if !bytes.Equal(data, copies[k][n][4:]) {
				return errors.New("Decode changed its input")
			}
			overwrite(data)
			if !s.same(s.decoded[n%len(s.values)], got) {
				return fmt.Errorf("message %d decoded to another value than without a stream", n)
			}
		}
	}
	return s.streamErrors(st)
}

func (s *subject) streamErrors(st serbench.Streamer) error {
	msg, err := st.NewStream().Encode(nil, s.values[0])
	if err != nil {
		return err
	}
	short := cuts(len(msg))
	if s.deadly {
		short = nil
	}
	for _, n := range short {
		got := s.payload.New()
		if err := st.NewStream().Decode(bytes.Clone(msg[:n]), got); err == nil && !s.kit.Open && !s.same(s.decoded[0], got) {
			return fmt.Errorf("Decode accepted a message cut to %d of %d bytes", n, len(msg))
		}
	}
	for _, n := range s.refused() {
		out, err := st.NewStream().Encode([]byte("kept"), n.v)
		if err == nil {
			return fmt.Errorf("%s: Encode returned no error", n.name)
		}
		if string(out) != "kept" {
			return fmt.Errorf("%s: Encode returned an error and not dst as it was", n.name)
		}
	}
	return nil
}
