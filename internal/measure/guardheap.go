package measure

import (
	"context"
	"runtime/metrics"
	"time"
)

// GuardHeap is [Guard] for calls that may allocate without an end: one that
// holds more than memory bytes (0: no bound) beyond what was on the heap
// before becomes a *MemoryError. The context that f is given is done once f is
// no longer waited for: what it started must end then.
func GuardHeap(ctx context.Context, limit time.Duration, memory int64, f func(context.Context) error) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	var heap [1]metrics.Sample
	own := heapBytes(&heap)
	done := protected(func() error { return f(inner) })
	if memory <= 0 {
		return await(ctx, limit, done)
	}
	ended := make(chan error, 1)
	go func() { ended <- await(inner, limit, done) }()
	poll := time.NewTicker(memoryPoll)
	defer poll.Stop()
	for {
		select {
		case err := <-ended:
			return err
		case <-poll.C:
			if err := overgrown(&heap, own, memory); err != nil {
				return err
			}
		}
	}
}
