package codectest_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/codectest"
)

// dangerous codecs end their process; the kit has to say so, and live. Each is
// a test that must fail, run in a copy of this test binary.
var dangerous = map[string]struct {
	says  string
	codec *fake
}{
	"RecursesWithoutEnd": {"stack overflow", &fake{name: "recurses", marshal: func(t *thing) ([]byte, error) { return []byte{byte(deeper(len(t.A)))}, nil }}},
	"Exits":              {"exit status 3", &fake{name: "exits", unmarshal: func([]byte, *thing) error { os.Exit(3); return nil }}},
	"DiesOfHugeHeader": {"hostile-input", &fake{name: "huge", unmarshal: func(data []byte, t *thing) error {
		if len(data) > 0 && data[0] == 0xff {
			hoard = append(hoard, make([]byte, 64<<20))
			return errors.New("no")
		}
		return (&fake{}).Unmarshal(data, t)
	}}},
	"RecursesOnNoMessage": {"truncated input: ", &fake{name: "short", unmarshal: func(data []byte, t *thing) error {
		if len(data) == 0 {
			return errors.New(string(rune(deeper(len(data)))))
		}
		return (&fake{}).Unmarshal(data, t)
	}}},
	"PanicsOnJunk": {"hostile-input", &fake{name: "junk", unmarshal: func(data []byte, t *thing) error {
		if len(data) == 1 && data[0] > 0x80 {
			_ = data[data[0]]
		}
		return (&fake{}).Unmarshal(data, t)
	}}},
}

var hoard [][]byte

func deeper(n int) int {
	if n < 0 {
		return 0
	}
	return deeper(n+1) + 1
}

const dangerousVariable = "CODECTEST_DANGEROUS"

func TestDangerous(t *testing.T) {
	d, ok := dangerous[os.Getenv(dangerousVariable)]
	if !ok {
		t.Skip("is run by TestDangerousCodecsAreNamed")
	}
	codectest.Run(t, d.codec, things())
}

func TestDangerousCodecsAreNamed(t *testing.T) {
	for name, d := range dangerous {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.run=^TestDangerous$", "-test.v")
			cmd.Env = append(os.Environ(), dangerousVariable+"="+name)
			out, err := cmd.CombinedOutput()
			require.Error(t, err)
			assert.Contains(t, string(out), d.says)
			assert.Contains(t, string(out), "codec "+d.codec.name)
			assert.Contains(t, string(out), "--- FAIL: TestDangerous", "the test process lives and says what failed")
			assert.NotContains(t, string(out), "goroutine stack exceeds", "which its end would have written")
			failed := strings.Count(string(out), "rule: ")
			assert.Equal(t, 1, failed, "%s", out)
		})
	}
}

func TestHonestCodecPassesWithItsProbe(t *testing.T) {
	codectest.Run(t, &fake{name: "honest"}, things())
	t.Run("in a subtest of an odd name (1)", func(t *testing.T) {
		codectest.Run(t, cloning{&fake{name: "honest-too"}}, things(), serbench.NewPayload("words", &thing{Words: []string{"a"}}))
	})
}
