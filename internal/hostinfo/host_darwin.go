package hostinfo

import (
	"encoding/binary"
	"strings"
	"syscall"
)

func (i *Info) addHost() {
	product, _ := syscall.Sysctl("kern.osproductversion")
	kernel, _ := syscall.Sysctl("kern.osrelease")
	i.OS = joinNonEmpty(strings.TrimSpace("macOS "+product), prefixed("Darwin ", kernel))
	i.CPUModel, _ = syscall.Sysctl("machdep.cpu.brand_string")
	// Sysctl takes the value for a C string and drops a last byte that is
	// zero; a uint64 in little endian mostly has one.
	if s, err := syscall.Sysctl("hw.memsize"); err == nil && len(s) <= 8 {
		var b [8]byte
		copy(b[:], s)
		i.MemoryBytes = int64(binary.LittleEndian.Uint64(b[:]))
	}
}
