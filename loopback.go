package serbench

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"time"
)

// Loopback returns a transport over TCP on the loopback interface: a queue
// that is served by a goroutine of this process. Each Send and each Receive
// is one request and its reply, the least that a queue across a network costs.
func Loopback() Transport { return loopback{depth: 1} }

// LoopbackPipelined is [Loopback] with up to depth requests under way at a
// time: Send returns before its reply, and Receive asks for as many messages
// as it may at once. depth below 1 is 1.
func LoopbackPipelined(depth int) Transport { return loopback{depth: max(1, depth)} }

type loopback struct{ depth int }

func (t loopback) Name() string {
	if t.depth > 1 {
		return fmt.Sprintf("loopback-pipelined-%d", t.depth)
	}
	return "loopback"
}

// A request is 's', the length in four bytes and the message, answered by 'k';
// or 'r', answered by the length and the message, or by noMessage.
const (
	requestSend    = 's'
	requestReceive = 'r'
	replyTaken     = 'k'
	noMessage      = 1<<32 - 1
	// longestMessage keeps a damaged length from asking for all memory.
	longestMessage = 1 << 30
)

func (t loopback) Open(ctx context.Context) (Conn, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		if listener, err = net.Listen("tcp", "[::1]:0"); err != nil {
			return nil, fmt.Errorf("loopback: %w", err)
		}
	}
	defer listener.Close()
	var dialer net.Dialer
	near, err := dialer.DialContext(ctx, "tcp", listener.Addr().String())
	if err != nil {
		return nil, fmt.Errorf("loopback: %w", err)
	}
	var far net.Conn
	for {
		if far, err = listener.Accept(); err != nil {
			near.Close()
			return nil, fmt.Errorf("loopback: %w", err)
		}
		if far.RemoteAddr().String() == near.LocalAddr().String() {
			break
		}
		far.Close() // a stranger
	}
	c := &loopbackConn{depth: t.depth, conn: near, r: bufio.NewReaderSize(near, 1<<16), w: bufio.NewWriterSize(near, 1<<16), ended: make(chan struct{})}
	go func() {
		defer close(c.ended)
		defer far.Close()
		serveQueue(far)
	}()
	c.stop = context.AfterFunc(ctx, func() { near.SetDeadline(time.Unix(1, 0)) })
	return c, nil
}

// serveQueue is the other end of a loopback connection, until it is closed.
func serveQueue(conn net.Conn) {
	r, w := bufio.NewReaderSize(conn, 1<<16), bufio.NewWriterSize(conn, 1<<16)
	var q byteQueue
	var msg, size []byte
	for {
		if r.Buffered() == 0 && w.Flush() != nil {
			return
		}
		kind, err := r.ReadByte()
		switch {
		case err != nil:
			return
		case kind == requestSend:
			if msg, err = readSized(r, msg[:0]); err != nil {
				return
			}
			q.push(msg)
			err = w.WriteByte(replyTaken)
		default:
			out, ok := q.pop()
			n := uint32(noMessage)
			if ok {
				n = uint32(len(out))
			}
			size = binary.BigEndian.AppendUint32(size[:0], n)
			if _, err = w.Write(size); err == nil {
				_, err = w.Write(out)
			}
		}
		if err != nil {
			return
		}
	}
}

// readSized appends a message with its length before it to dst.
func readSized(r *bufio.Reader, dst []byte) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return dst, err
	}
	n := binary.BigEndian.Uint32(size[:])
	switch {
	case n == noMessage:
		return dst, ErrEmpty
	case n > longestMessage:
		return dst, fmt.Errorf("a message of %d bytes is announced, %d are allowed", n, longestMessage)
	}
	at := len(dst)
	if need := at + int(n); need > cap(dst) {
		dst = append(make([]byte, 0, need), dst...)
	}
	dst = dst[:at+int(n)]
	_, err := io.ReadFull(r, dst[at:])
	return dst, err
}

type loopbackConn struct {
	depth   int
	conn    net.Conn
	r       *bufio.Reader
	w       *bufio.Writer
	unsaid  int // sends whose reply was not read yet
	waiting int // messages in the queue at the other end
	ahead   byteQueue
	size    [5]byte
	buf     []byte
	stop    func() bool
	ended   chan struct{}
}

func (c *loopbackConn) Send(ctx context.Context, msg []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(msg) > longestMessage {
		return fmt.Errorf("loopback: a message of %d bytes is longer than the %d that are allowed", len(msg), longestMessage)
	}
	c.size[0] = requestSend
	binary.BigEndian.PutUint32(c.size[1:], uint32(len(msg)))
	if _, err := c.w.Write(c.size[:]); err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	if _, err := c.w.Write(msg); err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	c.unsaid++
	if c.unsaid < c.depth {
		return nil
	}
	return c.Flush(ctx)
}

// Flush implements [Flusher].
func (c *loopbackConn) Flush(context.Context) error {
	if err := c.w.Flush(); err != nil {
		return fmt.Errorf("loopback: %w", err)
	}
	for c.unsaid > 0 {
		b, err := c.r.ReadByte()
		if err == nil && b != replyTaken {
			err = fmt.Errorf("reply %q instead of %q", b, replyTaken)
		}
		if err != nil {
			return fmt.Errorf("loopback: %w", err)
		}
		c.unsaid--
		c.waiting++
	}
	return nil
}

func (c *loopbackConn) Receive(ctx context.Context, dst []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return dst, err
	}
	if c.unsaid > 0 {
		if err := c.Flush(ctx); err != nil {
			return dst, err
		}
	}
	if msg, ok := c.ahead.pop(); ok {
		return append(dst, msg...), nil
	}
	n := max(1, min(c.depth, c.waiting))
	for range n {
		if err := c.w.WriteByte(requestReceive); err != nil {
			return dst, fmt.Errorf("loopback: %w", err)
		}
	}
	if err := c.w.Flush(); err != nil {
		return dst, fmt.Errorf("loopback: %w", err)
	}
	out, err := readSized(c.r, dst)
	for range n - 1 {
		if err != nil {
			break
		}
		if c.buf, err = readSized(c.r, c.buf[:0]); err == nil {
			c.ahead.push(c.buf)
		}
	}
	if err != nil {
		return dst, fmt.Errorf("loopback: %w", err)
	}
	c.waiting -= min(n, c.waiting)
	return out, nil
}

func (c *loopbackConn) Close() error {
	c.stop()
	err := c.conn.Close()
	<-c.ended
	return err
}
