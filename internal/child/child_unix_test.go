//go:build unix

package child_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench/internal/child"
)

func TestMain(m *testing.M) {
	if strings.Contains(os.Getenv(child.Variable), `"job":"unreached`) {
		if strings.Contains(os.Getenv(child.Variable), "hangs") {
			select {}
		}
		fmt.Fprintln(os.Stderr, "flag provided but not defined: -x")
		os.Exit(2)
	}
	was, err := child.Serve(context.Background(), "build-1", handle)
	if was {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		if os.Getenv("STAY") != "" {
			time.Sleep(time.Hour)
		}
		return // m.Run is for the parent
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // with the race detector, children would end a second late
	os.Exit(m.Run())
}

func handle(ctx context.Context, name string, input []byte) ([]byte, error) {
	dir := exchange()
	switch name {
	case "echo":
		return append([]byte("echo "), input...), nil
	case "error":
		return nil, errors.New("payload \"x\": the hash differs")
	case "panic":
		panic("codec broke\nits heap")
	case "goroutine panic":
		go panic("elsewhere")
		time.Sleep(time.Minute)
	case "stack":
		return recurse(input), nil
	case "memory":
		return hoard(), nil
	case "hang":
		for {
			_ = name
		}
	case "sleep":
		time.Sleep(time.Hour)
	case "exit 0":
		os.Exit(0)
	case "exit 3":
		os.Exit(3)
	case "killed":
		p, _ := os.FindProcess(os.Getpid())
		_ = p.Kill()
		time.Sleep(time.Minute)
	case "flood":
		line := strings.Repeat("noise ", 2000) + "\n"
		for range 4000 { // 48 MB to each
			fmt.Fprint(os.Stdout, line)
			fmt.Fprint(os.Stderr, line)
		}
		return []byte("after the flood"), nil
	case "flood and panic":
		go panic("first words")
		for {
			fmt.Fprintln(os.Stderr, strings.Repeat("\xff\xfe", 5000))
		}
	case "endless flood":
		for {
			fmt.Fprint(os.Stderr, "no end of line ")
		}
	case "other version":
		must(os.WriteFile(filepath.Join(dir, "result"), []byte(`{"protocol":99,"output":"eA=="}`), 0o600))
		os.Exit(0)
	case "old hello":
		must(os.WriteFile(filepath.Join(dir, "hello"), []byte("serbench child 0"), 0o600))
		os.Exit(0)
	case "other build":
		must(os.WriteFile(filepath.Join(dir, "result"), []byte(`{"protocol":1,"build":"build-0","output":"eA=="}`), 0o600))
		os.Exit(0)
	case "damaged":
		must(os.WriteFile(filepath.Join(dir, "result"), []byte(`{"protocol":1,"outp`), 0o600))
		os.Exit(0)
	case "half written":
		must(os.WriteFile(filepath.Join(dir, "result.part"), []byte(`{"protocol":1}`), 0o600))
		os.Exit(0)
	case "result is a directory":
		must(os.MkdirAll(filepath.Join(dir, "result", "x"), 0o700))
		os.Exit(0)
	case "removes the directory":
		must(os.RemoveAll(dir))
		return []byte("x"), nil
	case "the answer is a pipe":
		must(syscall.Mkfifo(filepath.Join(dir, "result"), 0o600))
		os.Exit(0)
	case "the answer is endless":
		must(os.Symlink("/dev/zero", filepath.Join(dir, "result")))
		os.Exit(0)
	case "the answer is huge":
		must(os.WriteFile(filepath.Join(dir, "result"), nil, 0o600))
		must(os.Truncate(filepath.Join(dir, "result"), 1<<40))
		os.Exit(0)
	case "stops itself":
		must(syscall.Kill(os.Getpid(), syscall.SIGSTOP))
		time.Sleep(time.Hour)
	case "leaves the group":
		c := exec.Command("setsid", "sleep", "4")
		c.Stderr = os.Stderr
		must(c.Start())
		return []byte("ok"), nil
	case "grandchild":
		// It keeps standard error open and outlives its parent.
		c := exec.Command("sleep", "3600")
		c.Stderr = os.Stderr
		must(c.Start())
		return fmt.Appendf(nil, "%d", c.Process.Pid), nil
	case "middle":
		child.Run(context.Background(), child.Job{Name: "orphan", Input: input})
	case "orphan":
		must(os.WriteFile(string(input), []byte("started"), 0o600))
		<-ctx.Done()
		must(os.WriteFile(string(input), []byte(context.Cause(ctx).Error()), 0o600))
		return nil, context.Cause(ctx)
	case "closes its files":
		os.Stdin.Close()
		os.Stdout.Close()
		os.Stderr.Close()
		return []byte("quiet"), nil
	}
	return nil, fmt.Errorf("unknown job %q", name)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// exchange is the directory that the variable names.
func exchange() string {
	_, after, _ := strings.Cut(os.Getenv(child.Variable), `"dir":"`)
	dir, _, _ := strings.Cut(after, `"`)
	return dir
}

func recurse(b []byte) []byte {
	if len(b) > 1<<40 {
		return b
	}
	return recurse(append(b, recurse(b)...))
}

func hoard() []byte {
	var all [][]byte
	for {
		b := make([]byte, 8<<20)
		for i := range b {
			b[i] = byte(i)
		}
		all = append(all, b)
		if len(all) > 1<<20 {
			return all[0]
		}
	}
}

func TestAJobIsDoneInAnotherProcess(t *testing.T) {
	r := child.Run(t.Context(), child.Job{Name: "echo", Input: []byte("x\x00\xff"), Build: "build-1", Time: time.Minute})
	require.Nil(t, r.Death)
	assert.Equal(t, "echo x\x00\xff", string(r.Output))
	assert.Positive(t, r.Elapsed)
}

// Every way in which a child was seen, or thought of, to make its parent hang
// or to lose what it measured.
func TestDeaths(t *testing.T) {
	const mib = 1 << 20
	for _, c := range []struct {
		name   string
		job    child.Job
		kind   child.Kind
		reason string // contained in it
		stderr string
	}{
		{"the handler's error", child.Job{Name: "error"}, child.Refused, `payload "x": the hash differs`, ""},
		{"unknown job", child.Job{Name: "?"}, child.Refused, `unknown job "?"`, ""},
		{"panic", child.Job{Name: "panic"}, child.Panicked, "panic: codec broke", "goroutine"},
		{"panic in a goroutine of the codec's", child.Job{Name: "goroutine panic"}, child.Panicked, "panic: elsewhere", "goroutine"},
		{"stack overflow, which cannot be recovered", child.Job{Name: "stack", Memory: 160 * mib}, child.StackFull, "stack", "goroutine"},
		{"memory beyond the limit", child.Job{Name: "memory", Memory: 200 * mib}, child.OutOfMemory, "out of memory", ""},
		{"an endless loop", child.Job{Name: "hang", Time: 300 * time.Millisecond}, child.TimedOut, "did not end within 300ms", ""},
		{"sleep", child.Job{Name: "sleep", Time: 300 * time.Millisecond}, child.TimedOut, "did not end within 300ms", ""},
		{"os.Exit(0) in a codec", child.Job{Name: "exit 0"}, child.Exited, "exit status 0 without an answer", ""},
		{"os.Exit(3) in a codec", child.Job{Name: "exit 3"}, child.Exited, "exit status 3 without an answer", ""},
		{"killed by somebody", child.Job{Name: "killed"}, child.Killed, "signal: killed", ""},
		{"flood without an end of line", child.Job{Name: "endless flood", Time: 500 * time.Millisecond}, child.TimedOut, "did not end", "no end of line"},
		{"flood of bytes that are no text, after the panic's first line", child.Job{Name: "flood and panic"}, child.Panicked, "panic: first words", ""},
		{"never reached Serve", child.Job{Name: "unreached"}, child.NotReached, "exit status 2", "flag provided but not defined"},
		{"hangs before Serve", child.Job{Name: "unreached hangs", Time: 300 * time.Millisecond}, child.NotReached, "did not end within", ""},
		{"answers in another version", child.Job{Name: "other version"}, child.OtherVersion, "version 99", ""},
		{"greets in another version", child.Job{Name: "old hello"}, child.OtherVersion, "serbench child 0", ""},
		{"refuses a parent of another build", child.Job{Name: "echo", Build: "build-2"}, child.OtherVersion, "build-2", ""},
		{"answers as another build", child.Job{Name: "other build", Build: "build-1"}, child.OtherVersion, "build-0", ""},
		{"damaged answer", child.Job{Name: "damaged"}, child.BadAnswer, "cannot be read", ""},
		{"half an answer", child.Job{Name: "half written"}, child.Exited, "without an answer", ""},
		{"the answer is a directory", child.Job{Name: "result is a directory"}, child.BadAnswer, "", ""},
		{"the answer is a pipe that nobody writes to", child.Job{Name: "the answer is a pipe"}, child.BadAnswer, "no regular file", ""},
		{"the answer is a link to an endless device", child.Job{Name: "the answer is endless"}, child.BadAnswer, "no regular file", ""},
		{"the answer is larger than memory", child.Job{Name: "the answer is huge"}, child.BadAnswer, "at most", ""},
		{"stops itself", child.Job{Name: "stops itself", Time: 300 * time.Millisecond}, child.TimedOut, "did not end", ""},
		{"removes what it was to answer in", child.Job{Name: "removes the directory"}, child.NotReached, "", "no such file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.job.Time == 0 {
				c.job.Time = time.Minute
			}
			started := time.Now()
			r := child.Run(t.Context(), c.job)
			require.NotNil(t, r.Death)
			assert.Equal(t, c.kind, r.Death.Kind, r.Death.Error())
			assert.Contains(t, r.Death.Reason, c.reason)
			assert.Contains(t, r.Death.Stderr, c.stderr)
			assert.Less(t, len(r.Death.Error()), 4096, "a reason is bounded")
			assert.Less(t, time.Since(started), 50*time.Second, "and comes before the limit")
			assert.Nil(t, r.Output)
		})
	}
}

func TestOutputOfAChildIsDroppedAndTheJobDone(t *testing.T) {
	for _, name := range []string{"flood", "closes its files"} {
		r := child.Run(t.Context(), child.Job{Name: name, Time: time.Minute})
		require.Nil(t, r.Death, name)
		assert.NotEmpty(t, r.Output)
	}
}

func TestAGrandchildNeitherBlocksNorSurvives(t *testing.T) {
	r := child.Run(t.Context(), child.Job{Name: "grandchild", Time: time.Minute})
	require.Nil(t, r.Death)
	assert.Less(t, r.Elapsed, 20*time.Second, "it holds standard error open")
	var pid int
	_, err := fmt.Sscan(string(r.Output), &pid)
	require.NoError(t, err)
	assert.Eventually(t, func() bool {
		state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return err != nil && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || strings.Contains(string(state), ") Z ")
	}, 5*time.Second, 10*time.Millisecond, "process %d is still there", pid)
}

// It cannot be found any more; the parent goes on all the same.
func TestAGrandchildThatLeavesTheGroupBlocksNobody(t *testing.T) {
	r := child.Run(t.Context(), child.Job{Name: "leaves the group", Time: time.Minute})
	require.Nil(t, r.Death)
	assert.Less(t, r.Elapsed, 3500*time.Millisecond, "it holds standard error open for longer")
}

func TestNoPlaceForTheFiles(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	r := child.Run(t.Context(), child.Job{Name: "echo"})
	require.NotNil(t, r.Death)
	assert.Equal(t, child.NotStarted, r.Death.Kind)
	assert.Contains(t, r.Death.Reason, "no such file")
}

func TestAChildThatAnswersAndStaysIsEnded(t *testing.T) {
	t.Setenv("STAY", "1")
	r := child.Run(t.Context(), child.Job{Name: "echo", Time: time.Minute})
	require.Nil(t, r.Death, "the answer counts")
	assert.Equal(t, "echo ", string(r.Output))
	assert.Less(t, r.Elapsed, 30*time.Second)
}

func TestCancelEndsTheChildAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(200*time.Millisecond, cancel)
	r := child.Run(ctx, child.Job{Name: "hang"})
	require.NotNil(t, r.Death)
	assert.Equal(t, child.Cancelled, r.Death.Kind)
	r = child.Run(ctx, child.Job{Name: "echo"})
	assert.Equal(t, child.Cancelled, r.Death.Kind, "nothing is started any more")
}

func TestAChildWhoseParentIsKilledEnds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "note")
	said := func(text string) func() bool {
		return func() bool {
			data, _ := os.ReadFile(file)
			return string(data) == text
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan child.Result)
	go func() { over <- child.Run(ctx, child.Job{Name: "middle", Input: []byte(file)}) }()
	require.Eventually(t, said("started"), 10*time.Second, 5*time.Millisecond)
	cancel() // kills the one in the middle, which can tell nobody
	<-over
	assert.Eventually(t, said("the parent process is gone"), 10*time.Second, 20*time.Millisecond)
}

func TestOutsideNothingHappens(t *testing.T) {
	was, err := child.Serve(t.Context(), "", nil)
	assert.False(t, was)
	assert.NoError(t, err)
	assert.False(t, child.Inside())
}

func TestServeRefusesWhatNoParentWrote(t *testing.T) {
	for _, value := range []string{"1", "{}", "served", `{"dir":""}`} {
		t.Setenv(child.Variable, value)
		was, err := child.Serve(t.Context(), "", nil)
		assert.True(t, was, "such a process must not go on as a parent")
		assert.Error(t, err)
		assert.True(t, child.Inside())
	}
}

func TestAHundredLaunchesLeaveNothing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	goroutines, files := runtime.NumGoroutine(), openFiles()
	for i := range 100 {
		name := []string{"echo", "exit 3", "error", "killed"}[i%4]
		child.Run(t.Context(), child.Job{Name: name, Time: time.Minute})
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Empty(t, left)
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+1 }, 5*time.Second, 10*time.Millisecond, "Eventually has one of its own")
	assert.LessOrEqual(t, openFiles(), files)
	assert.Empty(t, children(), "no process is left, not even as a zombie")
}

func openFiles() int {
	entries, _ := os.ReadDir("/proc/self/fd")
	return len(entries)
}

// children lists the processes whose parent this one is.
func children() (pids []string) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		data, _ := os.ReadFile(name)
		_, after, _ := strings.Cut(string(data), ") ")
		if f := strings.Fields(after); len(f) > 1 && f[1] == fmt.Sprint(os.Getpid()) {
			pids = append(pids, name)
		}
	}
	return pids
}

// BenchmarkLaunch is the price of a child that does nothing.
func BenchmarkLaunch(b *testing.B) {
	for b.Loop() {
		if r := child.Run(b.Context(), child.Job{Name: "echo"}); r.Death != nil {
			b.Fatal(r.Death)
		}
	}
}
