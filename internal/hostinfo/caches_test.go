package hostinfo

import (
	"fmt"
	"runtime"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
)

func TestCaches(t *testing.T) {
	index := func(caches ...[3]string) fstest.MapFS {
		fsys := fstest.MapFS{}
		for i, c := range caches {
			for k, name := range []string{"level", "type", "size"} {
				fsys[fmt.Sprintf("sys/devices/system/cpu/cpu0/cache/index%d/%s", i, name)] = &fstest.MapFile{Data: []byte(c[k] + "\n")}
			}
		}
		return fsys
	}
	for _, tc := range []struct {
		name string
		fsys fstest.MapFS
		want Caches
	}{
		{"not Linux", fstest.MapFS{}, Caches{}},
		{"three levels", index([3]string{"1", "Data", "48K"}, [3]string{"1", "Instruction", "32K"}, [3]string{"2", "Unified", "2048K"}, [3]string{"3", "Unified", "36M"}),
			Caches{L2: 2 << 20, Last: 36 << 20}},
		{"no third level", index([3]string{"1", "Data", "32K"}, [3]string{"2", "Unified", "512K"}), Caches{L2: 512 << 10, Last: 512 << 10}},
		{"no first CPU in a container", fstest.MapFS{"sys/devices/system/cpu/online": {Data: []byte("3-4")}}, Caches{}},
		{"a large instruction cache is none for data", index([3]string{"1", "Instruction", "64K"}, [3]string{"1", "Data", "32K"}), Caches{Last: 32 << 10}},
		{"sizes that are none", index([3]string{"2", "Unified", "a lot"}, [3]string{"3", "Unified", "-5K"}, [3]string{"4", "Unified", "99999999999999999G"}), Caches{}},
	} {
		assert.Equal(t, tc.want, cachesIn(tc.fsys), tc.name)
	}
	if c := ReadCaches(); runtime.GOOS == "linux" && c != (Caches{}) {
		assert.GreaterOrEqual(t, c.Last, c.L2)
	}
}
