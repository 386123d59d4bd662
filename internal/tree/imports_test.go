// Package tree holds the tests of the repository as a whole.
package tree

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/serbench/serbench"

type pkg struct {
	ImportPath   string
	Standard     bool
	Imports      []string
	Deps         []string
	TestImports  []string
	XTestImports []string
}

func packages(t *testing.T) map[string]pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard,Imports,Deps,TestImports,XTestImports", module+"/...")
	out, err := cmd.Output()
	require.NoError(t, err, "go list")
	all := map[string]pkg{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		all[p.ImportPath] = p
	}
}

const adapters = 3

// layer is the rank of a package of ours: imports go from higher to lower.
func layer(importPath string) int {
	rel := strings.TrimPrefix(strings.TrimPrefix(importPath, module), "/")
	switch top, _, _ := strings.Cut(rel, "/"); {
	case strings.HasPrefix(rel, "internal/study/"):
		return 6 // programs
	case top == "internal":
		return 0
	case rel == "":
		return 1
	case rel == "adapters/all":
		return 4
	case strings.HasPrefix(rel, "adapters/internal/"), rel == "adapters/codectest":
		return 2 // what adapters share
	case top == "adapters", top == "render":
		return adapters
	case top == "examples", top == "docs": // docs has tests alone
		return 5
	}
	return -1
}

func TestImportsGoOneWay(t *testing.T) {
	for name, p := range packages(t) {
		if !ours(name) {
			continue
		}
		require.GreaterOrEqual(t, layer(name), 0, "%s is not a place of the design", name)
		for _, imp := range p.Imports {
			if !ours(imp) {
				continue
			}
			from, to := layer(name), layer(imp)
			assert.GreaterOrEqual(t, from, to, "%s imports %s", name, imp)
			if from == adapters && !strings.HasPrefix(name, imp+"/") && !strings.HasPrefix(imp, name+"/") {
				assert.NotEqual(t, adapters, to, "%s imports %s: adapters never import each other", name, imp)
			}
		}
	}
}

func TestTheRootNeedsTheStandardLibraryAlone(t *testing.T) {
	all := packages(t)
	root := all[module]
	require.NotEmpty(t, root.Deps)
	for _, dep := range root.Deps {
		assert.True(t, all[dep].Standard || strings.HasPrefix(dep, module+"/internal/"), "the root depends on %s", dep)
	}
	for _, imp := range append(root.TestImports, root.XTestImports...) {
		ok := all[imp].Standard || imp == module || strings.HasPrefix(imp, module+"/internal/") ||
			strings.HasPrefix(imp, "github.com/stretchr/testify/") || !strings.Contains(imp, ".")
		assert.True(t, ok, "a test of the root imports %s, which would stand in every consumer's go.sum", imp)
	}
}

func TestEachAdapterImportsOneLibrary(t *testing.T) {
	for name, p := range packages(t) {
		if !strings.HasPrefix(name, module+"/adapters/") || strings.HasPrefix(name, module+"/adapters/all") {
			continue
		}
		libraries := map[string]bool{}
		for _, imp := range p.Imports {
			if !ours(imp) && strings.Contains(strings.Split(imp, "/")[0], ".") {
				libraries[library(imp)] = true
			}
		}
		assert.LessOrEqual(t, len(libraries), 1, "%s imports %v", name, libraries)
	}
}

// library is about the module of an import path: enough to tell libraries
// apart.
func library(imp string) string {
	parts := strings.Split(imp, "/")
	n := 3
	if parts[0] == "google.golang.org" || parts[0] == "go.mongodb.org" {
		n = 2
	}
	return strings.Join(parts[:min(n, len(parts))], "/")
}

func ours(importPath string) bool {
	return importPath == module || strings.HasPrefix(importPath, module+"/")
}
