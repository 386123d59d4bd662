package serbench_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
)

func TestProfilesCarryLabels(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	codec := serbench.NewCodec("../json", json.Marshal, json.Unmarshal)
	p := serbench.NewPayload("weather of "+strings.Repeat("x", 300), &reading{Sensor: "a"})
	report, err := serbench.Runner{Reps: 100, Ops: []serbench.Op{serbench.OpEncode, serbench.OpAppend}, ProfileDir: dir}.Run(
		context.Background(), []serbench.Codec{codec}, []serbench.Payload{p})
	require.NoError(t, err)
	require.Equal(t, serbench.StatusSkipped, report.Results[1].Status, "no Append")
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	var ends []string
	for _, f := range files {
		assert.True(t, strings.HasPrefix(f.Name(), "001-"), f.Name())
		_, end, _ := strings.Cut(f.Name(), ".")
		ends = append(ends, end)
	}
	assert.ElementsMatch(t, []string{"allocs.base.pb.gz", "allocs.pb.gz", "cpu.pb.gz"}, ends, "%v", files)
	cpu, err := filepath.Glob(filepath.Join(dir, "*.cpu.pb.gz"))
	require.NoError(t, err)
	require.Len(t, cpu, 1)
	f, err := os.Open(cpu[0])
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	data, err := io.ReadAll(z)
	require.NoError(t, err)
	for _, want := range []string{"codec", "../json", "payload", "weather of", "form", "op", "encode", "encoding/json.Marshal"} {
		assert.Contains(t, string(data), want, "in the profile's table of strings")
	}
}

func TestProfilesThatCannotBeWrittenAreSaid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	codec := serbench.NewCodec("json", json.Marshal, json.Unmarshal)
	report, err := serbench.Runner{Reps: 10, Ops: []serbench.Op{serbench.OpEncode}, ProfileDir: file}.Run(
		context.Background(), []serbench.Codec{codec}, []serbench.Payload{serbench.NewPayload("r", &reading{})})
	assert.ErrorContains(t, err, "Runner.ProfileDir")
	assert.NotNil(t, report.Results[0].Estimates.NsPerOp, "the figures stay")
	_, err = serbench.Runner{Launches: 2, ProfileDir: file}.Run(context.Background(), []serbench.Codec{codec}, []serbench.Payload{serbench.NewPayload("r", &reading{})})
	assert.ErrorContains(t, err, "cannot be combined with Launches")
}
