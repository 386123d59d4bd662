//go:build linux && !race

package child

import "syscall"

// rlimitData is RLIMIT_DATA, which since Linux 4.7 counts all private
// writable memory, the Go heap and stacks included, and not what is merely
// reserved, as RLIMIT_AS does. Source: getrlimit(2).
const rlimitData = 2

// slack is what the limit is raised by: the runtime makes its heap writable
// in steps of 64 MiB, and needs one for itself.
const slack = 128 << 20

// limitMemory makes allocations beyond the limit fail, which ends a Go
// program with "out of memory".
func limitMemory(bytes int64) error {
	most := uint64(bytes) + slack
	return syscall.Setrlimit(rlimitData, &syscall.Rlimit{Cur: most, Max: most})
}
