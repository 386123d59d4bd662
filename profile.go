package serbench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/serbench/serbench/internal/measure"
)

// profileTime is how long a cell runs for its CPU profile, which takes 100
// samples a second.
const profileTime = time.Second

// profile writes profiles of every cell that has figures, after all of them
// were measured: none of what it does is in a figure.
func (r *run) profile() {
	if r.ProfileDir == "" || r.ctx.Err() != nil {
		return
	}
	if err := os.MkdirAll(r.ProfileDir, 0o755); err != nil {
		r.errs = append(r.errs, &Error{Err: fmt.Errorf("Runner.ProfileDir: %w", err)})
		return
	}
	for i, c := range r.cells {
		if r.ctx.Err() != nil {
			return
		}
		if !c.result.hasFigures() || c.op.throughTransport() {
			continue
		}
		work := &cell{subject: c.subject, op: c.op}
		err := measure.Guard(r.ctx, r.CallLimit, func() error {
			return work.profile(r.ctx, filepath.Join(r.ProfileDir, profileName(i, c.result.ID)), max(1, c.goroutines()))
		})
		if err != nil {
			c.result.Warnings = append(c.result.Warnings, Warning{Code: "no-profile", Message: "not profiled: " + err.Error()})
		}
		r.event(Event{Phase: "profile", Payload: c.result.Payload, Form: c.result.Form, Op: c.op, Codec: c.result.Codec,
			Done: float64(i+1) / float64(len(r.cells))})
	}
}

// profileName is a file's name without its end: ids are longer and freer than
// names of files may be, so the number of the cell leads.
func profileName(i int, id string) string {
	const most = 120
	clean := strings.NewReplacer("/", "-", "%", "_", ":", "_").Replace(id)
	if len(clean) > most {
		clean = clean[:most]
	}
	return fmt.Sprintf("%03d-%s", i+1, strings.Trim(clean, "."))
}

// profile runs the cell's op under the profilers.
func (c *cell) profile(ctx context.Context, base string, goroutines int) error {
	if goroutines > 1 {
		return fmt.Errorf("ops on %d goroutines are not profiled", goroutines)
	}
	if _, err := c.build(); err != nil {
		return err
	}
	if err := c.runFor(ctx, profileTime/20); err != nil { // warm
		return err
	}
	runtime.GC()
	if err := writeProfile("allocs", base+".allocs.base.pb.gz"); err != nil {
		return err
	}
	f, err := os.Create(base + ".cpu.pb.gz")
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(f); err != nil { // the program profiles itself
		f.Close()
		os.Remove(f.Name())
		return err
	}
	s := c.subject
	labels := pprof.Labels("codec", s.codec.Name(), "payload", s.payload.name, "form", s.payload.form, "op", string(c.op))
	pprof.Do(ctx, labels, func(ctx context.Context) { err = c.runFor(ctx, profileTime) })
	pprof.StopCPUProfile()
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	runtime.GC()
	return writeProfile("allocs", base+".allocs.pb.gz")
}

// runFor does ops for about so long, a few at a time.
func (c *cell) runFor(ctx context.Context, d time.Duration) error {
	n := 1
	for start := time.Now(); time.Since(start) < d && ctx.Err() == nil; {
		if err := c.Prepare(n); err != nil {
			return err
		}
		begin := time.Now()
		if _, err := c.run(n); err != nil {
			return err
		}
		if time.Since(begin) < time.Millisecond {
			n *= 2
		}
	}
	return nil
}

func writeProfile(name, file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := pprof.Lookup(name).WriteTo(f, 0); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
