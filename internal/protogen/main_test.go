package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
}

const head = "syntax = \"proto3\";\noption go_package = \"example.com/x\";\n"

func TestCompileOrdersImports(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.proto", head+"import \"b.proto\";\nimport \"google/protobuf/timestamp.proto\";\nmessage A { B b = 1; google.protobuf.Timestamp at = 2; }")
	write(t, dir, "b.proto", head+"message B {}")
	request, err := compile(t.Context(), dir, []string{"a.proto"})
	require.NoError(t, err)
	var names []string
	for _, f := range request.GetProtoFile() {
		names = append(names, f.GetName())
	}
	assert.Equal(t, []string{"b.proto", "google/protobuf/timestamp.proto", "a.proto"}, names, "what is imported comes first")
	assert.Equal(t, []string{"a.proto"}, request.GetFileToGenerate())
	again, err := compile(t.Context(), dir, []string{"a.proto"})
	require.NoError(t, err)
	assert.Equal(t, request.String(), again.String())
}

func TestCompileNamesWhatIsWrong(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"a syntax error":    {head + "message A {", "a.proto:"},
		"an unknown type":   {head + "message A { Nowhere n = 1; }", "Nowhere"},
		"a missing import":  {head + "import \"none.proto\";", "none.proto"},
		"an invalid number": {head + "message A { string s = 0; }", "a.proto:"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "a.proto", tt.text)
			_, err := compile(t.Context(), dir, []string{"a.proto"})
			require.ErrorContains(t, err, tt.want)
		})
	}
	_, err := compile(t.Context(), t.TempDir(), []string{"absent.proto"})
	assert.ErrorContains(t, err, "absent.proto")
}

func TestRunNamesTheTool(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.proto", head+"message A {}")
	assert.ErrorContains(t, run(t.Context(), dir, []string{"no-such-generator"}, []string{"a.proto"}), "no-such-generator")
}
