package serbench

import (
	"errors"
	"runtime"
	"slices"
	"time"

	"github.com/serbench/serbench/internal/hostinfo"
	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/stats"
)

// checkMemory returns the live heaps to measure over, nil without Memory.
func (r Runner) checkMemory(bad func(string, ...any)) []int64 {
	if !r.Memory {
		if len(r.MemoryHeaps) > 0 {
			bad("Runner.MemoryHeaps: has no effect without Runner.Memory")
		}
		return nil
	}
	heaps := slices.Clone(r.MemoryHeaps)
	if len(heaps) == 0 {
		heaps = []int64{0}
		if r.LiveHeap > 0 {
			heaps = append(heaps, r.LiveHeap)
		}
	}
	most := mostLiveHeap(hostinfo.Read())
	for i, h := range heaps {
		switch {
		case h < 0:
			bad("Runner.MemoryHeaps: %d: must not be negative; 0 is what the process holds itself", h)
		case h > most:
			bad("Runner.MemoryHeaps: %d bytes are more than %d, half of the memory that the process may use", h, most)
		case slices.Index(heaps, h) < i:
			bad("Runner.MemoryHeaps: %d is named twice", h)
		}
	}
	slices.Sort(heaps)
	return heaps
}

// heapRounds is how often each cell gets a slot over a live heap of Memory.
const heapRounds = 5

// weighHeaps finds what the collector costs each op over each live heap.
func (r *run) weighHeaps(progress func(share float64, g *group)) {
	if r.report.Environments[0].GOGC == "off" {
		r.report.Warnings = append(r.report.Warnings, Warning{Code: "collector-off",
			Message: "GOGC is off: the collector costs nothing, and its cost over live heaps is not measured", Advice: "unset GOGC"})
		return
	}
	for i, size := range r.MemoryHeaps {
		ballast := measure.Ballast(size)
		for k, g := range r.groups {
			if r.ctx.Err() != nil {
				return
			}
			if g.m == nil || g.wire != nil {
				continue
			}
			slots := g.slots
			if size != r.LiveHeap || !complete(g, slots) {
				g.dropFailed()
				slots = g.m.Sustained(r.ctx, heapRounds, time.Time{})
				g.stopTeams()
			}
			r.recordHeap(g, size, slots)
			progress((float64(i)+float64(k+1)/float64(len(r.groups)))/float64(len(r.MemoryHeaps)), g)
		}
		runtime.KeepAlive(ballast)
	}
}

// dropFailed sees to it that cells which failed while they were weighed, and
// may still be at it, are left alone.
func (g *group) dropFailed() {
	for i, c := range g.cells {
		if !c.result.hasFigures() {
			g.m.Drop(i, errDropped)
		}
	}
}

var errDropped = errors.New("failed before")

// complete says that the sustained times were measured of all sound cells.
func complete(g *group, slots [][]measure.Sustained) bool {
	if slots == nil {
		return false
	}
	for i, c := range g.cells {
		if c.result.hasFigures() && len(slots[i]) == 0 {
			return false
		}
	}
	return true
}

func (r *run) recordHeap(g *group, size int64, slots [][]measure.Sustained) {
	r.runaway = r.runaway || g.m.Runaway
	outs := g.m.Outcomes()
	for i, c := range g.cells {
		if !c.result.hasFigures() {
			continue
		}
		if outs[i].Err != nil {
			r.failCell(c, outs[i].Err)
			continue
		}
		if len(slots[i]) == 0 {
			continue
		}
		m := c.result.memory()
		m.LiveHeaps = append(m.LiveHeaps, heapCost(size, slots[i], c.goroutines()))
	}
}

// memory of the result, made if there is none yet.
func (res *Result) memory() *MemoryCost {
	if res.Memory == nil {
		res.Memory = &MemoryCost{}
	}
	return res.Memory
}

// heapCost makes figures of the slots of a cell on so many goroutines.
func heapCost(size int64, slots []measure.Sustained, goroutines int) HeapCost {
	h := HeapCost{LiveHeap: size}
	var wall, cpu, cycles, gc, share []float64
	for _, s := range slots {
		wall = append(wall, s.Wall)
		ops := float64(s.Counter.Reps * goroutines)
		perOp := s.Owed / ops
		cycles = append(cycles, perOp)
		if s.Owed > 0 && s.CollectionCPU == 0 {
			continue
		}
		cost := perOp * s.CollectionCPU
		gc = append(gc, cost)
		if s.HasCPU {
			used := float64(s.Counter.User + s.Counter.Sys)
			own := max(0, used-float64(s.Counter.GCCycles)*s.CollectionCPU) / ops
			cpu = append(cpu, own+cost)
			if own+cost > 0 {
				share = append(share, cost/(own+cost))
			}
		}
	}
	h.SustainedNsPerOp = spreadEstimate(wall, "wall time under the normal collector, collections charged by the bytes allocated")
	h.GCCyclesPerOp = spreadEstimate(cycles, "bytes allocated over the bytes that may be allocated between collections")
	h.GCCPUNsPerOp = spreadEstimate(gc, "collections per op times the CPU time of one beside the op")
	h.CPUNsPerOp = spreadEstimate(cpu, "user and system time without collections, and gc_cpu_ns_per_op")
	if len(share) > 0 {
		h.GCShare = finite(stats.Median(share))
	}
	return h
}

// spreadEstimate is the median of some values with the least and the greatest;
// nil of none.
func spreadEstimate(xs []float64, method string) *Estimate {
	if len(xs) == 0 {
		return nil
	}
	q := stats.Quantiles(xs, 0, 1)
	return &Estimate{Value: stats.Median(xs), Method: "median of " + method, N: len(xs), Min: finite(q[0]), Max: finite(q[1])}
}
