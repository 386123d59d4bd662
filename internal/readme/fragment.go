package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// frame declares what fragments refer to without making it themselves: codecs,
// payloads, a file.
//
//go:embed frame.go.txt
var frame string

// known are the packages that fragments may use, by the names they use.
var known = map[string]string{
	"context": "context", "errors": "errors", "fmt": "fmt", "json": "encoding/json", "os": "os", "testing": "testing", "time": "time",
	"serbench": module, "render": module + "/render", "redis": module + "/adapters/redis", "compress": module + "/adapters/compress",
	"protobuf": module + "/adapters/protobuf", "ugorji": module + "/adapters/ugorji", "stdlib": module + "/adapters/stdlib",
	"codectest": module + "/adapters/codectest", "payloadspb": module + "/examples/payloads/payloadspb",
}

const module = "github.com/serbench/serbench"

// A fragment is a Go block that is no whole program: statements, or
// declarations. Both are compiled beside the frame, at their own lines of the
// page; statements are run as a test, and test functions as what they are.
type fragment struct {
	page string
	Block
}

// test returns the source of a test file for the fragment.
func (f fragment) test(number int) (string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+f.Text, parser.SkipObjectResolution)
	head, tail := "", "" // declarations stand by themselves
	if err != nil {
		head = fmt.Sprintf("func TestFragment%d(t *testing.T) {\nif err := func() error {\n", number)
		tail = "\nreturn nil\n}(); err != nil {\nt.Fatal(err)\n}\n}\n"
		file, err = parser.ParseFile(token.NewFileSet(), "", "package p\n"+head+f.Text+tail, parser.SkipObjectResolution)
	}
	if err != nil {
		return "", fmt.Errorf("neither declarations nor statements: %w", err)
	}
	var unused strings.Builder
	if head != "" {
		body := file.Decls[0].(*ast.FuncDecl).Body.List[0].(*ast.IfStmt).Init.(*ast.AssignStmt).Rhs[0].(*ast.CallExpr).Fun.(*ast.FuncLit).Body
		for _, name := range declared(body.List) {
			fmt.Fprintf(&unused, "_ = %s\n", name)
		}
	}
	var imports strings.Builder
	for _, name := range slices.Sorted(maps.Keys(used(file))) {
		fmt.Fprintf(&imports, "import %s %q\n", name, known[name])
	}
	return fmt.Sprintf("package fragments\n\n%s\n%s//line %s:%d\n%s//line fragment:1\n%s%s", imports.String(), head, f.page, f.Line+1, f.Text, unused.String(), tail), nil
}

// declared are the names that statements declare and might not use.
func declared(stmts []ast.Stmt) (names []string) {
	for _, s := range stmts {
		a, ok := s.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE {
			continue
		}
		for _, left := range a.Lhs {
			if id, ok := left.(*ast.Ident); ok && id.Name != "_" && !slices.Contains(names, id.Name) {
				names = append(names, id.Name)
			}
		}
	}
	return names
}

// used are the known packages that the fragment's frame has to import.
func used(file *ast.File) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && known[id.Name] != "" {
				names[id.Name] = true
			}
		}
		return true
	})
	return names
}

// runFragments compiles all fragments as one test package that exists only in
// an overlay of this module, and runs it.
func runFragments(all []fragment) error {
	if len(all) == 0 {
		return nil
	}
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "readme")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	replace := map[string]string{}
	add := func(name, text string) error {
		real := filepath.Join(dir, name)
		replace[filepath.Join(root, "internal", "readme", "fragments", name)] = real
		return os.WriteFile(real, []byte(text), 0o644)
	}
	err = errors.Join(add("doc.go", "package fragments\n"), add("frame_test.go", frame))
	for i, f := range all {
		text, terr := f.test(i + 1)
		if terr != nil {
			return fmt.Errorf("%s:%d: %w", f.page, f.Line, terr)
		}
		err = errors.Join(err, add(fmt.Sprintf("fragment%d_test.go", i+1), text))
	}
	if err != nil {
		return err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o644); err != nil {
		return err
	}
	program := filepath.Join(dir, "fragments.test.exe") // a name that every system runs
	if err := command(root, "go", "test", "-c", "-vet=off", "-overlay", file, "-o", program, "./internal/readme/fragments"); err != nil {
		return err
	}
	return command(dir, program, "-test.timeout=5m")
}
