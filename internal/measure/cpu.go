package measure

import (
	"errors"
	"fmt"
	"time"

	"github.com/serbench/serbench/internal/hostinfo"
)

// cpuBatch is the length of a batch of a CPU-time plan, where nothing else is
// asked: 10,000 steps of the CPU clock.
const cpuBatch = 10 * time.Millisecond

var errNoCPUTime = fmt.Errorf("the system does not tell the CPU time of a process: %w", errors.ErrUnsupported)

// cpuTime is the process's user and system time.
func cpuTime() (time.Duration, bool) {
	user, sys, ok := hostinfo.CPUTime()
	return user + sys, ok
}

// prepareCPU readies a CPU-time plan; where there is no CPU clock no cell can
// be measured by it.
func (g *Group) prepareCPU(p *Fixed) {
	if p.CPU == nil {
		p.CPU = cpuTime
	}
	if p.CPUTime <= 0 {
		return
	}
	if _, ok := p.CPU(); !ok {
		for _, s := range g.cells {
			s.out.Err = errNoCPUTime
		}
		return
	}
	if g.set.BatchTime <= 0 {
		g.target = max(g.target, min(cpuBatch, p.CPUTime/100))
	}
}

// noopCost is what a call of the plan's no-op takes, ns per op.
type noopCost struct{ wall, cpu float64 }

// of n ops.
func (c noopCost) of(n int) (wall, cpu time.Duration) {
	return time.Duration(c.wall * float64(n)), time.Duration(c.cpu * float64(n))
}

// noopLong is how long a run of no-ops has to be against the CPU clock's steps.
const noopLong = 2 * time.Millisecond

// measureNoop finds what the plan's no-op takes, so that it can be taken off.
func (g *Group) measureNoop(p *Fixed) (c noopCost, err error) {
	if p.Noop == nil {
		return c, nil
	}
	if err := p.Noop.Fresh(); err != nil {
		return c, fmt.Errorf("the no-op: %w", err)
	}
	for n := 1024; ; n *= 2 {
		cpu0, _ := p.CPU()
		t0 := g.set.Clock()
		if _, err := p.Noop.Run(n); err != nil {
			return c, fmt.Errorf("the no-op: %w", err)
		}
		wall := g.set.Clock() - t0
		cpu1, _ := p.CPU()
		if wall >= noopLong || n >= 1<<24 {
			return noopCost{float64(wall) / float64(n), float64(cpu1-cpu0) / float64(n)}, nil
		}
	}
}
