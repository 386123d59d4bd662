package child

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTailTellsWhatARuntimeDiedOf(t *testing.T) {
	for _, c := range []struct {
		name, said string
		kind       Kind
		why        string
	}{
		{"nothing", "", "", ""},
		{"a program's own words", "error: panic: at the disco\nfatal errors: 0\n", "", ""},
		{"a panic", "panic: boom\n\ngoroutine 1 [running]:\n", Panicked, "panic: boom"},
		{"a panic without an end of line", "panic: boom", Panicked, "panic: boom"},
		{"a panic during a panic", "panic: first\n\tpanic: second\n", Panicked, "panic: first"},
		{"concurrent map writes", "fatal error: concurrent map writes\n", Panicked, "fatal error: concurrent map writes"},
		{"a full stack", "runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n", StackFull, "fatal error: stack overflow"},
		{"no memory", "fatal error: runtime: out of memory\n", OutOfMemory, "fatal error: runtime: out of memory"},
		{"no memory for the runtime itself", "runtime: out of memory: cannot allocate 4194304-byte block\nfatal error: out of memory\n", OutOfMemory, "runtime: out of memory: cannot allocate 4194304-byte block"},
		{"no memory for a thread", "fatal error: newosproc: cannot allocate memory\n", OutOfMemory, "fatal error: newosproc: cannot allocate memory"},
		{"a signal in C code", "SIGSEGV: segmentation violation\n", Panicked, "SIGSEGV: segmentation violation"},
		{"long after it", "panic: boom\n" + strings.Repeat("trace\n", 10_000), Panicked, "panic: boom"},
		{"a line that does not end", "panic: " + strings.Repeat("x", 1<<20), Panicked, "panic: " + strings.Repeat("x", lineBytes-len("panic: "))},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, size := range []int{1 << 30, 1, 7} { // however it is cut
				var tl tail
				for s := c.said; s != ""; {
					n := min(size, len(s))
					_, _ = tl.Write([]byte(s[:n]))
					s = s[n:]
				}
				kind, why := tl.classify()
				assert.Equal(t, c.kind, kind)
				assert.Equal(t, c.why, why)
			}
		})
	}
}

func FuzzTail(f *testing.F) {
	f.Add([]byte("panic: a\nb"), 3)
	f.Add([]byte("\xff\xfe\n\n"), 1)
	f.Fuzz(func(t *testing.T, said []byte, cut int) {
		var whole, parts tail
		n, err := whole.Write(said)
		assert.NoError(t, err)
		assert.Equal(t, len(said), n)
		cut = min(max(cut, 0), len(said))
		_, _ = parts.Write(said[:cut])
		_, _ = parts.Write(said[cut:])
		assert.Equal(t, whole.String(), parts.String())
		assert.LessOrEqual(t, len(whole.String()), 3*tailBytes, "each bad byte may become a mark of three")
		kind, why := whole.classify()
		kind2, why2 := parts.classify()
		assert.Equal(t, kind, kind2)
		assert.Equal(t, why, why2)
	})
}
