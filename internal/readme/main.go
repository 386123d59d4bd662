// Readme runs what Markdown pages show: every block marked sh with bash, in
// the repository's folder; every block marked go that is a whole program, in a
// module of its own that uses this repository; and all other blocks marked go
// in one test package: statements as a test, declarations as they are, beside
// frame.go.txt, which declares what they take for granted. Of blocks marked
// console, which a machine cannot run as they are, the programs of this module
// that they name must exist. Blocks marked text, yaml and so on are not looked
// at.
//
//	go run ./internal/readme README.md docs/*.md
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: readme FILE.md ...")
		os.Exit(2)
	}
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(pages []string) error {
	var fragments []fragment
	ran := 0
	for _, name := range pages {
		some, n, err := check(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fragments, ran = append(fragments, some...), ran+n
	}
	start := time.Now()
	if err := runFragments(fragments); err != nil {
		return err
	}
	if ran+len(fragments) == 0 {
		return errors.New("there is no block to run")
	}
	fmt.Printf("%d fragments: compiled and ran in %v\n", len(fragments), time.Since(start).Round(time.Millisecond))
	return nil
}

// check runs the blocks of a page that stand for themselves, says how many
// they are, and returns the fragments.
func check(name string) (fragments []fragment, ran int, err error) {
	page, err := os.ReadFile(name)
	if err != nil {
		return nil, 0, err
	}
	blocks, err := Blocks(string(page))
	if err != nil {
		return nil, 0, err
	}
	for _, b := range blocks {
		start, did := time.Now(), "ran"
		switch {
		case b.Lang == "sh":
			err = runShell(b.Text)
		case b.Lang == "go" && strings.HasPrefix(b.Text, "package main"):
			err = runProgram(b.Text)
		case b.Lang == "go":
			fragments = append(fragments, fragment{name, b})
			continue
		case b.Lang == "console":
			did = "names programs that exist, seen"
			err = programsExist(b.Text)
		default:
			continue
		}
		if err != nil {
			return nil, 0, fmt.Errorf("line %d: %w", b.Line, err)
		}
		ran++
		fmt.Printf("%s:%d: %s in %v\n", name, b.Line, did, time.Since(start).Round(time.Millisecond))
	}
	return fragments, ran, nil
}

// goRun finds programs of this module, named by path or import path.
var goRun = regexp.MustCompile(`go run (?:\./|github\.com/serbench/serbench/)([a-z/]+)`)

func programsExist(text string) error {
	for _, m := range goRun.FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(m[1], "main.go")); err != nil {
			return fmt.Errorf("%s: %w", m[0], err)
		}
	}
	return nil
}

// A Block is a fenced block of a page.
type Block struct {
	Lang string
	Text string
	Line int // of its first fence
}

// Blocks returns the fenced blocks of a page in order.
func Blocks(page string) ([]Block, error) {
	var blocks []Block
	var open *Block
	for i, line := range strings.SplitAfter(page, "\n") {
		fence := strings.HasPrefix(line, "```")
		switch {
		case fence && open == nil:
			open = &Block{Lang: strings.TrimSpace(strings.TrimPrefix(line, "```")), Line: i + 1}
		case fence:
			blocks = append(blocks, *open)
			open = nil
		case open != nil:
			open.Text += line
		}
	}
	if open != nil {
		return nil, fmt.Errorf("line %d: the block is not closed", open.Line)
	}
	return blocks, nil
}

func runShell(text string) error { return command(".", "bash", "-euo", "pipefail", "-c", text) }

// runProgram runs a program as somebody else's module would.
func runProgram(text string) error {
	here, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "readme")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o644); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"mod", "init", "example.com/bench"},
		{"mod", "edit", "-replace", "github.com/serbench/serbench=" + here},
		{"mod", "tidy"},
		{"run", "."},
	} {
		if err := command(dir, "go", args...); err != nil {
			return err
		}
	}
	return nil
}

func command(dir, name string, args ...string) error {
	var out bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out.String())
	}
	return nil
}
