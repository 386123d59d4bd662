package measure

import (
	"context"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench/internal/hostinfo"
)

// alloc is a cell that allocates, and keeps what it allocates or not.
type alloc struct {
	size, objects int
	keep          bool
	held          [][]byte
	out           []byte
}

func (a *alloc) Fresh() error      { return nil }
func (a *alloc) Prepare(int) error { return nil }
func (a *alloc) Run(n int) (int, error) {
	for i := 0; i < n; i++ {
		for range a.objects {
			a.out = make([]byte, a.size)
			if a.keep {
				a.held = append(a.held, a.out)
			}
		}
	}
	return n, nil
}

func realGroup(set Settings, cells ...Cell) *Group {
	set.Rand = rand.New(rand.NewPCG(7, 7))
	specs := make([]Spec, len(cells))
	for i, c := range cells {
		specs[i] = Spec{Cell: c}
	}
	return NewGroup(set, specs)
}

func TestTheCellThatHoldsMemoryIsFailedAndTheOthersGoOn(t *testing.T) {
	leak := &alloc{size: 1 << 10, objects: 1, keep: true}
	sound := &alloc{size: 1 << 10, objects: 1}
	g := realGroup(Settings{MemoryLimit: 64 << 20}, sound, leak)
	p := plan(2)
	p.Judge = func([]float64) bool { return false }
	p.Budget = 20 * time.Second
	g.Precision(context.Background(), p)
	outs := g.Outcomes()
	var mem *MemoryError
	require.ErrorAs(t, outs[1].Err, &mem)
	assert.Greater(t, mem.Held, mem.Limit)
	assert.NoError(t, outs[0].Err)
	assert.Less(t, mem.Held, int64(512<<20), "it ended soon behind the limit")
}

// endless allocates within one op until it is told to stop.
type endless struct{ stop chan struct{} }

func (e endless) Fresh() error      { return nil }
func (e endless) Prepare(int) error { return nil }
func (e endless) Run(n int) (int, error) {
	var held [][]byte
	for {
		select {
		case <-e.stop:
			runtime.KeepAlive(held)
			return n, nil
		default:
			if len(held) < 4096 {
				held = append(held, make([]byte, 64<<10))
			} else {
				time.Sleep(time.Millisecond)
			}
		}
	}
}

func TestAnOpThatAllocatesWithoutEndIsAbandoned(t *testing.T) {
	e := endless{make(chan struct{})}
	defer close(e.stop)
	g := realGroup(Settings{MemoryLimit: 32 << 20}, e)
	g.Precision(context.Background(), plan(1))
	var mem *MemoryError
	require.ErrorAs(t, g.Outcomes()[0].Err, &mem)
	assert.True(t, g.Runaway)
}

func TestGarbageAloneIsNoReasonToFail(t *testing.T) {
	g := realGroup(Settings{MemoryLimit: 32 << 20}, &alloc{size: 1 << 20, objects: 100})
	p := plan(1)
	p.Alone = 4
	p.Looks = []int{2}
	g.Precision(context.Background(), p)
	assert.NoError(t, g.Outcomes()[0].Err)
}

func TestAllocationsAreCountedExactly(t *testing.T) {
	for _, test := range []struct {
		name        string
		cell        *alloc
		allocs, all uint64
	}{
		{"nothing", &alloc{}, 0, 0},
		{"one object", &alloc{size: 256, objects: 1}, 1, 256},
		{"three objects, rounded to their size class", &alloc{size: 100, objects: 3}, 3, 3 * 112},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := realGroup(Settings{}, test.cell)
			runPlan(g, plan(1))
			c := g.Outcomes()[0]
			require.NotEmpty(t, c.Counters)
			exact := 0
			for _, n := range c.Counters {
				if n.Allocs == test.allocs*uint64(n.Reps) && n.AllocBytes == test.all*uint64(n.Reps) {
					exact++
				}
			}
			assert.Greater(t, 2*exact, len(c.Counters), "the median is exact")
		})
	}
}

// readied allocates in Prepare only.
type readied struct {
	alloc
	queue [][]byte
}

func (r *readied) Prepares() bool { return true }
func (r *readied) Prepare(n int) error {
	r.queue = nil
	for range n {
		r.queue = append(r.queue, make([]byte, 64))
	}
	return nil
}

func TestWhatPrepareAllocatesIsNotTheOps(t *testing.T) {
	for name, run := range map[string]func(*Group){
		"precision": func(g *Group) { runPlan(g, plan(1)) },
		"reps":      func(g *Group) { g.Fixed(context.Background(), Fixed{Reps: 5000}) },
	} {
		t.Run(name, func(t *testing.T) {
			g := realGroup(Settings{}, &readied{alloc: alloc{size: 256, objects: 1}})
			run(g)
			cs := g.Outcomes()[0].Counters
			require.NotEmpty(t, cs)
			exact := 0
			for _, c := range cs {
				if c.Allocs == uint64(c.Reps) {
					exact++
				}
			}
			assert.Greater(t, 2*exact, len(cs), "%+v", cs)
		})
	}
}

// noop is the cheapest op.
type noop struct{}

func (noop) Fresh() error      { return nil }
func (noop) Prepare(int) error { return nil }
func (noop) Run(n int) (int, error) {
	for range n {
	}
	return n, nil
}

func TestTheEngineNeedsLittleMemory(t *testing.T) {
	var before, after runtime.MemStats
	g := realGroup(Settings{KeepSamples: 4096}, noop{})
	runtime.GC()
	runtime.ReadMemStats(&before)
	g.Fixed(context.Background(), Fixed{Reps: 5e7})
	runtime.GC()
	runtime.ReadMemStats(&after)
	assert.EqualValues(t, 5e7, g.Outcomes()[0].Reps)
	assert.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(16<<20))
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16<<20), "not even in passing")
	runtime.KeepAlive(g)
}

// BenchmarkEngineShare prints how much CPU time the engine takes beside the
// time that it measures: the ops cost fake time only.
func BenchmarkEngineShare(b *testing.B) {
	for b.Loop() {
		f := &fakeTime{}
		r := rand.New(rand.NewPCG(1, 1))
		noise := func() float64 { return 1 + 0.2*r.Float64() }
		g := fakeGroup(f, &fakeCell{ns: 100, noise: noise}, &fakeCell{ns: 100.7, noise: noise}, &fakeCell{ns: 99, noise: noise})
		g.set.KeepSamples = 4096 // the Runner's
		p := plan(3)
		judge := p.Judge
		p.Judge = func(logs []float64) bool { judge(logs); return false }
		u0, s0, _ := hostinfo.CPUTime()
		runPlan(g, p)
		u1, s1, _ := hostinfo.CPUTime()
		b.ReportMetric(100*float64(u1-u0+s1-s0)/float64(f.now), "engine-%")
	}
}
