package measure

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench/internal/hostinfo"
)

func TestHoldWeighsWhatIsKnown(t *testing.T) {
	type pair struct{ a, b *[1 << 10]byte }
	shared := new([1 << 20]byte)
	var hoard [][]byte
	for _, tc := range []struct {
		name  string
		cycle int
		make  func(i int) (any, error)
		want  float64
		left  float64
		why   string
	}{
		{"one MiB", 1, func(int) (any, error) { return new([1 << 20]byte), nil }, 1 << 20, 0, "one object of a page's multiple has no rounding"},
		{"what is referred to", 1, func(int) (any, error) { return &pair{new([1 << 10]byte), new([1 << 10]byte)}, nil }, 16 + 2<<10, 0, "16 bytes of pointers and both arrays"},
		{"rounded up", 1, func(int) (any, error) { return new([33]byte), nil }, 48, 0, "the size class is what it costs"},
		{"a corpus", 4, func(i int) (any, error) { return make([]byte, 1024<<i), nil }, 1024*15/4 + 24, 0, "the mean over whole cycles; a slice in an interface has a header of 24 bytes"},
		{"shared", 1, func(int) (any, error) { return &struct{ p *[1 << 20]byte }{shared}, nil }, 8, 0, "what all share is nobody's"},
		{"garbage beside it", 1, func(int) (any, error) { _ = sink(make([]byte, 128<<10)); return new([4 << 10]byte), nil }, 4 << 10, 0, "garbage is not held"},
		{"left behind", 1, func(int) (any, error) { hoard = append(hoard, make([]byte, 32<<10)); return new([32 << 10]byte), nil }, 64 << 10, 32 << 10, "what the maker keeps grows with the values"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			hoard = nil
			held, err := Hold(context.Background(), tc.cycle, 0, tc.make)
			require.NoError(t, err)
			require.GreaterOrEqual(t, len(held.PerValue), 2)
			assert.Zero(t, held.Values%tc.cycle)
			for i, got := range held.PerValue {
				assert.InEpsilon(t, tc.want, got, 0.05, tc.why)
				assert.InDelta(t, tc.left*float64(held.Values), held.Left[i], 0.05*tc.want*float64(held.Values))
			}
		})
	}
	runtime.KeepAlive(hoard)
}

//go:noinline
func sink(b []byte) byte { return b[len(b)-1] }

func TestHoldRefusesWhatItCannotTell(t *testing.T) {
	_, err := Hold(context.Background(), 1, 0, func(int) (any, error) { return new(struct{}), nil })
	var small *TooSmallError
	require.ErrorAs(t, err, &small)
	assert.ErrorContains(t, err, "too small to resolve")

	bad := errors.New("no more")
	calls := 0
	_, err = Hold(context.Background(), 1, 0, func(int) (any, error) {
		if calls++; calls > 10 {
			return nil, bad
		}
		return new([1 << 10]byte), nil
	})
	assert.ErrorIs(t, err, bad)

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = Hold(ctx, 1, 0, func(int) (any, error) { return new([1 << 10]byte), nil })
	assert.ErrorIs(t, err, context.Canceled)
}

func TestHoldKeepsWithinItsBound(t *testing.T) {
	held, err := Hold(context.Background(), 1, 256<<10, func(int) (any, error) { return new([64 << 10]byte), nil })
	require.NoError(t, err)
	assert.LessOrEqual(t, held.Values, 4)
}

type holder [3][]byte

//go:noinline
func (h *holder) fill(i, size int) {
	h[i] = make([]byte, size)
}

func TestWeighBracketsAPeakThatIsKnown(t *testing.T) {
	const unit = 2 << 20
	var result []byte
	run := func(op func()) Peak {
		peak, err := Weigh(context.Background(), Job{
			Before: func() error { return nil },
			Op:     func() error { op(); runtime.KeepAlive(result); return nil },
			After:  func() error { result = nil; return nil },
		})
		require.NoError(t, err)
		return peak
	}
	three := run(func() {
		// Ten units in all, three at most at once, one in the end. They are
		// kept in h and made elsewhere: of a goroutine that is stopped in the
		// middle of a function the collector keeps all that its frame held.
		h := new(holder)
		for range 3 {
			for i := range h {
				h.fill(i, unit)
			}
			time.Sleep(10 * time.Millisecond) // that collections find all three
			*h = holder{}
		}
		result = make([]byte, unit)
	})
	assert.InEpsilon(t, 10*unit, three.Alloc, 0.01)
	assert.InEpsilon(t, unit, three.Result, 0.01)
	require.Empty(t, three.Reason)
	t.Logf("%d collections in %d runs", three.Looks, three.Runs)
	assert.InDelta(t, 3*unit, three.Live, unit/16, "not the 10 units that it allocates")

	short := run(func() { _ = sink(make([]byte, 128<<10)) })
	assert.InEpsilon(t, 128<<10, short.Alloc, 0.1, "too large for the stack")
	assert.Contains(t, short.Reason, "too few to sample", "an op within which no collection fits")
	assert.Zero(t, short.Live)

	all := run(func() { result = make([]byte, 64<<10) })
	assert.Empty(t, all.Reason, "where all that is allocated is left, there is nothing to sample")
	assert.Equal(t, all.Alloc, all.Live)
}

func TestWeighEndsItsCollectionsWithTheOp(t *testing.T) {
	bad := errors.New("bad")
	for name, job := range map[string]Job{
		"op fails": {func() error { return nil }, func() error { return bad }, func() error { return nil }},
		"no input": {func() error { return bad }, nil, nil},
	} {
		_, err := Weigh(context.Background(), job)
		assert.ErrorIs(t, err, bad, name)
	}
	assert.Error(t, GuardHeap(context.Background(), time.Minute, 0, func(ctx context.Context) error {
		_, err := Weigh(ctx, Job{func() error { return nil }, func() error { panic("ouch") }, func() error { return nil }})
		return err
	}))
	var before, after runtime.MemStats
	assert.Eventually(t, func() bool {
		runtime.ReadMemStats(&before)
		time.Sleep(20 * time.Millisecond)
		runtime.ReadMemStats(&after)
		return after.NumGC-before.NumGC < 2
	}, 5*time.Second, time.Millisecond, "no collector runs on")
}

func TestKeepTellsPoolsFromHoards(t *testing.T) {
	const size = 8 << 20
	var own []byte
	var pool sync.Pool
	use := func(n int) error {
		b, _ := pool.Get().(*[]byte)
		if b == nil {
			b = new([]byte)
		}
		if cap(*b) < n {
			*b = make([]byte, n)
		}
		pool.Put(b)
		return nil
	}
	for _, tc := range []struct {
		name         string
		usual, large func() error
		idle, busy   float64
		why          string
	}{
		{"keeps", func() error { return nil }, func() error { own = make([]byte, size); return nil }, size, size, "in a field"},
		{"forgets", func() error { return nil }, func() error { _ = sink(make([]byte, size)); return nil }, 0, 0, "garbage"},
		{"pool", func() error { return use(100) }, func() error { return use(size) }, 0, size, "two collections empty a sync.Pool, but not one that is used"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			own = nil
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // each processor has a pool of its own
			kept, err := Keep(context.Background(), tc.usual, tc.large)
			require.NoError(t, err)
			for _, idle := range kept.Idle {
				assert.InDelta(t, tc.idle, idle, 64<<10, tc.why)
			}
			if tc.name == "pool" && hostinfo.Read().RaceDetector {
				return // with it a sync.Pool drops one in four at random
			}
			assert.InDelta(t, tc.busy, slices.Max(kept.Busy), 64<<10, tc.why)
			runtime.KeepAlive(own)
		})
	}
}

func TestGuardHeapEndsWhatAllocatesWithoutAnEnd(t *testing.T) {
	var mem *MemoryError
	ended := make(chan struct{})
	err := GuardHeap(context.Background(), time.Minute, 32<<20, func(ctx context.Context) error {
		defer close(ended)
		var hoard [][]byte
		for ctx.Err() == nil {
			hoard = append(hoard, make([]byte, 1<<20))
			time.Sleep(time.Millisecond)
		}
		runtime.KeepAlive(hoard)
		return nil
	})
	require.ErrorAs(t, err, &mem)
	<-ended
	assert.ErrorAs(t, GuardHeap(context.Background(), time.Millisecond, 1<<30, func(ctx context.Context) error { <-ctx.Done(); return nil }), new(*HangError))
	assert.ErrorIs(t, GuardHeap(context.Background(), 0, 1<<30, func(context.Context) error { runtime.Goexit(); return nil }), ErrGoexit)
}

func TestACollectionHasItsPriceInCPUTime(t *testing.T) {
	ballast := Ballast(32 << 20)
	g := realGroup(Settings{}, &alloc{size: 1 << 10, objects: 4}, noop{})
	p := plan(1)
	p.Alone = 2
	p.Looks = []int{2}
	g.Precision(context.Background(), p)
	with := g.Sustained(context.Background(), 3, time.Time{})
	runtime.KeepAlive(ballast)
	small := g.Sustained(context.Background(), 3, time.Time{})
	least := func(slots []Sustained) float64 { // waiting for a processor only adds
		return min(slots[0].CollectionCPU, slots[1].CollectionCPU, slots[2].CollectionCPU)
	}
	assert.Greater(t, least(with[0]), 1e6, "32 MiB of small objects take a millisecond to mark, at least")
	assert.Greater(t, least(with[0]), 2*least(small[0]), "an almost empty heap is cheap")
	assert.Zero(t, least(with[1]), "an op without garbage owes none")
}
