package payloads

//go:generate go tool msgp -file podcasts.go -o podcasts_msgp.go -tests=false -d "tag json" -v
//go:generate go tool easyjson -all -no_std_marshalers -output_filename podcasts_easyjson.go podcasts.go

// Podcasts is the document with many strings of the fourth seed: 13 entries of
// 12 keys, 146 strings. 7,603 bytes as JSON, 6,904 as MessagePack.
//
//easyjson:json
type Podcasts []Podcast

// Podcast has its fields in the order of the original file.
type Podcast struct {
	ID          string   `json:"_id"`
	Author      *string  `json:"author"`
	CreatedAt   string   `json:"created_at"`
	Description string   `json:"description"`
	Image       string   `json:"image"`
	Keywords    []string `json:"keywords"`
	Language    *string  `json:"language"`
	Permalink   string   `json:"permalink"`
	Published   bool     `json:"published"`
	Title       string   `json:"title"`
	UpdatedAt   string   `json:"updated_at"`
	URL         string   `json:"url"`
}
