package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// By hand: 0.01·4, 0.02·3, max with 0.03·2, max with 0.04·1.
func TestHolm(t *testing.T) {
	ps := []float64{0.03, 0.01, 0.04, 0.02}
	assert.InDeltaSlice(t, []float64{0.06, 0.04, 0.06, 0.06}, Holm(ps), 1e-15)
	assert.Equal(t, []float64{0.03, 0.01, 0.04, 0.02}, ps)
	assert.InDeltaSlice(t, []float64{0.12, 0.04, 0.16, 0.08}, Bonferroni(ps), 1e-15)
	odd := []float64{math.NaN(), -1, 2, 0.2}
	assert.InDeltaSlice(t, []float64{1, 0, 1, 0.6}, Holm(odd), 1e-15, "NaN and 2 are 1, -1 is 0")
	assert.InDeltaSlice(t, []float64{1, 0, 1, 0.8}, Bonferroni(odd), 1e-15)
	assert.Empty(t, Holm(nil))
}
