package buildinfo

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestVersion(t *testing.T) {
	info := &debug.BuildInfo{
		Main: debug.Module{Path: "example.com/main", Version: "(devel)"},
		Deps: []*debug.Module{
			{Path: "example.com/codec", Version: "v1.2.3"},
			{Path: "example.com/fork", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/other", Version: "v2.0.0"}},
			{Path: "example.com/local", Version: "v1.0.0", Replace: &debug.Module{Path: "../local"}},
		},
	}
	for _, tt := range []struct{ name, path, want string }{
		{"a dependency", "example.com/codec", "v1.2.3"},
		{"a replaced module has the version of what replaced it", "example.com/fork", "v2.0.0"},
		{"a folder has no version", "example.com/local", ""},
		{"a development build has no version", "example.com/main", ""},
		{"a module that is not there", "example.com/absent", ""},
		{"a package is not a module", "example.com/codec/sub", ""},
	} {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, version(info, tt.path)) })
	}
}

func TestNothingIsInventedUnderGoTest(t *testing.T) {
	assert.Empty(t, Version("github.com/stretchr/testify"), "a test binary lists no modules")
}
