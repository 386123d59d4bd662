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
	"github.com/serbench/serbench/internal/corpus"
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
	plain, packed, done, err := decompress(r)
	if err != nil {
		return p, fmt.Errorf("%s: %w", source, err)
	}
	defer done()
	if ext := strings.ToLower(filepath.Ext(file)); !packed && (ext == ".gz" || ext == ".zst") {
		defer func() {
			if err != nil {
				err = fmt.Errorf("%w (the name ends in %s, but what the file holds is not compressed so)", err, ext)
			}
		}()
	}
	format := o.format
	if format == "" {
		if format, err = guess(file, plain); err != nil {
			return p, fmt.Errorf("%s: %w", source, err)
		}
	}
	if format != "msgpack" && format != "cbor" && isUTF16(plain) {
		return p, fmt.Errorf("%s: this is UTF-16, and JSON is read as UTF-8; convert it first, as with iconv -f UTF-16 -t UTF-8", source)
	}
	l := serbench.LoadOptions{Source: source, MaxValues: o.values, MaxBytes: o.bytes, MaxMessage: mostMessage, Seed: o.seed}
	if o.numbers == "int64" {
		l.Numbers = serbench.NumbersInt64
	}
	p, err = formats[format](name, plain, l)
	if e := (*corpus.Error)(nil); errors.As(err, &e) && e.Found == corpus.TooLong && e.Line > 0 {
		err = fmt.Errorf("%w; of an array whose elements are no objects, -format array takes the elements of a JSON text as messages", err)
	}
	return p, err
}

// mostMessage, in bytes: beyond it a document is no message, and the codecs'
// copies of it fill the memory.
const mostMessage = 256 << 20

// isUTF16 looks for a byte order mark, or for the zero that stands beside
// JSON's first letter.
func isUTF16(r *bufio.Reader) bool {
	head, _ := r.Peek(2)
	if len(head) < 2 {
		return false
	}
	return head[0] == 0xff && head[1] == 0xfe || head[0] == 0xfe && head[1] == 0xff ||
		head[0] == 0 && startsJSON(head[1]) || startsJSON(head[0]) && head[1] == 0
}

func startsJSON(c byte) bool { return strings.IndexByte(`{["-0123456789tfn`, c) >= 0 }

// decompress looks at the first bytes: names lie.
func decompress(r io.Reader) (plain *bufio.Reader, packed bool, done func(), err error) {
	b := bufio.NewReaderSize(r, 64<<10)
	head, err := b.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, false, nil, err
		}
		return bufio.NewReaderSize(z, 64<<10), true, func() { z.Close() }, nil
	case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, false, nil, err
		}
		return bufio.NewReaderSize(z, 64<<10), true, z.Close, nil
	}
	return b, false, func() {}, nil
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
	case len(text) == 0 || startsJSON(text[0]) || isUTF16(r): // load refuses the last
		return "json", nil
	}
	return "", fmt.Errorf("cannot tell the format from the name or the first byte, 0x%02x; say -format", head[0])
}
