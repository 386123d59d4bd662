package serbench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

// link is the way of one codec through one transport: a connection, and the
// count of what is under way in it. The cells for send and for receive share
// it, so that what one puts in the other takes out.
type link struct {
	ctx   context.Context
	conn  Conn
	flush func(context.Context) error // nil: Send is enough
	// put makes the messages of the cycle for what is sent untimed, so that a
	// receive has something to consume.
	put      []func() ([]byte, error)
	mean     float64 // bytes of a message
	next     int     // in the cycle, to be sent
	sent     int64
	received int64
	toppedUp int64 // of sent: untimed, because the receives were ahead
	drained  int64 // of received: untimed, because the sends were ahead
	buf      []byte
	broken   error
	busy     atomic.Bool
	orphan   atomic.Bool // the run is over: who leaves last closes
}

// mostUnderWay bounds the bytes that wait between send and receive.
const mostUnderWay = 256 << 20

func newLink(ctx context.Context, conn Conn, put []func() ([]byte, error), mean float64) *link {
	l := &link{ctx: ctx, conn: conn, put: put, mean: mean}
	if f, ok := conn.(Flusher); ok {
		l.flush = f.Flush
	}
	return l
}

var errAbandoned = errors.New("a call that was abandoned still uses the connection")

// enter takes the link for a call; leave gives it back.
func (l *link) enter() error {
	if !l.busy.CompareAndSwap(false, true) {
		return errAbandoned
	}
	if l.broken != nil {
		l.busy.Store(false)
		return fmt.Errorf("the connection failed before: %w", l.broken)
	}
	return nil
}

// leave gives the link back. A call that was left by a panic has not closed
// what enter opened, which breaks the link.
func (l *link) leave(whole *bool) {
	if !*whole {
		l.broken = errLeft
	}
	l.busy.Store(false)
	l.closeOrphan()
}

// closeOrphan closes the connection of a link whose run is over, unless a call
// that was abandoned still uses it: then that call does, when it comes back.
func (l *link) closeOrphan() {
	if l.orphan.Load() && l.busy.CompareAndSwap(false, true) {
		_ = l.conn.Close() // nobody is left to be told
	}
}

var errLeft = errors.New("a call panicked")

// fail closes the link for further use and says how far it got.
func (l *link) fail(what string, at int64, err error) error {
	l.broken = fmt.Errorf("%s %d: %w", what, at, err)
	if err := l.ctx.Err(); err != nil {
		return err
	}
	return l.broken
}

func (l *link) underWay() int64 { return l.sent - l.received }

// sendOne is an untimed send of the next message of the cycle.
func (l *link) sendOne() error {
	msg, err := l.put[l.next]()
	if err == nil {
		err = l.conn.Send(l.ctx, msg)
	}
	if err != nil {
		return l.fail("send of message", l.sent, err)
	}
	l.sent++
	if l.next++; l.next == len(l.put) {
		l.next = 0
	}
	return nil
}

func (l *link) flushed() error {
	if l.flush == nil {
		return nil
	}
	if err := l.flush(l.ctx); err != nil {
		return l.fail("flush after message", l.sent-1, err)
	}
	return nil
}

// need makes sure that n messages are under way.
func (l *link) need(n int) error {
	if err := l.enter(); err != nil {
		return err
	}
	whole := false
	defer l.leave(&whole)
	missing := int64(n) - l.underWay()
	for range missing {
		if err := l.sendOne(); err != nil {
			whole = true
			return err
		}
	}
	var err error
	if missing > 0 {
		l.toppedUp += missing
		err = l.flushed()
	}
	whole = true
	return err
}

// room makes sure that n more messages keep within mostUnderWay.
func (l *link) room(n int) error {
	if err := l.enter(); err != nil {
		return err
	}
	whole := false
	defer l.leave(&whole)
	var err error
	if float64(l.underWay()+int64(n))*l.mean > mostUnderWay {
		err = l.drain()
	}
	whole = true
	return err
}

// drain receives what is under way, untimed.
func (l *link) drain() error {
	n := l.underWay()
	for range n {
		var err error
		if l.buf, err = l.conn.Receive(l.ctx, l.buf[:0]); err != nil {
			return l.fail("receive of message", l.received, err)
		}
		l.received++
	}
	l.drained += n
	return nil
}

// index is the place in the cycle of the message that was received last.
func (l *link) index() int { return int((l.received - 1) % int64(len(l.put))) }

// sendLoop is the timed region of send: make a message, send it.
func sendLoop(l *link, put []func() ([]byte, error)) loop {
	return func(n int) (int, error) {
		if err := l.enter(); err != nil {
			return 0, err
		}
		whole := false
		defer l.leave(&whole)
		k, ctx, conn := l.next, l.ctx, l.conn
		for i := range n {
			msg, err := put[k]()
			what := "encode of message"
			if err == nil {
				what = "send of message"
				err = conn.Send(ctx, msg)
			}
			if err != nil {
				l.next, l.sent = k, l.sent+int64(i)
				whole = true
				return i, l.fail(what, l.sent, err)
			}
			if k++; k == len(put) {
				k = 0
			}
		}
		l.next, l.sent = k, l.sent+int64(n)
		err := l.flushed()
		whole = true
		return n, err
	}
}

// receive is the timed region of receive: take a message, decode it.
func (typedOps[T]) receive(l *link, unmarshal func([]byte) error, target any) loop {
	t := target.(*T)
	return func(n int) (int, error) {
		if err := l.enter(); err != nil {
			return 0, err
		}
		whole := false
		defer l.leave(&whole)
		ctx, conn, buf := l.ctx, l.conn, l.buf
		for i := range n {
			var err error
			what, taken := "receive of message", int64(0)
			if buf, err = conn.Receive(ctx, buf[:0]); err == nil {
				what, taken = "decode of message", 1
				*t = *new(T)
				err = unmarshal(buf)
			}
			if err != nil {
				at := l.received + int64(i)
				l.buf, l.received, whole = buf, at+taken, true
				return i, l.fail(what, at, err)
			}
		}
		l.buf, l.received, whole = buf, l.received+int64(n), true
		return n, nil
	}
}

// receiveOnlyLoop is receive of the control without a codec.
func receiveOnlyLoop(l *link) loop {
	return func(n int) (int, error) {
		if err := l.enter(); err != nil {
			return 0, err
		}
		whole := false
		defer l.leave(&whole)
		ctx, conn, buf := l.ctx, l.conn, l.buf
		for i := range n {
			var err error
			if buf, err = conn.Receive(ctx, buf[:0]); err != nil {
				l.buf, l.received, whole = buf, l.received+int64(i), true
				return i, l.fail("receive of message", l.received, err)
			}
		}
		l.buf, l.received, whole = buf, l.received+int64(n), true
		return n, nil
	}
}

// arrived checks the bytes of the message that was received last.
func (l *link) arrived(messages [][]byte) error {
	if l.received == 0 || l.broken != nil {
		return nil
	}
	if want := messages[l.index()]; !bytes.Equal(l.buf, want) {
		return fmt.Errorf("message %d arrived with other content than was sent (%d bytes instead of %d, or others): is somebody else using the queue?", l.received-1, len(l.buf), len(want))
	}
	return nil
}
