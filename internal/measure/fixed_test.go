package measure

import (
	"context"
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func timedReps(c CellOutcome) (n int) {
	for _, s := range c.Samples {
		n += s.Reps
	}
	return n
}

func TestRepsAreExact(t *testing.T) {
	for _, reps := range []int{1, 2, 3, 10, 31, 32, 33, 99, 100, 101, 1000, 12_345, 100_001} {
		for _, plan := range []struct {
			name   string
			set    Fixed
			batch  int
			warmed int
		}{
			{"one warm-up pass", Fixed{}, 0, reps},
			{"no warm-up", Fixed{Warmup: -1}, 0, 0},
			{"own warm-up", Fixed{Warmup: 7}, 0, 7},
			{"declared order", Fixed{Declared: true}, 0, reps},
			{"batches of one", Fixed{Warmup: -1, Subtract: true}, 1, 0},
			{"batches of seven", Fixed{}, 7, reps},
		} {
			if plan.batch == 1 && reps > 1000 {
				continue
			}
			t.Run(fmt.Sprint(reps, " ", plan.name), func(t *testing.T) {
				f := &fakeTime{}
				a, b := &fakeCell{ns: 300}, &fakeCell{ns: 5000}
				g := fakeGroup(f, a, b)
				g.set.BatchReps = plan.batch
				plan.set.Reps = reps
				plan.set.Pairs = [][2]int{{0, 1}}
				outs := g.Fixed(context.Background(), plan.set)
				for i, cell := range []*fakeCell{a, b} {
					c := g.Outcomes()[i]
					require.NoError(t, c.Err)
					assert.True(t, c.Done)
					assert.EqualValues(t, reps, c.Reps)
					assert.Equal(t, reps, timedReps(c))
					assert.Equal(t, reps+plan.warmed, cell.ops, "nothing beyond the documented warm-up")
					assert.Equal(t, cell.ops, cell.prepared)
				}
				for _, log := range outs[0].Logs {
					if plan.batch != 1 {
						assert.InDelta(t, math.Log(300.0/5000), log, 0.01)
					}
				}
			})
		}
	}
}

func TestDroppedSamplesAreNoTimedReps(t *testing.T) {
	f := &fakeTime{}
	a := &fakeCell{ns: 300}
	g := fakeGroup(f, a)
	g.set.BatchReps = 10
	g.Fixed(context.Background(), Fixed{Reps: 100, Warmup: -1, Drop: 3, Declared: true})
	c := g.Outcomes()[0]
	assert.Len(t, c.Samples, 10)
	assert.Equal(t, 100, timedReps(c))
	assert.Equal(t, 130, a.ops)
}

func TestRepsOfTheOthersStayExactWhenOneFails(t *testing.T) {
	for _, at := range []int{1, 50, 1000, 1001, 1500, 1999} {
		f := &fakeTime{}
		bad := &fakeCell{ns: 100}
		bad.onOp = func(op int) error {
			if op == at {
				panic("at last")
			}
			return nil
		}
		a, b := &fakeCell{ns: 100}, &fakeCell{ns: 1000}
		g := fakeGroup(f, a, bad, b)
		g.Fixed(context.Background(), Fixed{Reps: 1000, Pairs: [][2]int{{0, 1}, {0, 2}}})
		for i, cell := range map[int]*fakeCell{0: a, 2: b} {
			assert.Equal(t, 1000, timedReps(g.Outcomes()[i]), "fails at %d", at)
			assert.Equal(t, 2000, cell.ops)
		}
		assert.Error(t, g.Outcomes()[1].Err)
	}
}

func TestTimeIsSpentOnEachCell(t *testing.T) {
	f := &fakeTime{}
	cells := []*fakeCell{{ns: 50}, {ns: 4000}, {ns: 3e6}}
	g := fakeGroup(f, cells...)
	g.Fixed(context.Background(), Fixed{Time: 300 * time.Millisecond})
	for i, c := range g.Outcomes() {
		assert.True(t, c.Done)
		assert.InEpsilon(t, float64(300*time.Millisecond), float64(c.Elapsed), 0.2, "%v ns", cells[i].ns)
	}
}

func TestTimeGoesOnToTheLeastNumberOfSamples(t *testing.T) {
	f := &fakeTime{}
	g := fakeGroup(f, &fakeCell{ns: 1e8})
	g.Fixed(context.Background(), Fixed{Time: time.Second, MinSamples: 50})
	assert.GreaterOrEqual(t, len(g.Outcomes()[0].Samples), 50)
}

// sleeper waits, as an op does that calls a server.
type sleeper struct{ d time.Duration }

func (s sleeper) Fresh() error      { return nil }
func (s sleeper) Prepare(int) error { return nil }
func (s sleeper) Run(n int) (int, error) {
	for range n {
		time.Sleep(s.d)
	}
	return n, nil
}

func sleepers(ds ...time.Duration) *Group {
	set := fakeSettings(&fakeTime{})
	set.Clock = SystemClock()
	var specs []Spec
	for _, d := range ds {
		specs = append(specs, Spec{Cell: sleeper{d}})
	}
	return NewGroup(set, specs)
}

func TestAnOpThatOnlyWaitsDoesNotHangACPUTimePlan(t *testing.T) {
	if !CPUTimeKnown() {
		t.Skip("the system does not tell CPU time")
	}
	synctest.Test(t, func(t *testing.T) {
		g := sleepers(time.Millisecond)
		g.Fixed(context.Background(), Fixed{CPUTime: time.Second})
		c := g.Outcomes()[0]
		assert.True(t, c.Idle)
		assert.False(t, c.Done)
		assert.NotEmpty(t, c.Samples)
	})
}

func TestSleepingOpsAreTimedToTheNanosecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := sleepers(3*time.Millisecond, 2*time.Millisecond)
		out := runPlan(g, plan(2))[0]
		require.True(t, out.Decided)
		for _, log := range out.Logs {
			assert.InDelta(t, math.Log(1.5), log, 1e-12)
		}
		assert.Equal(t, 3e6, g.Outcomes()[0].Blocks[0])
	})
}

func TestBudgetShorterThanAnOp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := sleepers(time.Minute, time.Hour)
		p := plan(2)
		p.Budget = time.Second
		start := time.Now()
		outs := runPlan(g, p)
		assert.Empty(t, outs[0].Logs)
		assert.Less(t, time.Since(start), 2*time.Hour+3*time.Minute, "ends with the op under way")
		for _, c := range g.Outcomes() {
			assert.NoError(t, c.Err)
		}
	})
}

func TestACallThatDoesNotReturnIsAbandoned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := sleepers(time.Millisecond, 1000*time.Hour)
		g.set.CallLimit = time.Minute
		runPlan(g, plan(2))
		var hang *HangError
		require.ErrorAs(t, g.Outcomes()[1].Err, &hang)
		assert.True(t, g.Runaway)
		assert.NoError(t, g.Outcomes()[0].Err)
		assert.NotEmpty(t, g.Outcomes()[0].Blocks, "the other goes on")
		time.Sleep(3000 * time.Hour) // the abandoned goroutine comes back, and touches nothing
		assert.Empty(t, g.Outcomes()[1].Samples)
	})
}

func TestCancellationDoesNotWaitForACallThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := sleepers(1000 * time.Hour)
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		start := time.Now()
		g.Precision(ctx, plan(1))
		assert.Less(t, time.Since(start), 10*time.Second)
		time.Sleep(3000 * time.Hour)
	})
}

func TestSharesAddUp(t *testing.T) {
	for _, total := range []int{0, 1, 5, 16, 17, 1000, math.MaxInt} {
		for n := 1; n <= mostBlocks; n++ {
			sum, most, least := 0, 0, math.MaxInt
			for b := range n {
				s := share(total, b, n)
				sum += s
				most, least = max(most, s), min(least, s)
			}
			assert.Equal(t, total, sum)
			assert.LessOrEqual(t, most-least, 1)
		}
	}
}
