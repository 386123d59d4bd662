package stats

import "math"

// hillFrom is the number of degrees of freedom from which the continued
// fraction is left for the expansion about the normal distribution.
const hillFrom = 1e6

// StudentCDF is the chance that a variable with Student's t distribution of df
// degrees of freedom, whole or not, is at most t. df = +Inf is the normal
// distribution; NaN where df is not positive. The lower tail keeps its
// relative precision; for the upper one use StudentCDF(-t, df).
//
// Source: Abramowitz and Stegun 26.7.1 with 26.5.8, the continued fraction of
// the incomplete beta function.
func StudentCDF(t, df float64) float64 {
	if math.IsNaN(t) || math.IsNaN(df) || df <= 0 {
		return math.NaN()
	}
	if t < 0 {
		return studentTail(-t, df)
	}
	if c, ok := studentCentre(t, df); ok {
		return 0.5 + c/2
	}
	return 1 - studentTail(t, df)
}

// StudentQuantile is the inverse of [StudentCDF] in its first argument: -Inf at
// 0, +Inf at 1, NaN for p outside of 0..1 and for df that is not positive. The
// critical value of a two-sided interval is -StudentQuantile(level/2, df).
func StudentQuantile(p, df float64) float64 {
	switch {
	case math.IsNaN(p) || p < 0 || p > 1 || math.IsNaN(df) || df <= 0:
		return math.NaN()
	case p == 0.5:
		return 0
	case p == 0 || p == 1:
		return math.Inf(int(2*p) - 1)
	case math.IsInf(df, 1):
		return NormalQuantile(p)
	case p > 0.75:
		return studentSolve(math.Log(1-p), df, false, logStudentTail)
	case p > 0.5:
		return studentSolve(math.Log(2*(p-0.5)), df, true, logStudentCentre)
	case p > 0.25:
		return -studentSolve(math.Log(2*(0.5-p)), df, true, logStudentCentre)
	}
	return -studentSolve(math.Log(p), df, false, logStudentTail)
}

// studentSolve finds the t > 0 at which f, a monotonic function of log t, has
// the value want, whether it is rising or falling. Newton's method on logarithms of both sides, where the tail
// of the distribution is a straight line, kept within a shrinking bracket.
func studentSolve(want, df float64, rising bool, f func(logT, df float64) (value, slope float64)) float64 {
	lo, hi, x := -800.0, 709.7, 0.0 // exp of the ends is 0 and nearly the largest float64
	for range 200 {
		v, slope := f(x, df)
		if (v < want) == rising {
			lo = x
		} else {
			hi = x
		}
		next := x - (v-want)/slope
		if math.IsNaN(next) || next <= lo || next >= hi {
			next = lo + (hi-lo)/2
		}
		done := math.Abs(next-x) <= 1e-15*max(1, math.Abs(next))
		x = next
		if done {
			break
		}
	}
	return math.Exp(x)
}

func logStudentTail(logT, df float64) (value, slope float64) {
	t := math.Exp(logT)
	p := studentTail(t, df)
	return math.Log(p), -math.Exp(logStudentDensity(t, df)) * t / p
}

func logStudentCentre(logT, df float64) (value, slope float64) {
	t := math.Exp(logT)
	c, ok := studentCentre(t, df)
	if !ok {
		c = 1 - 2*studentTail(t, df)
	}
	return math.Log(c), 2 * math.Exp(logStudentDensity(t, df)) * t / c
}

func logStudentDensity(t, df float64) float64 {
	return -logBetaHalf(df/2) - math.Log(df)/2 - (df+1)/2*logOnePlusSquare(t, df)
}

// logOnePlusSquare is log(1 + t²/df), where t² may be beyond float64.
func logOnePlusSquare(t, df float64) float64 {
	if r := t / math.Sqrt(df); r > 1e8 {
		return 2 * math.Log(r)
	}
	return math.Log1p(t / df * t)
}

// studentTail is P(T > t) for t >= 0.
func studentTail(t, df float64) float64 {
	if math.IsInf(df, 1) || df > hillFrom {
		return NormalCDF(-hill(t, df))
	}
	if c, ok := studentCentre(t, df); ok {
		return 0.5 - c/2
	}
	a := df / 2
	logX := -logOnePlusSquare(t, df) // x = df/(df+t²)
	x := math.Exp(logX)
	front := math.Exp(a*logX + 0.5*math.Log(-math.Expm1(logX)) - logBetaHalf(a))
	return front * betaFraction(x, a, 0.5) / a / 2
}

// studentCentre is P(|T| < t), if t is in the part where it is the quantity to
// compute and not the tails.
func studentCentre(t, df float64) (float64, bool) {
	if math.IsInf(df, 1) || df > hillFrom {
		z := hill(t, df)
		return math.Erf(z / math.Sqrt2), z < 0.7
	}
	logX := -logOnePlusSquare(t, df)
	y := -math.Expm1(logX) // t²/(df+t²)
	a := df / 2
	if y >= 1.5/(a+2.5) {
		return 0, false
	}
	// sqrt(y) is taken from t itself: y is below the smallest float64 where t
	// is below its root.
	root := t / math.Sqrt(df) * math.Exp(logX/2)
	return root * math.Exp(a*logX-logBetaHalf(a)) * betaFraction(y, 0.5, a) / 0.5, true
}

// hill turns a t of many degrees of freedom into the normal deviate of the same
// tail: Hill, Algorithm 395, CACM 13 (1970). Its error falls with the fourth
// power of df.
func hill(t, df float64) float64 {
	if math.IsInf(df, 1) {
		return t
	}
	a := df - 0.5
	b := 48 * a * a
	w2 := a * logOnePlusSquare(t, df)
	w := math.Sqrt(w2)
	return w + w*(w2+3)/b - w*(((4*w2+33)*w2+240)*w2+855)/(10*b*(b+0.8*w2*w2+100))
}

// logBetaHalf is log B(a, 1/2). For large a the two log-gamma functions agree
// in most of their digits, so their difference is taken from its own expansion:
// Tricomi and Erdélyi, Pacific J. Math. 1 (1951).
func logBetaHalf(a float64) float64 {
	halfLogPi := math.Log(math.Pi) / 2
	if a < 25 {
		la, _ := math.Lgamma(a)
		lb, _ := math.Lgamma(a + 0.5)
		return la - lb + halfLogPi
	}
	u := 1 / (a * a)
	series := (-1.0/8 + u*(1.0/192+u*(-1.0/640+u*(17.0/14336-u*31.0/18432)))) / a
	return halfLogPi - math.Log(a)/2 - series
}

// betaFraction is the continued fraction of the incomplete beta function,
// Abramowitz and Stegun 26.5.8, by the modified Lentz method (Thompson and
// Barnett, J. Comput. Phys. 64, 1986). It converges fast for x below
// (a+1)/(a+b+2), in about the root of max(a, b) steps.
func betaFraction(x, a, b float64) float64 {
	const tiny = 1e-300
	away := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	c, d := 1.0, 1/away(1-(a+b)*x/(a+1))
	f := d
	for i := 1; i < 10_000; i++ {
		m := float64(i)
		step := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d, c = 1/away(1+step*d), away(1+step/c)
		f *= d * c
		step = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d, c = 1/away(1+step*d), away(1+step/c)
		f *= d * c
		if math.Abs(d*c-1) < 1e-16 {
			break
		}
	}
	return f
}
