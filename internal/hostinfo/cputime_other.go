//go:build !unix

package hostinfo

import "time"

// CPUTime returns the CPU time that all threads of the process have used so
// far; ok is false where the system does not tell, as here.
func CPUTime() (user, system time.Duration, ok bool) { return 0, 0, false }
