package cli_test

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/stdlib"
	"github.com/serbench/serbench/examples/internal/cli"
	"github.com/serbench/serbench/render"
)

func inputs() []serbench.Payload {
	return []serbench.Payload{
		serbench.NewPayload("event", new(int)).With(serbench.Form("struct")),
		serbench.NewPayload("event", new(string)).With(serbench.Form("map")),
	}
}

func TestUnusableFlagsAreRefused(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-reps 0", "-reps 0: a number of 1 or more is needed"},
		{"-reps -1", "-reps -1: a number of 1 or more is needed"},
		{"-time 0", "-time 0s: a positive duration is needed"},
		{"-reps 1 -time 1s", "-reps and -time: only one of them"},
		{"-latency 0", "-latency 0: a number of 1 or more is needed"},
		{"-op=", "-op: no op is named; there are encode, decode, "},
		{"-op sign", `-op: unknown op "sign"; there are encode, decode, `},
		{"-payload nothing", `-payload "nothing" matches none of event, event/struct, event/map`},
		{"-codec nobody", `-codec "nobody" matches none of json`},
	} {
		var o cli.Options
		fs := flag.NewFlagSet("", flag.ContinueOnError)
		fs.SetOutput(io.Discard)
		o.AddTo(fs)
		require.NoError(t, fs.Parse(strings.Fields(c.args)))
		_, _, err := o.Apply(&serbench.Runner{}, []serbench.Codec{stdlib.JSON()}, inputs())
		assert.ErrorContains(t, err, c.want)
	}
}

func TestRefusedSettingsShowAndSaveNothing(t *testing.T) {
	stderr, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	defer stderr.Close()
	out := filepath.Join(t.TempDir(), "report.json")
	var stdout strings.Builder
	code := cli.Run(serbench.Runner{Level: 2}, []serbench.Codec{stdlib.JSON()}, inputs(), out, &stdout, stderr, render.Text)
	assert.Equal(t, cli.ExitUsage, code)
	assert.Empty(t, stdout.String())
	assert.NoFileExists(t, out)
	said, err := os.ReadFile(stderr.Name())
	require.NoError(t, err)
	assert.Contains(t, string(said), "Runner.Level")
}
