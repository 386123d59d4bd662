package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/serbench/serbench"
)

// Save writes the report to a file if one is named.
func Save(report *serbench.Report, name string) error {
	if name == "" {
		return nil
	}
	return WriteFile(name, report.WriteJSON)
}

// WriteFile writes a file beside the one named and then puts it in its place,
// so that what stood there is replaced whole or not at all.
func WriteFile(name string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), ".serbench-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	b := bufio.NewWriter(f)
	if err = write(b); err != nil {
		return err
	}
	if err = b.Flush(); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// Document writes a generated document to the file named by write; or gives
// what stale says of the file named by check and the document, nil if it is
// current; or else prints the document.
func Document(stdout io.Writer, doc []byte, write, check string, stale func(old, now []byte) error) error {
	switch {
	case write != "":
		return os.WriteFile(write, doc, 0o644)
	case check != "":
		old, err := os.ReadFile(check)
		if err != nil {
			return err
		}
		return stale(old, doc)
	}
	_, err := stdout.Write(doc)
	return err
}

// Stale is the error of a document that has to be written anew by a program.
func Stale(file, where, program string) error {
	return fmt.Errorf("%s is not current%s; run go run ./examples/%s -w %s", file, where, program, file)
}

// Differs says that a file has to be written anew unless both are the same.
func Differs(file, program string) func(old, now []byte) error {
	return func(old, now []byte) error {
		if bytes.Equal(old, now) {
			return nil
		}
		return Stale(file, "", program)
	}
}
