// Command gobench puts go test -bench with benchstat beside the method, on the
// same ops with the same known differences, taking turns:
//
//	go run ./internal/study/gobench -effect 0,0.02 -minutes 30 -o gobench.jsonl
//
// A trial of go test -bench is -count=10 of each side, one after the other,
// 2 s in all, judged by benchstat at its default level of 5 %. Each trial is a
// line of the file; a run can be stopped and goes on where it was. Needs the
// go command, and benchstat (fetched by go install) from the module proxy.
package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/serbench/serbench/internal/stats"
	"github.com/serbench/serbench/internal/study/lab"
)

const benchstat = "golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da"

// trial is one line of the file.
type trial struct {
	Method  string  `json:"method"`
	Op      string  `json:"op"`
	Effect  float64 `json:"effect"`
	Called  string  `json:"called"` // slower, faster, equal or undecided, of the side with the extra work
	Log     float64 `json:"log"`    // estimate of the log-ratio
	Seconds float64 `json:"seconds"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gobench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("gobench", flag.ContinueOnError)
	ops := fs.String("op", "50ns,1us,5us-alloc,json-encode", "a `LIST` of ops")
	effects := fs.String("effect", "0,0.01,0.02", "by what share the second side is slower, a `LIST`")
	minutes := fs.Float64("minutes", 5, "stop after so many `MINUTES`")
	trials := fs.Int("trials", 0, "stop after `N` trials of each; 0: by time only")
	out := fs.String("o", "", "append the trials to `FILE`")
	if err := fs.Parse(args); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "gobench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ts, file, err := open(*out)
	if err != nil {
		return err
	}
	defer file.Close()
	b, err := prepare(ctx, dir)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(*minutes*float64(time.Minute)))
	defer cancel()
	done := map[string]int{}
	for _, t := range ts {
		done[t.key()]++
	}
	for more := true; more && ctx.Err() == nil; {
		more = false
		for _, op := range strings.Split(*ops, ",") {
			for _, e := range strings.Split(*effects, ",") {
				effect, err := strconv.ParseFloat(e, 64)
				if err != nil {
					return fmt.Errorf("-effect %s: %w", e, err)
				}
				if ctx.Err() != nil || *trials > 0 && done[trial{Method: "serbench", Op: op, Effect: effect}.key()] >= *trials {
					continue
				}
				more = true
				for _, f := range []func(context.Context, string, float64) (trial, error){b.trial, own} {
					t, err := f(ctx, op, effect)
					if ctx.Err() != nil {
						break
					}
					if err != nil {
						return err
					}
					done[t.key()]++
					ts = append(ts, t)
					if err := json.NewEncoder(file).Encode(t); err != nil {
						return err
					}
				}
			}
		}
	}
	return table(os.Stdout, ts)
}

func (t trial) key() string { return fmt.Sprint(t.Method, t.Op, t.Effect) }

type nothing struct{ io.Writer }

func (nothing) Close() error { return nil }

// open reads the trials of a file and opens it for more.
func open(name string) (ts []trial, w io.WriteCloser, err error) {
	if name == "" {
		return nil, nothing{io.Discard}, nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, nil, err
	}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		var t trial
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			f.Close()
			return nil, nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		ts = append(ts, t)
	}
	return ts, f, lines.Err()
}

// bench holds the built programs.
type bench struct{ dir, test, stat string }

func prepare(ctx context.Context, dir string) (bench, error) {
	b := bench{dir, filepath.Join(dir, "op.test"), filepath.Join(dir, "benchstat")}
	build := exec.CommandContext(ctx, "go", "test", "-c", "-o", b.test, "github.com/serbench/serbench/internal/study/gobench")
	if text, err := build.CombinedOutput(); err != nil {
		return b, fmt.Errorf("building the benchmark: %w\n%s", err, text)
	}
	install := exec.CommandContext(ctx, "go", "install", benchstat)
	install.Env = append(os.Environ(), "GOBIN="+dir, "GOFLAGS=")
	if text, err := install.CombinedOutput(); err != nil {
		return b, fmt.Errorf("installing benchstat: %w\n%s", err, text)
	}
	return b, nil
}

// trial is one of go test -bench and benchstat.
func (b bench) trial(ctx context.Context, op string, effect float64) (trial, error) {
	t := trial{Method: "go test -bench, benchstat", Op: op, Effect: effect}
	extra := 0
	if effect > 0 {
		k, err := lab.KindNamed(op)
		if err != nil {
			return t, err
		}
		if extra, err = lab.TurnsFor(k, effect); err != nil {
			return t, err
		}
	}
	start := time.Now()
	var names []string
	for side, turns := range []int{0, extra} {
		cmd := exec.CommandContext(ctx, b.test, "-test.bench=Op", "-test.run=^$", "-test.count=10", "-test.benchtime=60ms")
		cmd.Env = append(os.Environ(), "LAB_OP="+op, "LAB_EXTRA="+strconv.Itoa(turns))
		text, err := cmd.Output()
		if err != nil {
			return t, fmt.Errorf("running the benchmark: %w", err)
		}
		name := filepath.Join(b.dir, fmt.Sprintf("side%d.txt", side))
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return t, err
		}
		names = append(names, name)
	}
	t.Seconds = time.Since(start).Seconds()
	text, err := exec.CommandContext(ctx, b.stat, append([]string{"-format", "csv"}, names...)...).Output()
	if err != nil {
		return t, fmt.Errorf("benchstat: %w", err)
	}
	return t, t.read(string(text))
}

// read takes the verdict from benchstat's table: a row of the op with the
// medians of both sides and the difference, "~" if it is not significant.
func (t *trial) read(text string) error {
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		return err
	}
	for _, row := range rows {
		if len(row) < 6 || !strings.HasPrefix(row[0], "Op") {
			continue
		}
		a, errA := strconv.ParseFloat(row[1], 64)
		b, errB := strconv.ParseFloat(row[3], 64)
		if errA != nil || errB != nil {
			continue
		}
		t.Log = math.Log(b / a)
		switch {
		case row[5] == "~":
			t.Called = "undecided"
		case b > a:
			t.Called = "slower"
		default:
			t.Called = "faster"
		}
		return nil
	}
	return errors.New("benchstat printed no row for the op")
}

// own is one trial of the method.
func own(_ context.Context, op string, effect float64) (trial, error) {
	t := trial{Method: "serbench", Op: op, Effect: effect, Called: "undecided"}
	o, err := lab.Setup{Kind: op, Cells: 2, Effect: effect}.Run(uint64(time.Now().UnixNano()))
	if err != nil {
		return t, err
	}
	t.Log, t.Seconds = o.Log, o.Seconds
	for verdict, called := range map[string]string{"faster": "slower", "slower": "faster", "equivalent": "equal"} {
		if o.Verdicts[verdict] > 0 { // on the first side, while Called is of the second
			t.Called = called
		}
	}
	return t, nil
}

func table(w io.Writer, ts []trial) error {
	groups := map[string][]trial{}
	var order []string
	for _, t := range ts {
		if len(groups[t.key()]) == 0 {
			order = append(order, t.key())
		}
		groups[t.key()] = append(groups[t.key()], t)
	}
	fmt.Fprintln(w, "| method | op | effect | trials | called slower | called faster | called equal | seconds p50 | estimate off by, p90 |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|")
	for _, key := range order {
		g := groups[key]
		called := map[string]int{}
		var seconds, off []float64
		for _, t := range g {
			called[t.Called]++
			seconds = append(seconds, t.Seconds)
			off = append(off, math.Abs(t.Log-math.Log1p(t.Effect)))
		}
		share := func(what string) string { return fmt.Sprintf("%.0f %%", 100*float64(called[what])/float64(len(g))) }
		fmt.Fprintf(w, "| %s | %s | %g %% | %d | %s | %s | %s | %.2f | %.2f %% |\n", g[0].Method, g[0].Op, 100*g[0].Effect, len(g),
			share("slower"), share("faster"), share("equal"), stats.Median(seconds), 100*stats.Quantile(off, 0.9))
	}
	return nil
}
