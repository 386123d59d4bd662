package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench/internal/stats"
)

func TestPrecisionFindsTheRatioThatIsThere(t *testing.T) {
	for _, test := range []struct {
		name string
		a, b float64
		why  string
	}{
		{"equal", 100, 100, "no difference must be found"},
		{"2 % slower", 102, 100, "the smallest one that users care about"},
		{"ten times", 1000, 100, "batches of the two differ tenfold in ops"},
		{"sub-nanosecond", 0.5, 0.4, "the clock reads whole ns"},
		{"a millisecond", 1e6, 2e6, "one op is longer than a batch"},
		{"seconds", 3e9, 2e9, "one op is longer than a block"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &fakeTime{}
			g := fakeGroup(f, &fakeCell{ns: test.a}, &fakeCell{ns: test.b})
			out := runPlan(g, plan(2))[0]
			require.True(t, out.Decided, test.why)
			assert.Len(t, out.Logs, stats.MinBlocks, "the first look suffices without noise")
			for _, log := range out.Logs {
				assert.InDelta(t, math.Log(test.a/test.b), log, 1e-4)
			}
			for i, want := range []float64{test.a, test.b} {
				c := g.Outcomes()[i]
				require.NoError(t, c.Err)
				for _, v := range c.Blocks {
					assert.InEpsilon(t, want, v, 1e-4)
				}
			}
		})
	}
}

func TestNoiseIsOnlyEverAddedAndLeavesTheRatio(t *testing.T) {
	f := &fakeTime{}
	r := rand.New(rand.NewPCG(3, 3))
	noise := func() float64 { // a third of the batches is disturbed, some badly
		if r.IntN(3) > 0 {
			return 1
		}
		return 1 + r.ExpFloat64()
	}
	g := fakeGroup(f, &fakeCell{ns: 102, noise: noise}, &fakeCell{ns: 100, noise: noise})
	out := runPlan(g, plan(2))[0]
	assert.True(t, out.Decided)
	assert.InDelta(t, math.Log(1.02), stats.Median(out.Logs), 0.002)
}

func TestEachBlockHasFreshInstancesAndItsRoundsAreBalanced(t *testing.T) {
	f := &fakeTime{}
	a, b := &fakeCell{ns: 100}, &fakeCell{ns: 110}
	g := fakeGroup(f, a, b)
	runPlan(g, plan(2))
	assert.Equal(t, stats.MinBlocks+1, a.fresh, "one per block, and one to calibrate with")
	perRound := map[[2]int]int{}
	for _, s := range g.Outcomes()[0].Samples {
		perRound[[2]int{s.Block, s.Round}]++
		assert.Positive(t, s.Elapsed)
	}
	assert.GreaterOrEqual(t, len(perRound), stats.MinBlocks*fewestRounds)
	for key, n := range perRound {
		assert.Equal(t, 2, n, "block and round %v: forth and back", key)
	}
}

func TestACellLeavesOnceItIsDecided(t *testing.T) {
	f := &fakeTime{}
	r := rand.New(rand.NewPCG(5, 5))
	cells := []*fakeCell{{ns: 100}, {ns: 200}, {ns: 100.7, noise: func() float64 { return 1 + 0.3*r.Float64() }}}
	cells[0].noise = cells[2].noise
	g := fakeGroup(f, cells...)
	p := plan(3)
	outs := runPlan(g, p)
	require.True(t, outs[0].Decided)
	assert.Less(t, len(g.Outcomes()[1].Blocks), len(g.Outcomes()[2].Blocks), "twice as slow is plain at once")
}

func TestAloneACellGetsTheBlocksThatItsIntervalNeeds(t *testing.T) {
	f := &fakeTime{}
	g := fakeGroup(f, &fakeCell{ns: 100})
	outs := runPlan(g, plan(1))
	assert.Empty(t, outs)
	assert.Len(t, g.Outcomes()[0].Blocks, stats.Looks()[1])
}

func TestCorpusOfUnlikeValuesIsValuedWhole(t *testing.T) {
	for _, test := range []struct {
		name   string
		values int
		ns     float64
	}{
		{"many passes per batch", 7, 50},
		{"some batches per pass", 100, 2000},
		{"a pass longer than a block", 1000, 20_000},
	} {
		t.Run(test.name, func(t *testing.T) {
			corpus, mean := make([]float64, test.values), 0.0
			for i := range corpus { // the first tenth is a hundred times as dear
				corpus[i] = 1
				if i < test.values/10 {
					corpus[i] = 100
				}
				mean += corpus[i] / float64(test.values)
			}
			f := &fakeTime{}
			g := fakeGroup(f, &fakeCell{ns: test.ns, corpus: corpus}, &fakeCell{ns: test.ns * 2, corpus: corpus})
			out := runPlan(g, plan(2))[0]
			require.NotEmpty(t, out.Logs)
			for _, log := range out.Logs {
				assert.InDelta(t, math.Log(0.5), log, 1e-3)
			}
			for _, v := range g.Outcomes()[0].Blocks {
				assert.InEpsilon(t, mean*test.ns, v, 1e-3, "not the cheap part of the corpus alone")
			}
		})
	}
}

// A slow cell's pass through the corpus must not make a fast one's block as
// long: twenty cells would wait for the slowest twenty times.
func TestAFastCellTakesPartInFewerRoundsOfALongPass(t *testing.T) {
	corpus := slices.Repeat([]float64{1}, 1000)
	f := &fakeTime{}
	fast, slow := &fakeCell{ns: 2000, corpus: corpus}, &fakeCell{ns: 100_000, corpus: corpus}
	g := fakeGroup(f, fast, slow)
	out := runPlan(g, plan(2))[0]
	require.True(t, out.Decided)
	outs := g.Outcomes()
	blocks := len(outs[0].Blocks)
	assert.Equal(t, blocks, len(outs[1].Blocks), "each block has a value of both")
	for _, o := range outs {
		passes := float64(o.Reps) / 1000 / float64(blocks)
		assert.GreaterOrEqual(t, passes, 1.0, "the whole corpus in each block")
		assert.LessOrEqual(t, passes, 6.0)
	}
}

// Behind a collection a batch runs untimed: the segment that it covered is
// measured on the next pass, or the block would have no value.
func TestCollectionsCostNoBlocks(t *testing.T) {
	f := &fakeTime{}
	cell := &fakeCell{ns: 50_000, corpus: slices.Repeat([]float64{1}, 300)}
	g := fakeGroup(f, cell)
	cell.onOp = func(op int) error {
		if op%250 == 0 {
			g.gc.count++
		}
		return nil
	}
	runPlan(g, plan(1))
	assert.Len(t, g.Outcomes()[0].Blocks, stats.Looks()[1])
	assert.LessOrEqual(t, g.block, stats.Looks()[1]+2, "each block counted")
}

func TestARoundIsSharedEvenly(t *testing.T) {
	for _, c := range [][2]int{{1, 1}, {8, 8}, {8, 9}, {3, 100}, {99, 100}, {100, 8}} {
		s, taken, last := &state{rounds: c[0]}, 0, -1
		for round := range c[1] {
			if s.due(round, c[1]) {
				assert.LessOrEqual(t, round-last, (c[1]+c[0]-1)/min(c[0], c[1])+1)
				taken, last = taken+1, round
			}
		}
		assert.Equal(t, min(c[0], c[1]), taken, c)
	}
}

func TestSegmentsCoverACorpusOnce(t *testing.T) {
	for corpus := 1; corpus < 40; corpus++ {
		for n := 1; n < 50; n++ {
			s := &state{Spec: Spec{Corpus: corpus}, n: n}
			covered := 0
			for range s.segments() {
				k, left := s.at()
				require.Less(t, k, s.segments())
				require.Positive(t, left)
				s.ran += left
				covered += left
			}
			want := corpus
			if s.segments() == 1 {
				want = n
			}
			require.Equal(t, want, covered, "corpus %d, batch %d", corpus, n)
		}
	}
}

func TestOddClocks(t *testing.T) {
	t.Run("stands still", func(t *testing.T) {
		f := &fakeTime{}
		g := fakeGroup(f, &fakeCell{ns: 0}, &fakeCell{ns: 50})
		runPlan(g, plan(2))
		require.ErrorIs(t, g.Outcomes()[0].Err, errStuck)
		assert.NoError(t, g.Outcomes()[1].Err)
		assert.NotEmpty(t, g.Outcomes()[1].Blocks)
	})
	t.Run("steps back", func(t *testing.T) {
		f := &fakeTime{}
		a := &fakeCell{ns: 100}
		a.onOp = func(op int) error {
			if op%50_000 == 0 {
				f.now -= time.Second
			}
			return nil
		}
		g := fakeGroup(f, a, &fakeCell{ns: 100})
		out := runPlan(g, plan(2))[0]
		c := g.Outcomes()[0]
		require.NoError(t, c.Err)
		assert.Positive(t, c.Odd)
		for _, s := range c.Samples {
			assert.GreaterOrEqual(t, s.Elapsed, time.Duration(0))
		}
		for _, log := range out.Logs {
			assert.InDelta(t, 0, log, 1e-3)
		}
	})
	t.Run("leaps forward", func(t *testing.T) {
		f := &fakeTime{}
		a := &fakeCell{ns: 100}
		a.onOp = func(op int) error {
			if op%20_000 == 0 {
				f.now += time.Hour
			}
			return nil
		}
		g := fakeGroup(f, a, &fakeCell{ns: 100})
		for _, log := range runPlan(g, plan(2))[0].Logs {
			assert.InDelta(t, 0, log, 1e-3, "a leap is one slow batch")
		}
	})
	t.Run("coarse", func(t *testing.T) {
		f := &fakeTime{}
		const step = 15 * time.Millisecond
		set := fakeSettings(f)
		set.Clock = func() time.Duration { return f.now / step * step }
		set.Facts = ClockFacts{Resolution: float64(step), Cost: 30}
		g := NewGroup(set, []Spec{{Cell: &fakeCell{time: f, ns: 1e6}}, {Cell: &fakeCell{time: f, ns: 1.1e6}}})
		out := runPlan(g, plan(2))[0]
		assert.InDelta(t, math.Log(1/1.1), stats.Median(out.Logs), 0.002, "batches are a thousand steps long")
	})
}

func TestClockFacts(t *testing.T) {
	f := SystemClock().Measure()
	assert.Positive(t, f.Cost)
	assert.Positive(t, f.Resolution)
	still := Clock(func() time.Duration { return 5 })
	assert.Equal(t, ClockFacts{}, still.Measure())
	assert.Equal(t, 30*time.Microsecond, ClockFacts{}.batchTarget())
	assert.Equal(t, 100*time.Microsecond, ClockFacts{Cost: 1e6}.batchTarget())
	assert.Equal(t, 9*time.Microsecond, ClockFacts{Cost: 30, Resolution: 30}.turnTarget())
	assert.Equal(t, 500*time.Microsecond, ClockFacts{Cost: 30, Resolution: 500}.turnTarget(), "1,000 steps of a coarse clock")
}

// What an op pays because another cell ran before it is not its own.
func TestTheFirstOpAfterAnotherCellsIsNotTimed(t *testing.T) {
	for _, test := range []struct {
		name    string
		ns      float64
		corpus  int
		without bool
		more    float64 // share of a figure that it is too high by, at least
	}{
		{"short ops", 100, 1, false, 0},
		{"a batch of few ops", 4000, 1, false, 0},
		{"longer than a batch", 20_000, 1, false, 0},
		{"longer than a warm-up: by itself that is little", 60_000, 1, false, 0.0005},
		{"a corpus that a batch covers", 100, 20, false, 0},
		{"without the lead-in", 100, 1, true, 0.004},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &fakeTime{}
			var last *fakeCell
			cells := []*fakeCell{{ns: test.ns}, {ns: test.ns}}
			set := fakeSettings(f)
			set.Without.Lead = test.without
			var specs []Spec
			for _, c := range cells {
				c.time = f
				c.onOp = func(int) error {
					if last != c {
						last = c
						f.now += 300
					}
					return nil
				}
				specs = append(specs, Spec{Cell: c, Corpus: test.corpus})
			}
			g := NewGroup(set, specs)
			runPlan(g, plan(2))
			for _, v := range g.Outcomes()[0].Blocks {
				if test.more > 0 {
					assert.Greater(t, v, test.ns*(1+test.more))
				} else {
					assert.InDelta(t, test.ns, v, test.ns/1000)
				}
			}
		})
	}
}

// Any op time and any budget must end in finite numbers or an error, soon.
func TestNoOpTimeNorBudgetOverflows(t *testing.T) {
	times := []float64{1e-3, 1, 1e3, 1e6, 1e9, 1e12, 1e15, 1e17, math.MaxInt64 / 4}
	budgets := []time.Duration{0, 1, time.Millisecond, time.Hour, math.MaxInt64}
	for _, ns := range times {
		for _, budget := range budgets {
			t.Run(fmt.Sprint(ns, "ns ", budget), func(t *testing.T) {
				f := &fakeTime{}
				g := fakeGroup(f, &fakeCell{ns: ns}, &fakeCell{ns: ns / 2})
				p := plan(2)
				p.Budget = budget
				check(t, g, runPlan(g, p))
				for _, fixed := range []Fixed{
					{Time: max(1, budget), Budget: 5 * time.Millisecond}, {CPUTime: max(1, budget), Budget: 5 * time.Millisecond}, {Reps: 3}, {Reps: math.MaxInt, Budget: 5 * time.Millisecond, Warmup: -1},
				} {
					fixed.Pairs = p.Pairs
					g := fakeGroup(f, &fakeCell{ns: ns}, &fakeCell{ns: ns / 2})
					check(t, g, g.Fixed(context.Background(), fixed))
				}
			})
		}
	}
}

func check(t *testing.T, g *Group, outs []PairOutcome) {
	t.Helper()
	for _, o := range outs {
		for _, log := range o.Logs {
			require.False(t, math.IsNaN(log) || math.IsInf(log, 0))
		}
	}
	for _, c := range g.Outcomes() {
		require.GreaterOrEqual(t, c.Reps, int64(0))
		for _, v := range c.Blocks {
			require.False(t, math.IsNaN(v) || math.IsInf(v, 0) || v < 0)
		}
		for _, s := range c.Samples {
			require.Positive(t, s.Reps)
		}
	}
}

func TestAnOpWhoseCostGrows(t *testing.T) {
	f := &fakeTime{}
	a := &fakeCell{ns: 10}
	a.onOp = func(int) error { a.ns *= 1.0001; return nil }
	g := fakeGroup(f, a, &fakeCell{ns: 100})
	p := plan(2)
	p.Budget = 2 * time.Second
	check(t, g, runPlan(g, p))
}

func TestFailuresEndTheCellAndNotTheGroup(t *testing.T) {
	boom := errors.New("boom")
	for _, test := range []struct {
		name string
		fail func() error
		want any
	}{
		{"error", func() error { return boom }, boom},
		{"panic", func() error { panic(boom) }, new(PanicError)},
		{"goexit", func() error { runtime.Goexit(); return nil }, ErrGoexit},
	} {
		for _, at := range []int{1, 2, 100, 5000, 50_000} {
			t.Run(fmt.Sprint(test.name, " at op ", at), func(t *testing.T) {
				f := &fakeTime{}
				bad := &fakeCell{ns: 100}
				bad.onOp = func(op int) error {
					if op == at {
						return test.fail()
					}
					return nil
				}
				g := fakeGroup(f, &fakeCell{ns: 100}, bad, &fakeCell{ns: 200})
				outs := runPlan(g, plan(3))
				cells := g.Outcomes()
				require.Error(t, cells[1].Err)
				if p, ok := test.want.(*PanicError); ok {
					require.ErrorAs(t, cells[1].Err, &p)
					assert.Contains(t, p.Stack, "fakeCell")
				} else {
					require.ErrorIs(t, cells[1].Err, test.want.(error))
				}
				assert.NoError(t, cells[0].Err)
				assert.NoError(t, cells[2].Err)
				assert.True(t, outs[1].Decided)
				assert.False(t, outs[0].Decided)
			})
		}
	}
	t.Run("in Fresh", func(t *testing.T) {
		f := &fakeTime{}
		bad := &fakeCell{ns: 100}
		bad.onFresh = func() error {
			if bad.fresh == 4 {
				panic("fourth")
			}
			return nil
		}
		g := fakeGroup(f, bad, &fakeCell{ns: 100})
		runPlan(g, plan(2))
		assert.ErrorContains(t, g.Outcomes()[0].Err, "fourth")
		assert.NoError(t, g.Outcomes()[1].Err)
	})
	t.Run("all", func(t *testing.T) {
		f := &fakeTime{}
		fail := func(int) error { return boom }
		g := fakeGroup(f, &fakeCell{ns: 1, onOp: fail}, &fakeCell{ns: 1, onOp: fail})
		outs := runPlan(g, plan(2))
		assert.Empty(t, outs[0].Logs)
	})
}

func TestCancellationAtEveryStage(t *testing.T) {
	for _, at := range []int{1, 2, 3, 10, 100, 1000, 2000, 5000, 10_000, 50_000} {
		for name, run := range map[string]func(context.Context, *Group) []PairOutcome{
			"precision": func(ctx context.Context, g *Group) []PairOutcome { return g.Precision(ctx, plan(2)) },
			"reps": func(ctx context.Context, g *Group) []PairOutcome {
				return g.Fixed(ctx, Fixed{Reps: 100_000, Pairs: plan(2).Pairs})
			},
			"declared": func(ctx context.Context, g *Group) []PairOutcome {
				return g.Fixed(ctx, Fixed{Time: time.Hour, Declared: true, Pairs: plan(2).Pairs})
			},
		} {
			t.Run(fmt.Sprint(name, " at op ", at), func(t *testing.T) {
				f := &fakeTime{}
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				a, after := &fakeCell{ns: 1000}, 0
				a.onOp = func(op int) error {
					if op == at {
						cancel()
					}
					if op > at {
						after++
					}
					return nil
				}
				g := fakeGroup(f, a, &fakeCell{ns: 1000})
				check(t, g, run(ctx, g))
				if name != "declared" && name != "reps" {
					assert.LessOrEqual(t, after, 500, "it ends at most some batches late")
				}
			})
		}
	}
}

func TestSamplesAreBounded(t *testing.T) {
	f := &fakeTime{}
	set := fakeSettings(f)
	set.KeepSamples = 200
	g := NewGroup(set, []Spec{{Cell: &fakeCell{time: f, ns: 100}}})
	p := plan(1)
	p.Alone = 200
	g.Precision(context.Background(), p)
	c := g.Outcomes()[0]
	assert.True(t, c.Thinned)
	assert.LessOrEqual(t, len(c.Samples), 200)
	assert.Greater(t, c.Samples[len(c.Samples)-1].Block, 180, "what is kept spans the run")
}
