package hostinfo

import (
	"math"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReadKnowsThisProcess(t *testing.T) {
	info := Read()
	assert.True(t, strings.HasPrefix(runtime.Version(), info.GoVersion), info.GoVersion)
	assert.Equal(t, runtime.GOOS, info.GOOS)
	assert.Equal(t, runtime.GOARCH, info.GOARCH)
	assert.Equal(t, runtime.NumCPU(), info.CPUs)
	assert.Equal(t, runtime.GOMAXPROCS(0), info.GOMAXPROCS)
	assert.NotEmpty(t, info.BuildID)
	assert.NotEmpty(t, info.GOGC)
	if runtime.GOARCH == "amd64" {
		assert.Regexp(t, `^v[1-4]$`, info.ArchLevel)
	}
	if runtime.GOOS == "linux" {
		assert.Contains(t, info.OS, "Linux ")
		assert.Positive(t, info.MemoryBytes)
	}
	host, err := os.Hostname()
	if err == nil && len(host) > 3 { // a short name may stand in any word
		assert.NotContains(t, info.OS, host, "a report must not name the machine")
	}
}

func TestCollectorSettingsAreThoseInForce(t *testing.T) {
	oldGC, oldLimit := debug.SetGCPercent(73), debug.SetMemoryLimit(5<<40)
	defer func() { debug.SetGCPercent(oldGC); debug.SetMemoryLimit(oldLimit) }()
	gogc, limit := collector()
	assert.Equal(t, "73", gogc)
	assert.EqualValues(t, 5<<40, limit)

	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(math.MaxInt64)
	gogc, limit = collector()
	assert.Equal(t, "off", gogc)
	assert.Zero(t, limit, "no limit")
}

func TestSplitVersion(t *testing.T) {
	for _, c := range []struct{ in, version, experiments string }{
		{"go1.26.0", "go1.26.0", ""},
		{"go1.26.0-X:simd,greenteagc", "go1.26.0", "simd,greenteagc"},
		{"go1.25.0 X:simd", "go1.25.0", "simd"},
		{"devel go1.27-0123abcd Tue Jun 2 10:00:00 2026 +0000", "devel go1.27-0123abcd Tue Jun 2 10:00:00 2026 +0000", ""},
		{"", "", ""},
	} {
		v, x := splitVersion(c.in)
		assert.Equal(t, c.version, v, c.in)
		assert.Equal(t, c.experiments, x, c.in)
	}
}

func TestBuildInformation(t *testing.T) {
	settings := func(kv ...string) (s []debug.BuildSetting) {
		for i := 0; i < len(kv); i += 2 {
			s = append(s, debug.BuildSetting{Key: kv[i], Value: kv[i+1]})
		}
		return s
	}
	for _, c := range []struct {
		name string
		bi   debug.BuildInfo
		want Info
	}{
		{"nothing known", debug.BuildInfo{}, Info{}},
		{"amd64 level stands alone", debug.BuildInfo{Settings: settings("GOAMD64", "v3")}, Info{ArchLevel: "v3"}},
		{"other levels carry their name", debug.BuildInfo{Settings: settings("GOARM64", "v8.0")}, Info{ArchLevel: "GOARM64=v8.0"}},
		{"clean checkout", debug.BuildInfo{Settings: settings("vcs.revision", "abc", "vcs.modified", "false")}, Info{VCSRevision: "abc"}},
		{"changed checkout", debug.BuildInfo{Settings: settings("vcs.revision", "abc", "vcs.modified", "true")}, Info{VCSRevision: "abc", VCSModified: true}},
		{"experiments", debug.BuildInfo{Settings: settings("GOEXPERIMENT", "simd")}, Info{GOEXPERIMENT: "simd"}},
		{"modules", debug.BuildInfo{
			Main: debug.Module{Path: "example.com/main", Version: "(devel)"},
			Deps: []*debug.Module{
				{Path: "a", Version: "v1.0.0"},
				{Path: "b", Version: "v1.0.0", Replace: &debug.Module{Path: "b", Version: "v1.1.0"}},
				{Path: "c", Version: "v1.0.0", Replace: &debug.Module{Path: "fork/c", Version: "v1.2.0"}},
				{Path: "d", Version: "v1.0.0", Replace: &debug.Module{Path: "/home/me/d"}},
				{Path: "e", Version: "v1.0.0", Replace: &debug.Module{Path: "../e", Version: "(devel)"}},
				nil,
			},
		}, Info{Modules: map[string]string{
			"example.com/main": "(devel)",
			"a":                "v1.0.0",
			"b":                "v1.0.0 => v1.1.0",
			"c":                "v1.0.0 => fork/c@v1.2.0",
			"d":                "v1.0.0 => (folder)",
			"e":                "v1.0.0 => (folder)",
		}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got Info
			got.addBuild(&c.bi)
			assert.Equal(t, c.want, got)
		})
	}
}

// The toolchain is the oracle for its own note.
func TestBuildIDIsTheOneOfTheToolchain(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	out, err := exec.Command("go", "tool", "buildid", exe).Output()
	if err != nil {
		t.Skip("no go command to ask:", err)
	}
	assert.Equal(t, strings.TrimSpace(string(out)), BuildID())
}

func TestBuildIDOfDamagedFiles(t *testing.T) {
	big := func(b []byte) uint32 {
		return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
	}
	note := "\x00\x00\x00\x04\x00\x00\x00\x03\x00\x00\x00\x04Go\x00\x00a/b"
	id, err := noteBuildID([]byte(note), big)
	require.NoError(t, err)
	assert.Equal(t, "a/b", id)
	for i := range note {
		_, err := noteBuildID([]byte(note[:i]), big)
		assert.Error(t, err, "cut at %d", i)
	}

	id, err = textBuildID([]byte("code\xff Go build ID: \"x/y\"\n \xffcode"))
	require.NoError(t, err)
	assert.Equal(t, "x/y", id)
	for _, bad := range []string{"", "\xff Go build ID: ", "\xff Go build ID: x\n \xff", "\xff Go build ID: \"\"\n \xff"} {
		_, err := textBuildID([]byte(bad))
		assert.Error(t, err, "%q", bad)
	}

	r := strings.NewReader("not an executable")
	_, err = goBuildID(r)
	require.ErrorIs(t, err, errNoBuildID)
	assert.Equal(t, "sha256:110a2dfc6452c9ca98122f9eb2ff9db94b51b127f537432baf82f2744fbb90d6", hashOf(r))
}

func TestCPUTimeGrowsWithWork(t *testing.T) {
	u0, s0, ok := CPUTime()
	if !ok {
		t.Skip("this system does not tell")
	}
	// Until it has grown: asserts no duration.
	deadline := time.Now().Add(30 * time.Second)
	x := 1.0
	for time.Now().Before(deadline) {
		for i := range 100_000 {
			x += math.Sqrt(float64(i))
		}
		if u1, s1, ok := CPUTime(); ok && u1+s1 > u0+s0 {
			return
		}
	}
	t.Fatal("CPU time stood still while the process computed", x)
}
