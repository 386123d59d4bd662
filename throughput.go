package serbench

import "math"

// Link is what messages pass through: a CPU that has a share of one core for
// them, and a line.
type Link struct {
	BitsPerSecond float64 // 0: no limit
	CPUShare      float64 // of one core, 0.1 is a tenth; 0: one core
	OverheadBytes float64 // per message, for headers
	// Compression names an algorithm whose figures the result holds; "": none.
	Compression string
}

// Bottleneck is what limits the messages per second.
type Bottleneck string

// The bottlenecks.
const (
	BoundByCPU  Bottleneck = "cpu"
	BoundByLink Bottleneck = "link"
)

// Throughput is how many messages per second a result's codec manages.
type Throughput struct {
	PerSecond       float64
	CPUPerSecond    float64 // what the CPU share would do
	LinkPerSecond   float64 // what the line would carry; 0: no limit
	Bottleneck      Bottleneck
	NsPerMessage    float64 // CPU time, compression included
	BytesPerMessage float64
}

// MessagesPerSecond says how many messages a second pass a link with this
// result's codec, payload and op: the lesser of what the CPU share does at
// the sustained CPU time per op (at the op time, where that is all there is)
// and of what the line carries at the mean size. ok is false if a figure is
// missing: no time, no size where the line has a limit, or no such
// compression.
func MessagesPerSecond(res *Result, l Link) (t Throughput, ok bool) {
	if res == nil || res.Status == StatusFailed {
		return t, false
	}
	for _, e := range []*Estimate{res.Estimates.CPUNsPerOp, res.Estimates.SustainedNsPerOp, res.Estimates.NsPerOp} {
		if e != nil && e.Value > 0 {
			t.NsPerMessage = e.Value
			break
		}
	}
	if t.NsPerMessage == 0 {
		return t, false
	}
	if res.Encoded != nil {
		t.BytesPerMessage = res.Encoded.Mean
	} else if l.BitsPerSecond > 0 {
		return t, false
	}
	if l.Compression != "" {
		c := res.Encoded.compression(l.Compression)
		if c == nil {
			return t, false
		}
		t.BytesPerMessage = c.MessageBytes
		compress, decompress := sides(res.Op)
		if compress {
			t.NsPerMessage += c.CompressNs
		}
		if decompress {
			t.NsPerMessage += c.DecompressNs
		}
	}
	t.BytesPerMessage += max(0, l.OverheadBytes)
	share := l.CPUShare
	if !(share > 0) {
		share = 1
	}
	t.CPUPerSecond = share * 1e9 / t.NsPerMessage
	t.PerSecond, t.Bottleneck = t.CPUPerSecond, BoundByCPU
	if l.BitsPerSecond > 0 && t.BytesPerMessage > 0 {
		t.LinkPerSecond = l.BitsPerSecond / (8 * t.BytesPerMessage)
		if t.LinkPerSecond < t.PerSecond {
			t.PerSecond, t.Bottleneck = t.LinkPerSecond, BoundByLink
		}
	}
	return t, !math.IsInf(t.PerSecond, 0) && !math.IsNaN(t.PerSecond)
}

// sides says which halves of compression an op goes with.
func sides(op Op) (compress, decompress bool) {
	switch op {
	case OpEncode, OpAppend, OpStreamEncode:
		return true, false
	case OpDecode, OpReuse, OpStreamDecode:
		return false, true
	}
	return true, true
}

func (e *EncodedSize) compression(algorithm string) *Compression {
	if e == nil {
		return nil
	}
	for i := range e.Compressions {
		if e.Compressions[i].Algorithm == algorithm {
			return &e.Compressions[i]
		}
	}
	return nil
}
