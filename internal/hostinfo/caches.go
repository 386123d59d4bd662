package hostinfo

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// Caches are the sizes of the data caches of the first CPU in bytes, 0 where
// the system does not tell.
type Caches struct {
	L2   int64
	Last int64 // the largest level, which CPUs may share
}

// ReadCaches finds out the cache sizes. Only Linux tells.
func ReadCaches() Caches { return cachesIn(root()) }

// cachesIn reads what the kernel's ABI documents as
// /sys/devices/system/cpu/cpu*/cache/index*/{level,type,size}.
func cachesIn(fsys fs.FS) (c Caches) {
	const dir = "sys/devices/system/cpu/cpu0/cache"
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return c
	}
	for _, e := range entries {
		read := func(name string) string { return strings.TrimSpace(readText(fsys, path.Join(dir, e.Name(), name))) }
		if read("type") == "Instruction" {
			continue
		}
		size := cacheSize(read("size"))
		if read("level") == "2" {
			c.L2 = size
		}
		c.Last = max(c.Last, size)
	}
	return c
}

// cacheSize reads "2048K" and the like; 0 for what it does not know.
func cacheSize(text string) int64 {
	unit := int64(1)
	for suffix, bytes := range map[string]int64{"K": 1 << 10, "M": 1 << 20, "G": 1 << 30} {
		if number, ok := strings.CutSuffix(text, suffix); ok {
			text, unit = number, bytes
			break
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 || n > 1<<40/unit {
		return 0
	}
	return n * unit
}
