package serbench

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/serbench/serbench/internal/hostinfo"
	"github.com/serbench/serbench/internal/measure"
)

// Cold is what decoding takes while the messages are not in the processor's
// caches, against the same messages in cache, found in the same rounds. A
// batch that decodes a few messages again and again has them in the first
// cache; a service may find each where a network card or another core has
// left it.
//
// Both sides decode the same sequence of values into targets of their own,
// new ones for each op; they differ only in where the messages lie: in
// CorpusBytes of copies, in random order, or in one copy of each. Code, types
// and tables of the codec are warm on both sides; [Estimates.FirstCallNs] has
// the other end of that.
type Cold struct {
	ColdNsPerOp *Estimate `json:"cold_ns_per_op,omitempty"`
	WarmNsPerOp *Estimate `json:"warm_ns_per_op,omitempty"` // with new targets, so not quite Estimates.NsPerOp
	Ratio       *Estimate `json:"ratio,omitempty"`          // cold / warm
	Messages    int64     `json:"messages,omitempty"`       // copies, at as many addresses
	Values      int       `json:"values,omitempty"`         // of the payload's, that they are copies of
	CorpusBytes int64     `json:"corpus_bytes,omitempty"`   // that the copies lie in
	L2Bytes     int64     `json:"l2_bytes,omitempty"`       // second-level cache
	CacheBytes  int64     `json:"cache_bytes,omitempty"`    // last-level cache, which other processes may use too
	Assumed     bool      `json:"assumed,omitempty"`        // the system does not tell the sizes of its caches
	Reason      string    `json:"reason,omitempty"`         // why there are no figures
}

const (
	coldTimes   = 4 // the corpus is so many times the cache
	mostCold    = 256 << 20
	coldLine    = 64 // bytes: no two copies share a cache line
	coldBlocks  = 45
	coldPerCell = 400 * time.Millisecond // of the budget
	// Caches of a system that does not tell.
	assumedL2, assumedLast = 2 << 20, 32 << 20
)

// coldPlan is how large a corpus of cold messages is to be.
type coldPlan struct {
	hostinfo.Caches
	bytes   int64
	assumed bool
}

// planCold sizes the corpus: four times the last cache, within mostCold and
// half of the memory limit, and at least four times the second cache.
func planCold(caches hostinfo.Caches, limit int64) (coldPlan, error) {
	p := coldPlan{Caches: caches}
	if p.L2 <= 0 || p.Last <= 0 {
		p.L2, p.Last, p.assumed = assumedL2, assumedLast, true
	}
	p.bytes = min(coldTimes*p.Last, mostCold)
	if limit > 0 {
		p.bytes = min(p.bytes, limit/2)
	}
	if p.bytes < coldTimes*p.L2 {
		return p, fmt.Errorf("%d bytes are needed, %d times a second-level cache of %d; MemoryLimit and the bound of %d allow %d", coldTimes*p.L2, coldTimes, p.L2, mostCold, p.bytes)
	}
	return p, nil
}

// coldCells are those of decode on one goroutine.
func (r *run) coldCells() (cells []*cell) {
	if !r.Cold {
		return nil
	}
	for _, c := range r.cells {
		if c.op == OpDecode && c.team == nil && c.result.hasFigures() {
			cells = append(cells, c)
		}
	}
	return cells
}

// coldTime is the part of the budget that is kept free for cold messages.
func (r *run) coldTime() time.Duration { return time.Duration(len(r.coldCells())) * coldPerCell }

// cold measures each decode cell on messages out of cache.
func (r *run) cold() {
	cells := r.coldCells()
	if len(cells) == 0 || r.ctx.Err() != nil {
		return
	}
	plan, err := planCold(hostinfo.ReadCaches(), r.MemoryLimit)
	if r.Collector != CollectorLeave {
		r.collector.Start()
		defer r.collector.Stop()
	}
	var arena []byte // of all cells in turn
	for i, c := range cells {
		if r.ctx.Err() != nil {
			return
		}
		if !c.result.hasFigures() || c.result.Estimates.NsPerOp == nil {
			continue
		}
		left := time.Duration(0)
		if r.Budget > 0 {
			left = (r.Budget - time.Since(r.started)) / time.Duration(len(cells)-i)
		}
		switch {
		case err != nil:
			c.result.Cold = &Cold{Reason: err.Error()}
		case r.Budget > 0 && left <= 0:
			c.result.Cold = &Cold{Reason: "the budget ended before"}
		default:
			if arena == nil {
				arena = make([]byte, plan.bytes)
			}
			r.coldCell(c, plan, arena, left)
			if !c.result.hasFigures() {
				arena = nil // a call that was abandoned may still read it
			}
		}
		r.event(Event{Phase: "cold", Payload: c.result.Payload, Form: c.result.Form, Op: c.op, Codec: c.result.Codec,
			Done: r.phaseShare("cold", float64(i+1)/float64(len(cells)))})
	}
}

// coldCell measures one cell.
func (r *run) coldCell(c *cell, plan coldPlan, arena []byte, budget time.Duration) {
	rng := rand.New(rand.NewPCG(r.Seed, 0xc01d))
	corpus, err := newColdCorpus(c.subject, plan, arena, rng)
	if err != nil {
		c.result.Cold = &Cold{Reason: err.Error()}
		return
	}
	sides := [2]*coldSide{{subject: c.subject, corpus: corpus, cold: true}, {subject: c.subject, corpus: corpus}}
	for _, s := range sides {
		if err := measure.Guard(r.ctx, r.CallLimit, s.prove); err != nil {
			r.failCold(c, err)
			return
		}
	}
	g := measure.NewGroup(measure.Settings{
		Clock: r.clock, Facts: r.facts, Rand: rng, Leave: r.Collector == CollectorLeave, Collector: r.collector,
		CallLimit: r.CallLimit, KeepSamples: r.KeepSamples, MemoryLimit: r.MemoryLimit,
	}, []measure.Spec{{Cell: sides[0]}, {Cell: sides[1]}})
	g.Precision(r.ctx, measure.Precision{Looks: []int{coldBlocks}, Alone: coldBlocks, Budget: budget})
	r.runaway = r.runaway || g.Runaway
	outs := g.Outcomes()
	if err := errors.Join(outs[0].Err, outs[1].Err); err != nil {
		r.failCold(c, err)
		return
	}
	f := &Cold{Messages: int64(len(corpus.order)), Values: len(corpus.values), CorpusBytes: corpus.bytes(),
		L2Bytes: plan.L2, CacheBytes: plan.Last, Assumed: plan.assumed}
	c.result.Cold = f
	if f.Ratio = partOf(outs[0].Blocks, outs[1].Blocks); f.Ratio == nil || f.Ratio.Low == nil {
		f.Ratio, f.Reason = nil, "the budget ended before"
		if r.ctx.Err() != nil {
			f.Reason = "the run was cancelled before"
		}
		return
	}
	f.ColdNsPerOp, f.WarmNsPerOp = timeEstimate(outs[0]), timeEstimate(outs[1])
}

// failCold fails a decode cell, unless it is only that the run was cancelled.
func (r *run) failCold(c *cell, err error) {
	if r.ctx.Err() != nil && errors.Is(err, r.ctx.Err()) {
		return
	}
	if hang := (*measure.HangError)(nil); errors.As(err, &hang) {
		r.runaway = true
	}
	r.failCell(c, fmt.Errorf("decode out of cache: %w", err))
}

// coldCorpus is copies of a subject's messages in one large array.
type coldCorpus struct {
	values []int // indices of the payload's values that there are copies of
	starts []int64
	sizes  []int64
	period int64 // bytes of a copy of all of them
	arena  []byte
	// order in which the copies are decoded. Copy k is of value k mod
	// len(values). The first half of the arena comes first: what was written
	// last may still be in cache.
	order []uint32
}

// newColdCorpus fills the arena with copies.
func newColdCorpus(s *subject, plan coldPlan, arena []byte, rng *rand.Rand) (*coldCorpus, error) {
	c := &coldCorpus{arena: arena}
	most := plan.L2 / coldTimes // so that one copy of each stays in cache
	for _, i := range rng.Perm(len(s.messages)) {
		size := int64(len(s.messages[i]))
		lines := (max(size, 1) + coldLine - 1) / coldLine * coldLine
		if c.period+lines > most {
			break
		}
		c.values, c.starts, c.sizes = append(c.values, i), append(c.starts, c.period), append(c.sizes, size)
		c.period += lines
	}
	if len(c.values) == 0 {
		return nil, fmt.Errorf("a message is larger than %d bytes, a quarter of the second-level cache: it does not stay in cache either way, and ns_per_op is the cold time", most)
	}
	copies := int64(len(arena)) / c.period
	n := copies * int64(len(c.values))
	for k := range copies {
		for v, i := range c.values {
			copy(arena[k*c.period+c.starts[v]:], s.messages[i])
		}
	}
	c.order = make([]uint32, n)
	for k := range c.order {
		c.order[k] = uint32(k)
	}
	half := copies / 2 * int64(len(c.values))
	for _, part := range [][]uint32{c.order[:half], c.order[half:]} {
		rng.Shuffle(len(part), func(a, b int) { part[a], part[b] = part[b], part[a] })
	}
	return c, nil
}

func (c *coldCorpus) bytes() int64 { return int64(len(c.order)) / int64(len(c.values)) * c.period }

// message of copy k.
func (c *coldCorpus) message(k uint32) []byte {
	v := int64(k) % int64(len(c.values))
	at := int64(k)/int64(len(c.values))*c.period + c.starts[v]
	return c.arena[at : at+c.sizes[v] : at+c.sizes[v]]
}

// coldSide is a side of the comparison.
type coldSide struct {
	subject *subject
	corpus  *coldCorpus
	cold    bool

	at     int      // in the corpus's order; goes on from block to block
	warm   [][]byte // of the warm side: one copy of each message
	next   queue
	each   eachDecoder
	pieces []byte
}

var _ measure.Cell = (*coldSide)(nil)

// Fresh implements [measure.Cell]. The cold messages stay where they are: they
// lie everywhere.
func (s *coldSide) Fresh() error {
	s.each = s.subject.payload.typed.decodeEach(s.subject.codec, &s.next)
	if s.cold {
		return nil
	}
	s.pieces = make([]byte, s.corpus.period)
	s.warm = s.warm[:0]
	for v, start := range s.corpus.starts {
		end := start + s.corpus.sizes[v]
		copy(s.pieces[start:end], s.subject.messages[s.corpus.values[v]])
		s.warm = append(s.warm, s.pieces[start:end:end])
	}
	return nil
}

// Prepares reports that Prepare allocates.
func (s *coldSide) Prepares() bool { return true }

// Prepare implements [measure.Cell]: it makes the targets, and says which
// messages are next without touching them.
func (s *coldSide) Prepare(n int) error {
	s.each.targets(n)
	s.next.msgs = slices.Grow(s.next.msgs[:0], n)
	order, at := s.corpus.order, s.at
	for range n {
		k := order[at]
		if s.cold {
			s.next.msgs = append(s.next.msgs, s.corpus.message(k))
		} else {
			s.next.msgs = append(s.next.msgs, s.warm[int(k)%len(s.warm)])
		}
		if at++; at == len(order) {
			at = 0
		}
	}
	s.at = at
	return nil
}

// Run implements [measure.Cell].
func (s *coldSide) Run(n int) (int, error) { return s.each.run(n) }

// prove checks that this side decodes what the subject's check has shown.
func (s *coldSide) prove() error {
	if err := s.Fresh(); err != nil {
		return err
	}
	n := min(len(s.corpus.order), len(s.corpus.values))
	first := s.at
	if err := s.Prepare(n); err != nil {
		return err
	}
	if done, err := s.Run(n); err != nil {
		return fmt.Errorf("message %d: %w", done, err)
	}
	for i := range n {
		value := s.corpus.values[int(s.corpus.order[first+i])%len(s.corpus.values)]
		if f := s.subject.payload.compare(value, s.subject.values[value], s.each.target(i)); f.Class == Lossy && s.subject.status != StatusLossy {
			d := f.Differences[0]
			return fmt.Errorf("value %d came back as another: %s: %s (%s, %s)", value, d.Path, d.Kind, d.Want, d.Got)
		}
	}
	return nil
}
