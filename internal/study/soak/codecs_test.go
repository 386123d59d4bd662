package soak

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/easyjson"
	"github.com/serbench/serbench/adapters/msgp"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/adapters/ugorji"
)

// suite lists the codecs that examples/quickstart compares.
func suite() []serbench.Codec {
	return []serbench.Codec{
		stdlib.JSON(), stdlib.Gob(), msgp.New(), msgp.Tree(), easyjson.New(),
		ugorji.JSON(), ugorji.MsgPack(), ugorji.CBOR(), ugorji.Binc(), ugorji.Simple(),
	}
}

// harm is what the codecs of one run do wrong, from a random call on, and what
// they hold until the run is over.
type harm struct {
	rng     *rand.Rand
	over    chan struct{} // closed behind the run: who hangs goes home
	spinOn  atomic.Bool
	hoard   [][]byte
	waiting atomic.Int64 // goroutines that a codec has left behind
}

func newHarm(seed uint64) *harm {
	h := &harm{rng: rand.New(rand.NewPCG(seed, 7)), over: make(chan struct{})}
	h.spinOn.Store(true)
	return h
}

// end lets go of all that the codecs hold.
func (h *harm) end() {
	close(h.over)
	h.spinOn.Store(false)
	h.hoard = nil
}

// mostWaiting goroutines are left behind at a time.
const mostWaiting = 1000

// kinds of harm, each the name of its codec.
var kinds = []string{"fails", "panics", "panics-on-decode", "exits-goroutine", "hangs", "spins", "slow", "leaks-goroutines", "leaks-memory", "changes-values", "wrong"}

// codec is encoding/json that does harm of a kind: at once, in the middle of
// the check, or in the middle of the measuring.
func (h *harm) codec(kind string) serbench.Codec {
	from := []int64{0, 3, 50, 2000}[h.rng.IntN(4)]
	var calls atomic.Int64
	due := func() bool { return calls.Add(1) > from }
	marshal, unmarshal := json.Marshal, json.Unmarshal
	before := func(do func() error) func(any) ([]byte, error) {
		return func(v any) ([]byte, error) {
			if due() {
				if err := do(); err != nil {
					return nil, err
				}
			}
			return json.Marshal(v)
		}
	}
	switch kind {
	case "fails":
		marshal = before(func() error { return errors.New("out of ink") })
	case "panics":
		marshal = before(func() error { panic("ouch") })
	case "panics-on-decode":
		unmarshal = func(data []byte, v any) error {
			if due() {
				_ = data[len(data)]
			}
			return json.Unmarshal(data, v)
		}
	case "exits-goroutine":
		marshal = before(func() error { runtime.Goexit(); return nil })
	case "hangs":
		marshal = before(func() error { <-h.over; return nil })
	case "spins":
		marshal = before(func() error {
			for h.spinOn.Load() {
				runtime.Gosched()
			}
			return nil
		})
	case "slow":
		marshal = before(func() error { time.Sleep(300 * time.Microsecond); return nil })
	case "leaks-goroutines":
		marshal = before(func() error {
			if h.waiting.Load() >= mostWaiting {
				return nil
			}
			h.waiting.Add(1)
			go func() { <-h.over; h.waiting.Add(-1) }()
			return nil
		})
	case "leaks-memory":
		marshal = before(func() error { h.hoard = append(h.hoard, make([]byte, 64<<10)); return nil })
	case "changes-values":
		marshal = func(v any) ([]byte, error) {
			if m, ok := v.(*map[string]any); ok && due() {
				(*m)["added"] = true
			}
			return json.Marshal(v)
		}
	case "wrong":
		unmarshal = func(data []byte, v any) error {
			if due() {
				return nil
			}
			return json.Unmarshal(data, v)
		}
	}
	return serbench.NewCodec(kind, marshal, unmarshal)
}
