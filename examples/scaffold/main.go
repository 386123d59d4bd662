// Scaffold writes a module that compares codecs on a type of yours:
//
//	go run github.com/serbench/serbench/examples/scaffold -type Order ./path/to/pkg
//
// It copies the type and the types that it needs, with their tags, into a new
// folder, with the lines that generate methods for msgp and easyjson and a
// main that fills values and runs the suite. The source is only read. What
// cannot be carried (channels, funcs, unexported fields, cgo) is named and
// left behind. Then:
//
//	cd bench-order && go generate ./... && go run .
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// Exit codes.
const (
	exitOK    = 0
	exitUsage = 2
)

func run(args []string, stdout, stderr io.Writer) int {
	fs := flag.NewFlagSet("scaffold", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprintln(stderr, "usage: scaffold -type NAME [-o FOLDER] [-serbench FOLDER] PACKAGE\n\nWrites a module that compares codecs on a type of PACKAGE, a path such as ./internal/model.")
		fs.PrintDefaults()
	}
	typ := fs.String("type", "", "the `NAME` of the type")
	out := fs.String("o", "", "the new `FOLDER`, which must not exist or be empty; default: bench-NAME")
	local := fs.String("serbench", "", "a `FOLDER` with serbench's source to build with; default: where this program was built from, or its published version")
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		return exitUsage
	case *typ == "" || fs.NArg() != 1:
		fs.Usage()
		return exitUsage
	}
	if *out == "" {
		*out = "bench-" + strings.ToLower(*typ)
	}
	c, err := scaffold(*typ, fs.Arg(0), *out, *local)
	if err != nil {
		fmt.Fprintln(stderr, "scaffold:", err)
		return exitUsage
	}
	fmt.Fprintf(stdout, "wrote %s\n", *out)
	for _, n := range c.notes {
		fmt.Fprintln(stdout, "left behind:", n)
	}
	fmt.Fprintf(stdout, "now: cd %s && go generate ./... && go run .\n", *out)
	return exitOK
}

// scaffold writes the module and returns what was carried.
func scaffold(typ, pattern, out, local string) (*carrier, error) {
	if err := vacant(out); err != nil {
		return nil, err
	}
	pkg, err := load(pattern)
	if err != nil {
		return nil, err
	}
	named, err := find(pkg, typ)
	if err != nil {
		return nil, err
	}
	c := newCarrier(pkg)
	decls, err := c.carry(named)
	if err != nil {
		return nil, err
	}
	files, err := c.files(named, decls, pkg, local)
	if err != nil {
		return nil, err
	}
	for name, data := range files {
		file := filepath.Join(out, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// vacant refuses a folder that holds something.
func vacant(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty: nothing is overwritten, choose another folder with -o", dir)
	}
	return nil
}

// load type-checks one package, from the folder or by the import path.
func load(pattern string) (*packages.Package, error) {
	conf := &packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedSyntax}
	if info, err := os.Stat(pattern); err == nil && info.IsDir() {
		// From its own folder, so that its own go.mod counts.
		conf.Dir, pattern = pattern, "."
	}
	pkgs, err := packages.Load(conf, pattern)
	if err != nil && strings.Contains(err.Error(), "go.work") { // as of a module whose workspace is elsewhere
		conf.Env = append(os.Environ(), "GOWORK=off")
		pkgs, err = packages.Load(conf, pattern)
	}
	if err != nil {
		return nil, err
	}
	if len(pkgs) != 1 {
		return nil, fmt.Errorf("%s are %d packages: name one", pattern, len(pkgs))
	}
	p := pkgs[0]
	if len(p.Errors) > 0 && (p.Types == nil || p.Types.Scope().Len() == 0) {
		return nil, fmt.Errorf("package %s: %w", pattern, p.Errors[0])
	}
	return p, nil
}
