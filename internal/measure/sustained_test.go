package measure

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestChargeSolvesForThePriceOfACollection(t *testing.T) {
	const op, price = 100.0, 5000.0
	for _, test := range []struct {
		name             string
		normal, during   int // cycles
		reps, duringReps int
		owed             float64
		why              string
	}{
		{"none fell into the slot", 0, 1, 1000, 40, 0.7, "the garbage of 0.7 of a collection is paid for"},
		{"more fell in than are owed", 3, 1, 1000, 40, 2.2, "0.8 of a collection is another's"},
		{"as many as are owed", 2, 1, 1000, 40, 2, "nothing to correct"},
	} {
		t.Run(test.name, func(t *testing.T) {
			normal := part{reps: test.reps, cycles: uint64(test.normal)}
			during := part{reps: test.duringReps, cycles: uint64(test.during)}
			time := func(p part) float64 { return float64(p.reps)*op + float64(p.cycles)*price }
			want := op + test.owed*price/float64(test.reps)
			assert.InDelta(t, want, charge(normal, during, time(normal), time(during), test.owed), 1e-9, test.why)
		})
	}
	same := part{reps: 1000, cycles: 2}
	assert.Equal(t, 110.0, charge(same, same, 110_000, 110_000, 2.5), "equal parts tell nothing: the plain time")
}

func TestSustainedOwesByTheBytesAllocated(t *testing.T) {
	ballast := Ballast(16 << 20)
	g := realGroup(Settings{}, &alloc{size: 1 << 10, objects: 4}, noop{})
	p := plan(1)
	p.Alone = 2
	p.Looks = []int{2}
	g.Precision(context.Background(), p)
	slots := g.Sustained(context.Background(), 2, time.Time{})
	runtime.KeepAlive(ballast)
	require.Len(t, slots[0], 2)
	for _, s := range slots[0] {
		assert.Positive(t, s.Wall)
		assert.Positive(t, s.Owed)
		assert.InEpsilon(t, 4<<10, float64(s.Counter.AllocBytes)/float64(s.Counter.Reps), 0.05)
	}
	for _, s := range slots[1] {
		assert.Less(t, s.Owed, 0.01, "an op without garbage owes nothing")
	}
}
