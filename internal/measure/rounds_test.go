package measure

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRoundsStayExactWhenAnotherCellFails(t *testing.T) {
	const rounds = 500
	for _, at := range []int{3, 5_000, 20_001, 50_000, 90_000} {
		t.Run(fmt.Sprint("panic at op ", at), func(t *testing.T) {
			f := &fakeTime{}
			bad := &fakeCell{ns: 100, onOp: func(op int) error {
				if op == at {
					panic("now")
				}
				return nil
			}}
			g := fakeGroup(f, &fakeCell{ns: 100}, bad, &fakeCell{ns: 150})
			g.Precision(context.Background(), Precision{Looks: []int{1}, Rounds: rounds})
			outs := g.Outcomes()
			require.Error(t, outs[1].Err)
			for _, i := range []int{0, 2} {
				assert.Equal(t, 2*rounds, outs[i].All.N, "two batches a round, none of them twice")
				assert.Len(t, outs[i].Samples, 2*rounds)
				assert.True(t, outs[i].Done)
			}
		})
	}
}

func TestRoundsThatWereCancelledAreNotDone(t *testing.T) {
	f := &fakeTime{}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	a := &fakeCell{ns: 1000}
	g := fakeGroup(f, a, &fakeCell{ns: 1000})
	a.onOp = func(int) error {
		if g.cells[0].out.All.N > 1950 { // in the midst of the last block
			cancel()
		}
		return nil
	}
	g.Precision(ctx, Precision{Looks: []int{1}, Rounds: 1000})
	for _, c := range g.Outcomes() {
		assert.Less(t, c.All.N, 2000)
		assert.False(t, c.Done)
	}
}

// A cell that holds too much is failed in the midst of a plan; the others miss
// nothing of theirs.
func TestPlansStayExactWhenAnotherCellHoldsTooMuch(t *testing.T) {
	for name, run := range map[string]func(g *Group) (want int64, of func(CellOutcome) int64){
		"rounds": func(g *Group) (int64, func(CellOutcome) int64) {
			g.Precision(context.Background(), Precision{Looks: []int{1}, Rounds: 700})
			return 1400, func(c CellOutcome) int64 { return int64(c.All.N) }
		},
		"reps": func(g *Group) (int64, func(CellOutcome) int64) {
			g.Fixed(context.Background(), Fixed{Reps: 30_000})
			return 30_000, func(c CellOutcome) int64 { return c.Reps }
		},
	} {
		t.Run(name, func(t *testing.T) {
			good, hoard := &alloc{size: 1 << 10, objects: 4}, &alloc{size: 4 << 10, objects: 1, keep: true}
			g := realGroup(Settings{MemoryLimit: 24 << 20}, good, hoard)
			want, of := run(g)
			outs := g.Outcomes()
			var memory *MemoryError
			require.ErrorAs(t, outs[1].Err, &memory)
			require.NoError(t, outs[0].Err)
			assert.Equal(t, want, of(outs[0]))
			assert.True(t, outs[0].Done)
		})
	}
}

// instanceHoard allocates once in the life of an instance, and holds it.
type instanceHoard struct {
	alloc
	ops  int
	held []byte
}

func (h *instanceHoard) Fresh() error { h.ops, h.held = 0, nil; return nil }
func (h *instanceHoard) Run(n int) (int, error) {
	if h.ops += n; h.ops > 500 && h.held == nil {
		h.held = make([]byte, 64<<20)
	}
	return h.alloc.Run(n)
}

func TestACellThatHoldsMuchAtOnceIsTheOneThatFails(t *testing.T) {
	one, two := &alloc{size: 1 << 10, objects: 4}, &alloc{size: 1 << 10, objects: 4}
	hoard := &instanceHoard{alloc: alloc{size: 1 << 10, objects: 4}}
	g := realGroup(Settings{MemoryLimit: 32 << 20}, one, hoard, two)
	g.Precision(context.Background(), Precision{Looks: []int{1}, Rounds: 700})
	outs := g.Outcomes()
	var memory *MemoryError
	require.ErrorAs(t, outs[1].Err, &memory)
	assert.NoError(t, outs[0].Err)
	assert.NoError(t, outs[2].Err)
}

func TestABlockOfAnyLengthNeedsLittleMemory(t *testing.T) {
	f := &fakeTime{}
	set := fakeSettings(f)
	set.BlockTime, set.BatchReps, set.KeepSamples = math.MaxInt64, 1, 100
	g := NewGroup(set, []Spec{{Cell: &fakeCell{time: f, ns: 100}}, {Cell: &fakeCell{time: f, ns: 1e6}}})
	p := plan(2)
	p.Budget = 300 * time.Millisecond
	check(t, g, runPlan(g, p))
	for _, c := range g.Outcomes() {
		require.NoError(t, c.Err)
		assert.Greater(t, c.All.N, 10_000, "no round is lost to an overflow")
		assert.LessOrEqual(t, cap(c.Samples), 16<<10)
	}
}
