package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tinylib/msgp/msgp"

	"github.com/serbench/serbench"
)

func usual() options { return options{numbers: "int64", values: 1000, bytes: 1 << 20, seed: 1} }

var messages = []map[string]any{
	{"id": int64(1), "name": "Ada", "tags": []any{"a", "b"}, "score": 1.5},
	{"id": int64(-9007199254740993), "name": "Łódź", "tags": []any{}, "score": nil},
	{"id": int64(3), "name": "", "deep": map[string]any{"ok": true}},
}

// forms are the messages in every form that this program takes.
func forms(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	var err error
	out["array.json"], err = json.Marshal(messages)
	require.NoError(t, err)
	list := msgp.AppendArrayHeader(nil, uint32(len(messages)))
	var stream []byte
	for _, m := range messages {
		line, err := json.Marshal(m)
		require.NoError(t, err)
		out["lines.ndjson"] = append(append(out["lines.ndjson"], line...), '\n')
		stream, err = msgp.AppendMapStrIntf(stream, m)
		require.NoError(t, err)
		item, err := cbor.Marshal(m)
		require.NoError(t, err)
		out["sequence.cbor"] = append(out["sequence.cbor"], item...)
	}
	out["stream.msgpack"] = stream
	out["list.msgpack"] = append(list, stream...)
	out["list.cbor"], err = cbor.Marshal(messages)
	require.NoError(t, err)
	for name, data := range map[string][]byte{"lines.ndjson": out["lines.ndjson"], "sequence.cbor": out["sequence.cbor"]} {
		var z bytes.Buffer
		w := gzip.NewWriter(&z)
		_, err := w.Write(data)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		out[name+".gz"] = z.Bytes()
		e, err := zstd.NewWriter(nil)
		require.NoError(t, err)
		out[name+".zst"] = e.EncodeAll(data, nil)
	}
	return out
}

func loaded(t *testing.T, p serbench.Payload) (out []map[string]any) {
	t.Helper()
	vs, err := p.Values()
	require.NoError(t, err)
	for _, v := range vs {
		require.IsType(t, new(map[string]any), v)
		out = append(out, *v.(*map[string]any))
	}
	return out
}

func TestEveryFormGivesTheSameMessages(t *testing.T) {
	dir := t.TempDir()
	for name, data := range forms(t) {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, data, 0o600))
		p, err := usual().load(file, name, nil)
		require.NoError(t, err, name)
		assert.Equal(t, messages, loaded(t, p), name)

		// The same by content alone, from standard input and without a name.
		p, err = usual().load("-", "stdin", bytes.NewReader(data))
		require.NoError(t, err, "%s from standard input", name)
		assert.Equal(t, messages, loaded(t, p), "%s from standard input", name)
	}
}

func TestErrorsNameFileAndPlace(t *testing.T) {
	f := forms(t)
	dir := t.TempDir()
	for _, c := range []struct{ name, file, data, want string }{
		{"broken JSON", "a.json", "{\"a\":\n 1,}", "a.json: line 2, column 4 (byte 9), message 0: expected a key in double quotes, found '}'"},
		{"broken line", "a.ndjson", "{}\n{\"a\"}\n", "a.ndjson: line 2, column 5 (byte 7), message 1: expected ':' behind a key, found '}'"},
		{"empty", "a.json", "", "a.json: line 1, column 1 (byte 0), message 0: expected a JSON value"},
		{"MessagePack cut", "a.msgpack", string(f["stream.msgpack"][:20]), "message 0: at byte 20: expected the rest of the value, found the end of the input"},
		{"MessagePack with a byte behind", "a.msgpack", string(f["stream.msgpack"]) + "\xc1", fmt.Sprintf("byte %d, message 3: at byte %[1]d: ", len(f["stream.msgpack"]))},
		{"MessagePack array cut", "a.msgpack", string(f["list.msgpack"][:60]), "expected the rest of the value, found the end of the input"},
		{"CBOR cut", "a.cbor", string(f["sequence.cbor"][:20]), "a.cbor: byte 0, message 0: expected the rest of the item, found the end of the input"},
		{"CBOR broken", "a.cbor", "\xa1\x61\x61\xff", "a.cbor: byte 0, message 0: cbor: "},
		{"gzip cut", "a.json.gz", string(f["lines.ndjson.gz"][:40]), "unexpected EOF"},
		{"no gzip", "a.json.gz", "rubbish", "the name ends in .gz, but what the file holds is not compressed so"},
		{"UTF-16", "a.json", "\xff\xfe{\x00}\x00", "this is UTF-16"},
		{"UTF-16, without a name", "a", "\xfe\xff\x00{\x00}", "this is UTF-16"},
		{"UTF-16, without a mark", "a", "{\x00}\x00", "this is UTF-16"},
		{"UTF-16, high bytes first", "a.ndjson", "\x00{\x00}", "this is UTF-16"},
		{"no known format", "a", "\xc1", "a: cannot tell the format"},
	} {
		file := filepath.Join(dir, c.file)
		require.NoError(t, os.WriteFile(file, []byte(c.data), 0o600))
		_, err := usual().load(file, "x", nil)
		require.Error(t, err, c.name)
		assert.Contains(t, err.Error(), c.want, c.name)
		assert.Contains(t, err.Error(), c.file, c.name)
	}
	_, err := usual().load(filepath.Join(dir, "missing"), "x", nil)
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestNamesOfPayloads(t *testing.T) {
	names := map[string]bool{}
	for _, c := range [][2]string{{"-", "stdin"}, {"a/orders.ndjson.gz", "orders"}, {"b/orders.json", "orders-2"}, {"v1.2", "v1.2"}, {".json", ".json"}} {
		assert.Equal(t, c[1], unique(names, c[0]))
	}
}

// exec runs the program with its output in memory.
func exec(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	errs, err := os.CreateTemp(t.TempDir(), "stderr")
	require.NoError(t, err)
	defer errs.Close()
	var out bytes.Buffer
	code = run(args, strings.NewReader(stdin), &out, errs)
	text, err := os.ReadFile(errs.Name())
	require.NoError(t, err)
	return code, out.String(), string(text)
}

func TestTheProgram(t *testing.T) {
	code, out, errs := exec(t, string(forms(t)["lines.ndjson"]), "-reps", "3", "-codec", "^(json|msgp-tree|cbor)$", "-values", "2", "-")
	assert.Equal(t, 0, code, errs)
	for _, want := range []string{"stdin (map), encode, 2 values", "stdin (map), decode", "msgp-tree", "cbor", "2 of 3 messages", "seed 1"} {
		assert.Contains(t, out, want)
	}

	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "no file is named"},
		{[]string{"-format", "xml", "-"}, "-format"},
		{[]string{"-numbers", "big", "-"}, "-numbers"},
		{[]string{"-derive", "fold", "-"}, "-derive"},
		{[]string{"-values", "0", "-"}, "-values"},
		{[]string{"-codec", "nobody", "-"}, "nobody"},
		{[]string{"no such file"}, "no such file"},
	} {
		code, _, errs := exec(t, "{}", c.args...)
		assert.Equal(t, 2, code, c.args)
		assert.Contains(t, errs, c.want)
	}
}

func TestWhatACodecCannotHoldIsNoFailure(t *testing.T) {
	for _, data := range []string{`[1,"a"]`, `3`, `null`} {
		code, out, errs := exec(t, data, "-reps", "1", "-format", "document", "-codec", "^(json|bson)$", "-")
		assert.Equal(t, 0, code, errs)
		assert.Contains(t, out, "skipped: bson")
	}
}

func TestAnInputIsNotOverwritten(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "ok.json"), filepath.Join(dir, "x-ok.json")
	for _, file := range []string{first, second} {
		require.NoError(t, os.WriteFile(file, []byte("{}"), 0o600))
	}
	for _, args := range [][]string{{"-o", first, first}, {"-o", filepath.Join(dir, "x.json"), first, second}} {
		code, _, errs := exec(t, "", append([]string{"-reps", "1", "-codec", "^json$"}, args...)...)
		assert.Equal(t, 2, code)
		assert.Contains(t, errs, "it is the input")
	}
	for _, file := range []string{first, second} {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, "{}", string(data))
	}
}

func TestDerivedPayloadsOnRequest(t *testing.T) {
	code, out, errs := exec(t, `{"g":[[1,2],[3,4]]}`, "-reps", "2", "-codec", "^(json|cbor)$", "-numbers", "float64", "-derive", "flatten,pack", "-")
	assert.Equal(t, 0, code, errs)
	assert.Contains(t, out, "stdin-flattened (map), encode")
	assert.Contains(t, out, "stdin-packed (map), encode")
}

// The Go installation has seven real corpora; all codecs take them.
func TestTheCorporaOfTheGoInstallation(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: these are 15 MB")
	}
	dir := filepath.Join(build.Default.GOROOT, "src/encoding/json/internal/jsontest/testdata")
	files, err := filepath.Glob(filepath.Join(dir, "*.json.zst"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("this Go installation has no corpora in " + dir)
	}
	assert.Len(t, files, 7)
	for _, file := range files {
		p, err := usual().load(file, "x", nil)
		require.NoError(t, err, file)
		vs, err := p.Values()
		require.NoError(t, err)
		assert.Len(t, vs, 1, file)
		data, err := json.Marshal(vs[0])
		require.NoError(t, err)
		assert.Greater(t, len(data), 10_000, file)
	}
}
