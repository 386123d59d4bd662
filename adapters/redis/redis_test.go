package redis_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/redis"
)

// modes are the transports that every test of behaviour runs.
func modes(addr string) []redis.Options {
	return []redis.Options{
		{Addr: addr, Timeout: time.Second},
		{Addr: addr, Timeout: time.Second, Mode: redis.Pipelined, Batch: 7},
		{Addr: addr, Timeout: time.Second, Mode: redis.Batched, Batch: 7},
	}
}

func eachMode(t *testing.T, addr string, f func(t *testing.T, o redis.Options)) {
	for _, o := range modes(addr) {
		t.Run(redis.New(o).Name(), func(t *testing.T) { f(t, o) })
	}
}

func TestNames(t *testing.T) {
	assert.Equal(t, "redis", redis.New(redis.Options{}).Name())
	assert.Equal(t, "redis-pipelined-100", redis.New(redis.Options{Mode: redis.Pipelined}).Name())
	assert.Equal(t, "redis-batched-8", redis.New(redis.Options{Mode: redis.Batched, Batch: 8}).Name())
	assert.Equal(t, "ours", redis.New(redis.Options{Name: "ours"}).Name())
}

// queueBehaviour is what serbench asks of a transport.
func queueBehaviour(t *testing.T, o redis.Options) {
	c, err := redis.New(o).Open(t.Context())
	require.NoError(t, err)
	sent, got := 0, 0
	message := func(i int) []byte { return bytes.Repeat([]byte{byte(i), 0, '\r', '\n', 0xff}, 1+i%40) }
	for _, step := range []int{1, -1, 5, -2, 3, -6, 200, -199, 30, -31, 7} {
		for range step {
			msg := message(sent)
			require.NoError(t, c.Send(t.Context(), msg))
			clear(msg)
			sent++
		}
		for range -step {
			msg, err := c.Receive(t.Context(), []byte("before"))
			require.NoError(t, err)
			require.Equal(t, append([]byte("before"), message(got)...), msg, "message %d", got)
			got++
		}
	}
	if f, ok := c.(serbench.Flusher); ok {
		require.NoError(t, f.Flush(t.Context()))
	}
	require.NoError(t, c.Close(), "seven are still under way")
}

func TestAListIsAQueue(t *testing.T) {
	m := miniredis.RunT(t)
	eachMode(t, m.Addr(), func(t *testing.T, o redis.Options) {
		queueBehaviour(t, o)
		assert.Empty(t, m.Keys(), "nothing is left")
	})
}

func TestAnEmptyListIsAnErrorSoon(t *testing.T) {
	m := miniredis.RunT(t)
	eachMode(t, m.Addr(), func(t *testing.T, o redis.Options) {
		c, err := redis.New(o).Open(t.Context())
		require.NoError(t, err)
		_, err = c.Receive(t.Context(), nil)
		assert.ErrorIs(t, err, serbench.ErrEmpty)
		assert.NoError(t, c.Close())
	})
}

func TestAKeyThatExistsIsLeftAsItIs(t *testing.T) {
	for name, put := range map[string]func(m *miniredis.Miniredis){
		"a string":          func(m *miniredis.Miniredis) { _ = m.Set("serbench", "yours") },
		"a hash":            func(m *miniredis.Miniredis) { m.HSet("serbench", "a", "b") },
		"a list of 2 items": func(m *miniredis.Miniredis) { _, _ = m.Push("serbench", "yours", "too") },
	} {
		t.Run(name, func(t *testing.T) {
			m := miniredis.RunT(t)
			put(m)
			before := m.Dump()
			_, err := redis.New(redis.Options{Addr: m.Addr()}).Open(t.Context())
			require.ErrorContains(t, err, `the key "serbench" holds `+name)
			assert.Contains(t, err.Error(), "Options.Reset")
			assert.Equal(t, before, m.Dump())

			c, err := redis.New(redis.Options{Addr: m.Addr(), Reset: true}).Open(t.Context())
			require.NoError(t, err, "with the setting it is deleted")
			assert.Empty(t, m.Keys())
			require.NoError(t, c.Close())
		})
	}
}

func TestConnectionsHaveListsOfTheirOwn(t *testing.T) {
	m := miniredis.RunT(t)
	tr := redis.New(redis.Options{Addr: m.Addr(), Key: "bm_events"})
	var conns []serbench.Conn
	for range 3 {
		c, err := tr.Open(t.Context())
		require.NoError(t, err)
		require.NoError(t, c.Send(t.Context(), []byte("x")))
		conns = append(conns, c)
	}
	assert.Equal(t, []string{"bm_events", "bm_events:2", "bm_events:3"}, m.Keys())
	require.NoError(t, conns[1].Close())
	assert.Equal(t, []string{"bm_events", "bm_events:3"}, m.Keys())
	c, err := tr.Open(t.Context())
	require.NoError(t, err)
	require.NoError(t, c.Send(t.Context(), []byte("x")))
	assert.Equal(t, []string{"bm_events", "bm_events:2", "bm_events:3"}, m.Keys(), "a number is used again")
	for _, c := range []serbench.Conn{c, conns[0], conns[2]} {
		require.NoError(t, c.Close())
	}
	assert.Empty(t, m.Keys())
}

func TestWhatCannotBeOpened(t *testing.T) {
	secret := miniredis.RunT(t)
	secret.RequireAuth("sesame")
	full := miniredis.RunT(t)
	full.SetError("LOADING Redis is loading the dataset in memory")
	silent, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and says nothing
	require.NoError(t, err)
	defer silent.Close()
	for _, c := range []struct {
		name string
		o    redis.Options
		want string
	}{
		{"nobody listens", redis.Options{Addr: "127.0.0.1:1"}, "127.0.0.1:1: connect: connection refused"},
		{"no such host", redis.Options{Addr: "no-such-host.invalid:6379"}, "no-such-host.invalid"},
		{"no port", redis.Options{Addr: "127.0.0.1"}, "missing port"},
		{"nobody answers", redis.Options{Addr: silent.Addr().String(), Timeout: 100 * time.Millisecond}, "i/o timeout"},
		{"a password is needed", redis.Options{Addr: secret.Addr()}, "NOAUTH"},
		{"a wrong password", redis.Options{Addr: secret.Addr(), Password: "open"}, "WRONGPASS"},
		{"the server is not ready", redis.Options{Addr: full.Addr()}, "LOADING"},
		{"unknown mode", redis.Options{Mode: "bulk"}, `Options.Mode: "bulk"`},
		{"negative batch", redis.Options{Mode: redis.Batched, Batch: -1}, "Options.Batch: -1"},
		{"negative timeout", redis.Options{Timeout: -1}, "Options.Timeout"},
		{"negative database", redis.Options{DB: -1}, "Options.DB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := redis.New(c.o).Open(t.Context())
			require.ErrorContains(t, err, c.want)
			assert.NotContains(t, err.Error(), "sesame")
		})
	}
	c, err := redis.New(redis.Options{Addr: secret.Addr(), Password: "sesame"}).Open(t.Context())
	require.NoError(t, err)
	require.NoError(t, c.Close())
}

func TestSomebodyElseInTheList(t *testing.T) {
	for _, reset := range []bool{false, true} {
		m := miniredis.RunT(t)
		eachMode(t, m.Addr(), func(t *testing.T, o redis.Options) {
			o.Reset = reset
			c, err := redis.New(o).Open(t.Context())
			require.NoError(t, err)
			send := func() (err error) {
				for range 7 {
					if err = c.Send(t.Context(), []byte("ours")); err != nil {
						return err
					}
				}
				return nil
			}
			require.NoError(t, send())
			_, err = m.Push("serbench", "theirs")
			require.NoError(t, err)
			require.ErrorContains(t, send(), "somebody else uses the list", "seen at the next send, at no cost")
			err = c.Close()
			list, _ := m.List("serbench")
			if reset {
				assert.NoError(t, err)
				assert.Empty(t, list)
				return
			}
			require.ErrorContains(t, err, "is left as it is")
			assert.Contains(t, list, "theirs")
			m.FlushAll()
		})
	}
}

func TestItemsTakenBySomebodyElse(t *testing.T) {
	m := miniredis.RunT(t)
	eachMode(t, m.Addr(), func(t *testing.T, o redis.Options) {
		c, err := redis.New(o).Open(t.Context())
		require.NoError(t, err)
		for range 7 {
			require.NoError(t, c.Send(t.Context(), []byte("ours")))
		}
		m.FlushAll()
		_, err = c.Receive(t.Context(), nil)
		require.ErrorContains(t, err, "items were to be there")
		require.ErrorIs(t, err, serbench.ErrEmpty)
		assert.NoError(t, c.Close())
	})
}

type event struct{ Host, Service, Type, State string }

func jsonCodec() serbench.Codec { return serbench.NewCodec("json", json.Marshal, json.Unmarshal) }

func events() []serbench.Payload {
	return []serbench.Payload{serbench.NewPayload("event", &event{"app-01", "http", "service", "critical"})}
}

func through(reps int, ts ...serbench.Transport) serbench.Runner {
	return serbench.Runner{Ops: []serbench.Op{serbench.OpSend, serbench.OpReceive}, Transports: ts, Reps: reps, Seed: 1}
}

func TestARunThroughRedis(t *testing.T) {
	m := miniredis.RunT(t)
	var ts []serbench.Transport
	for _, o := range modes(m.Addr()) {
		ts = append(ts, redis.New(o))
	}
	rep, err := through(300, ts...).Run(t.Context(), []serbench.Codec{jsonCodec()}, events())
	require.NoError(t, err)
	for _, res := range rep.Results {
		assert.Equal(t, serbench.StatusOK, res.Status)
		assert.EqualValues(t, 300, res.Reps)
	}
	assert.Len(t, rep.Shares, 6)
	assert.Empty(t, m.Keys())
}

// atRep calls do once, when about so many reps of the run are over.
type atRep struct {
	serbench.Codec
	n  int
	do func()
}

func (c *atRep) Marshal(v any) ([]byte, error) {
	if c.n--; c.n == 0 {
		c.do()
	}
	return c.Codec.Marshal(v)
}

func TestTroubleInTheMiddleOfARun(t *testing.T) {
	for _, c := range []struct {
		name    string
		trouble func(m *miniredis.Miniredis)
		reason  string
		left    string
	}{
		{"the server is gone", func(m *miniredis.Miniredis) { m.Close() }, "of message", "items may be left in the list"},
		{"the server is out of memory", func(m *miniredis.Miniredis) {
			m.SetError("OOM command not allowed when used memory > 'maxmemory'.")
		}, "OOM command not allowed", "OOM"},
		{"the key becomes a string", func(m *miniredis.Miniredis) { m.FlushAll(); _ = m.Set("serbench", "x") }, "WRONGTYPE", "WRONGTYPE"},
		{"a foreign item", func(m *miniredis.Miniredis) { _, _ = m.Push("serbench", "{}") }, "somebody else uses the list", "is left as it is"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := miniredis.RunT(t)
			other := miniredis.RunT(t)
			codec := &atRep{Codec: jsonCodec(), n: 1000, do: func() { c.trouble(m) }}
			rep, err := through(1600, redis.New(redis.Options{Addr: m.Addr()}), redis.New(redis.Options{Addr: other.Addr(), Name: "other"})).
				Run(t.Context(), []serbench.Codec{codec}, events())
			require.Error(t, err)
			reasons := ""
			for _, res := range rep.Results {
				if res.Transport == "other" {
					assert.Equal(t, serbench.StatusOK, res.Status, "the run goes on")
				} else if res.Role == serbench.RoleWhole {
					assert.Equal(t, serbench.StatusFailed, res.Status)
					reasons += res.Reason + "\n"
				}
			}
			assert.Contains(t, reasons, c.reason)
			assert.Contains(t, reasons, c.left, "what is left is said")
			assert.Contains(t, reasons, "after ", "and how much was done")
			assert.Empty(t, other.Keys())
		})
	}
}

func TestCancelledInTheMiddle(t *testing.T) {
	m := miniredis.RunT(t)
	eachMode(t, m.Addr(), func(t *testing.T, o redis.Options) {
		ctx, cancel := context.WithCancel(t.Context())
		codec := &atRep{Codec: jsonCodec(), n: 1000, do: cancel}
		rep, err := through(1600, redis.New(o)).Run(ctx, []serbench.Codec{codec}, events())
		require.ErrorIs(t, err, context.Canceled)
		for _, res := range rep.Results {
			assert.NotEqual(t, serbench.StatusFailed, res.Status, "%s: %s", res.ID, res.Reason)
		}
		assert.Empty(t, m.Keys(), "also then nothing is left")
	})
}

func TestACancelledWaitEnds(t *testing.T) {
	m := miniredis.RunT(t)
	ctx, cancel := context.WithCancel(t.Context())
	c, err := redis.New(redis.Options{Addr: m.Addr()}).Open(ctx)
	require.NoError(t, err)
	time.AfterFunc(50*time.Millisecond, cancel)
	started := time.Now()
	_, err = c.Receive(ctx, nil)
	require.Error(t, err)
	assert.Less(t, time.Since(started), 900*time.Millisecond, "before BLPOP's own time is over")
	require.NoError(t, c.Close())
	_, err = redis.New(redis.Options{Addr: m.Addr()}).Open(ctx)
	require.Error(t, err)
}

func ExampleNew() {
	fmt.Println(redis.New(redis.Options{Key: "bm_events", Mode: redis.Pipelined, Batch: 50}).Name())
	// Output: redis-pipelined-50
}

func TestNoSecretInAnError(t *testing.T) {
	_, err := redis.New(redis.Options{Addr: "127.0.0.1:1", Username: "u", Password: "sesame"}).Open(t.Context())
	require.Error(t, err)
	assert.False(t, strings.Contains(err.Error(), "sesame"))
}
