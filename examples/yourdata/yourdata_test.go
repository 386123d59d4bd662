package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"go/build"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
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
		{"MessagePack cut", "a.msgpack", string(f["stream.msgpack"][:20]), "a.msgpack: byte 20, message 0: expected "},
		{"MessagePack with a byte behind", "a.msgpack", string(f["stream.msgpack"]) + "\xc1", fmt.Sprintf("byte %d, message 3: expected the first byte of a value, found byte 0xc1", len(f["stream.msgpack"]))},
		{"MessagePack array cut", "a.msgpack", string(f["list.msgpack"][:60]), "a.msgpack: byte 60, message 1: expected "},
		{"MessagePack array ends early", "a.msgpack", "\x92\x80", "a.msgpack: byte 2, message 1: expected an element of the array, found the end of the input"},
		{"MessagePack that claims 4 GiB", "a.msgpack", "\xdb\xff\xff\xff\xff", "a.msgpack: byte 0, message 0: expected a message of at most 268435456 bytes"},
		{"MessagePack that claims 2^32 elements", "a.msgpack", "\xdd\xff\xff\xff\xff", "expected the rest of the array of 4294967295 items that began at byte 0, found the end of the input"},
		{"MessagePack with a key that is a list", "a.msgpack", "\x92\x80\x81\x90\x01", "a.msgpack: byte 2, message 1: "},
		{"CBOR with a key that is a list", "a.cbor", "\xd9\xd9\xf7\x82\xa0\xa1\x80\x01", "a.cbor: byte 5, message 1: cbor: "},
		{"CBOR text that is none", "a.cbor", "\xa0\x61\xff", "a.cbor: byte 1, message 1: cbor: invalid UTF-8 string"},
		{"CBOR that claims 2^64 bytes", "a.cbor", "\x5b\xff\xff\xff\xff\xff\xff\xff\xff", "expected a message of at most 268435456 bytes"},
		{"CBOR, deep", "a.cbor", strings.Repeat("\x81", 20_000), "a.cbor: byte 10000, message 0: expected at most 10000 levels of nesting, found more"},
		{"JSON, deep", "a.json", strings.Repeat("[", 20_000), "a.json: line 1, column 10001 (byte 10000), message 0: "},
		{"empty MessagePack", "a.msgpack", "", "a.msgpack: byte 0, message 0: there are no values"},
		{"empty CBOR", "a.cbor", "", "a.cbor: byte 0, message 0: there are no values"},
		{"zeros as CBOR array", "a.cbor", "\x9b\xff\xff\xff\xff\xff\xff\xff\xff", "expected a possible length"},
		{"gzip of nothing", "a.json.gz", "\x1f\x8b", "EOF"},
		{"Zstandard cut", "a.json.zst", string(f["lines.ndjson.zst"][:20]), "unexpected EOF"},
		{"CBOR cut", "a.cbor", string(f["sequence.cbor"][:20]), "a.cbor: byte 20, message 0: expected "},
		{"CBOR broken", "a.cbor", "\xa1\x61\x61\xff", "a.cbor: byte 3, message 0: expected an item, not a break, found byte 0xff"},
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

// What a message holds and its value does not is said; integers stay whole.
func TestWhatLoadingAltersIsNoted(t *testing.T) {
	wide := map[string]any{"u": uint64(math.MaxUint64), "n": int64(1) << 60}
	asCBOR, err := cbor.Marshal(wide)
	require.NoError(t, err)
	asMsgpack, err := msgp.AppendMapStrIntf(nil, wide)
	require.NoError(t, err)
	for name, data := range map[string]string{
		"a.json": `{"u":18446744073709551615,"n":1152921504606846976}`, "a.cbor": string(asCBOR), "a.msgpack": string(asMsgpack),
	} {
		p, err := usual().load("-", "x", strings.NewReader(data))
		require.NoError(t, err, name)
		assert.Equal(t, []map[string]any{wide}, loaded(t, p), name)
	}
	for _, c := range []struct{ format, data, want string }{
		{"json", `[{"a":1},{"a":1,"a":2}]`, `a key that stood in the same object before: the last value was loaded; the first at line 1, column 17 (byte 16): "a"`},
		{"msgpack", "\x92\x81\xa1a\x01\x82\xa1a\x01\xa1a\x02", "1 keys that stood in the same map before: the last value was loaded; the first in the message at byte 5"},
		{"cbor", "\x82\xa1\x61a\x01\xa2\x61a\x01\x61a\x02", "1 keys that stood in the same map before: the last value was loaded; the first in the message at byte 5"},
		{"cbor", "\xa0\xa1\x61a\xc2\x49\x01\x00\x00\x00\x00\x00\x00\x00\x01", "1 whole numbers that fit neither int64 nor uint64 were rounded to float64; the first in the message at byte 1"},
		{"json", `{"a":3.14159265358979323846}`, "of more digits than a float64 holds: rounded when loaded; the first at line 1, column 6 (byte 5): 3.14159265358979323846"},
		{"json", `{"a":"\ud800"}`, "loaded with U+FFFD in their place; the first at line 1, column 6"},
	} {
		code, out, errs := exec(t, c.data, "-format", c.format, "-reps", "1", "-codec", "^json$", "-")
		assert.Equal(t, 0, code, errs)
		assert.Contains(t, strings.Join(strings.Fields(out), " "), c.want, c.data)
	}
}

// One list for all programs: adapters/all, of which those take part that hold
// generic values.
func TestTheCodecsThatTakePart(t *testing.T) {
	names := func(codecs []serbench.Codec) (names []string) {
		for _, c := range codecs {
			names = append(names, c.Name())
		}
		return names
	}
	assert.Equal(t, []string{"json", "jsonv2", "goccy", "sonic", "segmentio", "jsoniter", "ugorji-json", "msgp-tree", "vmihailenco",
		"ugorji-msgpack", "cbor", "ugorji-cbor", "bson", "gob", "ugorji-binc", "ugorji-simple"}, names(codecs(false)))
	every := names(codecs(true))
	assert.Subset(t, every, []string{"sonic-fast", "cbor-canonical", "bson-default", "ugorji-cbor-new"})
	assert.NotContains(t, every, "easyjson", "it needs generated methods")
	assert.NotContains(t, every, "msgp", "likewise")
	assert.NotContains(t, every, "xml", "it has no maps")
}

func TestTheBaselineIsTheFirstCodecThatLosesNothing(t *testing.T) {
	for data, want := range map[string]string{`{"id":1}`: "json encodes", `{"id":505874924095815700}`: "ugorji-json encodes"} {
		code, out, errs := exec(t, data, "-budget", "300ms", "-codec", "^(json|ugorji-json|gob)$", "-op", "encode", "-")
		assert.Equal(t, 0, code, errs)
		assert.Contains(t, out, want, "gob's time is told apart from it")
	}
}

// FuzzLoad: no input makes a loader panic or leave its bounds, and an error
// names the file.
func FuzzLoad(f *testing.F) {
	for _, s := range []string{`[{"a":1}]`, "{}\n{}", "\x92\x80\x81\xa1a\x01", "\x9f\xa1\x61a\x01\xff", "\xd9\xd9\xf7\x81\xa0", "\x1f\x8b\x08", "\x28\xb5\x2f\xfd", "\xdd\xff\xff\xff\xff", "\xc2\x49"} {
		for i := range len(formats) {
			f.Add([]byte(s), uint8(i))
		}
	}
	names := slices.Sorted(maps.Keys(formats))
	f.Fuzz(func(t *testing.T, data []byte, which uint8) {
		o := usual()
		if int(which) < len(names) {
			o.format = names[which]
		}
		p, err := o.load("-", "x", bytes.NewReader(data))
		if err != nil {
			require.Contains(t, err.Error(), "standard input")
			return
		}
		vs, err := p.Values()
		require.NoError(t, err)
		require.NotEmpty(t, vs)
		require.LessOrEqual(t, len(vs), o.values)
	})
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
