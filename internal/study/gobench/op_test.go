package main

import (
	"os"
	"strconv"
	"testing"

	"github.com/serbench/serbench/internal/study/lab"
)

// BenchmarkOp is what the program next to it runs: the op named by LAB_OP with
// LAB_EXTRA turns of extra work.
func BenchmarkOp(b *testing.B) {
	kind, err := lab.KindNamed(os.Getenv("LAB_OP"))
	if err != nil {
		b.Skip(err)
	}
	op := &lab.Op{Kind: kind}
	op.Extra, _ = strconv.Atoi(os.Getenv("LAB_EXTRA"))
	if err := op.Fresh(); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	if _, err := op.Run(b.N); err != nil {
		b.Fatal(err)
	}
}
