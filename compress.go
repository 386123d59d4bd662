package serbench

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/serbench/serbench/internal/measure"
)

// A Compressor is put behind the encoding on request: Runner.Compressors.
// Both methods append to dst and return the extended slice; src is only read
// and not kept. Calls are not concurrent. adapters/compress has gzip, zstd
// and s2.
type Compressor interface {
	Name() string // unique within a run: "gzip", "zstd-3"
	Compress(dst, src []byte) ([]byte, error)
	Decompress(dst, src []byte) ([]byte, error)
}

// Compression is what an algorithm makes of a codec's messages.
type Compression struct {
	Algorithm    string  `json:"algorithm"`
	MessageBytes float64 `json:"message_bytes"` // mean size of the messages, each compressed for itself
	CorpusBytes  int     `json:"corpus_bytes"`  // all messages one behind the other, compressed as one
	CompressNs   float64 `json:"compress_ns"`   // time per message, each for itself
	DecompressNs float64 `json:"decompress_ns"`
	Reason       string  `json:"reason,omitempty"` // why there are no figures
}

// checkCompressors finds what cannot be run.
func checkCompressors(cs []Compressor, launches int) (errs []error) {
	if len(cs) > 0 && launches > 0 {
		errs = append(errs, &Error{Err: errors.New("Runner.Compressors: not measured with Launches; use a run of its own")})
	}
	seen := map[string]bool{}
	for i, c := range cs {
		switch {
		case c == nil:
			errs = append(errs, &Error{Err: fmt.Errorf("Runner.Compressors[%d] is nil", i)})
		case c.Name() == "":
			errs = append(errs, &Error{Err: fmt.Errorf("Runner.Compressors[%d] has no name", i)})
		case seen[c.Name()]:
			errs = append(errs, &Error{Err: fmt.Errorf("Runner.Compressors: %q is named twice", c.Name())})
		default:
			seen[c.Name()] = true
		}
	}
	return errs
}

// compressTime is what each of compressing and decompressing is timed for,
// per codec, payload and algorithm.
const compressTime = 5 * time.Millisecond

// compress measures every compressor on every subject that was verified. The
// sizes belong to the codec and payload and stand on each of their results
// that has the sizes of single messages.
func (r *run) compress() {
	if len(r.Compressors) == 0 {
		return
	}
	for _, s := range r.subjects {
		if r.ctx.Err() != nil {
			return
		}
		if s.sizes == nil || s.status != StatusOK && s.status != StatusLossy {
			continue
		}
		for _, c := range r.Compressors {
			out := r.compressOne(s, c)
			s.sizes.Compressions = append(s.sizes.Compressions, out)
			if out.Reason == "" {
				if s.sizes.Compressed == nil {
					s.sizes.Compressed = map[string]int{}
				}
				s.sizes.Compressed[out.Algorithm] = out.CorpusBytes
			}
		}
	}
}

// compressOne checks that the messages come back, and times both ways.
func (r *run) compressOne(s *subject, c Compressor) Compression {
	out := Compression{Algorithm: c.Name()}
	packed := make([][]byte, len(s.messages))
	err := measure.Guard(r.ctx, r.CallLimit, func() error {
		for i, msg := range s.messages {
			p, err := thereAndBack(c, msg)
			if err != nil {
				return s.at(i, "compress", err)
			}
			packed[i] = p
		}
		all, err := thereAndBack(c, bytes.Join(s.messages, nil))
		out.CorpusBytes = len(all)
		return err
	})
	if err != nil {
		return Compression{Algorithm: c.Name(), Reason: err.Error()}
	}
	out.MessageBytes = sizesOf(packed).Mean
	set := measure.Settings{Clock: r.clock, Facts: r.facts, Rand: rand.New(rand.NewPCG(r.Seed, 0xc0)),
		Leave: r.Collector == CollectorLeave, CallLimit: r.CallLimit}
	g := measure.NewGroup(set, []measure.Spec{
		{Cell: &packing{call: c.Compress, in: s.messages}, Corpus: len(packed)},
		{Cell: &packing{call: c.Decompress, in: packed}, Corpus: len(packed)},
	})
	g.Fixed(r.ctx, measure.Fixed{Time: compressTime})
	for i, o := range g.Outcomes() {
		e := timeEstimate(o)
		switch {
		case o.Err != nil:
			return Compression{Algorithm: c.Name(), Reason: o.Err.Error()}
		case e == nil:
			return Compression{Algorithm: c.Name(), Reason: "the run ended before it was timed"}
		case i == 0:
			out.CompressNs = e.Value
		default:
			out.DecompressNs = e.Value
		}
	}
	return out
}

func thereAndBack(c Compressor, msg []byte) ([]byte, error) {
	packed, err := c.Compress(nil, msg)
	if err != nil {
		return nil, err
	}
	packed = slices.Clone(packed)
	back, err := c.Decompress(nil, packed)
	if err == nil && !bytes.Equal(back, msg) {
		err = errors.New("the message did not come back")
	}
	return packed, err
}

// packing is the cell of one direction: into a reused buffer, over the corpus
// in order.
type packing struct {
	call func(dst, src []byte) ([]byte, error)
	in   [][]byte
	buf  []byte
	next int
}

func (p *packing) Fresh() error      { p.buf, p.next = nil, 0; return nil }
func (p *packing) Prepare(int) error { return nil }

func (p *packing) Run(n int) (int, error) {
	for i := range n {
		var err error
		if p.buf, err = p.call(p.buf[:0], p.in[p.next]); err != nil {
			return i, err
		}
		if p.next++; p.next == len(p.in) {
			p.next = 0
		}
	}
	return n, nil
}
