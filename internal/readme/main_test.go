package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBlocks(t *testing.T) {
	got, err := Blocks("a\n```sh\ngo test\n```\nb\n```go\npackage main\n\nfunc main() {}\n```\n```\nplain\n```\n")
	require.NoError(t, err)
	assert.Equal(t, []Block{
		{Lang: "sh", Text: "go test\n", Line: 2},
		{Lang: "go", Text: "package main\n\nfunc main() {}\n", Line: 6},
		{Lang: "", Text: "plain\n", Line: 11},
	}, got)
}

func TestABlockThatIsNotClosedIsAnError(t *testing.T) {
	_, err := Blocks("a\n```sh\ngo test\n")
	assert.EqualError(t, err, "line 2: the block is not closed")
}

func TestAShellBlockThatFailsIsAnErrorWithItsOutput(t *testing.T) {
	assert.NoError(t, runShell("true | cat"))
	err := runShell("echo out of ink\nfalse | cat\n")
	assert.ErrorContains(t, err, "out of ink")
}
