package codectest_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/codectest"
	"github.com/serbench/serbench/internal/hostinfo"
)

// dangerous codecs end their process, hang, or race; the kit has to say so,
// and live. Each is a test that must fail, run in a copy of this test binary.
var dangerous = map[string]struct {
	says  string
	codec serbench.Codec
}{
	"RecursesWithoutEnd": {"stack overflow", &fake{name: "recurses", marshal: func(t *thing) ([]byte, error) { return []byte{byte(deeper(len(t.A)))}, nil }}},
	"Exits":              {"exit status 3", &fake{name: "exits", unmarshal: func([]byte, *thing) error { os.Exit(3); return nil }}},
	"DiesOfHugeHeader": {"hostile-input", &fake{name: "huge", unmarshal: func(data []byte, t *thing) error {
		if len(data) > 0 && data[0] == 0xff {
			hoard = append(hoard, make([]byte, 64<<20))
			return errors.New("no")
		}
		return (&fake{}).Unmarshal(data, t)
	}}},
	"RecursesOnNoMessage": {"truncated input: ", &fake{name: "short", unmarshal: func(data []byte, t *thing) error {
		if len(data) == 0 {
			return errors.New(string(rune(deeper(len(data)))))
		}
		return (&fake{}).Unmarshal(data, t)
	}}},
	"PanicsOnJunk": {"hostile-input", &fake{name: "junk", unmarshal: func(data []byte, t *thing) error {
		if len(data) == 1 && data[0] > 0x80 {
			_ = data[data[0]]
		}
		return (&fake{}).Unmarshal(data, t)
	}}},
	"LearnsADictionary": {"own input: wrong", dictionary()},
	"Hangs":             {"did not return within", &fake{name: "hangs", marshal: func(*thing) ([]byte, error) { select {} }}},
}

var hoard [][]byte

func deeper(n int) int {
	if n < 0 {
		return 0
	}
	return deeper(n+1) + 1
}

const dangerousVariable = "CODECTEST_DANGEROUS"

func TestDangerous(t *testing.T) {
	d, ok := dangerous[os.Getenv(dangerousVariable)]
	if !ok {
		t.Skip("is run by TestDangerousCodecsAreNamed")
	}
	kit := codectest.Kit{}
	if d.codec.Name() == "hangs" {
		kit.Limit = 2 * time.Second
	}
	kit.Run(t, d.codec, things())
}

// again runs a test of this binary in a copy of it.
func again(test string, env ...string) (string, error) {
	cmd := exec.Command(os.Args[0], "-test.run=^"+test+"$", "-test.v")
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestDangerousCodecsAreNamed(t *testing.T) {
	for name, d := range dangerous {
		t.Run(name, func(t *testing.T) {
			out, err := again("TestDangerous", dangerousVariable+"="+name)
			require.Error(t, err)
			assert.Contains(t, out, d.says)
			assert.Contains(t, out, "codec "+d.codec.Name())
			assert.Contains(t, out, "--- FAIL: TestDangerous", "the test process lives and says what failed")
			assert.NotContains(t, out, "goroutine stack exceeds", "which its end would have written")
			failed := strings.Count(out, "rule: ")
			assert.Equal(t, 1, failed, "%s", out)
		})
	}
}

// racers are codecs with a mistake that shows only to another goroutine, and
// the case in which it does.
var racers = map[string]struct {
	at    string
	codec func() serbench.Codec
}{
	"Races":            {"concurrent", func() serbench.Codec { return racing{&fake{name: "races"}, new(int)} }},
	"RestoresItsInput": {"input-only-read", func() serbench.Codec { return restoring(runtime.Gosched) }},
}

func TestRacers(t *testing.T) {
	r, ok := racers[os.Getenv(dangerousVariable)]
	if !ok {
		t.Skip("is run by TestTheRaceDetectorSeesWhatTheKitCannot")
	}
	codectest.Kit{NoChild: true}.Run(t, r.codec(), things())
}

func TestTheRaceDetectorSeesWhatTheKitCannot(t *testing.T) {
	if !hostinfo.UnderRace() {
		t.Skip("this test binary was built without -race; what the kit sees by itself is TestWrongValuesOfGoroutinesAreSeenWithoutTheRaceDetector")
	}
	for name, r := range racers {
		t.Run(name, func(t *testing.T) {
			out, err := again("TestRacers", dangerousVariable+"="+name)
			require.Error(t, err)
			assert.Contains(t, out, "WARNING: DATA RACE")
			assert.Contains(t, out, "race detected during execution of test")
			assert.Regexp(t, `--- FAIL: TestRacers/thing/struct/`+r.at, out, "the case in which it happened")
		})
	}
}

// Without the race detector: the wrong values that come of it.
func TestWrongValuesOfGoroutinesAreSeenWithoutTheRaceDetector(t *testing.T) {
	if hostinfo.UnderRace() {
		t.Skip("the race detector fails the test before")
	}
	err := codectest.TestCodec(late(func(t *thing) { time.Sleep(20 * time.Millisecond); t.N++ }), things())
	assert.Contains(t, failures(t, err), "nothing-later", "%v", err)
	err = codectest.TestCodec(restoring(func() { time.Sleep(50 * time.Microsecond) }), things())
	assert.Equal(t, []string{"input-only-read"}, failures(t, err), "%v", err)
}

func TestHonestCodecPassesWithItsProbe(t *testing.T) {
	codectest.Run(t, &fake{name: "honest"}, things())
	t.Run("in a subtest of an odd name (1)", func(t *testing.T) {
		codectest.Run(t, cloning{&fake{name: "honest-too"}}, things(), serbench.NewPayload("words", &thing{Words: []string{"a"}}))
	})
}

// staleFields and staleKeys are what a used target may keep, by the contract;
// numbered messages are allowed as well.
func TestTraits(t *testing.T) {
	f := &fake{name: "careless", marshal: counted(), unmarshal: func(data []byte, t *thing) error {
		got, err := decoded(data)
		if err == nil && got.N != 0 { // overwrites a field only with what is not zero
			t.N = got.N
		}
		if err == nil {
			n := t.N
			*t, t.N = *got, n
		}
		return err
	}}
	codectest.Kit{NoChild: true}.Run(t, f, things())
	type tree = map[string]string
	codectest.Kit{NoChild: true}.Run(t, serbench.NewCodec("keeps-keys", marshalTree, unmarshalTree), serbench.NewPayload("tree", &tree{"a": "b"}))
}

func TestTraitsThatAreNoFailuresAreLogged(t *testing.T) {
	out, err := again("TestTraits")
	require.NoError(t, err, "%s", out)
	for _, trait := range []string{"stale-fields: a used target kept .N", "stale-keys: a used target kept ", "not-deterministic: ", "not-concurrent: has no Clone"} {
		assert.Contains(t, out, "trait "+trait)
	}
}

func TestWithoutChildrenTheProbeIsSkippedAndSaysSo(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "nothing", "here")
	out, err := again("TestHonestCodecPassesWithItsProbe", "TMPDIR="+nowhere, "TMP="+nowhere)
	require.NoError(t, err, "%s", out)
	assert.Contains(t, out, "--- SKIP: TestHonestCodecPassesWithItsProbe/hostile-input")
	assert.Contains(t, out, "child processes could not be used: ")
	assert.NotContains(t, out, "--- PASS: TestHonestCodecPassesWithItsProbe/hostile-input")
}

// What a run of the kit starts and makes is gone when it has ended, also after
// children that were killed.
func TestNothingIsLeftBehind(t *testing.T) {
	for test, name := range map[string]string{"TestHonestCodecPassesWithItsProbe": "", "TestDangerous": "Exits"} {
		dir := t.TempDir()
		out, _ := again(test, "TMPDIR="+dir, dangerousVariable+"="+name)
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		assert.Empty(t, left, "files of %s:\n%s", test, out)
		assert.Empty(t, processesWith("TMPDIR="+dir), "processes of %s", test)
	}
	before := runtime.NumGoroutine()
	require.NoError(t, codectest.TestCodec(cloning{&fake{name: "honest"}}, things()))
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), before, "goroutines")
}

// processesWith are processes with a setting in their environment, where the
// system tells: none elsewhere.
func processesWith(setting string) (found []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range files {
		if env, err := os.ReadFile(f); err == nil && strings.Contains("\x00"+string(env), "\x00"+setting+"\x00") {
			found = append(found, f)
		}
	}
	return found
}
