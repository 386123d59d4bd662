package child

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"time"
)

// Handler does the job named name.
type Handler func(ctx context.Context, name string, input []byte) ([]byte, error)

// Inside reports whether this process was started by [Run], by any program.
func Inside() bool { return os.Getenv(Variable) != "" }

// Name returns the name of the job that this process was started for and has
// not done yet, or "".
func Name() string {
	var a announcement
	if json.Unmarshal([]byte(os.Getenv(Variable)), &a) != nil {
		return ""
	}
	return a.Job
}

// Serve does this process's job, if it was started for one, and reports
// whether it was: then main has to return. Without the environment variable
// it does nothing. build is the identity of this program, see [Job].
//
// The handler's context ends when ctx does, or the parent.
//
// The error says that the job could not even be answered for; what the
// handler returns goes to the parent.
func Serve(ctx context.Context, build string, handle Handler) (wasChild bool, err error) {
	value := os.Getenv(Variable)
	if value == "" {
		return false, nil
	}
	if value == served {
		return true, errors.New("this process has served as a child already: main has to return when it has")
	}
	defer os.Setenv(Variable, served)
	var a announcement
	if err := json.Unmarshal([]byte(value), &a); err != nil || a.Dir == "" {
		return true, fmt.Errorf("the environment variable %s does not hold what a parent process puts there", Variable)
	}
	if err := writeFile(a.Dir, helloFile, []byte(helloText())); err != nil {
		return true, err
	}
	answer := envelope{Protocol: protocol, Build: build}
	fail := func(err error) (bool, error) {
		answer.Error = err.Error()
		return true, answer.write(a.Dir)
	}
	switch {
	case a.Protocol != protocol:
		return fail(fmt.Errorf("the parent speaks version %d of the protocol, this program %d", a.Protocol, protocol))
	case a.Build != "" && build != "" && a.Build != build:
		return fail(fmt.Errorf("the parent is build %q, this program is %q", a.Build, build))
	}
	input, err := os.ReadFile(filepath.Join(a.Dir, inputFile))
	if err != nil {
		return fail(err)
	}
	if a.Memory > 0 {
		debug.SetMemoryLimit(a.Memory * 9 / 10) // the collector works harder before the end
		// A stack grows by doubling: so an endless recursion is told apart
		// from a heap that is full.
		debug.SetMaxStack(int(min(a.Memory/4, mostStack)))
		if err := limitMemory(a.Memory); err != nil {
			return fail(fmt.Errorf("memory limit: %w", err))
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go watchParent(ctx, a.Parent, cancel)
	if answer.Output, err = handle(ctx, a.Job, input); err != nil {
		return fail(err)
	}
	return true, answer.write(a.Dir)
}

func (e envelope) write(dir string) error {
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return writeFile(dir, resultFile, data)
}

// writeFile makes the file whole or not at all.
func writeFile(dir, name string, data []byte) error {
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path+".part", data, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}

// mostStack is the runtime's own bound where pointers have 64 bits.
const mostStack = 1_000_000_000

func helloText() string { return "serbench child " + strconv.Itoa(protocol) }

// watchParent cancels when the parent is gone, so that no child works for
// nobody. It looks seldom, and at nothing that costs.
func watchParent(ctx context.Context, parent int, cancel context.CancelCauseFunc) {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if orphaned(parent) {
				cancel(errors.New("the parent process is gone"))
				return
			}
		}
	}
}
