package serbench

import (
	"fmt"
	"math"

	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/stats"
)

// recordShares says how much of an op through a transport is the codec.
func (r *run) recordShares(g *group, outs []measure.CellOutcome) {
	if g.wire == nil {
		return
	}
	for i, whole := range g.cells {
		if whole.result.Role != RoleWhole || outs[i].Err != nil || len(outs[i].Blocks) == 0 {
			continue
		}
		s := Share{Whole: whole.result.ID}
		for k, c := range g.cells {
			if c.op != whole.op || c.result.Codec != whole.result.Codec || c == whole || outs[k].Err != nil {
				continue
			}
			part := partOf(outs[k].Blocks, outs[i].Blocks)
			switch {
			case part == nil:
			case c.result.Role == RoleTransport:
				s.Transport, s.Left = c.result.ID, part
			case c.result.Role == RoleCodec:
				s.Codec, s.OfCodec = c.result.ID, part
			}
		}
		if s.OfCodec != nil || s.Left != nil {
			s.Words = s.words(whole.result)
			r.report.Shares = append(r.report.Shares, s)
		}
	}
}

// partOf is the ratio of the times of a part and of the whole, from the blocks
// that both were measured in: the first ones, since cells only leave.
func partOf(part, whole []float64) *Estimate {
	var logs []float64
	for i := range min(len(part), len(whole)) {
		if part[i] > 0 && whole[i] > 0 {
			logs = append(logs, math.Log(part[i]/whole[i]))
		}
	}
	if len(logs) == 0 {
		return nil
	}
	iv, _ := stats.BlockMean(logs, stats.Trim, defaultLevel)
	ratio := iv.Exp()
	e := &Estimate{Value: ratio.Value, N: iv.N, Method: "10 % trimmed mean of block log-ratios, Tukey-McLaughlin interval"}
	if iv.Bounded() {
		e.Low, e.High, e.Confidence = finite(ratio.Low), finite(ratio.High), 1-defaultLevel
	}
	return e
}

// Bounds of the words for a share.
const (
	smallShare = 0.05
	largeShare = 0.5
)

// words is the verdict for people.
func (s Share) words(whole *Result) string {
	text := fmt.Sprintf("%s through %s with %s: ", whole.Op, quoteIfOdd(whole.Transport), quoteIfOdd(whole.Codec))
	if s.OfCodec != nil {
		text += "the codec takes " + percent(s.OfCodec) + " of the time"
		switch high := s.OfCodec.High; {
		case high == nil:
		case *high < smallShare:
			text += ", so no other codec can make it noticeably faster except by smaller messages"
		case *s.OfCodec.Low > largeShare:
			text += ", so the choice of the codec decides"
		}
	}
	if s.Left != nil {
		if s.OfCodec != nil {
			text += "; "
		}
		text += "without any codec it would take " + percent(s.Left) + " of the time"
	}
	return text
}

// percent writes a share with its interval.
func percent(e *Estimate) string {
	if e.Low == nil || e.High == nil {
		return fmt.Sprintf("%.3g %%", 100*e.Value)
	}
	return fmt.Sprintf("%.3g %% (%.3g to %.3g %%)", 100*e.Value, 100**e.Low, 100**e.High)
}
