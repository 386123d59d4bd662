package payloadspb

import (
	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/protobuf"
	"github.com/serbench/serbench/examples/payloads"
)

// TestMessagePayloads returns the second seed's message, sparse as the seed
// has it and with every field set, in the form "proto".
func TestMessagePayloads() []serbench.Payload {
	sparse := one("testmessage", payloads.TestMessageValue, FromTestMessage)
	dense := one("testmessage-dense", payloads.TestMessageDense, FromTestMessage)
	equal := serbench.Equal(protobuf.Equal[TestMessage])
	return []serbench.Payload{sparse.With(equal), dense.With(equal)}
}

// Payloads returns all generated payloads as protobuf messages, in the form
// "proto": the names are those of the package payloads.
func Payloads() []serbench.Payload {
	flat := func() *payloads.FlatFeature {
		f, _ := payloads.GeoValue().Flatten() // its polygons are of one ring
		return f
	}
	packed := func() *payloads.PackedFeature { return flat().Pack() }
	raw := func() *payloads.BytesFeature { return flat().Bytes() }
	return append(TestMessagePayloads(),
		one("repository", payloads.RepositoryValue, FromDocument).With(serbench.Equal(protobuf.Equal[Document])),
		one("event", payloads.EventValue, FromEvent).With(serbench.Equal(protobuf.Equal[Event])),
		one("fat", payloads.FatValue, FromFat).With(serbench.Equal(protobuf.Equal[Fat])),
		one("podcasts", payloads.PodcastsValue, FromPodcasts).With(serbench.Equal(protobuf.Equal[Podcasts])),
		one("geo", payloads.GeoValue, FromFeature).With(serbench.Equal(protobuf.Equal[Feature])),
		one("geo-flat", flat, FromFlatFeature).With(serbench.Equal(protobuf.Equal[FlatFeature]), serbench.DerivedFrom("geo", "flattened")),
		one("geo-packed", packed, FromPackedFeature).With(serbench.Equal(protobuf.Equal[PackedFeature]), serbench.DerivedFrom("geo", "flattened, packed into one []float64")),
		one("geo-bytes", raw, FromBytesFeature).With(serbench.Equal(protobuf.Equal[BytesFeature]), serbench.DerivedFrom("geo", "flattened, as bytes")),
	)
}

// one is a payload of the message that value converts to. The Go value is made
// once: only the message is made anew for each block.
func one[D, M any](name string, value func() *D, convert func(*M, *D) error) serbench.Payload {
	v := value()
	return serbench.NewPayloadFunc(name, func() ([]*M, error) {
		m := new(M)
		return []*M{m}, convert(m, v)
	}).With(serbench.Form("proto"))
}
