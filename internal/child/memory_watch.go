//go:build !linux || race

package child

import (
	"fmt"
	"os"
	"runtime/metrics"
	"time"
)

// limitMemory watches what the runtime has mapped, where there is no limit that
// a Go program can work under (with the race detector, its own memory would
// count), and ends the process beyond it.
func limitMemory(bytes int64) error {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	go func() {
		for range time.Tick(20 * time.Millisecond) {
			metrics.Read(s)
			if used := int64(s[0].Value.Uint64() - s[1].Value.Uint64()); used > bytes {
				fmt.Fprintf(os.Stderr, "\nfatal error: out of memory: %d bytes are in use, the limit is %d\n", used, bytes)
				os.Exit(2) // in a process that exists for this job only
			}
		}
	}()
	return nil
}
