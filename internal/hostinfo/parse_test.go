package hostinfo

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOSName(t *testing.T) {
	for _, c := range []struct{ name, etc, usr, kernel, want string }{
		{"double quotes", "NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n", "", "6.1.0-18-amd64\n", "Debian GNU/Linux 12 (bookworm), Linux 6.1.0-18-amd64"},
		{"single quotes", "PRETTY_NAME='Arch Linux'\n", "", "", "Arch Linux"},
		{"no quotes, no last line break", "PRETTY_NAME=Void", "", "", "Void"},
		{"escapes inside double quotes", `PRETTY_NAME="a \"b\" \$c \\"`, "", "", `a "b" $c \`},
		{"only in usr/lib", "", "PRETTY_NAME=\"Clear Linux OS\"\n", "", "Clear Linux OS"},
		{"carriage returns", "PRETTY_NAME=\"A B\"\r\n", "", "", "A B"},
		{"comments and other keys", "# PRETTY_NAME=no\nXPRETTY_NAME=no\nPRETTY_NAME=yes\n", "", "", "yes"},
		{"kernel only", "", "", "6.1.0\n", "Linux 6.1.0"},
		{"nothing", "", "", "", ""},
		{"a single quote mark", "PRETTY_NAME=\"\n", "", "", `"`},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, osName(c.etc, c.usr, c.kernel)) })
	}
}

func TestCPUModel(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"x86", "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel\t\t: 207\nmodel name\t: Intel(R) Xeon(R)  Processor\n\nprocessor\t: 1\nmodel name\t: other\n", "Intel(R) Xeon(R) Processor"},
		{"arm server with a known core", "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\n", "ARM Neoverse N1"},
		{"arm with an unknown core", "CPU implementer\t: 0x99\nCPU part\t: 0x001\n", "ARM implementer 0x99 part 0x001"},
		{"power", "processor\t: 0\ncpu\t\t: POWER9, altivec supported\n", "POWER9, altivec supported"},
		{"riscv", "processor\t: 0\nhart\t: 0\nuarch\t: sifive,u74-mc\n", "sifive,u74-mc"},
		{"s390x", "vendor_id       : IBM/S390\nprocessor 0: version = FF,  identification = 2733E8,  machine = 2964\n", "version = FF, identification = 2733E8, machine = 2964"},
		{"mips", "system type\t: x\ncpu model\t: MIPS 24Kc V7.4\n", "MIPS 24Kc V7.4"},
		{"loong", "Model Name\t\t: Loongson-3A5000\n", "Loongson-3A5000"},
		{"nothing", "", ""},
		{"no colon", "model name", ""},
		{"an empty name", "model name\t: \n", ""},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, cpuModel(c.text)) })
	}
}

func TestMemTotal(t *testing.T) {
	assert.EqualValues(t, 4030016*1024, memTotal("MemFree: 1 kB\nMemTotal:        4030016 kB\n"))
	for _, bad := range []string{"", "MemTotal:", "MemTotal: x kB", "MemTotal: -1 kB", "MemTotal: 1 MB", "MemTotal: 9223372036854775807 kB"} {
		assert.Zero(t, memTotal(bad), bad)
	}
}

func TestContainerLimits(t *testing.T) {
	const (
		v2Mount  = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
		cpuMount = "33 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
		memMount = "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
	)
	for _, c := range []struct {
		name  string
		files map[string]string
		cpus  float64
		bytes int64
	}{
		{"no control groups", nil, 0, 0},
		{"version 2, limits on the own group", map[string]string{
			"proc/self/cgroup":                  "0::/a/b\n",
			"proc/self/mountinfo":               v2Mount,
			"sys/fs/cgroup/a/b/cpu.max":         "150000 100000\n",
			"sys/fs/cgroup/a/b/memory.max":      "1073741824\n",
			"sys/fs/cgroup/a/memory.max":        "max\n",
			"sys/fs/cgroup/other/b/memory.max":  "1\n",
			"sys/fs/cgroup/a/b/below/cpu.max":   "1 100000\n",
			"sys/fs/cgroup/a/b/below/memory.ma": "1\n",
		}, 1.5, 1 << 30},
		{"version 2, a group above is stricter", map[string]string{
			"proc/self/cgroup":             "0::/a/b\n",
			"proc/self/mountinfo":          v2Mount,
			"sys/fs/cgroup/a/b/cpu.max":    "max 100000\n",
			"sys/fs/cgroup/a/cpu.max":      "50000 100000\n",
			"sys/fs/cgroup/a/b/memory.max": "2048\n",
			"sys/fs/cgroup/a/memory.max":   "1024\n",
		}, 0.5, 1024},
		{"version 2, unlimited", map[string]string{
			"proc/self/cgroup":           "0::/a\n",
			"proc/self/mountinfo":        v2Mount,
			"sys/fs/cgroup/a/cpu.max":    "max 100000\n",
			"sys/fs/cgroup/a/memory.max": "max\n",
		}, 0, 0},
		{"version 2, namespaced container: limits at the mount point", map[string]string{
			"proc/self/cgroup":         "0::/\n",
			"proc/self/mountinfo":      v2Mount,
			"sys/fs/cgroup/cpu.max":    "200000 100000\n",
			"sys/fs/cgroup/memory.max": "4096\n",
		}, 2, 4096},
		{"version 2, a process moved in from outside of the namespace", map[string]string{
			"proc/self/cgroup":      "0::/../other\n",
			"proc/self/mountinfo":   v2Mount,
			"sys/fs/cgroup/cpu.max": "200000 100000\n",
			"sys/fs/other/cpu.max":  "1 100000\n",
		}, 2, 0},
		{"version 2, a mount of a part of the hierarchy", map[string]string{
			"proc/self/cgroup":        "0::/docker/1/x\n",
			"proc/self/mountinfo":     "30 23 0:26 /docker/1 /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
			"sys/fs/cgroup/x/cpu.max": "100000 100000\n",
		}, 1, 0},
		{"version 2, a sibling whose name starts alike is not inside", map[string]string{
			"proc/self/cgroup":         "0::/docker/12\n",
			"proc/self/mountinfo":      "30 23 0:26 /docker/1 /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
			"sys/fs/cgroup/2/cpu.max":  "100 100000\n",
			"sys/fs/cgroup/cpu.max":    "300000 100000\n",
			"sys/fs/cgroup/memory.max": "max\n",
		}, 3, 0},
		{"version 1, nested", map[string]string{
			"proc/self/cgroup":    "4:memory:/k8s/pod\n3:cpu,cpuacct:/k8s/pod\n1:name=systemd:/x\n",
			"proc/self/mountinfo": cpuMount + memMount,
			"sys/fs/cgroup/cpu,cpuacct/k8s/pod/cpu.cfs_quota_us":   "250000\n",
			"sys/fs/cgroup/cpu,cpuacct/k8s/pod/cpu.cfs_period_us":  "100000\n",
			"sys/fs/cgroup/memory/k8s/pod/memory.limit_in_bytes":   "9223372036854771712\n",
			"sys/fs/cgroup/memory/k8s/memory.limit_in_bytes":       "1000000\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":           "9223372036854771712\n",
			"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us":           "-1\n",
			"sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us":          "100000\n",
			"sys/fs/cgroup/cpu,cpuacct/k8s/pod/x/cpu.cfs_quota_us": "1\n",
		}, 2.5, 1000000},
		{"both versions side by side", map[string]string{
			"proc/self/cgroup":                               "4:memory:/m\n0::/u\n",
			"proc/self/mountinfo":                            memMount + "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
			"sys/fs/cgroup/memory/m/memory.limit_in_bytes":   "4096\n",
			"sys/fs/cgroup/unified/u/cpu.max":                "100000 200000\n",
			"sys/fs/cgroup/memory/u/memory.limit_in_bytes":   "1\n",
			"sys/fs/cgroup/unified/m/cpu.max":                "1 200000\n",
			"sys/fs/cgroup/unified/m/memory.max":             "1\n",
			"sys/fs/cgroup/memory/m/x/memory.limit_in_bytes": "1\n",
		}, 0.5, 4096},
		{"a mount point with a space, a path with a colon", map[string]string{
			"proc/self/cgroup":     "0::/a:b\n",
			"proc/self/mountinfo":  "30 23 0:26 / /cg\\040root rw - cgroup2 cgroup2 rw\n",
			"cg root/a:b/cpu.max":  "400000 100000\n",
			"cg\\040root/cpu.max":  "1 100000\n",
			"cg root/a:b/memory.m": "",
		}, 4, 0},
		{"nonsense", map[string]string{
			"proc/self/cgroup":         "0::\n::\nx\n\n0::/\n",
			"proc/self/mountinfo":      "x - cgroup2\n - \n" + v2Mount,
			"sys/fs/cgroup/cpu.max":    "1 0\n",
			"sys/fs/cgroup/memory.max": "-5\n",
		}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			fsys := fstest.MapFS{}
			for name, text := range c.files {
				fsys[name] = &fstest.MapFile{Data: []byte(text)}
			}
			cpus, bytes := containerLimits(fsys)
			assert.Equal(t, c.cpus, cpus)
			assert.Equal(t, c.bytes, bytes)
		})
	}
}

func TestReadLoad(t *testing.T) {
	l := readLoad(fstest.MapFS{
		"proc/loadavg":         {Data: []byte("0.52 0.58 0.59 1/389 12345\n")},
		"proc/stat":            {Data: []byte("cpu  100 20 30 400 5 6 7 32 11 12\ncpu0 1 1 1 1 1 1 1 1 1 1\n")},
		"proc/pressure/cpu":    {Data: []byte("some avg10=12.50 avg60=2.44 avg300=3.65 total=1\nfull avg10=99.00 avg60=0.00 avg300=0.00 total=0\n")},
		"proc/pressure/memory": {Data: []byte("some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n")},
	})
	require.NotNil(t, l.Load1)
	assert.Equal(t, 0.52, *l.Load1)
	assert.Equal(t, &CPUTicks{Steal: 32, Total: 600}, l.CPUTicks, "guest time counts once")
	assert.InDelta(t, 0.125, *l.CPUPressure, 1e-12)
	require.NotNil(t, l.MemPressure, "none is a figure too")
	assert.Zero(t, *l.MemPressure)

	assert.Equal(t, Load{}, readLoad(fstest.MapFS{}), "nothing told, nothing claimed")
	assert.Equal(t, Load{}, readLoad(fstest.MapFS{
		"proc/loadavg":         {Data: []byte("NaN")},
		"proc/stat":            {Data: []byte("cpu 1 2 3 4 5 6 7\n")}, // no steal column
		"proc/pressure/cpu":    {Data: []byte("some avg10=inf\n")},
		"proc/pressure/memory": {Data: []byte("some avg10=101\nfull avg10=1\n")},
	}))
}

func TestStealShare(t *testing.T) {
	at := func(steal, total uint64) Load { return Load{CPUTicks: &CPUTicks{steal, total}} }
	share := func(f float64) *float64 { return &f }
	for _, c := range []struct {
		name           string
		later, earlier Load
		want           *float64
	}{
		{"since boot", at(10, 200), Load{}, share(0.05)},
		{"since the start", at(30, 300), at(10, 200), share(0.2)},
		{"none stolen", at(10, 300), at(10, 200), share(0)},
		{"no tick passed", at(10, 200), at(10, 200), nil},
		{"counters ran backwards", at(5, 300), at(10, 200), nil},
		{"unknown", Load{}, at(10, 200), nil},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, c.later.StealShare(c.earlier)) })
	}
}

func FuzzParsers(f *testing.F) {
	f.Add("0::/a/../b\n3:cpu:/x\n", "30 23 0:26 / /sys\\0 rw - cgroup2 c rw\n", "some avg10=1")
	f.Fuzz(func(t *testing.T, cgroup, mountinfo, text string) {
		containerLimits(fstest.MapFS{
			"proc/self/cgroup":    {Data: []byte(cgroup)},
			"proc/self/mountinfo": {Data: []byte(mountinfo)},
		})
		osName(text, text, text)
		cpuModel(text)
		memTotal(text)
		pressure(text)
		cpuTicks(text)
		_, _ = textBuildID([]byte(text))
	})
}
