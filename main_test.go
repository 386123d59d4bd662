package serbench_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/serbench/serbench"
)

// TestMain serves the children that the tests of Launches start.
func TestMain(m *testing.M) {
	if os.Getenv("SERBENCH_TEST_NO_SERVE") == "" {
		served, err := serbench.ServeChild(context.Background(), childCodecs(), childPayloads())
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		if served || err != nil {
			return
		}
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // with the race detector, children would end a second late
	os.Exit(m.Run())
}

func childPayloads() []serbench.Payload {
	return []serbench.Payload{
		serbench.NewPayload("event", &event{"app-01", "http", "service", "critical"}),
		serbench.NewPayload("changed", &event{Host: "as the child has it"}),
	}
}

// childCodecs are json under several names, most of which do harm to their
// process.
func childCodecs() []serbench.Codec {
	harm := func(name string, do func()) serbench.Codec {
		return serbench.NewCodec(name, func(v any) ([]byte, error) {
			if inChild() {
				do()
			}
			return json.Marshal(v)
		}, json.Unmarshal)
	}
	var hoard [][]byte
	calls := 0
	return []serbench.Codec{
		jsonCodec("json"),
		jsonCodec("json-b"),
		harm("sleeper", func() { time.Sleep(100 * time.Microsecond) }),
		harm("panics", func() { panic("no codec") }),
		harm("panics-elsewhere", func() { go panic("in a goroutine"); time.Sleep(time.Minute) }),
		harm("overflows", func() { _ = deeper(1) }),
		harm("exits", func() { os.Exit(0) }),
		harm("hangs", func() { select {} }),
		harm("hoards", func() {
			b := make([]byte, 8<<20)
			for i := range b {
				b[i] = 1
			}
			hoard = append(hoard, b)
		}),
		harm("floods", func() {
			if calls++; calls < 20 {
				fmt.Fprintln(os.Stdout, strings.Repeat("x", 1<<20))
				fmt.Fprintln(os.Stderr, strings.Repeat("y", 1<<20))
			}
		}),
		harm("forges", func() { answer(`{"schema":1,"results":[]}`) }),
		harm("scrawls", func() { answer(`no report`) }),
		harm("impersonates", func() {
			answer(`{"schema":1,"results":[{"id":"event/struct/json/encode","status":"ok","payload":"event","form":"struct","codec":"json","op":"encode"}]}`)
		}),
		harm("dies-late", func() {
			if calls++; calls == 100 {
				os.Exit(7)
			}
		}),
		serbench.NewCodec("shallow", json.Marshal, func(data []byte, v any) error {
			if bytes.Count(data, []byte("[")) > mostBrackets && inChild() {
				os.Exit(7)
			}
			return json.Unmarshal(data, v)
		}, serbench.WithInfo(serbench.Info{Format: "json"})),
		serbench.NewCodec("unsupporting", func(v any) ([]byte, error) { return nil, serbench.Unsupported(v, "has no such method") }, nil),
		serbench.NewCodec("fails", func(any) ([]byte, error) { return nil, errors.New("broken by design") }, json.Unmarshal),
	}
}

// mostBrackets are what the codec "shallow" survives.
const mostBrackets = 300

// answer writes to the parent what only ServeChild should, and ends.
func answer(report string) {
	var v struct{ Dir, Build string }
	_ = json.Unmarshal([]byte(os.Getenv("SERBENCH_CHILD")), &v)
	data, _ := json.Marshal(map[string]any{"protocol": 1, "build": v.Build, "output": []byte(report)})
	_ = os.WriteFile(filepath.Join(v.Dir, "result"), data, 0o600)
	os.Exit(0)
}

func deeper(n int) int {
	if n < 0 {
		return n
	}
	return deeper(n+1) + deeper(n+2)
}

func inChild() bool { return os.Getenv("SERBENCH_CHILD") != "" }

func childCodec(names ...string) (out []serbench.Codec) {
	for _, name := range names {
		for _, c := range childCodecs() {
			if c.Name() == name {
				out = append(out, c)
			}
		}
	}
	return out
}
