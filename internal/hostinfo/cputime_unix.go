//go:build unix

package hostinfo

import (
	"syscall"
	"time"
)

// CPUTime returns the CPU time that all threads of the process have used so
// far; ok is false where the system does not tell. Source: getrusage(2). The
// sum is exact to a microsecond; how it divides into user and system may be
// estimated from timer ticks.
func CPUTime() (user, system time.Duration, ok bool) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, 0, false
	}
	return time.Duration(u.Utime.Nano()), time.Duration(u.Stime.Nano()), true
}
