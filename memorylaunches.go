package serbench

import (
	"slices"

	"github.com/serbench/serbench/internal/stats"
)

// mergeMemory makes one of what the launches found: medians between launches,
// with the least and the greatest. It is nil if no launch has any.
func mergeMemory(launches []*Report) *MemoryCost {
	var all []*MemoryCost
	for _, r := range launches {
		if m := r.Results[0].Memory; m != nil {
			all = append(all, m)
		}
	}
	if len(all) == 0 {
		return nil
	}
	out := &MemoryCost{
		HeldBytes:     betweenMemory(all, func(m *MemoryCost) *Estimate { return m.HeldBytes }),
		HeldRatio:     medianOf(all, func(m *MemoryCost) *float64 { return m.HeldRatio }),
		KeptBytes:     betweenMemory(all, func(m *MemoryCost) *Estimate { return m.KeptBytes }),
		KeptBusyBytes: betweenMemory(all, func(m *MemoryCost) *Estimate { return m.KeptBusyBytes }),
	}
	var large []*LargeMessage
	var sizes []int64
	for _, m := range all {
		if m.Large != nil {
			large = append(large, m.Large)
		}
		for _, h := range m.LiveHeaps {
			if !slices.Contains(sizes, h.LiveHeap) {
				sizes = append(sizes, h.LiveHeap)
			}
		}
		for _, reason := range m.Reasons {
			if !slices.Contains(out.Reasons, reason) {
				out.Reasons = append(out.Reasons, reason)
			}
		}
	}
	if len(large) > 0 {
		whole := func(f func(l *LargeMessage) int64) int64 {
			return int64(*medianOf(large, func(l *LargeMessage) *float64 { return new(float64(f(l))) }))
		}
		out.Large = &LargeMessage{
			Grown:        large[0].Grown,
			EncodedBytes: whole(func(l *LargeMessage) int64 { return l.EncodedBytes }),
			AllocBytes:   whole(func(l *LargeMessage) int64 { return l.AllocBytes }),
			ResultBytes:  whole(func(l *LargeMessage) int64 { return l.ResultBytes }),
			PeakBytes:    betweenMemory(large, func(l *LargeMessage) *Estimate { return l.PeakBytes }),
		}
	}
	slices.Sort(sizes)
	for _, size := range sizes {
		out.LiveHeaps = append(out.LiveHeaps, mergeHeaps(all, size))
	}
	return out
}

func mergeHeaps(all []*MemoryCost, size int64) HeapCost {
	var heaps []*HeapCost
	for _, m := range all {
		for i := range m.LiveHeaps {
			if m.LiveHeaps[i].LiveHeap == size {
				heaps = append(heaps, &m.LiveHeaps[i])
			}
		}
	}
	return HeapCost{
		LiveHeap:         size,
		SustainedNsPerOp: betweenMemory(heaps, func(h *HeapCost) *Estimate { return h.SustainedNsPerOp }),
		CPUNsPerOp:       betweenMemory(heaps, func(h *HeapCost) *Estimate { return h.CPUNsPerOp }),
		GCCyclesPerOp:    betweenMemory(heaps, func(h *HeapCost) *Estimate { return h.GCCyclesPerOp }),
		GCCPUNsPerOp:     betweenMemory(heaps, func(h *HeapCost) *Estimate { return h.GCCPUNsPerOp }),
		GCShare:          medianOf(heaps, func(h *HeapCost) *float64 { return h.GCShare }),
	}
}

// betweenMemory is the median of a figure over the launches that have it.
func betweenMemory[T any](all []T, of func(T) *Estimate) *Estimate {
	var xs []float64
	for _, x := range all {
		if e := of(x); e != nil {
			xs = append(xs, e.Value)
		}
	}
	return spreadEstimate(xs, "the launches' values")
}

func medianOf[T any](all []T, of func(T) *float64) *float64 {
	var xs []float64
	for _, x := range all {
		if v := of(x); v != nil {
			xs = append(xs, *v)
		}
	}
	if len(xs) == 0 {
		return nil
	}
	return finite(stats.Median(xs))
}
