// Command trials repeats comparisons whose answer is known, and prints how
// often the method was right, how fast, and how wide its intervals were.
//
//	go run ./internal/study/trials -cells 2,5,10 -effect 0 -minutes 60 -o aa.jsonl
//	go run ./internal/study/trials -effect 0.01,0.02,0.05 -minutes 30 -o power.jsonl
//	go run ./internal/study/trials -without shuffle,fresh -effect 0 -o parts.jsonl
//	go run ./internal/study/trials -print aa.jsonl
//
// Each trial is one line of the file, so that a run can be stopped at any
// time and goes on where it was. The setups take turns, so that all of them
// see the same machine.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"github.com/serbench/serbench/internal/study/lab"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "trials:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("trials", flag.ContinueOnError)
	kinds := fs.String("op", "", "comma-separated `LIST` of ops; default all")
	cells := fs.String("cells", "2", "numbers of cells to compare, a `LIST`")
	effects := fs.String("effect", "0", "by what share the second cell is slower, a `LIST`")
	without := fs.String("without", "", "parts of the method to switch off in turn, a `LIST` or \"all\"")
	busy := fs.Int("busy", 0, "neighbours that compute beside the trials, `N` processes")
	minutes := fs.Float64("minutes", 1, "stop after so many `MINUTES`")
	trials := fs.Int("trials", 0, "stop after `N` trials of each setup; 0: by time only")
	out := fs.String("o", "", "append the trials to `FILE`")
	print := fs.String("print", "", "only print the table of `FILE`")
	burn := fs.Bool("burn", false, "be a neighbour: compute until standard input ends")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *burn {
		return burnUntilEOF(os.Stdin)
	}
	if *print != "" {
		ts, err := read(*print)
		if err != nil {
			return err
		}
		return lab.WriteTable(os.Stdout, ts)
	}
	setups, err := setupsOf(*kinds, *cells, *effects, *without, *busy)
	if err != nil {
		return err
	}
	var ts []lab.Trial
	var file io.Writer
	if *out != "" {
		if ts, err = read(*out); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		f, err := os.OpenFile(*out, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		defer f.Close()
		file = f
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(*minutes*float64(time.Minute)))
	defer cancel()
	for range *busy {
		stop, err := neighbour()
		if err != nil {
			return err
		}
		defer stop()
	}
	done := map[lab.Setup]int{}
	for _, t := range ts {
		done[t.Setup]++
	}
	for more := true; more && ctx.Err() == nil; {
		more = false
		for _, s := range setups {
			if ctx.Err() != nil || *trials > 0 && done[s] >= *trials {
				continue
			}
			more = true
			t, err := s.Run(uint64(time.Now().UnixNano()))
			if err != nil {
				return fmt.Errorf("%+v: %w", s, err)
			}
			done[s]++
			ts = append(ts, t)
			if file != nil {
				line, err := json.Marshal(t)
				if err != nil {
					return err
				}
				if _, err := file.Write(append(line, '\n')); err != nil {
					return err
				}
			}
		}
	}
	return lab.WriteTable(os.Stdout, ts)
}

func setupsOf(kinds, cells, effects, without string, busy int) (out []lab.Setup, err error) {
	if kinds == "" {
		var names []string
		for _, k := range lab.Kinds() {
			names = append(names, k.Name)
		}
		kinds = strings.Join(names, ",")
	}
	if without == "all" {
		without = "," + strings.Join(lab.Parts(), ",")
	}
	for _, k := range strings.Split(kinds, ",") {
		for _, c := range strings.Split(cells, ",") {
			n, err := strconv.Atoi(c)
			if err != nil || n < 2 {
				return nil, fmt.Errorf("-cells %s: a number of 2 or more is needed", c)
			}
			for _, e := range strings.Split(effects, ",") {
				x, err := strconv.ParseFloat(e, 64)
				if err != nil || !(x >= 0 && x < 1) {
					return nil, fmt.Errorf("-effect %s: a share from 0 to 1 is needed", e)
				}
				for _, w := range strings.Split(without, ",") {
					out = append(out, lab.Setup{Kind: k, Cells: n, Effect: x, Without: w, Busy: busy})
				}
			}
		}
	}
	return out, nil
}

func read(name string) (ts []lab.Trial, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		var t lab.Trial
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		ts = append(ts, t)
	}
	return ts, lines.Err()
}

// neighbour starts a process that computes until stop is called or this
// process ends.
func neighbour() (stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, "-burn")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() {
		in.Close()
		_ = cmd.Wait() // it ends by the end of its input
	}, nil
}

func burnUntilEOF(in io.Reader) error {
	done := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, in)
		close(done)
	}()
	x := uint64(1)
	for {
		select {
		case <-done:
			return nil
		default:
		}
		for range 1_000_000 {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
		}
	}
}
