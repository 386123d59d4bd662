//go:build unix

package redis_test

import (
	"context"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/redis"
	"github.com/serbench/serbench/internal/measure"
	"github.com/serbench/serbench/internal/stats"
)

// server is a real Redis on a spare loopback port, without persistence.
func server(t testing.TB) (addr string, process *os.Process) {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		t.Skip("redis-server is not installed; CI installs Debian's")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	addr = l.Addr().String()
	require.NoError(t, l.Close())
	_, port, _ := net.SplitHostPort(addr)
	cmd := exec.Command(path, "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", t.TempDir(), "--logfile", "/dev/null")
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGCONT)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	require.Eventually(t, func() bool {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			c.Close()
		}
		return err == nil
	}, 10*time.Second, 5*time.Millisecond, "redis-server on port %s", strconv.Quote(port))
	return addr, cmd.Process
}

func client(t testing.TB, addr string) *goredis.Client {
	c := goredis.NewClient(&goredis.Options{Addr: addr, Protocol: 2})
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func TestARealListIsAQueue(t *testing.T) {
	addr, _ := server(t)
	c := client(t, addr)
	eachMode(t, addr, func(t *testing.T, o redis.Options) {
		queueBehaviour(t, o)
		assert.Empty(t, c.Keys(t.Context(), "*").Val(), "nothing is left")
	})
}

func TestTroubleWithARealServer(t *testing.T) {
	for _, trouble := range []struct {
		name   string
		do     func(t *testing.T, c *goredis.Client, p *os.Process)
		reason string
		left   string
	}{
		{"killed in the middle of a run", func(_ *testing.T, _ *goredis.Client, p *os.Process) { _ = p.Kill() }, "of message", "may be left"},
		{"stopped, it answers no more", func(_ *testing.T, _ *goredis.Client, p *os.Process) { _ = p.Signal(syscall.SIGSTOP) }, "i/o timeout", "may be left"},
		{"out of memory", func(t *testing.T, c *goredis.Client, _ *os.Process) {
			assert.NoError(t, c.ConfigSet(t.Context(), "maxmemory", "1").Err())
		}, "OOM", ""},
		{"its clients are thrown out", func(t *testing.T, c *goredis.Client, _ *os.Process) {
			assert.NoError(t, c.ClientKillByFilter(t.Context(), "SKIPME", "yes").Err())
		}, "of message", ""},
	} {
		t.Run(trouble.name, func(t *testing.T) {
			addr, process := server(t)
			c := client(t, addr)
			codec := &atRep{Codec: jsonCodec(), n: 1000, do: func() { trouble.do(t, c, process) }}
			o := redis.Options{Addr: addr, Timeout: 500 * time.Millisecond}
			started := time.Now()
			rep, err := through(1600, redis.New(o), serbench.Memory()).Run(t.Context(), []serbench.Codec{codec}, events())
			require.Error(t, err)
			assert.Less(t, time.Since(started), 30*time.Second)
			reasons := ""
			for _, res := range rep.Results {
				if res.Transport == "memory" {
					assert.Equal(t, serbench.StatusOK, res.Status, "the run goes on")
				} else if res.Role == serbench.RoleWhole {
					reasons += res.Reason + "\n"
				}
			}
			assert.Contains(t, reasons, trouble.reason)
			assert.Contains(t, reasons, trouble.left)
			if trouble.left == "" {
				assert.Empty(t, c.Keys(t.Context(), "*").Val(), "what was sent is taken back")
			}
		})
	}
}

// pair is a cell that sends one message and takes it back, n times.
type pair struct {
	send    func() error
	receive func() error
}

func (p pair) Fresh() error      { return nil }
func (p pair) Prepare(int) error { return nil }
func (p pair) Run(n int) (int, error) {
	for i := range n {
		if err := p.send(); err != nil {
			return i, err
		}
		if err := p.receive(); err != nil {
			return i, err
		}
	}
	return n, nil
}

// The control without a codec is to be no dearer than the commands that it
// stands for, in the same interleaved run.
func TestTheTransportAddsNothingToBareCommands(t *testing.T) {
	addr, _ := server(t)
	ctx := context.Background()
	msg := []byte(`{"host":"app-01","service":"http","type":"service","state":"critical"}`)
	bare := client(t, addr)
	conn, err := redis.New(redis.Options{Addr: addr}).Open(ctx)
	require.NoError(t, err)
	defer func() { assert.NoError(t, conn.Close()) }()
	var buf []byte
	g := measure.NewGroup(measure.Settings{Rand: rand.New(rand.NewPCG(1, 1)), BatchTime: 2 * time.Millisecond, BlockTime: 16 * time.Millisecond}, []measure.Spec{
		{Cell: pair{
			send:    func() error { return conn.Send(ctx, msg) },
			receive: func() (err error) { buf, err = conn.Receive(ctx, buf[:0]); return err },
		}},
		{Cell: pair{
			send:    func() error { return bare.RPush(ctx, "bare", msg).Err() },
			receive: func() error { return bare.BLPop(ctx, time.Second, "bare").Err() },
		}},
	})
	out := g.Precision(ctx, measure.Precision{
		Pairs: [][2]int{{0, 1}}, Looks: stats.Looks(), Budget: 10 * time.Second,
		Judge: func(logs []float64) bool { return len(logs) >= 32 },
	})
	for _, o := range g.Outcomes() {
		require.NoError(t, o.Err)
	}
	iv, _ := stats.BlockMean(out[0].Logs, stats.Trim, 0.05)
	r := iv.Exp()
	t.Logf("transport / bare loop: %.4f (%.4f to %.4f), %d blocks", r.Value, r.Low, r.High, r.N)
	require.False(t, math.IsNaN(r.Value))
	assert.Less(t, r.Low, 1.05, "certainly more than 5 %% dearer")
}
