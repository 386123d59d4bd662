package serbench

import "fmt"

// MemoryCost is what an op costs in memory beside its time; see [Runner.Memory].
// Figures are of the codec on one goroutine, but for LiveHeaps. What could not
// be measured is absent, and Reasons says why.
type MemoryCost struct {
	// HeldBytes, of decode, is the heap that one decoded value keeps while it
	// is held: its own struct, all that it refers to, and its message, if it
	// refers to that. HeldRatio is HeldBytes over the mean encoded size.
	HeldBytes *Estimate `json:"held_bytes_per_value,omitempty"`
	HeldRatio *float64  `json:"held_ratio,omitempty"`

	// Large is the message that the figures below it are about.
	Large *LargeMessage `json:"large_message,omitempty"`

	// KeptBytes is the heap that stays behind an op on the large message and
	// two collections, in pools and in the codec, beyond what usual messages
	// leave. KeptBusyBytes is the same while usual messages go on between
	// collections: a sync.Pool that is used is not emptied.
	KeptBytes     *Estimate `json:"kept_bytes,omitempty"`
	KeptBusyBytes *Estimate `json:"kept_busy_bytes,omitempty"`

	// LiveHeaps tells what the op takes when the collector works over live
	// heaps of several sizes.
	LiveHeaps []HeapCost `json:"live_heaps,omitempty"`

	Reasons []string `json:"reasons,omitempty"`
}

// LargeMessage is an op on one large message. The heap at its height is
// between ResultBytes and AllocBytes above what it was before, the message
// itself not counted for decode.
type LargeMessage struct {
	EncodedBytes int64 `json:"encoded_bytes"`
	// Grown: it is a message of the payload whose lists and texts were repeated.
	Grown       bool      `json:"grown,omitempty"`
	AllocBytes  int64     `json:"alloc_bytes"`          // allocated in all, counted
	ResultBytes int64     `json:"result_bytes"`         // live at the end, counted
	PeakBytes   *Estimate `json:"peak_bytes,omitempty"` // most found live while the op ran, sampled; N: collections that looked
}

// HeapCost is what an op takes under the process's own GOGC while so much more
// is live than the process itself holds.
type HeapCost struct {
	LiveHeap         int64     `json:"live_heap_bytes"`
	SustainedNsPerOp *Estimate `json:"sustained_ns_per_op,omitempty"`
	CPUNsPerOp       *Estimate `json:"cpu_ns_per_op,omitempty"` // user and system, all threads
	// GCCyclesPerOp is the number of collections that the op's garbage adds up
	// to; 1/GCCyclesPerOp ops make one.
	GCCyclesPerOp *Estimate `json:"gc_cycles_per_op,omitempty"`
	// GCCPUNsPerOp is their CPU time, all threads; it is contained in CPUNsPerOp.
	GCCPUNsPerOp *Estimate `json:"gc_cpu_ns_per_op,omitempty"`
	// GCShare is GCCPUNsPerOp over that and the CPU time without it, 0 to 1.
	GCShare *float64 `json:"gc_cpu_share,omitempty"`
}

// estimates lists the figures of m by key, for what treats all alike.
func (m *MemoryCost) estimates() (out []memoryEstimate) {
	if m == nil {
		return nil
	}
	add := func(key string, e **Estimate) { out = append(out, memoryEstimate{key, e}) }
	add("held_bytes_per_value", &m.HeldBytes)
	if m.Large != nil {
		add("large_message.peak_bytes", &m.Large.PeakBytes)
	}
	add("kept_bytes", &m.KeptBytes)
	add("kept_busy_bytes", &m.KeptBusyBytes)
	for i := range m.LiveHeaps {
		h := &m.LiveHeaps[i]
		at := fmt.Sprintf("live_heaps[%d].", i)
		add(at+"sustained_ns_per_op", &h.SustainedNsPerOp)
		add(at+"cpu_ns_per_op", &h.CPUNsPerOp)
		add(at+"gc_cycles_per_op", &h.GCCyclesPerOp)
		add(at+"gc_cpu_ns_per_op", &h.GCCPUNsPerOp)
	}
	return out
}

type memoryEstimate struct {
	key string
	at  **Estimate
}

// check returns the key below the result that is wrong.
func (m *MemoryCost) check() (key string, err error) {
	if m == nil {
		return "", nil
	}
	if l := m.Large; l != nil {
		for _, x := range []struct {
			key   string
			bytes int64
		}{{"encoded_bytes", l.EncodedBytes}, {"alloc_bytes", l.AllocBytes}, {"result_bytes", l.ResultBytes}} {
			if x.bytes < 0 {
				return "memory.large_message." + x.key, fmt.Errorf("below zero: %d", x.bytes)
			}
		}
	}
	for i := range m.LiveHeaps {
		if v := m.LiveHeaps[i].LiveHeap; v < 0 {
			return fmt.Sprintf("memory.live_heaps[%d].live_heap_bytes", i), fmt.Errorf("below zero: %d", v)
		}
	}
	for _, x := range m.estimates() {
		switch e := *x.at; {
		case e == nil:
		case e.Value < 0:
			return "memory." + x.key + ".value", fmt.Errorf("below zero: %v", e.Value)
		case upsideDown(e.Low, e.High):
			return "memory." + x.key + ".low", fmt.Errorf("%v is above high, %v", *e.Low, *e.High)
		}
	}
	return "", nil
}
