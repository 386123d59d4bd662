package payloads

import "strings"

//go:generate go tool msgp -file fat.go -o fat_msgp.go -tests=false -d "tag json" -v
//go:generate go tool easyjson -all -no_std_marshalers -output_filename fat_easyjson.go fat.go

// Fat is the message of the fifth seed: one long array of small integers
// outweighs six small maps and a string. 2,589 bytes as JSON, 1,746 as
// MessagePack. Its numbers are unsigned, as those of Repository.
type Fat struct {
	Bar []uint  `json:"bar"`
	Baz FatPair `json:"baz"`
	B1z FatPair `json:"b1z"`
	B2z FatPair `json:"b2z"`
	B3z FatPair `json:"b3z"`
	B4z FatPair `json:"b4z"`
	C5z FatPair `json:"c5z"`
	Me  string  `json:"me"`
}

// FatPair is one of the small maps.
type FatPair struct {
	Foo  string `json:"foo"`
	Long string `json:"ooooooooooooooooiaodi"`
}

const (
	fatFoo  = "fooooooooooo"
	fatLong = "ifdsoi"
	fatMe   = "alrighty then!"
)

// FatValue returns the message as a struct.
func FatValue() *Fat {
	pair := FatPair{Foo: fatFoo, Long: fatLong}
	f := &Fat{Baz: pair, B1z: pair, B2z: pair, B3z: pair, B4z: pair, C5z: pair, Me: fatMe}
	f.B3z.Long = strings.Repeat(fatLong, 50)
	for n := range 500 {
		f.Bar = append(f.Bar, uint(n+1))
	}
	return f
}

// FatMap returns the message as a generic value.
func FatMap() map[string]any {
	pair := func(long string) map[string]any {
		return map[string]any{"foo": fatFoo, "ooooooooooooooooiaodi": long}
	}
	bar := make([]any, 500)
	for i := range bar {
		bar[i] = uint(i + 1)
	}
	return map[string]any{
		"bar": bar, "baz": pair(fatLong), "b1z": pair(fatLong), "b2z": pair(fatLong),
		"b3z": pair(strings.Repeat(fatLong, 50)), "b4z": pair(fatLong), "c5z": pair(fatLong), "me": fatMe,
	}
}
