package hostinfo

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// containerLimits returns what the control groups of this process allow: CPUs
// and bytes of memory, zero for no limit. Limits hold for everything below a
// group, so the lowest one on the way up counts; a machine can have version 1
// and version 2 mounted side by side, each with some of the controllers.
//
// Sources: cgroups(7), proc_pid_mountinfo(5), and the kernel's
// admin-guide/cgroup-v1 and cgroup-v2.
func containerLimits(fsys fs.FS) (cpus float64, bytes int64) {
	mounts := cgroupMounts(readText(fsys, "proc/self/mountinfo"))
	for _, g := range cgroupsOf(readText(fsys, "proc/self/cgroup")) {
		for _, m := range mounts {
			if m.v2 != (g.controllers == "") || !m.v2 && !listHas(m.options, g.controllers) {
				continue
			}
			for _, dir := range m.dirs(g.path) {
				cpus = lower(cpus, cpuLimit(fsys, dir, m.v2))
				bytes = lower(bytes, memoryLimit(fsys, dir, m.v2))
			}
		}
	}
	return cpus, bytes
}

// cgroup is a line of /proc/self/cgroup.
type cgroup struct {
	controllers string // "cpu,cpuacct"; empty for version 2
	path        string
}

func cgroupsOf(text string) []cgroup {
	var groups []cgroup
	for line := range strings.Lines(text) {
		// The path may hold colons.
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(f) != 3 || !strings.HasPrefix(f[2], "/") || f[1] == "" && f[0] != "0" {
			continue
		}
		groups = append(groups, cgroup{f[1], strings.TrimSuffix(f[2], " (deleted)")})
	}
	return groups
}

// cgroupMount is a mounted hierarchy: the part of it below root is seen at
// point.
type cgroupMount struct {
	root, point string
	options     string
	v2          bool
}

func cgroupMounts(mountinfo string) []cgroupMount {
	var mounts []cgroupMount
	for line := range strings.Lines(mountinfo) {
		before, after, ok := strings.Cut(line, " - ")
		f, g := strings.Fields(before), strings.Fields(after)
		if !ok || len(f) < 6 || len(g) < 3 || (g[0] != "cgroup" && g[0] != "cgroup2") {
			continue
		}
		mounts = append(mounts, cgroupMount{
			root: unescapeMount(f[3]), point: unescapeMount(f[4]),
			options: g[2], v2: g[0] == "cgroup2",
		})
	}
	return mounts
}

// unescapeMount undoes \040 and the like, which stand for white space and
// backslashes.
func unescapeMount(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if v, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(v))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// dirs lists the directories, without leading slash, of the group and all
// those above it that can be seen. A group outside of what is mounted, as a
// process sees that was moved into a container from outside, has only the
// mount point.
func (m cgroupMount) dirs(group string) []string {
	rel, inside := strings.CutPrefix(group, strings.TrimSuffix(m.root, "/"))
	if !inside || rel != "" && rel[0] != '/' || strings.Contains(rel+"/", "/../") {
		rel = ""
	}
	top := path.Join("/", m.point)
	var dirs []string
	for dir := path.Join(top, rel); ; dir = path.Dir(dir) {
		dirs = append(dirs, strings.TrimPrefix(dir, "/"))
		if dir == top || dir == "/" {
			return dirs
		}
	}
}

func cpuLimit(fsys fs.FS, dir string, v2 bool) float64 {
	if v2 {
		f := strings.Fields(readText(fsys, path.Join(dir, "cpu.max"))) // "150000 100000", "max 100000"
		if len(f) != 2 {
			return 0
		}
		return share(f[0], f[1])
	}
	return share(strings.TrimSpace(readText(fsys, path.Join(dir, "cpu.cfs_quota_us"))),
		strings.TrimSpace(readText(fsys, path.Join(dir, "cpu.cfs_period_us"))))
}

// share is quota / period, 0 for no limit: "max" or -1.
func share(quota, period string) float64 {
	q, err1 := strconv.ParseInt(quota, 10, 64)
	p, err2 := strconv.ParseInt(period, 10, 64)
	if err1 != nil || err2 != nil || q <= 0 || p <= 0 {
		return 0
	}
	return float64(q) / float64(p)
}

func memoryLimit(fsys fs.FS, dir string, v2 bool) int64 {
	name := "memory.limit_in_bytes"
	if v2 {
		name = "memory.max"
	}
	n, err := strconv.ParseInt(strings.TrimSpace(readText(fsys, path.Join(dir, name))), 10, 64)
	// No limit is "max" in version 2; in version 1 the largest number of
	// whole pages, just below 1<<63.
	if err != nil || n <= 0 || n >= 1<<62 {
		return 0
	}
	return n
}

// listHas says whether all items of a comma-separated list are in another.
func listHas(list, items string) bool {
	for item := range strings.SplitSeq(items, ",") {
		if !strings.Contains(","+list+",", ","+item+",") {
			return false
		}
	}
	return true
}

// lower is the lower of two limits, of which zero is none.
func lower[T int64 | float64](a, b T) T {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
