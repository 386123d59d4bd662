package measure

import (
	"runtime"
	"time"

	"github.com/serbench/serbench/internal/hostinfo"
)

// usage is what the process has used so far.
type usage struct {
	mallocs, bytes uint64
	cycles         uint32
	user, sys      time.Duration
	hasCPU         bool
	at             time.Duration
}

// readUsage stops the world for some microseconds and disturbs caches, so it
// is never called inside a timed batch.
func readUsage(clock Clock) usage {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	u := usage{mallocs: m.Mallocs, bytes: m.TotalAlloc, cycles: m.NumGC}
	u.user, u.sys, u.hasCPU = hostinfo.CPUTime()
	u.at = clock()
	return u
}

// since returns what n ops used from before to u.
func (u usage) since(before usage, block, n int) Counter {
	c := Counter{
		Block:      block,
		Reps:       n,
		Allocs:     u.mallocs - before.mallocs,
		AllocBytes: u.bytes - before.bytes,
		GCCycles:   uint64(u.cycles - before.cycles),
		Wall:       u.at - before.at,
		HasCPU:     u.hasCPU && before.hasCPU,
	}
	if c.HasCPU {
		c.User, c.Sys = u.user-before.user, u.sys-before.sys
	}
	return c
}

// counted runs n ops of cell i and records what they used.
func (g *Group) counted(l *lease, i, n int) bool {
	before := readUsage(g.set.Clock)
	if !g.ops(l, i, n) {
		return false
	}
	s := g.cells[i]
	s.out.Counters = append(s.out.Counters, readUsage(g.set.Clock).since(before, g.block, n))
	return true
}
