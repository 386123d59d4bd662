package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The self-awareness data of Wilcox, Introduction to Robust Estimation and
// Hypothesis Testing; he gives trimmed means of 343 at 10 % and 283 at 20 %.
var wilcox = []float64{77, 87, 88, 114, 151, 210, 219, 246, 253, 262, 296, 299, 306, 376, 428, 515, 666, 1310, 2611}

// Oracle: the formula in exact rational arithmetic in Python, t by bisection on
// mpmath's incomplete beta function.
func TestTrimmedMeanAgainstExactArithmetic(t *testing.T) {
	for _, r := range []struct{ trim, value, low, high float64 }{
		{0.10, 342.705882352941, 146.323223182673, 539.088541523209},
		{0.20, 282.692307692308, 174.041766945046, 391.342848439569},
	} {
		got := TrimmedMean(wilcox, r.trim, 0.05)
		relative(t, r.value, got.Value, 1e-13)
		relative(t, r.low, got.Low, 1e-12)
		relative(t, r.high, got.High, 1e-12)
		assert.Equal(t, 19, got.N)
		assert.Equal(t, 0.05, got.Level)
	}
}

// At trim 0 it is the textbook interval: sleep data of Student (1908), second
// drug less first; R's t.test gives 0.7001142 to 2.4598858.
func TestTrimmedMeanWithoutTrimmingIsStudents(t *testing.T) {
	got := TrimmedMean([]float64{1.2, 2.4, 1.3, 1.3, 0, 1.0, 1.8, 0.8, 4.6, 1.4}, 0, 0.05)
	assert.InDelta(t, 1.58, got.Value, 1e-12)
	assert.InDelta(t, 0.7001142, got.Low, 5e-8)
	assert.InDelta(t, 2.4598858, got.High, 5e-8)
}

func TestTrimmedMeanEdges(t *testing.T) {
	inf := math.Inf(1)
	whole := func(value float64, n int) Interval {
		return Interval{Value: value, Low: -inf, High: inf, Level: 0.05, N: n}
	}
	assert.Equal(t, whole(0, 0), TrimmedMean(nil, Trim, 0.05), "nothing")
	assert.Equal(t, whole(0, 0), TrimmedMean([]float64{math.NaN()}, Trim, 0.05), "no observation")
	assert.Equal(t, whole(4, 1), TrimmedMean([]float64{4}, Trim, 0.05), "one says nothing of spread")
	two := TrimmedMean([]float64{1, 3}, Trim, 0.05)
	assert.InDelta(t, 2-12.706204736174704, two.Low, 1e-10, "two: t with one degree of freedom")
	assert.Equal(t, Interval{Value: 7, Low: 7, High: 7, Level: 0.05, N: 4}, TrimmedMean([]float64{7, 7, 7, 7}, Trim, 0.05), "all equal: a point")
	assert.Equal(t, 0.0, TrimmedMean([]float64{1, 3, 5}, 0, math.NaN()).Level)
	assert.False(t, TrimmedMean([]float64{1, 3, 5}, 0, 0).Bounded(), "level 0: the whole line")
	point := TrimmedMean([]float64{1, 3, 5}, 0, 1)
	assert.Equal(t, point.Low, point.High, "level 1: a point")
	median := TrimmedMean([]float64{9, 1, 3}, 0.5, 0.05)
	assert.Equal(t, 3.0, median.Value, "all trimmed but the median")
	assert.False(t, median.Bounded())
	assert.Equal(t, TrimmedMean(wilcox, 0, 0.05), TrimmedMean(wilcox, math.NaN(), 0.05))
	assert.Equal(t, TrimmedMean(wilcox, 0, 0.05), TrimmedMean(wilcox, -1, 0.05))

	hundred := make([]float64, 100)
	for i := range hundred {
		hundred[i] = float64(i)
	}
	hundred[28], hundred[99] = 28.5, 1e9
	assert.InDelta(t, 49.5, TrimmedMean(hundred, 0.29, 0.05).Value, 1e-9, "0.29·100 trims 29 although the product is below it")
}

func TestIntervalExp(t *testing.T) {
	got := TrimmedMean(nil, Trim, 0.05).Exp()
	assert.Equal(t, Interval{Value: 1, Low: 0, High: math.Inf(1), Level: 0.05}, got)
	assert.False(t, got.Bounded())
	assert.InDelta(t, math.E, Interval{Value: 1, N: 1}.Exp().Value, 1e-15)
}

func TestOutliersDoNotMoveATrimmedMean(t *testing.T) {
	xs := []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	wild := append([]float64(nil), xs...)
	wild[10] = 1e12
	assert.Equal(t, TrimmedMean(xs, Trim, 0.05), TrimmedMean(wild, Trim, 0.05))
}
