package measure

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/serbench/serbench/internal/stats"
)

type spin struct {
	x, extra uint64
	every    int
	buf      []byte
	alloc    bool
}

func (s *spin) Fresh() error      { s.buf = make([]byte, 64); return nil }
func (s *spin) Prepare(int) error { return nil }

//go:noinline
func (s *spin) op() {
	x := s.x | 1
	for range 20 + s.extra {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	s.x = x
	if s.alloc {
		s.buf = make([]byte, 256)
	}
}
func (s *spin) Run(n int) (int, error) {
	for range n {
		s.op()
	}
	return n, nil
}

func TestSmoke(t *testing.T) {
	for _, ab := range [][2]*spin{{{}, {}}, {{}, {extra: 1}}, {{alloc: true}, {alloc: true}}} {
		wrong := 0
		var total time.Duration
		for i := range 20 {
			j := stats.Sequential{Margin: 0.01, LookLevel: stats.DefaultLookLevel, Comparisons: 1}
			g := NewGroup(Settings{Rand: rand.New(rand.NewPCG(uint64(i), 1))}, []Spec{{Cell: ab[0], Corpus: 1}, {Cell: ab[1], Corpus: 1}})
			t0 := time.Now()
			out := g.Precision(context.Background(), Precision{Pairs: [][2]int{{0, 1}}, Looks: stats.Looks(), Budget: 2 * time.Second,
				Judge: func(x []float64) bool { return j.Decide(x).Verdict != stats.Undecided }})
			el := time.Since(t0)
			total += el
			d := j.Decide(out[0].Logs)
			o := g.Outcomes()
			if i < 4 {
				fmt.Println(d.Verdict, d.Ratio, d.Low, d.High, d.Blocks, el, o[0].Err, o[0].Batch, len(o[0].Samples), stats.Median(o[0].Blocks))
			}
			if d.Verdict != stats.Equivalent {
				wrong++
			}
		}
		fmt.Println("not equivalent", wrong, total/20)
	}
}
