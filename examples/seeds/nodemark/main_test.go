package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench/examples/payloads"
	"github.com/serbench/serbench/examples/seeds/internal/seedtest"
)

func TestFourLayoutsCallByCall(t *testing.T) {
	out := filepath.Join(t.TempDir(), "report.json")
	code, stdout, stderr := seedtest.Program(run).Run(t, "-time", "20ms", "-study", "100ms", "-o", out)
	require.Equal(t, 0, code, stderr)
	for _, text := range []string{"encode of podcasts (map):", "encode of geo (map):", "encode of geo-flat (map):", "encode of geo-bytes (map):",
		"│ (idx) │", "ops/sec ±", " samples)", "nodemark's percentage", "205,637 bytes", "95,311 bytes", "MB/s", "taken off",
		"carry equal information", "not geo-bytes", "serbench's own run"} {
		assert.Contains(t, stdout, text)
	}
	plan, _ := seedtest.Saved(t, out)
	require.Len(t, plan.Results, 8)
	for _, res := range plan.Results {
		assert.GreaterOrEqual(t, res.Reps, int64(10), "%s: at least ten samples", res.ID)
		for _, s := range res.Samples {
			assert.Equal(t, int64(1), s.Reps, res.ID)
		}
	}
}

func TestDecodeAndEveryLayout(t *testing.T) {
	code, stdout, stderr := seedtest.Program(run).Run(t, "-reps", "3", "-study", "0", "-layout", "all", "-op", "encode,decode", "-form", "struct", "-unit", "us", "-precision", "1")
	require.Equal(t, 0, code, stderr)
	assert.Contains(t, stdout, "decode of geo-packed (struct):")
	assert.Contains(t, stdout, " us ±")
	assert.Contains(t, stdout, "json (struct): geo, geo-flat, geo-bytes and geo-packed")
}

func TestRealFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, v any) string {
		data, err := json.MarshalIndent(v, "", "  ")
		require.NoError(t, err)
		name = filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(name, data, 0o600))
		return name
	}
	strings := write("strings.json", (*payloads.PodcastsValue())[:2])
	numbers := write("numbers.geojson", payloads.GeoValue())
	out := filepath.Join(dir, "report.json")
	code, stdout, stderr := seedtest.Program(run).Run(t, "-reps", "2", "-study", "50ms", "-layout", "strings,nested", "-podcasts", strings, "-geo", numbers, "-o", out)
	require.Equal(t, 0, code, stderr)
	assert.NotContains(t, stdout, "7,603 bytes", "the file's strings, not the generated ones")
	plan, _ := seedtest.Saved(t, out)
	assert.Equal(t, []string{"strings.json", "numbers.geojson"}, []string{plan.Payloads[0].Source, plan.Payloads[1].Source})
}

func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.json")
	require.NoError(t, os.WriteFile(broken, []byte("[\n  {]"), 0o600))
	seedtest.Program(run).Refuses(t, map[string][]string{
		`-layout: unknown layout "spiral"; there are strings, nested, flat, bytes, packed, and all`: {"-layout", "flat,spiral"},
		`-form "tree"`:             {"-form", "tree"},
		`"min" is no unit`:         {"-unit", "min"},
		"a precision of 7":         {"-precision", "7"},
		"no-such-file":             {"-podcasts", "no-such-file"},
		"broken.json:2:5: invalid": {"-podcasts", broken},
		"broken.json:2:5: ":        {"-geo", broken},
	})
}
