package corpus

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestASampleHoldsAllWhenItFits(t *testing.T) {
	s := NewSample(10, 100, 1)
	for i := range 10 {
		s.Add([]byte(strconv.Itoa(i)), Position{Offset: int64(i)})
	}
	msgs := s.Messages()
	require.Len(t, msgs, 10)
	for i, m := range msgs {
		assert.Equal(t, int64(i), m.Index)
		assert.Equal(t, strconv.Itoa(i), string(m.Data))
		assert.Equal(t, int64(i), m.Offset)
	}
}

func TestSamplesAreUniform(t *testing.T) {
	const all, most, trials = 40, 10, 4000
	var hits [all]float64
	for trial := range trials {
		s := NewSample(most, 0, uint64(trial))
		for i := range all {
			s.Add([]byte{byte(i)}, Position{})
		}
		require.Len(t, s.Messages(), most)
		for _, m := range s.Messages() {
			hits[m.Data[0]]++
		}
	}
	// Chi-squared over 39 degrees of freedom, times the finite population
	// factor: 99.99 % lie below 80.
	want := float64(trials*most) / all
	chi := 0.0
	for _, h := range hits {
		chi += (h - want) * (h - want) / (want * (1 - float64(most)/all))
	}
	assert.Less(t, chi*(all-1)/all, 80.0)
}

// A bound on bytes must not prefer short messages that come late: whether a
// message is in depends on its key alone, up to where the bytes run out.
func TestABoundOnBytesIsFairToLongMessages(t *testing.T) {
	const trials = 4000
	long, short := 0.0, 0.0
	for trial := range trials {
		s := NewSample(0, 1000, uint64(trial))
		for i := range 100 {
			size := 10
			if i%2 == 0 {
				size = 40
			}
			s.Add(make([]byte, size), Position{})
		}
		require.LessOrEqual(t, s.Bytes(), int64(1000))
		for _, m := range s.Messages() {
			if len(m.Data) == 40 {
				long++
			} else {
				short++
			}
		}
	}
	assert.Less(t, math.Abs(long/short-1), 0.08, "long %v, short %v", long, short)
}

func TestOneMessageIsKeptHoweverLong(t *testing.T) {
	s := NewSample(5, 10, 1)
	for range 4 {
		s.Add(make([]byte, 1000), Position{})
	}
	assert.Len(t, s.Messages(), 1)
	n, size := s.Seen()
	assert.Equal(t, int64(4), n)
	assert.Equal(t, int64(4000), size)
}

func TestTheSeedDecides(t *testing.T) {
	draw := func(seed uint64) (out []int64) {
		s := NewSample(5, 0, seed)
		for range 1000 {
			s.Add(nil, Position{})
		}
		for _, m := range s.Messages() {
			out = append(out, m.Index)
		}
		return out
	}
	assert.Equal(t, draw(1), draw(1))
	assert.NotEqual(t, draw(1), draw(2))
}
