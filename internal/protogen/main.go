// Command protogen generates Go code for .proto files without protoc: the
// files are compiled in this process, and the generators named by -plugin,
// tools of go.mod, are run on the result.
//
//	go run github.com/serbench/serbench/internal/protogen -plugin protoc-gen-go FILE.proto...
//
// Files are named relative to the current folder, into which the output goes;
// imports are looked up there. Nothing is read from the network, and the same
// input gives the same output.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/linker"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

func main() {
	var plugins []string
	flag.Func("plugin", "generator to run, as `NAME[:PARAMETERS]`, a tool of go.mod; repeatable", func(s string) error {
		plugins = append(plugins, s)
		return nil
	})
	flag.Parse()
	if len(plugins) == 0 || flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: protogen -plugin NAME[:PARAMETERS]... FILE.proto...")
		os.Exit(2)
	}
	if err := run(context.Background(), ".", plugins, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "protogen:", err)
		os.Exit(1)
	}
}

// run generates code for files in dir.
func run(ctx context.Context, dir string, plugins, files []string) error {
	request, err := compile(ctx, dir, files)
	if err != nil {
		return err
	}
	for _, p := range plugins {
		name, params, _ := strings.Cut(p, ":")
		request.Parameter = proto.String(cmp.Or(params, "paths=source_relative"))
		response, err := generate(ctx, dir, name, request)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, f := range response.GetFile() {
			out := filepath.FromSlash(f.GetName())
			if !filepath.IsLocal(out) {
				return fmt.Errorf("%s: output %q is outside of the folder", name, f.GetName())
			}
			if err := os.WriteFile(filepath.Join(dir, out), []byte(f.GetContent()), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// compile returns the request for the generators: the files and all that they
// import, what is imported first.
func compile(ctx context.Context, dir string, files []string) (*pluginpb.CodeGeneratorRequest, error) {
	c := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{
			Accessor: func(path string) (io.ReadCloser, error) {
				return os.Open(filepath.Join(dir, filepath.FromSlash(path)))
			},
		}),
		SourceInfoMode: protocompile.SourceInfoStandard,
		MaxParallelism: 1,
	}
	linked, err := c.Compile(ctx, files...)
	if err != nil {
		return nil, err
	}
	request := &pluginpb.CodeGeneratorRequest{FileToGenerate: files}
	seen := map[string]bool{}
	for _, f := range linked {
		request.ProtoFile = imports(f, seen, request.ProtoFile)
	}
	return request, nil
}

func imports(f protoreflect.FileDescriptor, seen map[string]bool, out []*descriptorpb.FileDescriptorProto) []*descriptorpb.FileDescriptorProto {
	if seen[f.Path()] {
		return out
	}
	seen[f.Path()] = true
	for i := range f.Imports().Len() {
		d := f.Imports().Get(i).FileDescriptor
		if linked, ok := f.(linker.File); ok {
			if dep := linked.FindImportByPath(d.Path()); dep != nil {
				d = dep
			}
		}
		out = imports(d, seen, out)
	}
	return append(out, protoutil.ProtoFromFileDescriptor(f))
}

// generate runs a generator, which reads a request and writes a response.
func generate(ctx context.Context, dir, name string, request *pluginpb.CodeGeneratorRequest) (*pluginpb.CodeGeneratorResponse, error) {
	in, err := proto.MarshalOptions{Deterministic: true}.Marshal(request)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "tool", name)
	cmd.Dir, cmd.Stdin, cmd.Stderr = dir, bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	response := new(pluginpb.CodeGeneratorResponse)
	if err := proto.Unmarshal(out, response); err != nil {
		return nil, err
	}
	if response.Error != nil {
		return nil, errors.New(response.GetError())
	}
	return response, nil
}
