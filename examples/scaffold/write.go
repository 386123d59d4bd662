package main

import (
	"bytes"
	"fmt"
	"go/format"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"text/template"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"
)

const serbenchPath = "github.com/serbench/serbench"

// tools generate methods for the copied types.
var tools = []string{"github.com/mailru/easyjson/easyjson", "github.com/tinylib/msgp"}

// files are the new module's, by name.
func (c *carrier) files(named *types.Named, decls []string, pkg *packages.Package, local string) (map[string][]byte, error) {
	data := map[string]any{
		"Type": c.nameOf(named), "Payload": strings.ToLower(named.Obj().Name()), "From": pkg.PkgPath,
		"Decls": decls, "Imports": slices.Sorted(maps.Keys(c.imports)), "Enums": c.enums, "Directives": c.msgp.lines, "Notes": c.notes,
		"Module": "bench.example/" + strings.ToLower(named.Obj().Name()),
	}
	files := map[string][]byte{}
	for name, text := range map[string]string{"types/types.go": typesText, "main.go": mainText} {
		var b bytes.Buffer
		if err := template.Must(template.New(name).Parse(text)).Execute(&b, data); err != nil {
			return nil, err
		}
		src, err := format.Source(b.Bytes())
		if err != nil {
			return nil, fmt.Errorf("what was written for %s is no Go: %w\n%s", name, err, b.Bytes())
		}
		files[name] = src
	}
	mod, sum, err := c.modFiles(data["Module"].(string), pkg, local)
	if err != nil {
		return nil, err
	}
	files["go.mod"], files["go.sum"] = mod, sum
	return files, nil
}

// modFiles makes go.mod and go.sum. With serbench's source at hand the new
// module requires what that requires, so that it builds without asking anyone.
func (c *carrier) modFiles(name string, pkg *packages.Package, local string) (mod, sum []byte, err error) {
	f := new(modfile.File)
	if err := f.AddModuleStmt(name); err != nil {
		return nil, nil, err
	}
	version := "v0.0.0"
	if local == "" {
		local, version = whence()
	}
	if local != "" {
		local, err = filepath.Abs(local)
		if err != nil {
			return nil, nil, err
		}
		data, err := os.ReadFile(filepath.Join(local, "go.mod"))
		if err != nil {
			return nil, nil, fmt.Errorf("serbench's source: %w", err)
		}
		theirs, err := modfile.Parse("go.mod", data, nil)
		if err != nil || theirs.Module.Mod.Path != serbenchPath {
			return nil, nil, fmt.Errorf("%s does not hold %s", local, serbenchPath)
		}
		for _, r := range theirs.Require {
			f.AddNewRequire(r.Mod.Path, r.Mod.Version, r.Indirect)
		}
		if err := f.AddReplace(serbenchPath, "", local, ""); err != nil {
			return nil, nil, err
		}
		if sum, err = os.ReadFile(filepath.Join(local, "go.sum")); err != nil {
			return nil, nil, err
		}
		if err := f.AddGoStmt(theirs.Go.Version); err != nil {
			return nil, nil, err
		}
	} else if err := f.AddGoStmt("1.26.0"); err != nil {
		return nil, nil, err
	}
	if err := f.AddRequire(serbenchPath, version); err != nil {
		return nil, nil, err
	}
	for _, path := range slices.Sorted(maps.Keys(c.require)) {
		if v := c.require[path]; v != "" {
			if err := f.AddRequire(path, v); err != nil {
				return nil, nil, err
			}
		}
	}
	for _, tool := range tools {
		if err := f.AddTool(tool); err != nil {
			return nil, nil, err
		}
	}
	if pkg.Module != nil && len(c.require) > 0 {
		if data, err := os.ReadFile(filepath.Join(pkg.Module.Dir, "go.sum")); err == nil {
			sum = append(sum, data...)
		}
	}
	f.Cleanup()
	mod, err = f.Format()
	return mod, sum, err
}

// whence finds the source that this program was built from, or its version.
func whence() (dir, version string) {
	info, ok := debug.ReadBuildInfo()
	if ok && info.Main.Path == serbenchPath && strings.HasPrefix(info.Main.Version, "v") && !strings.Contains(info.Main.Version, "+dirty") && info.Main.Sum != "" {
		return "", info.Main.Version
	}
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", serbenchPath).Output()
	if dir := strings.TrimSpace(string(out)); err == nil && dir != "" {
		return dir, "v0.0.0"
	}
	return "", "latest"
}
