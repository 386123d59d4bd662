package main

import (
	"path/filepath"
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

func TestFragmentsAreFramed(t *testing.T) {
	text, err := fragment{"a.md", Block{Text: "r := serbench.Runner{}\nx, y := 1, 2\n", Line: 7}}.test(3)
	require.NoError(t, err)
	for _, want := range []string{"func TestFragment3(", "//line a.md:8\nr := ", "_ = r\n", "_ = y\n", `import serbench "github.com/serbench/serbench"`} {
		assert.Contains(t, text, want)
	}
	text, err = fragment{"a.md", Block{Text: "func TestMine(t *testing.T) { codectest.Run(t, nil) }\n"}}.test(1)
	require.NoError(t, err)
	assert.NotContains(t, text, "TestFragment")
	assert.Contains(t, text, "adapters/codectest")
	_, err = fragment{"a.md", Block{Text: "a := := b"}}.test(1)
	assert.ErrorContains(t, err, "neither declarations nor statements")
}

func TestAFragmentThatDoesNotCompileIsNamedByItsPage(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this builds a test")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	t.Chdir(root)
	assert.NoError(t, runFragments([]fragment{{"a.md", Block{Text: "r := serbench.Runner{}\n", Line: 7}}}))
	err = runFragments([]fragment{{"a.md", Block{Text: "\nr := serbench.Runer{}\n", Line: 7}}})
	assert.ErrorContains(t, err, "a.md:9: undefined: serbench.Runer")
	err = runFragments([]fragment{{"a.md", Block{Text: "return errors.New(\"out of ink\")\n", Line: 7}}})
	assert.ErrorContains(t, err, "out of ink")
}

func TestProgramsOfConsoleBlocksExist(t *testing.T) {
	t.Chdir("../..")
	assert.NoError(t, programsExist("cd x && go run ./examples/quickstart\ngo run github.com/serbench/serbench/examples/yourdata a.json\n"))
	assert.ErrorContains(t, programsExist("go run ./examples/nosuch -x\n"), "go run ./examples/nosuch")
}
