package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/serbench/serbench"
)

// A loader makes a payload of the messages in r.
type loader func(name string, r io.Reader, l serbench.LoadOptions) (serbench.Payload, error)

var formats = map[string]loader{
	"json":     jsonOf(serbench.LayoutAuto),
	"document": jsonOf(serbench.LayoutDocument),
	"array":    jsonOf(serbench.LayoutArray),
	"ndjson":   jsonOf(serbench.LayoutLines),
	"msgpack":  loadMsgpack,
	"cbor":     loadCBOR,
}

var byExtension = map[string]string{
	".json": "json", ".geojson": "json", ".ndjson": "ndjson", ".jsonl": "ndjson",
	".msgpack": "msgpack", ".mpk": "msgpack", ".msgp": "msgpack",
	".cbor": "cbor", ".cborseq": "cbor",
}

func jsonOf(layout serbench.Layout) loader {
	return func(name string, r io.Reader, l serbench.LoadOptions) (serbench.Payload, error) {
		l.Layout = layout
		return serbench.LoadJSONAny(name, r, l)
	}
}

// load reads one file once, from beginning to end.
func (o options) load(file, name string, stdin io.Reader) (p serbench.Payload, err error) {
	source := file
	var r io.Reader
	if file == "-" {
		r, source = stdin, "standard input"
	} else {
		f, err := os.Open(file)
		if err != nil {
			return p, err
		}
		defer f.Close()
		r = f
	}
	plain, done, err := decompress(r)
	if err != nil {
		return p, fmt.Errorf("%s: %w", source, err)
	}
	defer done()
	format := o.format
	if format == "" {
		if format, err = guess(file, plain); err != nil {
			return p, fmt.Errorf("%s: %w", source, err)
		}
	}
	l := serbench.LoadOptions{Source: source, MaxValues: o.values, MaxBytes: o.bytes, Seed: o.seed}
	if o.numbers == "int64" {
		l.Numbers = serbench.NumbersInt64
	}
	return formats[format](name, plain, l)
}

// decompress looks at the first bytes: names lie.
func decompress(r io.Reader) (plain *bufio.Reader, done func(), err error) {
	b := bufio.NewReaderSize(r, 64<<10)
	head, err := b.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, nil, err
		}
		return bufio.NewReaderSize(z, 64<<10), func() { z.Close() }, nil
	case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, nil, err
		}
		return bufio.NewReaderSize(z, 64<<10), z.Close, nil
	}
	return b, func() {}, nil
}

// guess finds the format by the file's name, else by the first bytes.
func guess(file string, r *bufio.Reader) (string, error) {
	for _, ext := range []string{".gz", ".zst"} {
		file = strings.TrimSuffix(file, ext)
	}
	if format := byExtension[strings.ToLower(filepath.Ext(file))]; format != "" {
		return format, nil
	}
	head, err := r.Peek(64)
	if len(head) == 0 {
		if err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		return "json", nil // which says that it is empty
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch c := head[0]; {
	case bytes.HasPrefix(head, []byte{0xd9, 0xd9, 0xf7}), c >= 0xa0 && c <= 0xbf: // self-described, or a map
		return "cbor", nil
	case c >= 0xdc && c <= 0xdf: // a long map or array
		return "msgpack", nil
	case c >= 0x80 && c <= 0x9f: // a short one in both: see which of them goes on
		if format := whichBinary(r); format != "" {
			return format, nil
		}
	case len(text) == 0 || strings.IndexByte(`{["-0123456789tfn`, text[0]) >= 0:
		return "json", nil
	}
	return "", fmt.Errorf("cannot tell the format from the name or the first byte, 0x%02x; say -format", head[0])
}
