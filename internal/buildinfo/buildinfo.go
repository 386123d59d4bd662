// Package buildinfo tells which version of a module a program was built with.
package buildinfo

import "runtime/debug"

// Version returns the version of the module at path in the running program,
// such as "v1.6.5", or "" where it is not known: a test binary lists no
// modules, a development build of the main module has no version.
func Version(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return version(info, path)
}

func version(info *debug.BuildInfo, path string) string {
	for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if m.Path != path {
			continue
		}
		if m.Replace != nil {
			m = m.Replace
		}
		if m.Version == "(devel)" {
			return ""
		}
		return m.Version
	}
	return ""
}
