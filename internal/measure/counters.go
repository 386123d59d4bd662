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

// usage reads the counters. It stops the world for some microseconds and
// disturbs caches, so it is never called inside a timed batch; and it
// allocates nothing, so that an op's allocations are counted to the byte.
func (g *Group) usage() usage {
	runtime.ReadMemStats(&g.mem)
	u := usage{mallocs: g.mem.Mallocs, bytes: g.mem.TotalAlloc, cycles: g.mem.NumGC}
	u.user, u.sys, u.hasCPU = hostinfo.CPUTime()
	u.at = g.set.Clock()
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
	var before usage
	g.mark = &before // behind Prepare, whose allocations are not the op's
	ok := g.ops(l, i, n)
	g.mark = nil
	if !ok || n <= 0 {
		return ok
	}
	after := g.usageAfter()
	s := g.cells[i]
	s.out.Counters = append(s.out.Counters, after.since(before, g.block, n))
	return true
}

// usageAfter is [Group.usage] at the end of a stretch: in the reverse order,
// so that the stretch does not contain the reading itself.
func (g *Group) usageAfter() usage {
	u := usage{at: g.set.Clock()}
	u.user, u.sys, u.hasCPU = hostinfo.CPUTime()
	runtime.ReadMemStats(&g.mem)
	u.mallocs, u.bytes, u.cycles = g.mem.Mallocs, g.mem.TotalAlloc, g.mem.NumGC
	return u
}
