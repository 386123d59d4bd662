package serbench

import (
	"context"
	"errors"
	"fmt"
)

// A Transport is what stands between encode and decode in the ops send and
// receive: a queue that takes messages and gives them back in order. Each
// connection that it opens is a queue of its own.
type Transport interface {
	// Name identifies the transport within a run: "redis".
	Name() string
	// Open makes a connection, used by one goroutine. It checks that there is
	// nothing in the place that the connection uses, and deletes nothing that
	// it did not put there unless a setting of the transport says so. When
	// ctx is done, a call that waits in the connection ends soon.
	Open(ctx context.Context) (Conn, error)
}

// A Conn is a queue of messages. One goroutine uses it. What was sent before
// an error may or may not have arrived.
type Conn interface {
	// Send puts one message at the end of the queue. msg is the caller's
	// again on return. A Conn that is a [Flusher] may keep a copy back until
	// Flush, or the next Receive.
	Send(ctx context.Context, msg []byte) error
	// Receive takes the message at the head and appends it to dst. Messages
	// come one for one, in the order in which they were sent. An empty queue
	// is an error that wraps [ErrEmpty], after a wait that is bounded.
	Receive(ctx context.Context, dst []byte) ([]byte, error)
	// Close removes what this connection sent and did not receive, also after
	// an error and when the context given to Open is done. Its error says
	// what it had to leave behind.
	Close() error
}

// A Flusher is a Conn that gathers messages to send them together. Flush
// returns when all of them have been taken.
type Flusher interface {
	Flush(ctx context.Context) error
}

// ErrEmpty says that there was no message to receive.
var ErrEmpty = errors.New("the queue is empty")

func checkTransports(r Runner, bad func(string, ...any)) {
	seen := map[string]int{}
	for i, t := range r.Transports {
		if t == nil {
			bad("Runner.Transports[%d] is nil", i)
			continue
		}
		name := t.Name()
		if first, dup := seen[name]; dup {
			bad("Runner.Transports[%d] has the name of Transports[%d], %q", i, first, name)
		}
		if name == "" {
			bad("Runner.Transports[%d] has no name", i)
		}
		seen[name] = i
	}
	uses := false
	for _, op := range r.Ops {
		uses = uses || op.throughTransport()
		if op.throughTransport() && len(r.Transports) == 0 {
			bad("Runner.Ops: %s needs Runner.Transports", op)
		}
	}
	switch {
	case len(r.Transports) == 0:
	case r.Launches > 0:
		bad("Runner.Launches: transports are measured in this process; measure them in a run of their own")
	case len(r.Ops) > 0 && !uses:
		bad("Runner.Transports: of Runner.Ops, %v, none uses them; add %s and %s", r.Ops, OpSend, OpReceive)
	}
}

// Memory returns the transport with the least to do: messages are copied into
// a queue in memory and out of it. It shows what is left of a difference
// between codecs when nothing but a copy stands between them.
func Memory() Transport { return memory{} }

type memory struct{}

func (memory) Name() string                       { return "memory" }
func (memory) Open(context.Context) (Conn, error) { return &memoryConn{}, nil }

type memoryConn struct{ q byteQueue }

func (c *memoryConn) Send(_ context.Context, msg []byte) error {
	c.q.push(msg)
	return nil
}

func (c *memoryConn) Receive(_ context.Context, dst []byte) ([]byte, error) {
	msg, ok := c.q.pop()
	if !ok {
		return dst, fmt.Errorf("memory: %w", ErrEmpty)
	}
	return append(dst, msg...), nil
}

func (c *memoryConn) Close() error {
	c.q = byteQueue{}
	return nil
}

// byteQueue keeps messages one behind the other in one array, so that pushing
// and popping allocate nothing once it has grown.
type byteQueue struct {
	data    []byte
	lengths []int
	at      int // in data
	head    int // in lengths
}

func (q *byteQueue) push(msg []byte) {
	if q.head == len(q.lengths) {
		q.data, q.lengths, q.at, q.head = q.data[:0], q.lengths[:0], 0, 0
	} else if q.head > 1024 && q.head > len(q.lengths)/2 {
		q.data = q.data[:copy(q.data, q.data[q.at:])]
		q.lengths = q.lengths[:copy(q.lengths, q.lengths[q.head:])]
		q.at, q.head = 0, 0
	}
	q.data = append(q.data, msg...)
	q.lengths = append(q.lengths, len(msg))
}

// pop returns the message at the head, valid until the next push.
func (q *byteQueue) pop() ([]byte, bool) {
	if q.head == len(q.lengths) {
		return nil, false
	}
	end := q.at + q.lengths[q.head]
	msg := q.data[q.at:end:end]
	q.at = end
	q.head++
	return msg, true
}
