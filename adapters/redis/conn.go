package redis

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/serbench/serbench"
)

// popWait is how long, in seconds, BLPOP waits for an item that should be
// there; Redis before 6 takes whole ones only.
const popWait = 1

// conn is one list and the connection to it.
type conn struct {
	t      *transport
	number int
	key    string
	ready  net.Conn // made, and not used yet
	client *goredis.Client
	conn   *goredis.Conn
	stop   func() bool // of breaking off when the run is cancelled

	length  int64    // of the list, as far as this connection made it
	doubt   int64    // messages that may or may not have arrived beyond that
	taken   int64    // messages of it that may or may not have been taken
	kept    []any    // messages that wait to be sent together
	fetched []string // messages that were taken together and not given out
	foreign bool     // somebody else used the list

	mu   sync.Mutex
	nets []net.Conn
	over bool // broken off
	shut bool // closed: not to be broken off any more
}

// patience is how long a command may go on when the run is cancelled.
const patience = 200 * time.Millisecond

// settle is how long the server may take to carry out the last command of a
// connection that broke, before the list is looked at.
const settle = 50 * time.Millisecond

// opened notes a network connection, for breakOff.
func (c *conn) opened(nc net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.nets = append(c.nets, nc); c.over {
		nc.Close()
	}
}

// breakOff ends a command that waits for its reply: go-redis does not, when
// only its context is cancelled.
func (c *conn) breakOff() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shut {
		return
	}
	c.over = true
	for _, nc := range c.nets {
		nc.Close()
	}
	c.nets = nil
}

// Send implements [serbench.Conn].
func (c *conn) Send(ctx context.Context, msg []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if c.t.Mode == Single {
		n, err := c.conn.RPush(ctx, c.key, msg).Result()
		return c.pushed(n, 1, err)
	}
	c.kept = append(c.kept, append([]byte(nil), msg...))
	if len(c.kept) < c.t.Batch {
		return nil
	}
	return c.Flush(ctx)
}

// pushed keeps the count of the list. RPUSH replies with the list's length,
// so that it costs nothing to see that somebody else put something there.
func (c *conn) pushed(length, n int64, err error) error {
	if err != nil {
		c.doubt += n
		return err
	}
	c.length += n
	if length != c.length {
		c.foreign = true
		return fmt.Errorf("the list %q has %d items, of which %d were sent: %w", c.key, length, c.length, errForeign)
	}
	return nil
}

// Flush implements [serbench.Flusher].
func (c *conn) Flush(ctx context.Context) error {
	msgs := c.kept
	if len(msgs) == 0 {
		return nil
	}
	c.kept = c.kept[:0]
	if c.t.Mode == Batched {
		n, err := c.conn.RPush(ctx, c.key, msgs...).Result()
		return c.pushed(n, int64(len(msgs)), err)
	}
	cmds, err := c.conn.Pipelined(ctx, func(p goredis.Pipeliner) error {
		for _, msg := range msgs {
			p.RPush(ctx, c.key, msg)
		}
		return nil
	})
	for i, cmd := range cmds {
		n, cmdErr := cmd.(*goredis.IntCmd).Result()
		if err := c.pushed(n, 1, cmdErr); err != nil {
			c.doubt += int64(len(cmds) - i - 1)
			return err
		}
	}
	return err
}

// Receive implements [serbench.Conn].
func (c *conn) Receive(ctx context.Context, dst []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return dst, err
	}
	if c.t.Mode == Single {
		// Note: go-redis's own BLPop waits ten seconds longer for the reply.
		cmd := goredis.NewStringSliceCmd(ctx, "blpop", c.key, popWait)
		err := c.conn.Process(ctx, cmd)
		kv := cmd.Val()
		if err != nil {
			return dst, c.popError(1, err)
		}
		c.length--
		return append(dst, kv[1]...), nil
	}
	if len(c.fetched) == 0 {
		if err := c.fetch(ctx); err != nil {
			return dst, err
		}
	}
	msg := c.fetched[0]
	c.fetched = c.fetched[1:]
	return append(dst, msg...), nil
}

// fetch takes several messages at once, never more than were sent.
func (c *conn) fetch(ctx context.Context) error {
	if err := c.Flush(ctx); err != nil {
		return err
	}
	n := int(min(int64(c.t.Batch), max(c.length, 1)))
	if c.t.Mode == Batched {
		msgs, err := c.conn.LPopCount(ctx, c.key, n).Result()
		if err != nil {
			return c.popError(int64(n), err)
		}
		c.length -= int64(len(msgs))
		c.fetched = msgs
		return nil
	}
	cmds, err := c.conn.Pipelined(ctx, func(p goredis.Pipeliner) error {
		for range n {
			p.LPop(ctx, c.key)
		}
		return nil
	})
	c.fetched = c.fetched[:0]
	for i, cmd := range cmds {
		msg, cmdErr := cmd.(*goredis.StringCmd).Result()
		if cmdErr != nil {
			if len(c.fetched) > 0 && errors.Is(cmdErr, goredis.Nil) {
				return nil
			}
			return c.popError(int64(n-i), cmdErr)
		}
		c.length--
		c.fetched = append(c.fetched, msg)
	}
	return err
}

// popError is the error of a command that was to take n items.
func (c *conn) popError(n int64, err error) error {
	if errors.Is(err, goredis.Nil) {
		if c.length > 0 {
			c.foreign = true
			return fmt.Errorf("the list %q is empty, %d items were to be there: %w: %w", c.key, c.length, errForeign, serbench.ErrEmpty)
		}
		return fmt.Errorf("the list %q: %w", c.key, serbench.ErrEmpty)
	}
	c.taken += n
	return err
}

// closeTime bounds the clearing up.
const closeTime = 5 * time.Second

// Close implements [serbench.Conn]: it takes out of the list what this
// connection put there. If somebody else used the list, it is left as it is,
// unless Options.Reset is set, and the error says so.
func (c *conn) Close() error {
	c.stop()
	defer c.release()
	c.mu.Lock()
	broken := c.over || c.doubt+c.taken > 0
	c.over, c.shut = false, true
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	var err error
	if broken {
		c.disconnect()
		time.Sleep(settle)
		err = c.connect(ctx)
	}
	var there int64
	if err == nil {
		there, err = c.conn.LLen(ctx, c.key).Result()
	}
	switch {
	case err == nil:
		err = c.clear(ctx, there)
	case c.length+c.doubt == 0:
		return nil // nothing was there to be left
	default:
		err = fmt.Errorf("up to %d items may be left in the list %q: %w", c.length+c.doubt, c.key, err)
	}
	if err != nil {
		return fmt.Errorf("redis at %s: %w", c.t.Addr, err)
	}
	return nil
}

// clear takes what was sent out of a list with so many items.
func (c *conn) clear(ctx context.Context, there int64) error {
	switch {
	case there == 0:
		return nil
	case c.t.Reset:
		return c.conn.Del(ctx, c.key).Err()
	case c.foreign || there < c.length-c.taken || there > c.length+c.doubt:
		return fmt.Errorf("the list %q is left as it is, with %d items, of which %d were sent: %w", c.key, there, c.length, errForeign)
	}
	// The first ones, at once: what somebody pushes meanwhile stays.
	if err := c.conn.LTrim(ctx, c.key, there, -1).Err(); err != nil {
		return fmt.Errorf("%d items are left in the list %q: %w", there, c.key, err)
	}
	return nil
}

// release gives up the connection and the key.
func (c *conn) release() {
	c.stop()
	c.disconnect()
	c.t.free(c.number)
}
