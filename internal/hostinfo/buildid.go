package hostinfo

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"runtime"
	"strconv"
)

// BuildID identifies the executable that runs: the Go build ID, as
// "go tool buildid" shows it, or "sha256:" and the hash of the file where it
// has none. Two programs with the same ID are the same code at the same
// addresses. It is empty if the file cannot be read.
func BuildID() string {
	f, err := openSelf()
	if err != nil {
		return ""
	}
	defer f.Close()
	if id, err := goBuildID(f); err == nil {
		return id
	}
	return hashOf(f)
}

func openSelf() (*os.File, error) {
	if runtime.GOOS == "linux" {
		// Also there when the file was replaced or removed since, as go run
		// and deployments do.
		if f, err := os.Open("/proc/self/exe"); err == nil {
			return f, nil
		}
	}
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return os.Open(exe)
}

var errNoBuildID = errors.New("hostinfo: no Go build ID")

// goBuildID reads the ID from the ELF note ".note.go.buildid"; other formats
// have it as text near the start of the code (cmd/internal/buildid).
func goBuildID(r io.ReaderAt) (string, error) {
	if f, err := elf.NewFile(r); err == nil {
		s := f.Section(".note.go.buildid")
		if s == nil || s.Size > 4096 {
			return "", errNoBuildID
		}
		note, err := s.Data()
		if err != nil {
			return "", err
		}
		return noteBuildID(note, f.ByteOrder.Uint32)
	}
	head := make([]byte, 64<<10)
	n, err := r.ReadAt(head, 0)
	if n == 0 {
		return "", err
	}
	return textBuildID(head[:n])
}

// noteBuildID reads an ELF note: sizes of name and description, type, name
// ("Go\0\0"), description. Type 4 is the build ID.
func noteBuildID(note []byte, u32 func([]byte) uint32) (string, error) {
	if len(note) < 16 || u32(note) != 4 || u32(note[8:]) != 4 || string(note[12:16]) != "Go\x00\x00" {
		return "", errNoBuildID
	}
	size := uint64(u32(note[4:]))
	if size == 0 || size > uint64(len(note)-16) {
		return "", errNoBuildID
	}
	return string(note[16 : 16+size]), nil
}

func textBuildID(head []byte) (string, error) {
	_, rest, ok := bytes.Cut(head, []byte("\xff Go build ID: "))
	if !ok {
		return "", errNoBuildID
	}
	quoted, _, ok := bytes.Cut(rest, []byte("\n \xff"))
	if !ok {
		return "", errNoBuildID
	}
	id, err := strconv.Unquote(string(quoted))
	if err != nil || id == "" {
		return "", errNoBuildID
	}
	return id, nil
}

func hashOf(r io.ReadSeeker) string {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return ""
	}
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return ""
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
