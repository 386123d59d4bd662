package hostinfo

import (
	"runtime/debug"
	"strings"
)

// archLevels are the settings that choose an instruction set, one of which a
// build has.
var archLevels = []string{
	"GO386", "GOAMD64", "GOARM", "GOARM64", "GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64", "GOWASM",
}

// addBuild takes over what the build information says.
func (i *Info) addBuild(bi *debug.BuildInfo) {
	settings := map[string]string{}
	for _, s := range bi.Settings {
		settings[s.Key] = s.Value
	}
	for _, name := range archLevels {
		switch v := settings[name]; {
		case v == "":
		case name == "GOAMD64":
			i.ArchLevel = v
		default:
			i.ArchLevel = name + "=" + v
		}
	}
	if v := settings["GOEXPERIMENT"]; v != "" {
		i.GOEXPERIMENT = v
	}
	i.VCSRevision = settings["vcs.revision"]
	i.VCSModified = settings["vcs.modified"] == "true"
	i.Modules = modules(bi)
}

// modules lists the versions of all modules of the build, the main one
// included. A replaced module shows what stands in for it.
func modules(bi *debug.BuildInfo) map[string]string {
	var m map[string]string
	add := func(path, version string) {
		if path == "" || version == "" {
			return
		}
		if m == nil {
			m = map[string]string{}
		}
		m[path] = version
	}
	add(bi.Main.Path, bi.Main.Version)
	for _, d := range bi.Deps {
		if d == nil {
			continue
		}
		add(d.Path, d.Version+replacement(d))
	}
	return m
}

func replacement(d *debug.Module) string {
	switch r := d.Replace; {
	case r == nil:
		return ""
	case r.Version == "" || strings.HasPrefix(r.Path, ".") || strings.HasPrefix(r.Path, "/"):
		// The path of a folder says something about the machine, and nothing
		// about the code.
		return " => (folder)"
	case r.Path == d.Path:
		return " => " + r.Version
	default:
		return " => " + r.Path + "@" + r.Version
	}
}
