// Redisbm repeats the seed "ruby-redis": what is a codec worth through a Redis
// list? Five rounds of four rows, JSON and MessagePack, each encoded and
// pushed, popped and decoded 100,000 times, a round trip per item; then what
// the rounds say together, and, from an interleaved run, how much of the time
// is the codec at all.
//
//	go run ./examples/seeds/redisbm                       # with a server inside the program
//	go run ./examples/seeds/redisbm -addr localhost:6379  # with a real one
//	go run ./examples/seeds/redisbm -variants -rounds 1   # also pipelined and batched
//
// The address can also stand in REDIS_ADDR, a password in REDIS_PASSWORD.
// The list bm_events must not exist, and does not afterwards.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/msgp"
	"github.com/serbench/serbench/adapters/redis"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/examples/internal/cli"
	"github.com/serbench/serbench/examples/payloads"
)

func main() { os.Exit(run(os.Args[1:], os.Getenv, os.Stdout, os.Stderr)) }

// settings are the program's flags.
type settings struct {
	addr, key, out string
	rounds, reps   int
	study          time.Duration
	reset          bool
	variants       bool
}

func run(args []string, getenv func(string) string, stdout io.Writer, stderr *os.File) int {
	fs := flag.NewFlagSet("redisbm", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var s settings
	fs.StringVar(&s.addr, "addr", getenv("REDIS_ADDR"), "`HOST:PORT` of a Redis server; without it one inside of this program is used")
	fs.StringVar(&s.key, "key", "bm_events", "the `LIST` to use")
	fs.BoolVar(&s.reset, "reset", false, "delete what the list holds, instead of giving up")
	fs.IntVar(&s.rounds, "rounds", 5, "`N` rounds of all rows")
	fs.IntVar(&s.reps, "reps", 100_000, "push and pop `N` items per row")
	fs.DurationVar(&s.study, "study", 20*time.Second, "`TIME` for the interleaved run behind the rounds; 0: none")
	fs.BoolVar(&s.variants, "variants", false, "in the interleaved run, also push and pop 100 items at a time, pipelined and batched; -study is for each")
	fs.StringVar(&s.out, "o", "", "write the reports as JSON to `FILE` (rounds) and FILE.study too")
	if code, done := cli.Parse(fs, args); done {
		return code
	}
	if s.rounds < 1 || s.reps < 1 || s.study < 0 {
		fmt.Fprintln(stderr, "-rounds and -reps are at least 1, -study is not negative")
		return cli.ExitUsage
	}
	ctx, stop := cli.Context()
	defer stop()
	where := "Redis at " + s.addr
	if s.addr == "" {
		server, err := miniredis.Run()
		if err != nil {
			fmt.Fprintln(stderr, "the server inside of this program:", err)
			return cli.ExitFailed
		}
		defer server.Close()
		s.addr = server.Addr()
		where = "a Redis server inside of this program, whose CPU time is in user and system; -addr takes a real one"
	}
	fmt.Fprintf(stdout, "Events through %s\n%d rounds of %s items per row\n\n", where, s.rounds, thousands(s.reps))
	return s.measure(ctx, redis.Options{Addr: s.addr, Password: getenv("REDIS_PASSWORD"), Key: s.key, Reset: s.reset}, stdout, stderr)
}

func codecs() []serbench.Codec {
	return []serbench.Codec{renamed{stdlib.JSON(), "json"}, renamed{msgp.Tree(), "msgpack"}}
}

// renamed is a codec under the seed's name, called as the seed calls it: one
// function to encode, one to decode.
type renamed struct {
	serbench.Codec
	name string
}

func (r renamed) Name() string { return r.name }

func (r renamed) Describe() serbench.Info {
	if d, ok := r.Codec.(serbench.Describer); ok {
		return d.Describe()
	}
	return serbench.Info{}
}

// event is the seed's: a generic map.
func event() []serbench.Payload {
	for _, p := range payloads.EventPayloads() {
		if p.FormName() == "map" {
			return []serbench.Payload{p}
		}
	}
	return nil
}

// runner is what rounds and study share.
func (s settings) runner(o redis.Options) serbench.Runner {
	return serbench.Runner{
		Ops:        []serbench.Op{serbench.OpSend, serbench.OpReceive},
		Transports: []serbench.Transport{redis.New(o)},
		CallLimit:  10 * time.Minute, // a row is one call
	}
}

func (s settings) measure(ctx context.Context, o redis.Options, stdout io.Writer, stderr *os.File) int {
	on, clear := cli.Progress(stderr)
	rounds, err := s.runRounds(ctx, o, stdout, on, clear)
	clear()
	report := mergeRounds(rounds)
	if report == nil {
		fmt.Fprintln(stderr, err)
		return cli.ExitUsage
	}
	writeRounds(stdout, report)
	if saveErr := cli.Save(report, s.out); saveErr != nil {
		err = errors.Join(err, saveErr)
	}
	if err != nil {
		return cli.Exit(stderr, report, err)
	}
	if s.study == 0 {
		return cli.ExitOK
	}
	r := s.runner(o)
	r.Title, r.Budget, r.OnEvent = "Events through Redis, interleaved", s.study, on
	if s.variants {
		for _, mode := range []redis.Mode{redis.Pipelined, redis.Batched} {
			o.Mode = mode
			r.Transports = append(r.Transports, redis.New(o))
		}
		r.Budget *= time.Duration(len(r.Transports))
	}
	study, err := r.Run(ctx, codecs(), event())
	clear()
	writeStudy(stdout, study)
	if s.out != "" {
		err = errors.Join(err, cli.Save(study, s.out+".study"))
	}
	return cli.Exit(stderr, study, err)
}

// runRounds measures round after round, each to the seed's plan: the rows one
// after the other, without a warm-up, the collector at work as it likes. The
// table of each is written when it is there.
func (s settings) runRounds(ctx context.Context, o redis.Options, stdout io.Writer, on func(serbench.Event), clear func()) (rounds []*serbench.Report, err error) {
	for range s.rounds {
		r := s.runner(o)
		r.Title, r.Reps, r.OnEvent = "Events through Redis", s.reps, on
		r.Collector = serbench.CollectorLeave
		r.Plan = serbench.Plan{Declared: true, WarmupReps: -1, BatchReps: s.reps}
		report, err := r.Run(ctx, codecs(), event())
		clear()
		if len(report.Results) > 0 {
			rounds = append(rounds, report)
			if tableErr := writeTable(stdout, report); tableErr != nil {
				return rounds, tableErr
			}
		}
		if err != nil {
			return rounds, err
		}
	}
	return rounds, nil
}
