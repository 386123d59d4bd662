// Package seedtest runs the programs of examples/seeds under go test.
package seedtest

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

// Program is the run function of one of them.
type Program func(args []string, stdout io.Writer, stderr *os.File) int

// Run runs the program and returns what it wrote.
func (p Program) Run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	require.NoError(t, err)
	defer f.Close()
	var out strings.Builder
	code = p(args, &out, f)
	said, err := os.ReadFile(f.Name())
	require.NoError(t, err)
	return code, out.String(), string(said)
}

// Refuses checks that each of the argument lists is refused with exit code 2
// and an error that holds the text, that nothing was printed, and that no file
// was left behind.
func (p Program) Refuses(t *testing.T, cases map[string][]string) {
	t.Helper()
	common := map[string][]string{
		"-reps 0: a number of 1 or more":  {"-reps", "0"},
		"-reps -5: a number of 1 or more": {"-reps", "-5"},
		"-time 0s: a positive duration":   {"-time", "0s"},
		"-time -1s: a positive duration":  {"-time", "-1s"},
		"-study -1s: not below 0":         {"-study", "-1s"},
		"exclude each other":              {"-reps", "1", "-time", "1s"},
		`unknown op "transcode"`:          {"-op", "transcode"},
		"matches none of":                 {"-codec", "no-such-codec"},
		"unexpected argument":             {"something"},
		"invalid value":                   {"-reps", "many"},
		"no such file":                    {"-o", filepath.Join(t.TempDir(), "none", "report.json")},
	}
	for _, list := range []map[string][]string{common, cases} {
		for text, args := range list {
			dir := t.TempDir()
			if !strings.Contains(strings.Join(args, " "), "-o ") {
				args = append([]string{"-o", filepath.Join(dir, "report.json")}, args...)
			}
			code, stdout, stderr := p.Run(t, args...)
			assert.Equal(t, 2, code, "%v", args)
			assert.Contains(t, stderr, text, "%v", args)
			assert.Empty(t, stdout, "%v", args)
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			assert.Empty(t, left, "%v leaves nothing behind", args)
		}
	}
}

// Saved reads the report of the plan and that of the study.
func Saved(t *testing.T, name string) (plan, study *serbench.Report) {
	t.Helper()
	read := func(name string) *serbench.Report {
		f, err := os.Open(name)
		require.NoError(t, err)
		defer f.Close()
		r, err := serbench.ReadReport(f)
		require.NoError(t, err)
		return r
	}
	return read(name), read(name + ".study")
}
