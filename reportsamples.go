package serbench

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// unmarshalReport does what json.Unmarshal does, in a quarter of the time: nearly all
// of a large report is arrays of samples, in the exact form in which WriteJSON
// writes them. Those are read by a parser for just this form, and json gets a
// placeholder in their place. Whatever looks otherwise goes through json, and
// so does the whole text if anything is wrong with it, for its error.
func unmarshalReport(text []byte, r *Report) error {
	rest, arrays := cutSamples(text)
	if len(arrays) > 0 && json.Unmarshal(rest, r) == nil && putSamples(r.Results, arrays) {
		return nil
	}
	*r = Report{}
	return json.Unmarshal(text, r)
}

// samplesKey can stand in JSON only as a key and the start of its value: a
// string cannot hold an unescaped quote, and none can end before a letter.
var samplesKey = []byte(`,"samples":[`)

// cutSamples replaces the arrays by placeholders: one sample with reps below
// zero, which no sample has, the n-th with -n.
func cutSamples(text []byte) (rest []byte, arrays [][]Sample) {
	for {
		i := bytes.Index(text, samplesKey)
		if i < 0 {
			return append(rest, text...), arrays
		}
		i += len(samplesKey)
		samples, n := parseSamples(text[i:])
		rest = append(rest, text[:i]...)
		if n > 0 {
			arrays = append(arrays, samples)
			rest = append(rest, `{"reps":-`...)
			rest = strconv.AppendInt(rest, int64(len(arrays)), 10)
			rest = append(rest, '}')
		}
		text = text[i+n:]
	}
}

// putSamples puts the arrays where their placeholders are. It says whether
// each found its place.
func putSamples(results []Result, arrays [][]Sample) bool {
	left := len(arrays)
	for i := range results {
		s := results[i].Samples
		if len(s) != 1 || s[0].Reps >= 0 {
			continue
		}
		n := -(s[0].Reps + 1) // -1 is the first
		if n >= int64(len(arrays)) || arrays[n] == nil {
			return false
		}
		results[i].Samples, arrays[n] = arrays[n], nil
		left--
	}
	return left == 0
}

// parseSamples reads samples as WriteJSON writes them, up to the end of their
// array. n is the number of bytes, 0 for any other form.
func parseSamples(text []byte) (samples []Sample, n int) {
	p := sampleParser{text: text}
	for {
		block, round := p.number(`{"block":`), p.number(`,"round":`)
		reps, elapsed := p.number(`,"reps":`), p.number(`,"elapsed_ns":`)
		p.skip(`}`)
		s := Sample{Block: int(block), Round: int(round), Reps: reps, ElapsedNs: elapsed}
		if p.failed || int64(s.Block) != block || int64(s.Round) != round || p.at >= len(text) {
			return nil, 0
		}
		samples = append(samples, s)
		switch text[p.at] {
		case ']':
			return samples, p.at
		case ',':
			p.at++
		default:
			return nil, 0
		}
	}
}

type sampleParser struct {
	text   []byte
	at     int
	failed bool
}

func (p *sampleParser) skip(s string) {
	if len(p.text)-p.at < len(s) || string(p.text[p.at:p.at+len(s)]) != s {
		p.failed = true
		return
	}
	p.at += len(s)
}

// number reads a key and a number of at most 18 digits, which fit.
func (p *sampleParser) number(key string) (v int64) {
	if p.skip(key); p.failed {
		return 0
	}
	negative := p.at < len(p.text) && p.text[p.at] == '-'
	if negative {
		p.at++
	}
	start := p.at
	for p.at < len(p.text) && p.text[p.at]-'0' <= 9 {
		v = v*10 + int64(p.text[p.at]-'0')
		p.at++
	}
	digits := p.at - start
	if digits == 0 || digits > 18 || digits > 1 && p.text[start] == '0' {
		p.failed = true
	}
	if negative {
		v = -v
	}
	return v
}
