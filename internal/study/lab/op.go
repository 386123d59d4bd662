// Package lab holds what the study programs share: ops whose cost is known
// and can be raised by a known share, trials, and the tables that sum them up.
package lab

import (
	"encoding/json"
	"fmt"

	"github.com/serbench/serbench/internal/measure"
)

// base is the number of turns of extra work that every op does, and a varying
// few more, so that the loop's end is mispredicted on both sides of a
// comparison: else the first extra turn costs more than the others.
const base = 200

// An Op is a [measure.Cell] whose instances all run the same code, whatever
// they cost: a copy of a function would differ by its place alone.
type Op struct {
	Kind  Kind
	Extra int // turns beyond the base, in one of Kind.Every calls
	in    *instance
}

// Kind is an op to compare with itself.
type Kind struct {
	Name  string
	Turns int // of arithmetic
	Alloc int // bytes, one object
	Pool  int // objects of 64 bytes beside it
	Codec string
	Every int // calls of which one does the extra work: a share of 50 ns is far less than a turn
}

// Kinds are the ops of the study.
func Kinds() []Kind {
	return []Kind{
		{Name: "50ns", Turns: 22, Every: 100},
		{Name: "1us", Turns: 480, Every: 10},
		{Name: "5us-alloc", Turns: 1800, Alloc: 2048, Pool: 16, Every: 1},
		{Name: "80ns-alloc", Turns: 22, Alloc: 256, Every: 100},
		{Name: "json-encode", Codec: "encode", Every: 10},
		{Name: "json-decode", Codec: "decode", Every: 2},
	}
}

// KindNamed finds an op of the study.
func KindNamed(name string) (Kind, error) {
	for _, k := range Kinds() {
		if k.Name == name {
			return k, nil
		}
	}
	return Kind{}, fmt.Errorf("no op is named %q", name)
}

// Event is what the real codec encodes.
type Event struct {
	Host    string   `json:"host"`
	Service string   `json:"service"`
	State   string   `json:"state"`
	Time    int64    `json:"time"`
	Metric  float64  `json:"metric"`
	Tags    []string `json:"tags"`
}

type instance struct {
	Kind
	x     uint64
	extra int
	call  int
	vary  int
	out   []byte
	small [16]*[64]byte
	event *Event
	data  []byte
}

// Fresh implements [measure.Cell].
func (o *Op) Fresh() error {
	in := &instance{Kind: o.Kind, extra: base + o.Extra, x: 1}
	if o.Kind.Codec != "" {
		in.event = &Event{Host: "app-01", Service: "http", State: "critical", Time: 1_700_000_000, Metric: 12.5, Tags: []string{"eu", "prod"}}
		var err error
		if in.data, err = json.Marshal(in.event); err != nil {
			return err
		}
	}
	o.in = in
	return nil
}

// Prepare implements [measure.Cell].
func (o *Op) Prepare(int) error { return nil }

// Run implements [measure.Cell].
func (o *Op) Run(n int) (int, error) {
	in := o.in
	for i := range n {
		if err := in.do(); err != nil {
			return i, err
		}
	}
	return n, nil
}

//go:noinline
func (in *instance) do() error {
	in.spin(in.Turns)
	if in.Alloc > 0 {
		in.out = make([]byte, in.Alloc)
		for i := range in.Pool {
			in.small[i] = new([64]byte)
		}
	}
	var err error
	switch in.Codec {
	case "encode":
		in.out, err = json.Marshal(in.event)
	case "decode":
		*in.event = Event{}
		err = json.Unmarshal(in.data, in.event)
	}
	if in.call++; in.call == in.Every {
		in.call = 0
		in.vary = (in.vary*5 + 3) % 16
		in.spin(in.extra + in.vary)
	}
	return err
}

// spin is a chain: each turn waits for the one before.
//
//go:noinline
func (in *instance) spin(turns int) {
	x := in.x
	for range turns {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	in.x = x
}

// TurnsFor returns how many extra turns raise the cost of the kind by share,
// roughly: what they raise it by in truth, each trial measures itself.
func TurnsFor(k Kind, share float64) (int, error) {
	const many = 5000 // turns, over ten calls: short enough to be undisturbed once in a while
	clock := measure.SystemClock()
	time := func(o *Op, n int) (float64, error) {
		best := 0.0
		for range 25 {
			t0 := clock()
			if _, err := o.Run(n); err != nil {
				return 0, err
			}
			if d := float64(clock()-t0) / float64(n); best == 0 || d < best {
				best = d
			}
		}
		return best, nil
	}
	plain, more := &Op{Kind: k}, &Op{Kind: k, Extra: many}
	for _, o := range []*Op{plain, more} {
		if err := o.Fresh(); err != nil {
			return 0, err
		}
	}
	var a, b float64
	for range 5 { // until neither was disturbed throughout
		var err error
		if a, err = time(plain, 10*k.Every); err != nil {
			return 0, err
		}
		if b, err = time(more, 10*k.Every); err != nil {
			return 0, err
		}
		if b > a {
			break
		}
	}
	if !(b > a) {
		return 0, fmt.Errorf("%s: extra work takes no time by this clock", k.Name)
	}
	return int(share*a/((b-a)/many) + 0.5), nil
}
