package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const sample = "../../docs/samples/report.json"

func TestReport(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	for _, c := range []struct {
		name string
		args []string
		code int
		want string // in standard output, the file or standard error
	}{
		{"text is the default", []string{sample}, 0, "rank  codec"},
		{"every format", []string{"-format", "html", sample}, 0, "<!doctype html>"},
		{"a file", []string{"-format", "csv", "-o", out, sample}, 0, "payload,form,op"},
		{"a subset", []string{"-codec", "^msgp$", "-op", "encode", "-format", "csv", "-columns", "codec,op", sample}, 0, "codec,op\r\nmsgp,encode\r\n"},
		{"sorted", []string{"-sort", "codec", "-columns", "codec", sample}, 0, "codec\neasyjson"},
		{"nothing left", []string{"-codec", "nobody", sample}, 2, "leave nothing"},
		{"a bad expression", []string{"-codec", "(", sample}, 2, "-codec"},
		{"an unknown format", []string{"-format", "pdf", sample}, 2, "there are action-bigger"},
		{"columns where there are none", []string{"-format", "html", "-columns", "codec", sample}, 2, "for tables"},
		{"an unknown column", []string{"-columns", "speed", sample}, 2, `no column "speed"`},
		{"no such file", []string{"nowhere.json"}, 2, "nowhere.json"},
		{"not a report", []string{"main.go"}, 2, "main.go: serbench: reading a report"},
		{"the same cells twice", []string{sample, sample}, 2, "both have this cell"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := run(c.args, strings.NewReader(""), &stdout, &stderr)
			file, _ := os.ReadFile(out)
			assert.Equal(t, c.code, code, stderr.String())
			assert.Contains(t, stdout.String()+stderr.String()+string(file), c.want)
			if c.code != 0 {
				assert.Empty(t, stdout.String())
			}
		})
	}
	before, err := os.ReadFile(sample)
	require.NoError(t, err)
	input, link := filepath.Join(t.TempDir(), "input.json"), filepath.Join(t.TempDir(), "link.json")
	require.NoError(t, os.WriteFile(input, before, 0o600))
	require.NoError(t, os.Symlink(input, link))
	for _, out := range []string{input, link} {
		var stderr bytes.Buffer
		assert.Equal(t, 2, run([]string{"-o", out, input}, strings.NewReader(""), os.Stdout, &stderr))
		assert.Contains(t, stderr.String(), "it is the input "+input)
	}
	after, err := os.ReadFile(input)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(before, after), "an input is not overwritten")

	f, err := os.Open(sample)
	require.NoError(t, err)
	defer f.Close()
	var stdout bytes.Buffer
	assert.Zero(t, run([]string{"-format", "json"}, f, &stdout, os.Stderr), "standard input")
	want, err := os.ReadFile(sample)
	require.NoError(t, err)
	assert.Equal(t, string(want), stdout.String(), "JSON comes out as it went in")
}
