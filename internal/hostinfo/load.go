package hostinfo

import (
	"io/fs"
	"math"
	"strconv"
	"strings"
)

// Load is the state of the machine at one moment. What the system does not
// tell is nil.
type Load struct {
	Load1       *float64  // run queue length, mean of the last minute
	CPUTicks    *CPUTicks //
	CPUPressure *float64  // share of the last 10 s in which some task waited for a CPU, 0 to 1
	MemPressure *float64  // the same for memory
}

// CPUTicks is CPU time of all CPUs since boot, in ticks (mostly of 10 ms).
type CPUTicks struct {
	Steal uint64 // taken by the hypervisor for others
	Total uint64 // idle time included
}

// ReadLoad takes a snapshot. Only Linux has one to give.
func ReadLoad() Load { return readLoad(root()) }

func readLoad(fsys fs.FS) Load {
	return Load{
		Load1:       load1(readText(fsys, "proc/loadavg")),
		CPUTicks:    cpuTicks(readText(fsys, "proc/stat")),
		CPUPressure: pressure(readText(fsys, "proc/pressure/cpu")),
		MemPressure: pressure(readText(fsys, "proc/pressure/memory")),
	}
}

// StealShare is the share of the CPU time since an earlier snapshot that the
// hypervisor gave to others, 0 to 1. With a zero Load as the earlier one it is
// the share since boot. It is nil if unknown, also if no tick has passed.
func (l Load) StealShare(earlier Load) *float64 {
	if l.CPUTicks == nil {
		return nil
	}
	var from CPUTicks
	if earlier.CPUTicks != nil {
		from = *earlier.CPUTicks
	}
	// Counters can run backwards when a CPU goes offline.
	if l.CPUTicks.Total <= from.Total || l.CPUTicks.Steal < from.Steal {
		return nil
	}
	s := min(1, float64(l.CPUTicks.Steal-from.Steal)/float64(l.CPUTicks.Total-from.Total))
	return &s
}

func load1(loadavg string) *float64 {
	f := strings.Fields(loadavg)
	if len(f) == 0 {
		return nil
	}
	return finite(f[0], 1, math.MaxFloat64)
}

// cpuTicks reads the line of all CPUs in /proc/stat, see proc_stat(5): user,
// nice, system, idle, iowait, irq, softirq, steal, and then guest times, which
// user and nice already hold.
func cpuTicks(stat string) *CPUTicks {
	for line := range strings.Lines(stat) {
		f := strings.Fields(line)
		if len(f) < 9 || f[0] != "cpu" {
			continue
		}
		var t CPUTicks
		for i, s := range f[1:9] {
			v, err := strconv.ParseUint(s, 10, 64)
			if err != nil || v > math.MaxUint64-t.Total {
				return nil
			}
			t.Total += v
			if i == 7 {
				t.Steal = v
			}
		}
		return &t
	}
	return nil
}

// pressure reads "some avg10=12.50 ...", in percent, of a file of the kernel's
// pressure stall information (accounting/psi).
func pressure(text string) *float64 {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 2 || f[0] != "some" {
			continue
		}
		for _, kv := range f[1:] {
			if v, ok := strings.CutPrefix(kv, "avg10="); ok {
				return finite(v, 0.01, 1)
			}
		}
	}
	return nil
}

// finite parses a number in [0, most] after scaling; nil for anything else.
func finite(s string, scale, most float64) *float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !(v >= 0) || v*scale > most {
		return nil
	}
	v *= scale
	return &v
}
