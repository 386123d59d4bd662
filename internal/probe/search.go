package probe

import (
	"context"
	"math"
)

// A Search narrows down the scale (a claimed length, a number of levels) from
// which on an attack has a verdict. Trials that end their process need another
// one to go on in: so a search is a value that passes from process to process.
type Search struct {
	Index   int     `json:"index"`   // of the attack
	Verdict Verdict `json:"verdict"` // that is looked for, or a worse one
	Low     uint64  `json:"low"`     // the largest known without it
	High    uint64  `json:"high"`    // the smallest known with it
	// Guess is tried first: what another search came to. If it has the verdict
	// as well the search is at its end. 0: none.
	Guess uint64 `json:"guess,omitempty"`
}

// NewSearch begins with what is known of an attack and others of its series.
// It reports false if the attack has no scale.
func NewSearch(attacks []Attack, outcomes []Outcome, index int, v Verdict) (Search, bool) {
	a := attacks[index]
	s := Search{Index: index, Verdict: v, High: a.Scale}
	if a.At == nil {
		return s, false
	}
	for _, o := range outcomes {
		other := attacks[o.Index]
		if other.Class == a.Class && other.Series == a.Series && other.Scale < a.Scale && o.Verdict != "" && rank(o.Verdict) < rank(v) {
			s.Low = max(s.Low, other.Scale)
		}
	}
	return s, true
}

// precision is how near the two ends of a search come, as a share.
const precision = 1.0 / 8

// Open reports whether there is more to find.
func (s Search) Open() bool {
	return s.High != s.Guess && s.High > s.Low+1 && float64(s.High-s.Low) > precision*float64(s.High)
}

// Next is the scale to try: the geometric mean while the ends are far apart,
// since a scale may be wrong by any power.
func (s Search) Next() uint64 {
	if s.Low < s.Guess && s.Guess < s.High {
		return s.Guess
	}
	if s.High/2 > s.Low {
		return min(max(uint64(math.Sqrt(float64(max(s.Low, 1)))*math.Sqrt(float64(s.High))), s.Low+1), s.High-1)
	}
	return s.Low + (s.High-s.Low)/2
}

// Narrow takes in what a trial showed.
func (s *Search) Narrow(scale uint64, v Verdict) {
	if rank(v) >= rank(s.Verdict) {
		s.High = min(s.High, scale)
	} else {
		s.Low = max(s.Low, scale)
	}
}

// Try judges the attack at a scale.
func (a Attack) Try(ctx context.Context, scale uint64, l Limits, decode Decoder) Outcome {
	in := a.At(scale)
	v, detail, memory := judge(ctx, a, in, l, decode)
	o := Outcome{Scale: scale, Verdict: v, Detail: detail, Memory: memory}
	o.keep(in)
	return o
}
