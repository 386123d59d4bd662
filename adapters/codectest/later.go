//lint:file-ignore ST1005 these errors begin with the method that they are about

package codectest

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/internal/fidelity"
)

// kept is what the first calls were given and gave, as it was then: to be
// looked at after everything else.
type kept struct {
	output, input [2][]byte // now and then
	decoded       any
	hash          string // of decoded
}

func twice(b []byte) [2][]byte { return [2][]byte{b, bytes.Clone(b)} }

// nothingLater sees what goroutines of the codec did after its calls had
// returned, and the race detector sees more.
func (s *subject) nothingLater() error {
	for i, k := range s.kept {
		switch {
		case !bytes.Equal(k.output[0], k.output[1]):
			return fmt.Errorf("the message of value %d is not what it was when Marshal returned it", i)
		case !bytes.Equal(k.input[0], k.input[1]):
			return fmt.Errorf("the input of value %d is not what it was after Unmarshal had returned", i)
		case fidelity.Hash(k.decoded) != k.hash:
			return fmt.Errorf("the decoded value %d is not what it was when Unmarshal returned", i)
		}
	}
	return nil
}

// Calls with a watched input, and how long they go on.
const (
	watchedCalls = 200
	watchedTime  = 3 * time.Millisecond
	longestWatch = time.Second // of a call that does not return
)

// inputOnlyRead has another goroutine read the input while it is decoded, as
// anyone may who does not write to it: what is written and restored shows too,
// at times, and to the race detector always.
func (s *subject) inputOnlyRead() error {
	if err := trait(serbench.TraitWritesToInput)(s); err != nil {
		return err
	}
	msg := s.msgs[0]
	data := bytes.Clone(msg)
	var stop, changed atomic.Bool
	over := make(chan struct{})
	go func() {
		defer close(over)
		for start := time.Now(); !stop.Load() && time.Since(start) < longestWatch; {
			if !bytes.Equal(data, msg) {
				changed.Store(true)
			}
			runtime.Gosched()
		}
	}()
	var err error
	start := time.Now()
	for i := 0; i < watchedCalls && (i < 1 || time.Since(start) < watchedTime) && err == nil; i++ {
		err = s.codec.Unmarshal(data, s.payload.New())
	}
	stop.Store(true)
	<-over
	if changed.Load() {
		return errors.New("while it was decoded the input was not what it was, to another goroutine that read it")
	}
	return err
}

// Calls of the case lasting, and how long they go on where a message is large.
const (
	lastingCalls = 1000
	lastingSize  = 4 << 10
	lastingTime  = 60 * time.Millisecond
)

// lasting calls the codec more often than all other cases together, with the
// value of the shortest message.
func (s *subject) lasting() error {
	if !s.thorough {
		return skipf("tried with the first %d payloads", mostThorough)
	}
	i := 0
	for k, msg := range s.msgs {
		if len(msg) < len(s.msgs[i]) {
			i = k
		}
	}
	start := time.Now()
	for n := 0; n < lastingCalls && (len(s.msgs[i]) <= lastingSize || time.Since(start) < lastingTime); n++ {
		msg, err := s.codec.Marshal(s.values[i])
		if err != nil {
			return fmt.Errorf("Marshal, call %d: %w", n, err)
		}
		if err := s.decodesTo(i, msg); err != nil {
			return fmt.Errorf("call %d: the message of value %d %w", n, i, err)
		}
	}
	return nil
}
