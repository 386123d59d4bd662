// Readme runs what a Markdown page shows: every block marked sh with bash, in
// the repository's folder, and every block marked go that is a whole program,
// in a module of its own that uses this repository. A block that cannot be
// run by a machine is marked otherwise, such as console or text.
//
//	go run ./internal/readme README.md
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: readme FILE.md ...")
		os.Exit(2)
	}
	for _, name := range os.Args[1:] {
		if err := check(name); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			os.Exit(1)
		}
	}
}

func check(name string) error {
	page, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	blocks, err := Blocks(string(page))
	if err != nil {
		return err
	}
	ran := 0
	for _, b := range blocks {
		start := time.Now()
		switch {
		case b.Lang == "sh":
			err = runShell(b.Text)
		case b.Lang == "go" && strings.HasPrefix(b.Text, "package main"):
			err = runProgram(b.Text)
		default:
			continue
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", b.Line, err)
		}
		ran++
		fmt.Printf("%s:%d: ran in %v\n", name, b.Line, time.Since(start).Round(time.Millisecond))
	}
	if ran == 0 {
		return errors.New("there is no block to run")
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
