package hostinfo

import (
	"math"
	"strconv"
	"strings"
)

// osName joins PRETTY_NAME of the first os-release text that has one and the
// release of the kernel. See os-release(5).
func osName(etc, usr, kernel string) string {
	pretty := osReleaseValue(etc, "PRETTY_NAME")
	if pretty == "" {
		pretty = osReleaseValue(usr, "PRETTY_NAME")
	}
	return joinNonEmpty(pretty, prefixed("Linux ", oneLine(kernel)))
}

func osReleaseValue(text, key string) string {
	var found string
	for line := range strings.Lines(text) {
		k, v, ok := strings.Cut(strings.TrimSpace(line), "=")
		if ok && k == key {
			found = oneLine(unquoteShell(v)) // the last assignment counts
		}
	}
	return found
}

// unquoteShell takes off the quotes of a value as os-release(5) allows them;
// inside double quotes a backslash keeps its neighbour.
func unquoteShell(s string) string {
	s = strings.TrimSpace(s)
	if len(s) < 2 || s[0] != s[len(s)-1] || (s[0] != '"' && s[0] != '\'') {
		return s
	}
	quote, s := s[0], s[1:len(s)-1]
	if quote == '\'' {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// cpuModel finds the name of the processor in /proc/cpuinfo, whose keys
// differ from architecture to architecture.
func cpuModel(cpuinfo string) string {
	values := map[string]string{}
	for line := range strings.Lines(cpuinfo) {
		k, v, ok := strings.Cut(line, ":")
		k, v = strings.TrimSpace(k), oneLine(v)
		if _, seen := values[k]; ok && !seen && v != "" {
			values[k] = v
		}
	}
	for _, k := range []string{
		"model name", // x86, some arm
		"cpu model",  // mips
		"Model Name", // loong64
		"uarch",      // riscv64
		"cpu",        // ppc64
	} {
		if v := values[k]; v != "" {
			return v
		}
	}
	if impl, part := values["CPU implementer"], values["CPU part"]; impl != "" && part != "" {
		if name := armCores[impl+" "+part]; name != "" {
			return name
		}
		return "ARM implementer " + impl + " part " + part
	}
	if v := values["processor 0"]; v != "" { // s390x
		return v
	}
	return ""
}

// armCores names the cores that servers and small boards have. The numbers
// are those of the main ID register, MIDR_EL1, in each core's manual.
var armCores = map[string]string{
	"0x41 0xd03": "ARM Cortex-A53",
	"0x41 0xd08": "ARM Cortex-A72",
	"0x41 0xd0b": "ARM Cortex-A76",
	"0x41 0xd0c": "ARM Neoverse N1",
	"0x41 0xd40": "ARM Neoverse V1",
	"0x41 0xd49": "ARM Neoverse N2",
	"0x41 0xd4f": "ARM Neoverse V2",
}

// memTotal is MemTotal of /proc/meminfo, in bytes.
func memTotal(meminfo string) int64 {
	for line := range strings.Lines(meminfo) {
		f := strings.Fields(line)
		if len(f) != 3 || f[0] != "MemTotal:" || f[2] != "kB" {
			continue
		}
		kib, err := strconv.ParseInt(f[1], 10, 64)
		if err != nil || kib < 0 || kib > math.MaxInt64/1024 {
			return 0
		}
		return kib * 1024
	}
	return 0
}

// oneLine makes one line with single spaces of s.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

func joinNonEmpty(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, ", ")
}
