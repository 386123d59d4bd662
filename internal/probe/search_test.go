package probe

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// limited decodes what has at most so many bytes, and panics beyond.
func limited(most int) Decoder {
	return func(in []byte) (func(Attack) bool, error) {
		if len(in) > most {
			panic("too deep")
		}
		return nil, errors.New("no")
	}
}

func TestASearchFindsWhereItBegins(t *testing.T) {
	for name, tt := range map[string]struct {
		s    Search
		from uint64 // the smallest that is bad
	}{
		"between two that were tried":           {Search{Low: 1_000_000, High: 5_000_000}, 3_456_789},
		"nothing smaller was tried":             {Search{High: math.MaxUint64}, 1 << 40},
		"the smallest of all":                   {Search{High: 1 << 31}, 1},
		"just below what was tried":             {Search{Low: 1_000_000, High: 5_000_000}, 5_000_000},
		"just above":                            {Search{Low: 1_000_000, High: 5_000_000}, 1_000_001},
		"two neighbours":                        {Search{Low: 6, High: 7}, 7},
		"a guess that is right":                 {Search{Low: 10, High: 1 << 30, Guess: 1_010_000}, 1_000_000},
		"a guess that is wrong":                 {Search{Low: 10, High: 1 << 30, Guess: 1_010}, 1_000_000},
		"a guess that is outside what is known": {Search{Low: 100, High: 1000, Guess: 5000}, 500},
	} {
		s := tt.s
		s.Verdict = Killed
		trials, deaths := 0, 0
		for s.Open() {
			n := s.Next()
			require.True(t, s.Low < n && n < s.High, "%s: %d is between what is known, %+v", name, n, s)
			v := Refused
			if n >= tt.from {
				v = Killed
				deaths++
			}
			s.Narrow(n, v)
			trials++
			require.Less(t, trials, 80, name)
		}
		assert.GreaterOrEqual(t, s.High, tt.from, name)
		assert.Less(t, s.Low, tt.from, name)
		if name == "a guess that is right" {
			assert.EqualValues(t, 1_010_000, s.High)
			assert.Equal(t, []int{1, 1}, []int{trials, deaths})
			continue
		}
		assert.True(t, s.High == s.Low+1 || float64(s.High-s.Low) <= precision*float64(s.High), "%s: %+v", name, s)
	}
}

func TestASearchBeginsWithWhatIsKnown(t *testing.T) {
	as := Attacks("json", msgs(), nil, 1, 1_000_000)
	first := 0
	for as[first].Class != Nested {
		first++
	}
	outcomes := []Outcome{{Index: first, Verdict: Refused}, {Index: first + 1, Verdict: Accepted}, {Index: first + 2, Verdict: Killed}}
	s, ok := NewSearch(as, outcomes, first+2, Killed)
	require.True(t, ok)
	assert.Equal(t, as[first+1].Scale, s.Low)
	assert.Equal(t, as[first+2].Scale, s.High)
	_, ok = NewSearch(as, nil, 0, Killed)
	assert.False(t, ok, "the message itself has no scale")
}

func TestATrialIsJudgedLikeItsAttack(t *testing.T) {
	as := Attacks("msgpack", msgs(), nil, 1, 1000)
	for i, a := range as {
		if a.At == nil {
			continue
		}
		require.Equal(t, a.Input(), a.At(a.Scale), a.Name)
		require.Equal(t, a.Name, a.NameAt(a.Scale), i)
	}
	nested := as[len(as)-1]
	require.Equal(t, Nested, nested.Class)
	assert.Equal(t, Panic, nested.Try(context.Background(), 900, limits, limited(500)).Verdict)
	o := nested.Try(context.Background(), 100, limits, limited(500))
	assert.Equal(t, Refused, o.Verdict)
	assert.EqualValues(t, 100, o.Scale)
}

// A call that had to wait, as on a machine that does other work, is given more
// time than one that computes.
func TestSlowIsWhatComputes(t *testing.T) {
	if _, known := computed(); !known {
		t.Skip("the system does not tell the CPU time")
	}
	no := func(do func()) Decoder {
		return func([]byte) (func(Attack) bool, error) { do(); return nil, errors.New("no") }
	}
	a := Attack{Class: Random, Input: func() []byte { return []byte("x") }}
	waits := no(func() { time.Sleep(2 * limits.Time) })
	assert.Equal(t, Refused, a.Judge(context.Background(), 0, limits, waits).Verdict)
	over := make(chan struct{})
	computes := no(func() {
		defer close(over)
		begin, _ := computed()
		for now := begin; now-begin < 4*limits.Time; now, _ = computed() {
		}
	})
	assert.Equal(t, Slow, a.Judge(context.Background(), 0, limits, computes).Verdict)
	<-over // so that it disturbs nobody
}
