package payloads

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf8"
)

// podcastLengths are the lengths in bytes of the texts of the original file,
// entry by entry: what decides how long a codec takes, without its words.
var podcastLengths = [13]struct {
	description, image, language, permalink, title, url int
	keywords                                            []int
}{
	{76, 57, 2, 22, 15, 42, []int{8, 7, 10, 15}},
	{53, 56, 5, 27, 12, 35, []int{10, 10, 8, 7}},
	{357, 88, 2, 40, 24, 37, []int{10, 15, 9}},
	{578, 81, 5, 28, 13, 40, []int{10, 8, 7, 17}},
	{72, 51, 2, 23, 26, 49, nil},
	{149, 62, 2, 31, 21, 50, []int{8, 7, 26, 9, 8}},
	{26, 68, 2, 36, 18, 50, nil},
	{27, 54, 2, 24, 17, 40, []int{10, 9, 15}},
	{174, 63, 2, 28, 17, 48, []int{9, 8, 10, 15}},
	{47, 62, 2, 31, 21, 46, nil},
	{127, 62, 5, 21, 18, 45, []int{15, 11}},
	{294, 58, 0, 29, 50, 65, nil}, // no language: null
	{36, 77, 5, 24, 8, 48, []int{17}},
}

var podcastWords = strings.Fields(`about air and audio autumn band bell best big bird blue book bread bridge café
	chance city clear clock cloud coast code come cook country dance day deep dream early earth east echo every
	evening faraway field fire first five forest four friend garden gentle glass gold good green guest half hand
	harbour hear home hour house island jazz journey keep kind kitchen lake language late learn letter light listen
	little live long makers map market meadow memory minute month morning music naïve near new night north note
	ocean often old one open over paper past people piano place play quiet radio rain read river road room round
	salt school sea season sing slow small song sound south speak spring star stone story street summer sun talk
	tea ten theatre thing three time today town train travel tree two under valley village voice walk watch water
	weather week west wide wind window winter wonder word work world year young`)

// PodcastsValue returns the podcasts as structs: the same shape as the
// original and texts of the same lengths, in words of our own.
func PodcastsValue() *Podcasts {
	g := textGen{rand.New(rand.NewPCG(13, 146))}
	all := make(Podcasts, len(podcastLengths))
	for i, n := range podcastLengths {
		p := &all[i]
		p.ID = fmt.Sprintf("%024x", 0x5649_0c18_0000+uint64(i)*0x1fe3b)
		p.CreatedAt = fmt.Sprintf("2015-11-%02dT22:%02d:%02d.%03dZ", 15+i/4, 3*i+7, 59-2*i, 170+41*i)
		p.UpdatedAt = fmt.Sprintf("2015-11-%02dT22:%02d:%02d.%03dZ", 15+i/4, 3*i+8, 59-3*i, 565-23*i)
		p.Description = g.sentence(n.description)
		p.Image = g.link("https://images.example.org/", ".jpg", n.image)
		p.Keywords = make([]string, len(n.keywords))
		for k, length := range n.keywords {
			p.Keywords[k] = g.words(length)
		}
		switch n.language {
		case 2:
			p.Language = new("en")
		case 5:
			p.Language = new("pt-BR")
		}
		p.Permalink = g.link("http://show.ex/", "", n.permalink)
		p.Published = true
		p.Title = g.words(n.title)
		p.URL = g.link("http://feeds.example.org/", ".rss", n.url)
	}
	return &all
}

// PodcastsMap returns podcasts as a generic value.
func PodcastsMap(all Podcasts) []any {
	out := make([]any, len(all))
	for i, p := range all {
		out[i] = map[string]any{
			"_id": p.ID, "author": orNil(p.Author), "created_at": p.CreatedAt, "description": p.Description,
			"image": p.Image, "keywords": list(p.Keywords), "language": orNil(p.Language), "permalink": p.Permalink,
			"published": p.Published, "title": p.Title, "updated_at": p.UpdatedAt, "url": p.URL,
		}
	}
	return out
}

func orNil(s *string) any {
	if s == nil {
		return nil
	}
	return *s
}

// textGen makes texts of an exact length in bytes.
type textGen struct{ *rand.Rand }

func (g textGen) words(length int) string {
	var b strings.Builder
	for b.Len() < length {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(podcastWords[g.IntN(len(podcastWords))])
	}
	return exactly(b.String(), length)
}

func (g textGen) sentence(length int) string {
	s := g.words(length - 1)
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

func (g textGen) link(before, after string, length int) string {
	n := length - len(before) - len(after)
	slug := strings.NewReplacer(" ", "-", "é", "e", "ï", "i").Replace(g.words(n))
	for len(slug) < n {
		slug += "s"
	}
	return before + slug + after
}

// exactly cuts s to a length, at a whole character and not behind a space.
func exactly(s string, length int) string {
	for n := length; n > 0; n-- {
		if utf8.RuneStart((s + " ")[n]) && s[n-1] != ' ' {
			return s[:n] + strings.Repeat("s", length-n)
		}
	}
	return strings.Repeat("s", length)
}
