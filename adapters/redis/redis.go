// Package redis is a serbench transport through a Redis list, with
// [github.com/redis/go-redis/v9]: Send is RPUSH, Receive is BLPOP, each with
// its own round trip; pipelined and batched variants share round trips
// between messages. It needs Redis 3 or later, batches 6.2.
package redis

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/serbench/serbench"
)

// Mode says how many messages share a round trip.
type Mode string

// The modes.
const (
	// Single: RPUSH and BLPOP, a round trip for each message.
	Single Mode = ""
	// Pipelined: as many commands of one message as Options.Batch are sent
	// together, RPUSH and LPOP.
	Pipelined Mode = "pipelined"
	// Batched: one RPUSH or LPOP moves as many messages as Options.Batch.
	Batched Mode = "batched"
)

// Options say where the server is and how it is used. The zero value is a
// server on this machine at the usual port.
type Options struct {
	Addr     string // host:port; default localhost:6379
	Username string
	Password string
	DB       int
	TLS      *tls.Config // nil: no TLS

	// Key is the list. Each connection that is open at the same time has a
	// list of its own: the first is Key, the others Key:2, Key:3 and so on.
	// Default "serbench".
	Key string
	// Reset deletes what a key holds when a connection is opened, and what
	// others put into it meanwhile when it is closed. Without it a key that
	// exists is an error, and nothing is deleted but what was sent.
	Reset bool

	Mode  Mode
	Batch int // of Pipelined and Batched; default 100

	// Timeout for connecting, for sending, and for a reply beyond the second
	// that BLPOP may wait for an item; default 5 s.
	Timeout time.Duration
	// Name of the transport; default "redis", with the mode and the batch
	// behind it where there is one.
	Name string
}

// New makes the transport. Options that cannot be are an error when it is
// opened.
func New(o Options) serbench.Transport {
	if o.Addr == "" {
		o.Addr = "localhost:6379"
	}
	if o.Key == "" {
		o.Key = "serbench"
	}
	if o.Timeout == 0 {
		o.Timeout = 5 * time.Second
	}
	if o.Batch == 0 {
		o.Batch = 100
	}
	if o.Name == "" {
		o.Name = "redis"
		if o.Mode != Single {
			o.Name += "-" + string(o.Mode) + "-" + strconv.Itoa(o.Batch)
		}
	}
	return &transport{Options: o, used: map[int]bool{}}
}

type transport struct {
	Options
	mu   sync.Mutex
	used map[int]bool // numbers of the open connections
}

func (t *transport) Name() string { return t.Options.Name }

// take gives the lowest free number, and the key that goes with it.
func (t *transport) take() (n int, key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for n = 1; t.used[n]; n++ {
	}
	t.used[n] = true
	if key = t.Key; n > 1 {
		key += ":" + strconv.Itoa(n)
	}
	return n, key
}

func (t *transport) free(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.used, n)
}

func (t *transport) check() error {
	switch {
	case t.Mode != Single && t.Mode != Pipelined && t.Mode != Batched:
		return fmt.Errorf("redis: Options.Mode: %q is none of %q, %q and %q", t.Mode, Single, Pipelined, Batched)
	case t.Batch < 1:
		return fmt.Errorf("redis: Options.Batch: %d is below 1", t.Batch)
	case t.Timeout < 0:
		return fmt.Errorf("redis: Options.Timeout: %v is below 0", t.Timeout)
	case t.DB < 0:
		return fmt.Errorf("redis: Options.DB: %d is below 0", t.DB)
	}
	return nil
}

// Open implements [serbench.Transport].
func (t *transport) Open(ctx context.Context) (serbench.Conn, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	n, key := t.take()
	c := &conn{t: t, number: n, key: key}
	// A command under way is quick, or waits for nothing.
	c.stop = context.AfterFunc(ctx, func() { time.AfterFunc(patience, c.breakOff) })
	err := c.connect(ctx)
	if err == nil {
		err = c.claim(ctx)
	}
	if err != nil {
		c.release()
		return nil, fmt.Errorf("redis at %s: %w", t.Addr, err)
	}
	return c, nil
}

// options for one connection: no retries, which could send a message twice,
// and nothing on the wire but what is measured.
func (t *transport) options(c *conn) *goredis.Options {
	o := &goredis.Options{
		Addr: t.Addr, Username: t.Username, Password: t.Password, DB: t.DB, TLSConfig: t.TLS,
		MaxRetries: -1, DialerRetries: 1, DialTimeout: t.Timeout, ReadTimeout: t.Timeout + popWait*time.Second, WriteTimeout: t.Timeout,
		PoolSize: 2, Protocol: 2, DisableIdentity: true, ContextTimeoutEnabled: true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	}
	dial := goredis.NewDialer(o)
	o.Dialer = func(ctx context.Context, network, addr string) (net.Conn, error) {
		if nc := c.ready; nc != nil {
			c.ready = nil
			return nc, nil
		}
		nc, err := dial(ctx, network, addr)
		if err == nil {
			c.opened(nc)
		}
		return nc, err
	}
	return o
}

// connect makes the connection. Note: go-redis prints what goes wrong when it
// dials, so it is given a connection that stands.
func (c *conn) connect(ctx context.Context) (err error) {
	o := c.t.options(c)
	if c.ready, err = o.Dialer(ctx, "tcp", c.t.Addr); err != nil {
		return err
	}
	c.client = goredis.NewClient(o)
	c.conn = c.client.Conn()
	return nil
}

// disconnect is connect undone.
func (c *conn) disconnect() {
	if c.client != nil {
		c.conn.Close()
		c.client.Close()
		c.client, c.conn = nil, nil
	}
}

// claim makes sure that the key is free.
func (c *conn) claim(ctx context.Context) error {
	kind, err := c.conn.Type(ctx, c.key).Result()
	switch {
	case err != nil:
		return err
	case kind == "none":
		return nil
	case c.t.Reset:
		return c.conn.Del(ctx, c.key).Err()
	}
	what := "a " + kind
	if kind == "list" {
		if n, err := c.conn.LLen(ctx, c.key).Result(); err == nil {
			what = fmt.Sprintf("a list of %d items", n)
		}
	}
	return fmt.Errorf("the key %q holds %s already, which is left as it is; choose another Options.Key, or set Options.Reset to delete it", c.key, what)
}

var errForeign = errors.New("somebody else uses the list")
