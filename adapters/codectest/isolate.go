package codectest

import "github.com/serbench/serbench"

// isolation is what child processes told.
type isolation struct {
	whole  bool // the probe was made
	deaths []error
}

func (r *run) isolate(_ place, payloads []serbench.Payload) isolation {
	return isolation{deaths: make([]error, len(payloads))}
}

func (r *run) hostile(place, isolation) {}
