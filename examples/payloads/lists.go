package payloads

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/serbench/serbench"
)

// RepositoryPayloads returns the first seed's document as a struct and as a
// map[string]any. Every block of a run gets copies of its own.
func RepositoryPayloads() []serbench.Payload {
	return []serbench.Payload{
		one("repository", RepositoryValue),
		one("repository", addressOf(RepositoryMap)),
	}
}

// EventPayloads returns the event as a struct, as a map[string]any and, in the
// form "strings", as a map[string]string.
func EventPayloads() []serbench.Payload {
	return []serbench.Payload{
		one("event", EventValue),
		one("event", addressOf(EventMap)),
		one("event", addressOf(EventStrings)).With(serbench.Form("strings")),
	}
}

// FatPayloads returns the fifth seed's message as a struct and as a
// map[string]any.
func FatPayloads() []serbench.Payload {
	return []serbench.Payload{one("fat", FatValue), one("fat", addressOf(FatMap))}
}

// TestMessagePayloads returns the second seed's message, sparse as the seed
// has it and with every field set, as structs and maps. The package payloadspb
// has it as protobuf messages.
func TestMessagePayloads() []serbench.Payload {
	asMap := func(value func() *TestMessage) func() *map[string]any {
		return func() *map[string]any { return new(TestMessageMap(value())) }
	}
	return []serbench.Payload{
		one("testmessage", TestMessageValue),
		one("testmessage", asMap(TestMessageValue)),
		one("testmessage-dense", TestMessageDense),
		one("testmessage-dense", asMap(TestMessageDense)),
	}
}

// PodcastPayloads returns the fourth seed's strings as a struct and, in the
// form "map", as a []any: of the named file, or generated if it is "".
func PodcastPayloads(file string) ([]serbench.Payload, error) {
	all, source := PodcastsValue(), "generated"
	if file != "" {
		var err error
		if all, err = LoadPodcasts(file); err != nil {
			return nil, err
		}
		source = filepath.Base(file)
	}
	from := serbench.Source(source)
	return []serbench.Payload{
		one("podcasts", func() *Podcasts { return new(slices.Clone(*all)) }).With(from),
		one("podcasts", func() *[]any { return new(PodcastsMap(*all)) }).With(from, serbench.Form("map")),
	}, nil
}

// GeoPayloads returns the fourth seed's numbers in four layouts that carry
// equal information, each as a struct and as a map[string]any: "geo" as
// GeoJSON nests them, "geo-flat" with one array per ring, "geo-packed" with
// all in one []float64, "geo-bytes" with one byte string per ring. They are of
// the named file, or generated if it is "".
func GeoPayloads(file string) ([]serbench.Payload, error) {
	f, source := (*Feature)(nil), "generated"
	if file == "" {
		f = GeoValue()
	} else {
		var err error
		if f, err = LoadGeo(file); err != nil {
			return nil, err
		}
		source = filepath.Base(file)
	}
	if _, err := f.Flatten(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	flat := func() *FlatFeature {
		out, _ := f.Flatten() // tried above
		out.Properties = maps.Clone(f.Properties)
		return out
	}
	nested := func() *Feature {
		out, _ := flat().Nest() // undoes Flatten
		return out
	}
	packed := func() *PackedFeature { return flat().Pack() }
	raw := func() *BytesFeature { return flat().Bytes() }
	from := serbench.Source(source)
	derived := func(how string) serbench.PayloadOption { return serbench.DerivedFrom("geo", how) }
	return []serbench.Payload{
		one("geo", nested).With(from),
		one("geo", func() *map[string]any { return new(nested().Map()) }).With(from),
		one("geo-flat", flat).With(from, derived("flattened")),
		one("geo-flat", func() *map[string]any { return new(flat().Map()) }).With(from, derived("flattened")),
		one("geo-packed", packed).With(from, derived("flattened, packed into one []float64")),
		one("geo-packed", func() *map[string]any { return new(packed().Map()) }).With(from, derived("flattened, packed into one []float64")),
		one("geo-bytes", raw).With(from, derived("flattened, as bytes")),
		one("geo-bytes", func() *map[string]any { return new(raw().Map()) }).With(from, derived("flattened, as bytes")),
	}, nil
}

// one is a payload of the one value that fresh returns.
func one[T any](name string, fresh func() *T) serbench.Payload {
	return serbench.NewPayloadFunc(name, func() ([]*T, error) { return []*T{fresh()}, nil })
}

func addressOf[T any](value func() T) func() *T {
	return func() *T { return new(value()) }
}
