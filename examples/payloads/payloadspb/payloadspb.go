// Package payloadspb holds the payloads as protobuf messages, with the
// methods of protoc-gen-go and of vtprotobuf, and their conversion from and
// to the structs.
package payloadspb

//go:generate go run ../../../internal/protogen -plugin protoc-gen-go -plugin "protoc-gen-go-vtproto:paths=source_relative,features=marshal+unmarshal+size" payloads.proto

import "github.com/serbench/serbench/examples/payloads"

// FromDocument sets to from from.
func FromDocument(to *Document, from *payloads.Document) error {
	r := &from.Repository
	to.Repository = &Repository{
		Watchers:        uint64(r.Watchers),
		HasWiki:         r.HasWiki,
		Url:             r.URL,
		OpenIssues:      uint64(r.OpenIssues),
		Homepage:        r.Homepage,
		HasIssues:       r.HasIssues,
		Forks:           uint64(r.Forks),
		Fork:            r.Fork,
		Language:        r.Language,
		IntegrateBranch: r.IntegrateBranch,
		CreatedAt:       r.CreatedAt,
		MasterBranch:    r.MasterBranch,
		Size:            uint64(r.Size),
		Private:         r.Private,
		Name:            r.Name,
		Owner:           r.Owner,
		HasDownloads:    r.HasDownloads,
		PushedAt:        r.PushedAt,
		Description:     r.Description,
	}
	return nil
}

// ToDocument sets to from from.
func ToDocument(to *payloads.Document, from *Document) error {
	r := from.GetRepository()
	to.Repository = payloads.Repository{
		Watchers:        uint(r.GetWatchers()),
		HasWiki:         r.GetHasWiki(),
		URL:             r.GetUrl(),
		OpenIssues:      uint(r.GetOpenIssues()),
		Homepage:        r.GetHomepage(),
		HasIssues:       r.GetHasIssues(),
		Forks:           uint(r.GetForks()),
		Fork:            r.GetFork(),
		Language:        r.GetLanguage(),
		IntegrateBranch: r.GetIntegrateBranch(),
		CreatedAt:       r.GetCreatedAt(),
		MasterBranch:    r.GetMasterBranch(),
		Size:            uint(r.GetSize()),
		Private:         r.GetPrivate(),
		Name:            r.GetName(),
		Owner:           r.GetOwner(),
		HasDownloads:    r.GetHasDownloads(),
		PushedAt:        r.GetPushedAt(),
		Description:     r.GetDescription(),
	}
	return nil
}

// FromEvent sets to from from.
func FromEvent(to *Event, from *payloads.Event) error {
	to.Host, to.Service, to.Type, to.State = from.Host, from.Service, from.Type, from.State
	return nil
}

// ToEvent sets to from from.
func ToEvent(to *payloads.Event, from *Event) error {
	*to = payloads.Event{Host: from.GetHost(), Service: from.GetService(), Type: from.GetType(), State: from.GetState()}
	return nil
}

// RepositoryValue returns the document as a message.
func RepositoryValue() *Document {
	m := new(Document)
	_ = FromDocument(m, payloads.RepositoryValue()) // fails on nothing
	return m
}

// EventValue returns the event as a message.
func EventValue() *Event {
	m := new(Event)
	_ = FromEvent(m, payloads.EventValue()) // fails on nothing
	return m
}

// TestMessageValue returns the sparse message of the second seed: three of
// its twenty fields are set. 30 bytes as protobuf.
func TestMessageValue() *TestMessage {
	return &TestMessage{
		OptionalInt32:  102,
		OptionalString: "another string",
		RepeatedString: []string{"ok1", "ok2"},
	}
}
