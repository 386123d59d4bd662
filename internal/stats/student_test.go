package stats

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// relative asserts that got is want to a relative error.
func relative(t *testing.T, want, got, tolerance float64, args ...any) {
	t.Helper()
	assert.LessOrEqual(t, math.Abs(got-want), tolerance*math.Abs(want), args...)
}

func parse(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	require.NoError(t, err)
	return v
}

func TestStudentAgainstHighPrecision(t *testing.T) {
	f, err := os.Open("testdata/student.tsv")
	require.NoError(t, err)
	defer f.Close()
	var tails []float64
	checked := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Split(lines.Text(), "\t")
		switch {
		case strings.HasPrefix(fields[0], "#"):
		case fields[0] == "df":
			for _, p := range fields[1:] {
				tails = append(tails, parse(t, p))
			}
		default:
			df := parse(t, fields[0])
			for i, field := range fields[1:] {
				want, p := parse(t, field), tails[i]
				relative(t, want, -StudentQuantile(p, df), 1e-12, "quantile at tail %g, df %g", p, df)
				relative(t, p, StudentCDF(-want, df), 1e-11, "tail beyond %g, df %g", want, df)
				checked++
			}
		}
	}
	assert.Equal(t, 20*12, checked)
}

// With one and two degrees of freedom the distribution has a closed form.
func TestStudentClosedForms(t *testing.T) {
	for _, p := range []float64{1e-15, 1e-6, 0.006 / 45 / 2, 0.003 / 45 / 2, 0.2, 0.4, 0.49, 0.4999999} {
		cauchy := -1 / math.Tan(math.Pi*p)
		if p > 0.25 { // where the tangent is near its pole
			cauchy = -math.Tan(math.Pi * (0.5 - p))
		}
		relative(t, cauchy, StudentQuantile(p, 1), 1e-10, "Cauchy at %g", p)
		relative(t, (2*p-1)/math.Sqrt(2*p*(1-p)), StudentQuantile(p, 2), 1e-10, "df 2 at %g", p)
	}
}

func TestStudentRoundTrip(t *testing.T) {
	for df := 0.5; df <= 300; df += 1.25 {
		for _, level := range []float64{0.9, 0.5, 0.05, 0.006, 0.003, 0.006 / 45, 0.003 / 45, 1e-9} {
			q := StudentQuantile(level/2, df)
			relative(t, level/2, StudentCDF(q, df), 1e-11, "df %g, level %g", df, level)
			if level > 0.001 { // below, 1-p has lost too many digits
				relative(t, -q, StudentQuantile(1-level/2, df), 1e-11, "symmetry, df %g, level %g", df, level)
			}
		}
	}
}

func TestStudentApproachesNormalWithoutAStep(t *testing.T) {
	for _, p := range []float64{0.3, 0.025, 0.0015, 3e-5, 1e-10} {
		below, above := StudentQuantile(p, hillFrom), StudentQuantile(p, hillFrom*(1+1e-9))
		relative(t, below, above, 1e-11, "where the method changes, p %g", p)
		relative(t, NormalQuantile(p), StudentQuantile(p, 1e12), 1e-9)
		assert.Equal(t, NormalQuantile(p), StudentQuantile(p, math.Inf(1)))
	}
}

func TestStudentEdges(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	assert.Equal(t, -inf, StudentQuantile(0, 5))
	assert.Equal(t, inf, StudentQuantile(1, 5))
	assert.Zero(t, StudentQuantile(0.5, 5))
	assert.Equal(t, 0.5, StudentCDF(0, 5))
	assert.Zero(t, StudentCDF(-inf, 5))
	assert.Equal(t, 1.0, StudentCDF(inf, 5))
	assert.InDelta(t, 0.3, StudentCDF(StudentQuantile(0.3, 7), 7), 1e-14)
	assert.InDelta(t, 0.7, StudentCDF(StudentQuantile(0.7, 7), 7), 1e-14)
	for _, v := range []float64{
		StudentQuantile(nan, 5), StudentQuantile(-0.1, 5), StudentQuantile(1.1, 5),
		StudentQuantile(0.1, 0), StudentQuantile(0.1, -1), StudentQuantile(0.1, nan),
		StudentCDF(nan, 5), StudentCDF(1, 0), StudentCDF(1, nan),
	} {
		assert.True(t, math.IsNaN(v))
	}
	for _, df := range []float64{1e-3, 0.1, 1, 1e5, 1e7, 1e300} {
		for _, p := range []float64{5e-324, 1e-300, 1e-30, 0.5 - 1e-16, 0.5 + 1e-16, 1 - 1e-16} {
			assert.False(t, math.IsNaN(StudentQuantile(p, df)), "p %g, df %g", p, df)
		}
	}
}

// Values: mpmath's ncdf at 40 digits and its inverse by bisection.
func TestNormalAgainstHighPrecision(t *testing.T) {
	for z, want := range map[float64]float64{
		-0.1: 0.46017216272297102, -1: 0.15865525393145705, -1.96: 0.024997895148220436,
		-3: 0.0013498980316300945, -5: 2.8665157187919391e-7, -8: 6.2209605742717841e-16,
		-20: 2.7536241186062337e-89, -37: 5.7255712225245768e-300,
		0.5: 0.6914624612740131, 2: 0.97724986805182079, 6: 0.99999999901341235,
	} {
		relative(t, want, NormalCDF(z), 1e-12, "CDF at %g", z)
	}
	for p, want := range map[float64]float64{
		1e-300: -37.047096299361199, 1e-100: -21.273453560965324, 1e-20: -9.2623400897984076,
		1e-8: -5.6120012441747887, 0.00015: -3.6153000069246625, 0.001: -3.0902323061678135,
		0.025: -1.9599639845400542, 0.05: -1.6448536269514727, 0.1: -1.2815515655446004,
		0.25: -0.67448975019608174, 0.4: -0.25334710313579974, 0.49999: -2.5066282748960009e-5,
		0.6: 0.25334710313579974, 0.975: 1.9599639845400539, 0.999: 3.0902323061678133,
	} {
		relative(t, want, NormalQuantile(p), 1e-13, "quantile at %g", p)
	}
	assert.Zero(t, NormalQuantile(0.5))
	assert.Equal(t, math.Inf(-1), NormalQuantile(0))
	assert.Equal(t, math.Inf(1), NormalQuantile(1))
	assert.True(t, math.IsNaN(NormalQuantile(-1)) && math.IsNaN(NormalQuantile(2)) && math.IsNaN(NormalQuantile(math.NaN())))
	assert.InDelta(t, -38, NormalQuantile(5e-324), 0.6, "the smallest float64 has a quantile, of few digits as it has few itself")
}
