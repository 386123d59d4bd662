package payloads

import "github.com/serbench/serbench"

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

// one is a payload of the one value that fresh returns.
func one[T any](name string, fresh func() *T) serbench.Payload {
	return serbench.NewPayloadFunc(name, func() ([]*T, error) { return []*T{fresh()}, nil })
}

func addressOf[T any](value func() T) func() *T {
	return func() *T { return new(value()) }
}
