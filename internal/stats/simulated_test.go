package stats

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The long suite is what docs show:
//
//	go test ./internal/stats -run TestSimulated -long -v -timeout 30m
var long = flag.Bool("long", false, "run the simulated suite with many trials and print its table")

// trials is how many of a kind to run.
func trials(quick, full int) int {
	switch {
	case *long:
		return full
	case few():
		return quick / 8
	}
	return quick
}

// few says that there is no time for more than a look at the code's paths: rates
// are then only checked from below.
func few() bool { return !*long && (testing.Short() || underRace) }

// scenario is a kind of block noise and what the procedure promises under it.
type scenario struct {
	name  string
	noise process
	// limit is the rate of false verdicts that must hold: the nominal 5 % but for
	// noise that is known to break the assumption, where it is what is reached.
	limit, limit10 float64
}

var scenarios = []scenario{
	{"normal", normal, 0.05, 0.05},
	{"Laplace", independent(laplaceDraw), 0.05, 0.05},
	{"t3", independent(t3Draw), 0.05, 0.05},
	{"skewed, lognormal 0.5", lognormal(0.5), 0.05, 0.05},
	{"strongly skewed, lognormal 1", lognormal(1), 0.05, 0.05},
	{"contaminated, 10 % with 10 σ", independent(contaminatedDraw), 0.05, 0.05},
	{"drifting", drifting, 0.05, 0.05},
	{"two states of noise", twoStates, 0.05, 0.05},
	{"two states taking sides", takingSides, 0.08, 0.10},
	{"AR(1) 0.3", autoregressive(0.3, normal), 0.05, 0.05},
	{"AR(1) 0.5", autoregressive(0.5, normal), 0.05, 0.09},
	{"AR(1) 0.3 of t3", autoregressive(0.3, independent(t3Draw)), 0.05, 0.05},
}

// rate counts trials with an outcome and gives its bounds.
type rate struct{ hits, n int }

func (r *rate) add(hit bool) {
	r.n++
	if hit {
		r.hits++
	}
}

func (r rate) low() float64  { l, _ := rateBounds(r.hits, r.n); return l }
func (r rate) high() float64 { _, h := rateBounds(r.hits, r.n); return h }

func (r rate) String() string {
	return fmt.Sprintf("%.2f (%.2f to %.2f)", 100*float64(r.hits)/float64(r.n), 100*r.low(), 100*r.high())
}

// follow runs the procedure over blocks that are there one look after another,
// up to the first verdict or the last look.
func follow(s Sequential, blocks []float64, decide func(Sequential, []float64) Decision) Decision {
	var d Decision
	for _, n := range Looks() {
		if d = decide(s, blocks[:n]); d.Verdict != Undecided {
			break
		}
	}
	return d
}

// ours is the procedure under test; plain is the same without the allowance for
// correlation.
func ours(s Sequential, blocks []float64) Decision { return s.Decide(blocks) }

func plain(s Sequential, blocks []float64) Decision {
	return Decision{Verdict: Judge(TrimmedMean(blocks, Trim, s.Level()), s.Margin)}
}

func different(d Decision) bool { return d.Verdict == Faster || d.Verdict == Slower }

// falseVerdicts is the share of runs with equal cells in which any of the
// comparisons is called different. The margin is 0, which is the worst: every
// look is reached, and any interval beside 1 is a false verdict. With several
// comparisons the cells share a baseline.
func falseVerdicts(noise process, comparisons, n int, level float64, decide func(Sequential, []float64) Decision) rate {
	const most = 256
	rng := rand.New(rand.NewPCG(2024, uint64(comparisons)))
	s := Sequential{LookLevel: level, Comparisons: comparisons}
	base, blocks := make([]float64, most), make([]float64, most)
	var out rate
	for range n {
		if comparisons > 1 {
			noise(rng, base)
		}
		wrong := false
		for range comparisons {
			noise(rng, blocks)
			for i := range blocks {
				blocks[i] -= base[i]
			}
			wrong = wrong || different(follow(s, blocks, decide))
		}
		out.add(wrong)
	}
	return out
}

// effectRun is what the procedure does about a true difference.
type effectRun struct {
	covered, found, wrong rate
	blocks                float64 // median
}

func withEffect(noise process, effect float64, n int) effectRun {
	rng := rand.New(rand.NewPCG(2025, 1))
	s := Sequential{Margin: 0.01, LookLevel: DefaultLookLevel, Comparisons: 1}
	blocks := make([]float64, 256)
	var out effectRun
	var used []float64
	for range n {
		noise(rng, blocks)
		for i := range blocks { // block noise of 1 % in its own unit
			blocks[i] = 0.01*blocks[i] + math.Log1p(effect)
		}
		d := follow(s, blocks, ours)
		out.covered.add(d.Low <= 1+effect && 1+effect <= d.High)
		out.found.add(d.Verdict == Slower)
		out.wrong.add(d.Verdict == Faster || d.Verdict == Equivalent && effect > s.Margin || different(d) && effect == 0)
		used = append(used, float64(d.Blocks))
	}
	out.blocks = Median(used)
	return out
}

func TestSimulatedErrorRates(t *testing.T) {
	lines := make([]string, len(scenarios))
	var group sync.WaitGroup
	for i, s := range scenarios {
		group.Go(func() {
			one := falseVerdicts(s.noise, 1, trials(1500, 20_000), DefaultLookLevel, ours)
			ten := falseVerdicts(s.noise, 10, trials(60, 4000), DefaultLookLevel, ours)
			switch {
			case *long:
				assert.LessOrEqual(t, one.high(), s.limit, "%s, one comparison: %s", s.name, one)
			case few():
				assert.LessOrEqual(t, one.low(), s.limit, "%s, one comparison: %s", s.name, one)
			default: // the bound is that much wider with fewer trials
				assert.LessOrEqual(t, one.high(), s.limit+0.01, "%s, one comparison: %s", s.name, one)
			}
			if *long {
				assert.LessOrEqual(t, ten.high(), s.limit10, "%s, ten comparisons: %s", s.name, ten)
			} else { // too few trials for the upper bound to be below 5 %
				assert.LessOrEqual(t, ten.low(), s.limit10, "%s, ten comparisons: %s", s.name, ten)
			}
			n := trials(200, 10_000)
			equal, small, large := withEffect(s.noise, 0, n), withEffect(s.noise, 0.005, n), withEffect(s.noise, 0.02, n)
			for _, e := range []effectRun{equal, small, large} {
				least := 0.95
				if s.limit > 0.05 {
					least = 1 - s.limit
				}
				if *long {
					assert.GreaterOrEqual(t, e.covered.low(), least, "%s, coverage: %s", s.name, e.covered)
				} else {
					assert.GreaterOrEqual(t, e.covered.high(), least, "%s, coverage: %s", s.name, e.covered)
				}
			}
			lines[i] = fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %.0f |", s.name, one, ten, equal.wrong,
				equal.covered, small.covered, large.covered, large.found, large.blocks)
		})
	}
	group.Wait()
	if *long {
		t.Log("\n| blocks | false, 1 comparison, margin 0 | false, any of 10, margin 0 | false, margin 1 % | coverage, equal | coverage, 0.5 % | coverage, 2 % | 2 % found | blocks to it, median |\n|---|---|---|---|---|---|---|---|---|\n" +
			strings.Join(lines, "\n"))
	}
}

// The check of the suite must be able to fail, and each part of the procedure
// must be what makes it pass.
func TestSimulatedRivalsFail(t *testing.T) {
	n := 400 // below, a rate of 9 % would not be beyond 5 %
	if *long {
		n = 10_000
	}
	var lines []string
	rival := func(name string, r rate) {
		assert.Greater(t, r.low(), 0.05, "%s should err too often: %s", name, r)
		lines = append(lines, fmt.Sprintf("| %s | %s |", name, r))
	}
	for _, s := range scenarios[:3] {
		rival("peeking at 5 %, "+s.name, falseVerdicts(s.noise, 1, n, 0.05, plain))
	}
	for _, phi := range []float64{0.3, 0.5} {
		rival(fmt.Sprintf("no allowance for correlation, AR(1) %g", phi),
			falseVerdicts(autoregressive(phi, normal), 1, n, DefaultLookLevel, plain))
	}
	rival("ten comparisons without Bonferroni, normal", falseVerdicts(normal, 10, min(n, 2500),
		DefaultLookLevel*10, ours))
	rival("mean instead of trimmed mean: misses 2 %, contaminated", missedByMean(n))
	if *long {
		t.Log("\n| rival | errs, % |\n|---|---|\n" + strings.Join(lines, "\n"))
	}
}

// missedByMean is how often an untrimmed mean has found no difference of two
// standard deviations after 23 blocks with outliers.
func missedByMean(n int) rate {
	rng := rand.New(rand.NewPCG(77, 1))
	xs := make([]float64, 23)
	var out rate
	for range n {
		independent(contaminatedDraw)(rng, xs)
		for i := range xs {
			xs[i] += 2
		}
		out.add(TrimmedMean(xs, 0, DefaultLookLevel).Low <= 0)
	}
	return out
}

func TestSimulatedFixedSizeCoverage(t *testing.T) {
	type interval struct {
		name  string
		of    func(rng *rand.Rand, xs, ys []float64) Interval
		least float64 // coverage to hold at a level of 5 %
	}
	intervals := []interval{
		{"TrimmedMean", func(_ *rand.Rand, xs, _ []float64) Interval { return TrimmedMean(xs, Trim, 0.05) }, 0.94},
		{"BlockMean", func(_ *rand.Rand, xs, _ []float64) Interval { iv, _ := BlockMean(xs, Trim, 0.05); return iv }, 0.95},
		{"YuenWelch", func(_ *rand.Rand, xs, ys []float64) Interval { return YuenWelch(xs, ys, Trim, 0.05).Interval }, 0.94},
		{"HodgesLehmann", func(_ *rand.Rand, xs, ys []float64) Interval { return HodgesLehmann(xs, ys, 0.05) }, 0.945},
		{"Bootstrap of the trimmed mean", func(rng *rand.Rand, xs, _ []float64) Interval {
			value := func(s []float64) float64 { return TrimmedMean(s, Trim, 1).Value }
			return Bootstrap(xs, value, 200, 0.05, rng.Uint64())
		}, 0.90},
	}
	var lines []string
	for _, s := range scenarios[:4] {
		for _, size := range []int{11, 32} {
			cells := []string{s.name, fmt.Sprint(size)}
			for _, iv := range intervals {
				n := 400
				if *long {
					n = 4000
				}
				if strings.HasPrefix(iv.name, "Bootstrap") {
					n = trials(100, 1000)
				}
				rng := rand.New(rand.NewPCG(uint64(size), 3))
				xs, ys := make([]float64, size), make([]float64, size)
				var covered rate
				for range n {
					s.noise(rng, xs)
					s.noise(rng, ys)
					got := iv.of(rng, xs, ys)
					covered.add(got.Low <= 0 && 0 <= got.High)
				}
				assert.GreaterOrEqual(t, covered.high(), iv.least, "%s, %s, n %d: %s", iv.name, s.name, size, covered)
				cells = append(cells, covered.String())
			}
			lines = append(lines, "| "+strings.Join(cells, " | ")+" |")
		}
	}
	if *long {
		t.Log("\n| values | n | trimmed mean | blocks | Yuen-Welch | Hodges-Lehmann | bootstrap |\n|---|---|---|---|---|---|---|\n" + strings.Join(lines, "\n"))
	}
}

// What the allowance costs where it is not needed, in blocks to a verdict.
func TestSimulatedCostOfTheAllowance(t *testing.T) {
	var lines []string
	for _, effect := range []float64{0.5, 1, 2, 3} {
		var with, without []float64
		rng := rand.New(rand.NewPCG(31, 3))
		blocks := make([]float64, 256)
		for range trials(150, 5000) {
			normal(rng, blocks)
			for i := range blocks {
				blocks[i] += effect
			}
			s := Sequential{LookLevel: DefaultLookLevel}
			for rule, out := range map[*[]float64]func(Sequential, []float64) Decision{&with: ours, &without: plain} {
				at := slices.IndexFunc(Looks(), func(n int) bool { return different(out(s, blocks[:n])) })
				if at < 0 {
					at = len(looks) - 1
				}
				*rule = append(*rule, float64(looks[at]))
			}
		}
		ratio := Mean(with) / Mean(without)
		assert.Less(t, ratio, 1.8, "effect %g σ", effect)
		lines = append(lines, fmt.Sprintf("| %g | %.1f | %.1f | %.2f |", effect, Mean(with), Mean(without), ratio))
	}
	if *long {
		t.Log("\n| effect, σ of a block | blocks, with | without | factor |\n|---|---|---|---|\n" + strings.Join(lines, "\n"))
	}
}
