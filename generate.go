package serbench

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/serbench/serbench/internal/valuegen"
)

// A Generator makes up values of any Go type: distinct and plausible, guided
// by kinds and by the names of fields (an Email holds an address, an ID is
// long). Its zero value works: 0 is the default of each setting, negative
// stands for none or zero. The same settings give the same values in every
// version of Go and on every platform, and a field keeps its content when
// other fields come or go. A Generator is not changed by its methods.
//
// It sets exported fields. What has no content of its own (channels,
// functions, interfaces with methods, types with only unexported fields) is
// left at its zero value, and named; Make fills such types. A few types of the
// standard library are known: [time.Time], json.Number, big.Int, url.URL,
// netip.Addr and the like.
type Generator struct {
	Seed uint64

	MinLen, MaxLen   int // elements of slices and maps; default 1 to 4
	MinText, MaxText int // bytes of strings and of []byte; default 4 to 40; codes, as of a Currency, are shorter

	// NilShare is the share of pointers that are nil, 0 to 1; default 0.25.
	// Elements of lists and maps are not among them: several formats have no
	// nil there.
	NilShare float64
	// MaxDepth bounds the nesting of values; what lies deeper is nil or
	// empty. Default 16. Types that contain themselves end sooner: their
	// slices get shorter from level to level.
	MaxDepth int

	// Numbers bounds all numbers, low and high, both included. Default: what
	// the kind holds, for floating point ±1e6.
	Numbers [2]float64
	// Times bounds times, in UTC; default from 2000 to 2030.
	Times [2]time.Time
	// TimeStep: times and durations are multiples of it; default 1 ns, which
	// shows what a format cuts off.
	TimeStep time.Duration
	// ASCII keeps text to ASCII; else one text in eight has letters beyond.
	ASCII bool

	// Make has functions for the values of certain types: for interfaces, for
	// types with rules of their own. It gets a random number and returns a
	// value of the type, or nil for its zero value.
	Make map[reflect.Type]func(random uint64) any
}

// A Gap is a place in a type that a [Generator] left at its zero value.
type Gap struct {
	Path string // names of fields; [] for elements; empty for the value itself
	Why  string
}

// Fill sets *v to the i-th value of the generator's seed, i from 0. v is a
// non-nil pointer. It returns the places that it could not fill. An error
// names the setting that is wrong, or says that Make returned another type;
// then *v is not to be used.
func (g Generator) Fill(v any, i int) ([]Gap, error) {
	found, err := g.settings().Fill(v, i)
	if err != nil {
		return nil, fmt.Errorf("serbench: generator: %w", err)
	}
	var gaps []Gap
	for _, gap := range found {
		gaps = append(gaps, Gap(gap))
	}
	return gaps, nil
}

// Generate returns the first n values of the generator's seed.
func Generate[T any](n int, g Generator) ([]*T, error) {
	if n < 0 {
		return nil, fmt.Errorf("serbench: generator: %d values", n)
	}
	values := make([]*T, n)
	for i := range values {
		values[i] = new(T)
		if _, err := g.Fill(values[i], i); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// NewGenerated makes a payload of n generated values. Every block of a run
// gets copies of its own. Places that the generator cannot fill are a warning
// on the payload in the report.
func NewGenerated[T any](name string, n int, g Generator) Payload {
	p := NewPayloadFunc(name, func() ([]*T, error) { return Generate[T](n, g) })
	p.source = fmt.Sprintf("generated, seed %d", g.Seed)
	if gaps, err := g.Fill(new(T), 0); err == nil && len(gaps) > 0 {
		var list []string
		for _, gap := range gaps {
			list = append(list, quoteIfOdd(gap.Path)+" ("+gap.Why+")")
		}
		p.warnings = append(p.warnings, Warning{Code: "not-generated",
			Message: "left at the zero value: " + strings.Join(list, "; "),
			Advice:  "give Generator.Make a function for these types"})
	}
	return p
}

func (g Generator) settings() valuegen.Settings {
	s := valuegen.Settings{
		Seed: g.Seed, NilShare: g.NilShare, TimeStep: g.TimeStep, ASCII: g.ASCII,
		Numbers: g.Numbers, Times: g.Times, Make: g.Make,
		MinLen: orDefault(g.MinLen, 1), MinText: orDefault(g.MinText, 4), MaxDepth: orDefault(g.MaxDepth, 16),
	}
	s.MaxLen = orDefault(g.MaxLen, max(4, s.MinLen))
	s.MaxText = orDefault(g.MaxText, max(40, s.MinText))
	if g.MinLen == 0 { // the least follows a lower bound above
		s.MinLen = min(s.MinLen, s.MaxLen)
	}
	if g.MinText == 0 {
		s.MinText = min(s.MinText, s.MaxText)
	}
	switch {
	case s.NilShare == 0:
		s.NilShare = 0.25
	case s.NilShare < 0:
		s.NilShare = 0
	}
	if s.TimeStep == 0 {
		s.TimeStep = 1
	}
	if s.Numbers == ([2]float64{}) {
		s.Numbers = [2]float64{-math.MaxFloat64, math.MaxFloat64}
	}
	if g.Times[0].IsZero() && g.Times[1].IsZero() {
		s.Times = [2]time.Time{time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}
	}
	return s
}

// orDefault resolves a count: 0 is the default, negative is zero.
func orDefault(x, def int) int {
	if x == 0 {
		return def
	}
	return max(x, 0)
}
