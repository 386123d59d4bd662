// Package child runs named jobs in copies of the program that is running, so
// that what a job does to its process (a crash, a leak, a spoilt heap, a call
// that never returns) ends there.
//
// The parent calls [Run], which starts the program again with its own
// arguments and an environment variable. The copy calls [Serve] at the start
// of its main function, which finds the variable, does the job and says so;
// main then returns. Parent and copy exchange files in a directory that the
// parent makes and removes. What the copy prints is never mixed with the
// parent's output.
package child

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Variable is the environment variable that makes a copy a child.
const Variable = "SERBENCH_CHILD"

// served replaces the variable's value once the job is done, so that a
// program that goes on starts no children of its own.
const served = "served"

// protocol is the version of the variable and of the files.
const protocol = 1

// Files in the exchange directory.
const (
	inputFile  = "input"
	helloFile  = "hello"  // the copy reached Serve; holds its protocol version
	resultFile = "result" // an envelope
)

// Job is what a child is to do.
type Job struct {
	Name   string // that the copy's handler gets, shown in the variable
	Input  []byte
	Build  string        // identity of the program; a copy of another build refuses. Empty: not checked
	Memory int64         // bytes of memory that the child may use, give or take some 100 MiB of the runtime's; 0: no limit
	Time   time.Duration // wall time from start to end; 0: no limit
	Args   []string      // of the copy; nil: this program's own
}

// announcement is the variable's value.
type announcement struct {
	Protocol int    `json:"protocol"`
	Job      string `json:"job"`
	Dir      string `json:"dir"` // where the files are; the result goes there
	Build    string `json:"build,omitempty"`
	Memory   int64  `json:"memory_bytes,omitempty"`
	Parent   int    `json:"parent"` // process ID
}

// envelope is what the copy answers with.
type envelope struct {
	Protocol int    `json:"protocol"`
	Build    string `json:"build,omitempty"`
	Error    string `json:"error,omitempty"`
	Output   []byte `json:"output,omitempty"`
}

// Result is what became of a job.
type Result struct {
	Output  []byte        // of the handler, if Death is nil
	Elapsed time.Duration // from the start of the process to its end
	User    time.Duration // CPU time of the child
	System  time.Duration
	Death   *Death // nil: the job was done
}

// Run starts a copy of the program for the job and waits for its end. It
// never waits longer than the job's time and a few seconds, whatever the
// child does, and leaves neither process nor file behind. When ctx is done
// the child is killed.
//
// On Unix the child leads a process group that is killed as a whole.
func Run(ctx context.Context, job Job) Result {
	if err := ctx.Err(); err != nil {
		return failed(Cancelled, err)
	}
	dir, err := os.MkdirTemp("", "serbench-child-")
	if err != nil {
		return failed(NotStarted, err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, inputFile), job.Input, 0o600); err != nil {
		return failed(NotStarted, err)
	}
	value, err := json.Marshal(announcement{Protocol: protocol, Job: job.Name, Dir: dir, Build: job.Build, Memory: job.Memory, Parent: os.Getpid()})
	if err != nil {
		return failed(NotStarted, err)
	}

	limited, cancel := ctx, context.CancelFunc(func() {})
	if job.Time > 0 {
		limited, cancel = context.WithTimeout(ctx, job.Time)
	}
	defer cancel()
	cmd, err := self(limited)
	if err != nil {
		return failed(NotStarted, err)
	}
	if job.Args != nil {
		cmd.Args = append(cmd.Args[:1], job.Args...)
	}
	cmd.Env = append(os.Environ(), Variable+"="+string(value), raceVariable+"="+raceOptions())
	said := &tail{}
	cmd.Stderr = said // standard input and output are the null device
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	// A grandchild may hold the pipe of standard error open.
	cmd.WaitDelay = time.Second

	started := time.Now()
	if err := cmd.Start(); err != nil {
		return failed(NotStarted, err)
	}
	over := make(chan struct{})
	go killIdle(cmd, filepath.Join(dir, resultFile), over)
	err = cmd.Wait()
	close(over)
	r := Result{Elapsed: time.Since(started)}
	killGroup(cmd) // what is left of it, if anything
	if s := cmd.ProcessState; s != nil {
		r.User, r.System = s.UserTime(), s.SystemTime()
	}
	r.Output, r.Death = judge(ctx, limited, job, dir, err, said)
	return r
}

// afterAnswer is how long a child may go on when its answer is there.
const afterAnswer = 3 * time.Second

// killIdle ends a child that answered but does not end.
func killIdle(cmd *exec.Cmd, result string, over <-chan struct{}) {
	tick := time.NewTicker(afterAnswer / 4)
	defer tick.Stop()
	for seen := 0; seen < 4; {
		select {
		case <-over:
			return
		case <-tick.C:
			if _, err := os.Stat(result); err == nil {
				seen++
			}
		}
	}
	killGroup(cmd)
}

const raceVariable = "GORACE"

// raceOptions are the program's own, but that a child built with the race
// detector does not sleep for a second before it ends.
func raceOptions() string { return strings.TrimSpace(os.Getenv(raceVariable) + " atexit_sleep_ms=0") }

func failed(kind Kind, err error) Result {
	return Result{Death: &Death{Kind: kind, Reason: err.Error()}}
}

// self is the command that starts this program again with its own arguments.
func self(ctx context.Context) (*exec.Cmd, error) {
	path := "/proc/self/exe" // also after the file was replaced or removed
	if runtime.GOOS != "linux" {
		var err error
		if path, err = os.Executable(); err != nil {
			return nil, err
		}
	} else if _, err := os.Stat(path); err != nil {
		if path, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	cmd := exec.CommandContext(ctx, path)
	cmd.Args = append([]string{os.Args[0]}, os.Args[1:]...)
	return cmd, nil
}

// judge reads what the child left and classifies its end.
func judge(ctx, limited context.Context, job Job, dir string, exit error, said *tail) ([]byte, *Death) {
	death := func(kind Kind, reason string) *Death {
		return &Death{Kind: kind, Reason: reason, Stderr: said.String()}
	}
	hello, err := readPlain(filepath.Join(dir, helloFile), 1<<10)
	reached := err == nil
	if reached && string(hello) != helloText() {
		return nil, death(OtherVersion, fmt.Sprintf("the child speaks %q, this program %q", hello, helloText()))
	}
	// A result that is whole counts, however the process ended.
	var answer envelope
	data, err := readPlain(filepath.Join(dir, resultFile), mostAnswer)
	switch {
	case err == nil:
		if err := json.Unmarshal(data, &answer); err != nil {
			return nil, death(BadAnswer, fmt.Sprintf("the child's answer cannot be read: %v", err))
		}
		switch {
		case answer.Protocol != protocol:
			return nil, death(OtherVersion, fmt.Sprintf("the child answered in version %d of the protocol, this is %d", answer.Protocol, protocol))
		case job.Build != "" && answer.Build != job.Build:
			return nil, death(OtherVersion, fmt.Sprintf("the child is build %q, this program is %q", answer.Build, job.Build))
		case answer.Error != "":
			return nil, death(Refused, answer.Error)
		}
		return answer.Output, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, death(BadAnswer, err.Error())
	}

	switch {
	case ctx.Err() != nil:
		return nil, death(Cancelled, ctx.Err().Error())
	case limited.Err() != nil:
		kind := TimedOut
		if !reached {
			kind = NotReached
		}
		return nil, death(kind, fmt.Sprintf("did not end within %v and was killed", job.Time))
	case !reached:
		return nil, death(NotReached, exitText(exit))
	}
	kind, why := said.classify()
	reason := exitText(exit)
	switch {
	case why != "":
		reason += ": " + why
	case exit == nil || exitCode(exit) >= 0:
		kind = Exited
		reason += " without an answer"
	case job.Memory > 0 && signalled(exit, "killed"):
		kind = Killed
		reason += ", which is also what a system short of memory does"
	default:
		kind = Killed
	}
	return nil, death(kind, reason)
}

// mostAnswer bounds what the parent reads from a child, in bytes.
const mostAnswer = 1 << 30

// readPlain reads a file that is nothing else: no pipe that nobody writes to,
// no link to an endless device, nothing beyond all memory.
func readPlain(path string, most int64) ([]byte, error) {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file but %s", filepath.Base(path), info.Mode().Type())
	case info.Size() > most:
		return nil, fmt.Errorf("%s has %d bytes, at most %d are read", filepath.Base(path), info.Size(), most)
	}
	return os.ReadFile(path)
}

func exitCode(err error) int {
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return e.ExitCode()
	}
	return 0
}

func signalled(err error, text string) bool { return err != nil && exitText(err) == "signal: "+text }

func exitText(err error) string {
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return "exit status 0"
	}
	return err.Error()
}
