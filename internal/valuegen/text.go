package valuegen

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

var words = strings.Fields(`amber anchor arrow aspen basin beacon birch bramble brook cabin canyon cedar
cinder clover cobalt coral crest delta dune ember fable falcon fern fjord flint garnet glade granite harbour
hazel heron hollow indigo island ivory jasper juniper kestrel lagoon larch lumen maple marble meadow mesa
nectar north oasis ochre onyx orchard osprey otter pebble pine plover prairie quartz quill raven reed ridge
river saffron sage shale sierra slate sparrow spruce summit tamarack thicket thistle timber topaz tundra
umber vale velvet violet walnut willow wren yarrow zephyr`)

var given = strings.Fields(`Ada Bela Carlos Dagny Emre Fatima Grace Hana Igor Jana Kofi Lena Mina Noor Olga
Pavel Quentin Rosa Sami Tova Uma Viktor Wanda Ximena Yara Zeno`)

var family = strings.Fields(`Abara Berg Costa Dimov Eriksen Farouk Grant Haas Ivanova Jansen Kaya Lund
Moreau Novak Okafor Petrov Quinn Rossi Sato Tanaka Umar Varga Weber Xu Yilmaz Zhou`)

// Words beyond ASCII, of two to four bytes a character.
var foreign = []string{"Zoë", "Łódź", "naïve", "Ærø", "Москва", "Αθήνα", "東京", "서울", "مدينة", "🙂"}

func word(src source) string { return words[src.index(len(words))] }

// keyText is the i-th key of a map: distinct within it.
func keyText(src source, i int) string {
	if i < 2 {
		return word(src)
	}
	return word(src) + "_" + strconv.Itoa(i)
}

// A hint makes the text that fields of a certain name hold.
type hint struct {
	words []string
	text  func(src source) string
}

var hints = []hint{
	{[]string{"email", "mail"}, func(s source) string {
		return strings.ToLower(given[s.index(len(given))]) + strconv.FormatUint(s.below(1e4), 10) + "@example.com"
	}},
	{[]string{"url", "uri", "link", "href", "website"}, func(s source) string {
		return "https://" + word(s) + ".example.com/" + word(s) + "/" + strconv.FormatUint(s.below(1e6), 10)
	}},
	{[]string{"uuid", "guid"}, uuid},
	{[]string{"sha", "hash", "digest", "checksum", "etag", "token"}, func(s source) string { return hexText(s, 20) }},
	{[]string{"phone", "mobile"}, func(s source) string { return fmt.Sprintf("+1-555-01%02d", s.below(100)) }},
	{[]string{"ip", "addr", "host"}, func(s source) string { return address(s).String() }},
	{[]string{"currency"}, pick("EUR", "USD", "GBP", "JPY", "CHF", "INR", "BRL")},
	{[]string{"country"}, pick("AT", "BR", "DE", "FR", "IN", "JP", "KE", "NO", "US")},
	{[]string{"lang", "language", "locale"}, pick("de", "en", "es", "fr", "hi", "ja", "pt")},
	{[]string{"status", "state"}, pick("active", "cancelled", "done", "failed", "new", "pending")},
	{[]string{"city", "town"}, pick("Accra", "Bergen", "Kyoto", "Lima", "Lyon", "Porto", "Pune", "Turku")},
	{[]string{"time", "date", "timestamp"}, func(s source) string {
		return fmt.Sprintf("20%02d-%02d-%02dT%02d:%02d:%02dZ", s.below(30), 1+s.below(12), 1+s.below(28), s.below(24), s.below(60), s.below(60))
	}},
	{[]string{"id", "key", "sku", "code", "ref"}, func(s source) string { return hexText(s, 8) }},
	{[]string{"name", "user", "owner", "author", "customer"}, func(s source) string {
		return given[s.index(len(given))] + " " + family[s.index(len(family))]
	}},
}

func pick(choices ...string) func(source) string {
	return func(s source) string { return choices[s.index(len(choices))] }
}

func hexText(s source, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(s.bits())
	}
	return hex.EncodeToString(b)
}

// uuid has the form of version 4 (RFC 9562, section 5.4).
func uuid(s source) string {
	h := []byte(hexText(s, 16))
	h[12], h[16] = '4', "89ab"[s.below(4)]
	return fmt.Sprintf("%s-%s-%s-%s-%s", h[:8], h[8:12], h[12:16], h[16:20], h[20:])
}

// text is what a field of that name holds, where it is not too long,
// else words.
func (f *filler) text(src source, name string) string {
	parts := split(name)
	for _, h := range hints {
		for _, w := range h.words {
			if len(parts) > 0 && (parts[len(parts)-1] == w || len(w) > 3 && contains(parts, w)) {
				if t := h.text(src); len(t) <= f.MaxText {
					return t
				}
			}
		}
	}
	return f.prose(src)
}

// prose is words up to a length drawn from the settings' range; one text in
// eight has a word beyond ASCII.
func (f *filler) prose(src source) string {
	want := src.between(f.MinText, f.MaxText)
	var b strings.Builder
	if !f.ASCII && src.below(8) == 0 {
		b.WriteString(foreign[src.index(len(foreign))])
	}
	for b.Len() < want {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word(src))
	}
	t := b.String()
	for len(t) > want && len(t) > f.MinText { // never through a character
		_, size := utf8.DecodeLastRuneInString(t)
		if len(t)-size < f.MinText {
			break
		}
		t = t[:len(t)-size]
	}
	if n := len(t) - 1; n >= 0 && t[n] == ' ' {
		t = t[:n] + "s"
	}
	return t
}

// isIdentifier reports whether a number of that name is an identifier.
func isIdentifier(name string) bool {
	parts := split(name)
	return len(parts) > 0 && (parts[len(parts)-1] == "id" || parts[len(parts)-1] == "ids")
}

// singular is the name of an element: URLs holds URLs, Names holds names.
func singular(name string) string {
	if n := strings.TrimSuffix(name, "s"); len(n) > 1 && n != name && !strings.HasSuffix(n, "s") {
		return n
	}
	return name
}

// split cuts a Go or JSON name into lower-case words: UserID is user, id.
func split(name string) []string {
	var parts []string
	rs := []rune(name)
	start := 0
	cut := func(end int) {
		if end > start {
			parts = append(parts, strings.ToLower(string(rs[start:end])))
		}
		start = end
	}
	for i, r := range rs {
		switch {
		case r == '_' || r == '-' || r == ' ' || r == '.':
			cut(i)
			start = i + 1
		case i > 0 && unicode.IsUpper(r) && (unicode.IsLower(rs[i-1]) || i+1 < len(rs) && unicode.IsLower(rs[i+1]) && unicode.IsUpper(rs[i-1])):
			cut(i)
		}
	}
	cut(len(rs))
	return parts
}

func contains(parts []string, w string) bool {
	for _, p := range parts {
		if p == w {
			return true
		}
	}
	return false
}
