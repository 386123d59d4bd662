//go:build linux && !race

package child

import "syscall"

// rlimitData is RLIMIT_DATA, which since Linux 4.7 counts all private
// writable memory, the Go heap and stacks included, and not what is merely
// reserved, as RLIMIT_AS does. Source: getrlimit(2).
const rlimitData = 2

// limitMemory makes allocations beyond the limit fail, which ends a Go
// program with "out of memory".
func limitMemory(bytes int64) error {
	return syscall.Setrlimit(rlimitData, &syscall.Rlimit{Cur: uint64(bytes), Max: uint64(bytes)})
}
