package serbench

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/serbench/serbench/internal/measure"
)

// Two speeds of one codec are its own; of most codecs at once, the machine's.
func TestTwoSpeedsOfManyCodecsAreTheMachines(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	outcome := func(modes int) (o measure.CellOutcome) {
		for i := range 200 {
			ns := 1000 + 5*rng.NormFloat64()
			if i%modes == 1 {
				ns *= 1.8
			}
			o.Samples = append(o.Samples, measure.Sample{Reps: 1, Elapsed: time.Duration(ns)})
		}
		o.Batch = 1
		return o
	}
	for _, test := range []struct {
		name    string
		modes   []int // of each cell
		machine bool
		cells   int // with a warning
	}{
		{"none", []int{1, 1, 1}, false, 0},
		{"one of five", []int{1, 2, 1, 1, 1}, false, 1},
		{"two of two: too few to blame the machine", []int{2, 2}, false, 2},
		{"half of six", []int{2, 1, 2, 1, 2, 1}, false, 3},
		{"four of five", []int{2, 2, 1, 2, 2}, true, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &run{report: &Report{}}
			g := &group{name: "order/struct/encode"}
			var outs []measure.CellOutcome
			for _, m := range test.modes {
				g.cells = append(g.cells, &cell{subject: &subject{values: make([]any, 1)}, result: &Result{Reps: 200}})
				outs = append(outs, outcome(m))
			}
			r.diagnoseModes(g, outs)
			warned := 0
			for _, c := range g.cells {
				warned += len(c.result.Warnings)
			}
			assert.Equal(t, test.cells, warned)
			if !test.machine {
				assert.Empty(t, r.report.Warnings)
				return
			}
			assert.Equal(t, "machine-modes", r.report.Warnings[0].Code)
			assert.Contains(t, r.report.Warnings[0].Message, "order/struct/encode: the samples of 4 of 5 codecs gather around two values, 1.8 times apart")
		})
	}
}
