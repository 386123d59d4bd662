package stats

import (
	"math"
	"math/rand/v2"
)

// A process fills a sample with block values in time order whose trimmed mean,
// in the long run, is 0.
type process func(*rand.Rand, []float64)

func independent(draw func(*rand.Rand) float64) process {
	return func(rng *rand.Rand, xs []float64) {
		for i := range xs {
			xs[i] = draw(rng)
		}
	}
}

func normalDraw(rng *rand.Rand) float64 { return rng.NormFloat64() }

func laplaceDraw(rng *rand.Rand) float64 {
	return (rng.ExpFloat64() - rng.ExpFloat64()) / math.Sqrt2
}

func t3Draw(rng *rand.Rand) float64 {
	var chi float64
	for range 3 {
		z := rng.NormFloat64()
		chi += z * z
	}
	return rng.NormFloat64() / math.Sqrt(chi)
}

func contaminatedDraw(rng *rand.Rand) float64 {
	if rng.IntN(10) == 0 {
		return 10 * rng.NormFloat64()
	}
	return rng.NormFloat64()
}

var normal = independent(normalDraw)

// lognormal has the standard deviation sigma of its logarithm, less its own
// trimmed mean, by the midpoint rule over its quantiles.
func lognormal(sigma float64) process {
	const steps = 20_000
	centre := 0.0
	for i := range steps {
		q := Trim + (1-2*Trim)*(float64(i)+0.5)/steps
		centre += math.Exp(sigma*NormalQuantile(q)) / steps
	}
	return independent(func(rng *rand.Rand) float64 {
		return math.Exp(sigma*rng.NormFloat64()) - centre
	})
}

// autoregressive is AR(1) with the innovations of another process, after a
// run-in.
func autoregressive(phi float64, noise process) process {
	return func(rng *rand.Rand, xs []float64) {
		var runIn [30]float64
		noise(rng, runIn[:])
		y, scale := 0.0, math.Sqrt(1-phi*phi)
		for _, e := range runIn {
			y = phi*y + scale*e
		}
		noise(rng, xs)
		for i, e := range xs {
			y = phi*y + scale*e
			xs[i] = y
		}
	}
}

// drifting is what the reverse pass leaves of a drift: a slow wave of random
// phase, three tenths of the noise high and 64 blocks long, while the noise
// itself grows threefold over the run.
func drifting(rng *rand.Rand, xs []float64) {
	phase := rng.Float64()
	for i := range xs {
		wave := 0.3 * math.Sin(2*math.Pi*(phase+float64(i)/64))
		xs[i] = (wave + rng.NormFloat64()) * (1 + 2*float64(i)/256)
	}
}

// twoStates is a machine that now and then turns slow for some blocks, with
// four times the noise while it lasts.
func twoStates(rng *rand.Rand, xs []float64) {
	slow := rng.IntN(4) == 0
	for i := range xs {
		xs[i] = rng.NormFloat64()
		if slow {
			xs[i] *= 4
		}
		if p := rng.Float64(); slow && p < 0.25 || !slow && p < 0.25/3 {
			slow = !slow
		}
	}
}

// takingSides is a machine whose states favour one side and then the other, by
// one standard deviation of the noise and for four blocks on average. The
// lag-1 correlation is 0.25, but it dies out more slowly than that of AR(1).
func takingSides(rng *rand.Rand, xs []float64) {
	side := float64(2*rng.IntN(2) - 1)
	for i := range xs {
		xs[i] = side + rng.NormFloat64()
		if rng.IntN(4) == 0 {
			side = -side
		}
	}
}

// rateBounds is the 95 % interval of Clopper and Pearson (Biometrika 26, 1934)
// for a rate, by bisection on sums of binomial chances.
func rateBounds(hits, trials int) (low, high float64) {
	atMost := func(k int, p float64) float64 {
		sum := 0.0
		for i := range k + 1 {
			a, _ := math.Lgamma(float64(trials + 1))
			b, _ := math.Lgamma(float64(i + 1))
			c, _ := math.Lgamma(float64(trials - i + 1))
			sum += math.Exp(a - b - c + float64(i)*math.Log(p) + float64(trials-i)*math.Log1p(-p))
		}
		return sum
	}
	solve := func(k int, want float64) float64 {
		lo, hi := 0.0, 1.0
		for range 50 {
			if mid := (lo + hi) / 2; atMost(k, mid) > want {
				lo = mid
			} else {
				hi = mid
			}
		}
		return (lo + hi) / 2
	}
	high = 1
	if hits < trials {
		high = solve(hits, 0.025)
	}
	if hits > 0 {
		low = solve(hits-1, 0.975)
	}
	return low, high
}
