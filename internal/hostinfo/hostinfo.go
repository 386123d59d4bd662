// Package hostinfo finds out on what machine, and as what build, the program
// runs.
//
// A figure without its machine cannot be compared with another, but no machine
// tells everything: each probe does what it can, and what it cannot find out
// stays at the zero value. No probe fails the caller, writes, or starts a
// process. Nothing here names the machine or its user.
package hostinfo

import (
	"io/fs"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
)

// Info is what does not change while the program runs. Zero means unknown.
type Info struct {
	GoVersion string // go1.26.0, without the experiments
	GOOS      string
	GOARCH    string
	// ArchLevel is the instruction set that the compiler could use: the value
	// of GOAMD64, such as "v3", or name and value on another architecture,
	// such as "GOARM64=v8.0".
	ArchLevel    string
	GOEXPERIMENT string // comma-separated

	GOGC            string // percent, or "off"
	GOMEMLIMITBytes int64  // zero also if there is no limit
	GOMAXPROCS      int

	OS             string  // name and version, and the kernel's
	CPUModel       string  //
	CPUs           int     // logical ones that the process may use
	MemoryBytes    int64   // of the machine
	ContainerCPUs  float64 // limit in CPUs, may be a fraction
	ContainerBytes int64

	Modules      map[string]string // path: version; nil under go test, whose binaries list none
	VCSRevision  string
	VCSModified  bool
	BuildID      string // of the executable; see BuildID
	RaceDetector bool
}

// Read probes the machine and the build. It takes less than a few
// milliseconds, except where the executable has no build ID: there it reads
// the whole file.
func Read() Info {
	info := Info{
		GoVersion:    runtime.Version(),
		GOOS:         runtime.GOOS,
		GOARCH:       runtime.GOARCH,
		GOMAXPROCS:   runtime.GOMAXPROCS(0),
		CPUs:         runtime.NumCPU(),
		BuildID:      BuildID(),
		RaceDetector: raceDetector,
	}
	info.GoVersion, info.GOEXPERIMENT = splitVersion(info.GoVersion)
	info.GOGC, info.GOMEMLIMITBytes = collector()
	if bi, ok := debug.ReadBuildInfo(); ok {
		info.addBuild(bi)
	}
	info.addHost()
	return info
}

// splitVersion takes the experiments off a version: "go1.26.0-X:simd", in
// older toolchains "go1.25.0 X:simd".
func splitVersion(v string) (version, experiments string) {
	version, experiments, _ = strings.Cut(v, "X:")
	return strings.TrimRight(version, " -"), strings.TrimSpace(experiments)
}

// collector reads GOGC and GOMEMLIMIT as they are in force, not as the
// environment variables had them.
func collector() (gogc string, limit int64) {
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() == metrics.KindUint64 {
		// Off is -1, which the metric gives as the largest number.
		if v := s[0].Value.Uint64(); v > math.MaxInt32 {
			gogc = "off"
		} else {
			gogc = strconv.FormatUint(v, 10)
		}
	}
	if s[1].Value.Kind() == metrics.KindUint64 {
		if v := s[1].Value.Uint64(); v < math.MaxInt64 {
			limit = int64(v)
		}
	}
	return gogc, limit
}

// root is the file system that the probes of Linux read. Elsewhere, the files
// are not there.
func root() fs.FS { return os.DirFS("/") }

// readText returns a file as a string, "" if it cannot be read. name has no
// leading slash.
func readText(fsys fs.FS, name string) string {
	b, err := fs.ReadFile(fsys, name)
	if err != nil {
		return ""
	}
	return string(b)
}

// UnderRace reports whether this program was built with the race detector.
func UnderRace() bool { return raceDetector }
