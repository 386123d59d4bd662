package serbench_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

func builtIn() []serbench.Transport {
	return []serbench.Transport{serbench.Memory(), serbench.Loopback(), serbench.LoopbackPipelined(8)}
}

func flush(t *testing.T, c serbench.Conn) {
	if f, ok := c.(serbench.Flusher); ok {
		require.NoError(t, f.Flush(t.Context()))
	}
}

func TestTransportsAreQueues(t *testing.T) {
	for _, tr := range builtIn() {
		t.Run(tr.Name(), func(t *testing.T) {
			c, err := tr.Open(t.Context())
			require.NoError(t, err)
			sent, got := 0, 0
			message := func(i int) []byte { return bytes.Repeat([]byte{byte(i)}, i*i%5000) }
			send := func(n int) {
				for range n {
					msg := message(sent)
					require.NoError(t, c.Send(t.Context(), msg))
					clear(msg) // it is the caller's again
					sent++
				}
			}
			receive := func(n int) {
				for range n {
					msg, err := c.Receive(t.Context(), []byte("before"))
					require.NoError(t, err)
					require.Equal(t, append([]byte("before"), message(got)...), msg, "message %d", got)
					got++
				}
			}
			for _, step := range []int{1, -1, 5, -2, 3, -6, 1000, -999, 2500, -2501, 7} {
				if step > 0 {
					send(step)
				} else {
					receive(-step)
				}
			}
			receive(sent - got)
			_, err = c.Receive(t.Context(), nil)
			assert.ErrorIs(t, err, serbench.ErrEmpty)
			require.NoError(t, c.Close())
		})
	}
}

func TestTransportsTakeLargeMessagesAndLeaveNothing(t *testing.T) {
	goroutines := runtime.NumGoroutine()
	large := bytes.Repeat([]byte("0123456789abcdef"), 1<<17) // beyond every socket buffer
	for _, tr := range builtIn() {
		c, err := tr.Open(t.Context())
		require.NoError(t, err)
		for range 3 {
			require.NoError(t, c.Send(t.Context(), large))
		}
		flush(t, c)
		msg, err := c.Receive(t.Context(), nil)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(large, msg))
		require.NoError(t, c.Close(), "two are still under way")
	}
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+1 }, 5*time.Second, time.Millisecond)
}

func TestACancelledContextEndsALoopbackConnection(t *testing.T) {
	for _, tr := range builtIn()[1:] {
		ctx, cancel := context.WithCancel(t.Context())
		c, err := tr.Open(ctx)
		require.NoError(t, err)
		cancel()
		assert.Error(t, c.Send(ctx, []byte("x")))
		_, err = c.Receive(ctx, nil)
		assert.Error(t, err)
		assert.NoError(t, c.Close())
		_, err = tr.Open(ctx)
		assert.Error(t, err)
	}
}

// queue is a transport whose behaviour a test decides. It records what
// happens, and counts what is left.
type queue struct {
	name    string
	open    func() error
	send    func(n int) error
	receive func(n int, msg []byte) ([]byte, error)
	close   func() error
	wait    time.Duration
	mu      sync.Mutex // an Open that was given up for hanging may still come back
	conns   []*queueConn
}

type queueConn struct {
	q         *queue
	msgs      [][]byte
	sent, got int
	log       strings.Builder
	closed    int
}

func (q *queue) Name() string { return q.name }
func (q *queue) Open(context.Context) (serbench.Conn, error) {
	if q.open != nil {
		if err := q.open(); err != nil {
			return nil, err
		}
	}
	c := &queueConn{q: q}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.conns = append(q.conns, c)
	return c, nil
}

func (c *queueConn) Send(ctx context.Context, msg []byte) error {
	time.Sleep(c.q.wait)
	if c.q.send != nil {
		if err := c.q.send(c.sent); err != nil {
			return err
		}
	}
	c.sent++
	c.log.WriteByte('s')
	c.msgs = append(c.msgs, slices.Clone(msg))
	return ctx.Err()
}

func (c *queueConn) Receive(ctx context.Context, dst []byte) ([]byte, error) {
	time.Sleep(c.q.wait)
	if len(c.msgs) == 0 {
		return dst, serbench.ErrEmpty
	}
	msg := c.msgs[0]
	c.msgs = c.msgs[1:]
	if c.q.receive != nil {
		var err error
		if msg, err = c.q.receive(c.got, msg); err != nil {
			return dst, err
		}
	}
	c.got++
	c.log.WriteByte('r')
	return append(dst, msg...), ctx.Err()
}

func (c *queueConn) Close() error {
	c.closed++
	if c.q.close != nil {
		return c.q.close()
	}
	return nil
}

func through(reps int, ts ...serbench.Transport) serbench.Runner {
	return serbench.Runner{Ops: []serbench.Op{serbench.OpSend, serbench.OpReceive}, Transports: ts, Reps: reps, Seed: 1}
}

func TestSendAndReceiveAreChained(t *testing.T) {
	q := &queue{name: "queue"}
	r := through(50, q)
	r.Plan = serbench.Plan{Declared: true, WarmupReps: -1, BatchReps: 50}
	corpus := serbench.NewPayload("events", &event{Host: "a"}, &event{Host: "bb"}, &event{Host: "ccc"})
	rep, err := r.Run(t.Context(), []serbench.Codec{jsonCodec("one"), jsonCodec("two")}, []serbench.Payload{corpus})
	require.NoError(t, err)
	require.Len(t, q.conns, 4, "codec and transport control of each codec have queues of their own")
	for _, c := range q.conns {
		// Three values prove the way, and then 50 sends before 50 receives.
		assert.Equal(t, "sssrrr"+strings.Repeat("s", 50)+strings.Repeat("r", 50), c.log.String())
		assert.Empty(t, c.msgs)
		assert.Equal(t, 1, c.closed)
	}
	var ids []string
	for _, res := range rep.Results {
		ids = append(ids, res.ID)
		assert.Equal(t, serbench.StatusOK, res.Status)
		assert.EqualValues(t, 50, res.Reps)
		assert.Equal(t, "queue", res.Transport)
		assert.Len(t, res.Samples, 1)
	}
	assert.Equal(t, []string{
		"events/struct/one/send@queue", "events/struct/one/receive@queue",
		"events/struct/two/send@queue", "events/struct/two/receive@queue",
		"events/struct/one/send@queue!transport-only", "events/struct/one/receive@queue!transport-only",
		"events/struct/two/send@queue!transport-only", "events/struct/two/receive@queue!transport-only",
		"events/struct/one/send@queue!codec-only", "events/struct/one/receive@queue!codec-only",
		"events/struct/two/send@queue!codec-only", "events/struct/two/receive@queue!codec-only",
	}, ids)
	require.Len(t, rep.Comparisons, 2, "send with send, receive with receive, no controls")
}

func TestEveryTransportIsMeasuredWithItsControls(t *testing.T) {
	r := through(0, builtIn()...)
	r.Budget = 2 * time.Second
	rep, err := r.Run(t.Context(), []serbench.Codec{jsonCodec("a"), jsonCodec("b")}, events())
	require.NoError(t, err)
	require.Len(t, rep.Results, 3*12)
	at := map[string]serbench.Result{}
	for _, res := range rep.Results {
		at[res.ID] = res
		require.Equal(t, serbench.StatusOK, res.Status, res.Reason)
		require.NotNil(t, res.Estimates.NsPerOp)
	}
	require.Len(t, rep.Shares, 3*2*2)
	for _, s := range rep.Shares {
		require.NotNil(t, s.OfCodec)
		require.NotNil(t, s.Left)
		t.Log(s.Words)
		for _, part := range []*serbench.Estimate{s.OfCodec, s.Left} {
			assert.Positive(t, part.Value)
			if part.Low != nil {
				assert.Less(t, *part.Low, 1.2, "a part is not certainly more than the whole")
			}
		}
		assert.Contains(t, s.Words, " of the time")
	}
	var b strings.Builder
	require.NoError(t, rep.WriteJSON(&b))
	_, err = serbench.ReadReport(strings.NewReader(b.String()))
	require.NoError(t, err)
}

// The share of a codec that takes as long as its transport is a half,
// whatever the machine does.
func TestTheShareIsRight(t *testing.T) {
	sleepy := serbench.NewCodec("sleepy", func(v any) ([]byte, error) {
		time.Sleep(2 * time.Millisecond)
		return json.Marshal(v)
	}, json.Unmarshal)
	q := &queue{name: "slow", wait: 2 * time.Millisecond}
	r := through(128, q)
	r.Plan.BatchReps, r.Plan.WarmupReps = 1, -1
	r.Ops = r.Ops[:1]
	rep, err := r.Run(t.Context(), []serbench.Codec{sleepy}, events())
	require.NoError(t, err)
	require.Len(t, rep.Shares, 1)
	s := rep.Shares[0]
	assert.InDelta(t, 0.5, s.OfCodec.Value, 0.15, s.Words)
	assert.InDelta(t, 0.5, s.Left.Value, 0.15, s.Words)
}

func TestWhatGoesWrongOnTheWay(t *testing.T) {
	lost := errors.New("connection reset")
	at := func(k int, err error) func(int) error {
		return func(n int) error {
			if n >= k {
				return err
			}
			return nil
		}
	}
	for _, c := range []struct {
		name   string
		q      *queue
		reason string
	}{
		{"the server cannot be reached", &queue{open: func() error { return errors.New("dial: refused") }}, "open: dial: refused"},
		{"the first message is refused", &queue{send: at(0, lost)}, "send of message 0: connection reset"},
		{"the connection is lost in the middle of sending", &queue{send: at(300, lost)}, "send of message 300: connection reset"},
		{"the connection is lost in the middle of receiving", &queue{receive: func(n int, msg []byte) ([]byte, error) {
			return msg, at(300, lost)(n)
		}}, "receive of message 300: connection reset"},
		{"a foreign item that does not decode", &queue{receive: func(n int, msg []byte) ([]byte, error) {
			if n == 300 {
				return []byte("PING"), nil
			}
			return msg, nil
		}}, "decode of message 300: invalid character"},
		{"every item is foreign and decodes", &queue{receive: func(n int, msg []byte) ([]byte, error) {
			if n > 50 {
				return []byte(`{"Host":"foreign"}`), nil
			}
			return msg, nil
		}}, "is somebody else using the queue?"},
		{"items vanish", &queue{receive: func(n int, msg []byte) ([]byte, error) {
			if n == 300 {
				return nil, fmt.Errorf("list: %w", serbench.ErrEmpty)
			}
			return msg, nil
		}}, "receive of message 300: list: the queue is empty"},
		{"it panics", &queue{send: func(n int) error {
			if n == 300 {
				panic("transport bug")
			}
			return nil
		}}, "panic: transport bug"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.q.name = "bad"
			good := &queue{name: "good"}
			rep, err := through(1600, c.q, good).Run(t.Context(), []serbench.Codec{jsonCodec("json")}, events())
			require.Error(t, err)
			var e *serbench.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, "json", e.Codec)
			reasons := ""
			for _, res := range rep.Results {
				switch {
				case res.Transport == "good":
					assert.Equal(t, serbench.StatusOK, res.Status, "the run goes on")
				case res.Role == serbench.RoleWhole && res.Status == serbench.StatusFailed:
					reasons += res.Reason + "\n"
					assert.Empty(t, res.Samples, "no figures of what failed")
				}
			}
			assert.Contains(t, reasons, c.reason)
			for _, conn := range c.q.conns {
				assert.Equal(t, 1, conn.closed, "each connection is closed, once")
			}
		})
	}
}

func TestWhatIsLeftBehindIsSaid(t *testing.T) {
	q := &queue{name: "q", close: func() error { return errors.New("3 items in list x") }}
	rep, err := through(10, q).Run(t.Context(), []serbench.Codec{jsonCodec("json")}, events())
	require.ErrorContains(t, err, "left behind: 3 items in list x")
	assert.Equal(t, serbench.StatusOK, rep.Results[0].Status, "the figures are sound")
	assert.True(t, slices.ContainsFunc(rep.Results[0].Warnings, func(w serbench.Warning) bool { return w.Code == "transport-left" }))
}

func TestAHangingTransportIsAbandoned(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	q := &queue{name: "stuck", send: func(n int) error {
		if n == 40 {
			<-release
		}
		return nil
	}}
	r := through(400, q, &queue{name: "good"})
	r.CallLimit = 200 * time.Millisecond
	rep, err := r.Run(t.Context(), []serbench.Codec{jsonCodec("json")}, events())
	require.ErrorContains(t, err, "did not return within 200ms")
	for _, res := range rep.Results {
		if res.Transport == "good" {
			assert.Equal(t, serbench.StatusOK, res.Status)
		}
	}
}

func TestConnectionsAreClosedWhateverACodecDoes(t *testing.T) {
	for _, name := range []string{"panics", "ends its goroutine", "hangs"} {
		for _, from := range []int64{1, 4, 7, 8, 9, 10, 11, 12, 13, 14, 40, 300} { // calls of Marshal: the check, the way through, the rounds
			t.Run(fmt.Sprintf("%s from call %d on", name, from), func(t *testing.T) {
				release := make(chan struct{})
				var calls, closed atomic.Int64
				codec := serbench.NewCodec("harmful", func(v any) ([]byte, error) {
					if calls.Add(1) >= from {
						switch name {
						case "panics":
							panic("ouch")
						case "hangs":
							<-release
						default:
							runtime.Goexit()
						}
					}
					return json.Marshal(v)
				}, json.Unmarshal)
				q := &queue{name: "q", close: func() error { closed.Add(1); return nil }}
				r := through(100, q)
				r.CallLimit = 100 * time.Millisecond
				_, err := r.Run(t.Context(), []serbench.Codec{codec}, events())
				require.Error(t, err)
				opened := func() int64 {
					q.mu.Lock()
					defer q.mu.Unlock()
					return int64(len(q.conns))
				}
				close(release)
				assert.Eventually(t, func() bool { return closed.Load() >= opened() }, 5*time.Second, time.Millisecond,
					"%d of %d connections closed", closed.Load(), opened())
				assert.EqualValues(t, opened(), closed.Load(), "each once")
			})
		}
	}
}

func TestCancellingAtEveryStage(t *testing.T) {
	stages := map[string]func(q *queue, cancel func()){
		"open": func(q *queue, cancel func()) { q.open = func() error { cancel(); return nil } },
		"first send": func(q *queue, cancel func()) {
			q.send = func(n int) error {
				if n == 0 {
					cancel()
				}
				return nil
			}
		},
		"send": func(q *queue, cancel func()) {
			q.send = func(n int) error {
				if n == 200 {
					cancel()
				}
				return nil
			}
		},
		"receive": func(q *queue, cancel func()) {
			q.receive = func(n int, msg []byte) ([]byte, error) {
				if n == 200 {
					cancel()
				}
				return msg, nil
			}
		},
		"close": func(q *queue, cancel func()) { q.close = func() error { cancel(); return nil } },
	}
	for name, stage := range stages {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			q := &queue{name: "q"}
			stage(q, cancel)
			rep, err := through(1600, q).Run(ctx, []serbench.Codec{jsonCodec("json")}, events())
			require.ErrorIs(t, err, context.Canceled)
			assert.True(t, rep.Interrupted)
			for _, res := range rep.Results {
				assert.NotEqual(t, serbench.StatusFailed, res.Status, "%s: %s", res.ID, res.Reason)
			}
			for _, c := range q.conns {
				assert.Equal(t, 1, c.closed, "a cancelled run closes what it opened")
			}
		})
	}
}

func TestTransportSettingsThatContradict(t *testing.T) {
	q := &queue{name: "q"}
	for _, c := range []struct {
		r    serbench.Runner
		want string
	}{
		{serbench.Runner{Ops: []serbench.Op{serbench.OpSend}}, "Runner.Ops: send needs Runner.Transports"},
		{serbench.Runner{Ops: []serbench.Op{serbench.OpEncode}, Transports: []serbench.Transport{q}}, "none uses them; add send and receive"},
		{serbench.Runner{Transports: []serbench.Transport{q, nil}}, "Runner.Transports[1] is nil"},
		{serbench.Runner{Transports: []serbench.Transport{q, q}}, `has the name of Transports[0], "q"`},
		{serbench.Runner{Transports: []serbench.Transport{&queue{}}}, "Runner.Transports[0] has no name"},
		{serbench.Runner{Transports: []serbench.Transport{q}, Launches: 2}, "transports are measured in this process"},
	} {
		_, err := c.r.Run(t.Context(), []serbench.Codec{jsonCodec("json")}, events())
		assert.ErrorContains(t, err, c.want)
	}
	assert.Empty(t, q.conns, "nothing is opened")
}

// A benchmark that prints what the transports take, so that the codec's part
// can be judged.
func BenchmarkTransports(b *testing.B) {
	msg := bytes.Repeat([]byte("x"), 70)
	for _, tr := range builtIn() {
		b.Run(tr.Name(), func(b *testing.B) {
			c, err := tr.Open(b.Context())
			require.NoError(b, err)
			defer c.Close()
			var buf []byte
			for b.Loop() {
				if err := c.Send(b.Context(), msg); err != nil {
					b.Fatal(err)
				}
				if buf, err = c.Receive(b.Context(), buf[:0]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
