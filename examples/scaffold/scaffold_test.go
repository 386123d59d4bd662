package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const source = "testdata/shop"

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	require.NoError(t, err)
	return dir
}

// tree is the content of all files of a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[path] = string(data)
		return err
	}))
	return files
}

func exe(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(args, &out, &errs)
	return code, out.String(), errs.String()
}

func TestWhatIsCarriedAndWhatIsLeftBehind(t *testing.T) {
	before := tree(t, source)
	out := filepath.Join(t.TempDir(), "bench")
	code, stdout, stderr := exe(t, "-type", "Order", "-o", out, "-serbench", root(t), source+"/model")
	require.Equal(t, 0, code, stderr)
	assert.Equal(t, before, tree(t, source), "the source is only read")

	for _, left := range []string{
		"Order.mu, .cache: unexported", "Order.Flags: flag.FlagSet belongs to another module and cannot be cut: its field Usage is a func", "Order.Cancel: a func", "Order.PAny: the * of its *any", "Order.Lock: sync.RWMutex has no field that a codec can see",
		"Order.Done: a channel", "Order.Hook: a func", "Order.Hooks: a func", "Order.Out: an interface with methods",
		"Order.Ctx: an interface with methods", "Order.Err: an interface with methods", "Order.Opaque: none of its fields",
		"Amount: its MarshalJSON stayed behind",
	} {
		assert.Contains(t, stdout, "left behind: "+left)
	}
	text, err := os.ReadFile(filepath.Join(out, "types", "types.go"))
	require.NoError(t, err)
	plain := strings.Join(strings.Fields(string(text)), " ")
	for _, want := range []string{
		"type Order struct { Audit *Meta `json:\"meta\"` ID int64 `json:\"id\"`", "Paid MoneyStatus", "type MoneyStatus string", "Total Amount",
		"Items []*Item `json:\"items,omitempty\"`", "Level Level", "type Level int8", "At time.Time", "Raw json.RawMessage", "Any any", "PAny any",
		"Inline struct { X float64 Y float64 }", "Page PageItem", "type PageItem struct { Values []Item", "Parent *Order",
		"-no_std_marshalers", "go tool msgp",
	} {
		assert.Contains(t, plain, want)
	}
	text, err = os.ReadFile(filepath.Join(out, "main.go"))
	require.NoError(t, err)
	for _, want := range []string{`[]types.Status{"new", "paid", "sent \"away\""}`, "[]types.Level{-1, 0, 1}"} {
		assert.Contains(t, string(text), want, "constants are the values of their types")
	}
}

func TestRefusals(t *testing.T) {
	full := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(full, "precious.txt"), []byte("mine"), 0o600))
	new := filepath.Join(t.TempDir(), "new")
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"folder in use", []string{"-type", "Order", "-o", full, source + "/model"}, "is not empty: nothing is overwritten"},
		{"no such type", []string{"-type", "Ordr", "-o", new, source + "/model"}, "has no type Ordr; it has Handler, Item, Meta, Order, Page, Status"},
		{"no type at all", []string{"-type", "Number", "-o", new, source + "/model"}, "Number of package example.com/shop/model is not a type"},
		{"no name", []string{"-type", "a b", "-o", new, source + "/model"}, "is no name"},
		{"generic", []string{"-type", "Page", "-o", new, source + "/model"}, "Page is generic"},
		{"a func", []string{"-type", "Handler", "-o", new, source + "/model"}, "Handler cannot be carried: a func has no content"},
		{"no package", []string{"-type", "Order", "-o", new, "testdata/nowhere"}, "scaffold: "},
		{"no Go files", []string{"-type", "Order", "-o", new, source}, "no Go files"},
		{"no -type", []string{source}, "usage:"},
		{"serbench elsewhere", []string{"-type", "Item", "-o", new, "-serbench", full, source + "/model"}, "serbench's source"},
	} {
		code, _, stderr := exe(t, c.args...)
		assert.Equal(t, 2, code, c.name)
		assert.Contains(t, stderr, c.want, c.name)
		_, err := os.Stat(new)
		assert.ErrorIs(t, err, os.ErrNotExist, "%s: nothing is written", c.name)
	}
	assert.Len(t, tree(t, full), 1)
}

// What a user does next, with nothing but the module cache.
func TestTheNewModuleGeneratesBuildsAndRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this builds a module")
	}
	out := filepath.Join(t.TempDir(), "bench")
	code, _, stderr := exe(t, "-type", "Order", "-o", out, "-serbench", root(t), source+"/model")
	require.Equal(t, 0, code, stderr)
	command := func(args ...string) string {
		cmd := exec.Command("go", args...)
		cmd.Dir = out
		cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod", "GOWORK=off")
		text, err := cmd.CombinedOutput()
		require.NoError(t, err, "go %v: %s", args, text)
		return string(text)
	}
	command("generate", "./...")
	table := command("run", ".", "-n", "3", "-budget", "3s")
	for _, want := range []string{"order (struct), encode", "order (struct), decode", "msgp", "easyjson", "json"} {
		assert.Contains(t, table, want)
	}
	assert.NotContains(t, table, "has no MarshalMsg", "the methods were generated")

	recorded := filepath.Join(out, "one.ndjson")
	require.NoError(t, os.WriteFile(recorded, []byte(`{"id":7,"status":"paid"}`+"\n"), 0o600))
	assert.Contains(t, command("run", ".", "-data", recorded, "-budget", "2s"), "order (struct), encode")
}
