package render

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// width is the number of terminal columns that s takes.
func width(s string) int { return uniseg.StringWidth(s) }

// spaces guards against lengths below zero.
func spaces(n int) string { return strings.Repeat(" ", max(0, n)) }

func padRight(s string, to int) string { return s + spaces(to-width(s)) }
func padLeft(s string, to int) string  { return spaces(to-width(s)) + s }

// visibleName makes a name safe to stand in a table: one that is empty, has
// white space at an end, or holds characters that cannot be seen or that move
// their neighbours is quoted with these escaped. Different names stay
// different.
func visibleName(s string) string {
	if s != "" && s[0] != '"' && strings.TrimSpace(s) == s && visible(s) == s {
		return s
	}
	return `"` + visible(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)) + `"`
}

// visible escapes what cannot be seen in a text, or would break its line or
// the order of its letters: control and format characters, odd spaces, bytes
// that are not UTF-8, marks without a letter to stand on. Joiners within emoji
// stay.
func visible(s string) string {
	var b strings.Builder
	before, shown := ' ', false // shown: before stands as it is
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
			shown = false
		case strconv.IsPrint(r) && r != fillerHangul && (shown || !unicode.Is(unicode.M, r)), r == joiner && joinsEmoji(before, s[i+n:]):
			b.WriteString(s[i : i+n])
			shown = true
		default:
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
			shown = false
		}
		before = r
		i += n
	}
	return b.String()
}

const (
	joiner       = '\u200d'
	fillerHangul = '\u3164' // a letter by its class, but blank
)

func joinsEmoji(before rune, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	symbol := func(r rune) bool { return unicode.In(r, unicode.So, unicode.Sk) || r == '\ufe0f' }
	return symbol(before) && symbol(next)
}

const ellipsis = "…"

// cutMiddle shortens s to a width by leaving out its middle, between whole
// characters as readers see them.
func cutMiddle(s string, to int, middle string) string {
	if width(s) <= to {
		return s
	}
	room := max(0, to-width(middle))
	head := takeWidth(s, room-room/2)
	// The tail is what is left when as much as needed is taken off the front.
	tail, left := s, width(s)
	for left > room/2 && tail != "" {
		_, rest, w, _ := uniseg.FirstGraphemeClusterInString(tail, -1)
		tail, left = rest, left-w
	}
	return head + middle + tail
}

// takeWidth returns the longest start of s that fits.
func takeWidth(s string, to int) string {
	end, used, state := 0, 0, -1
	for rest := s; rest != ""; {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if used+w > to {
			break
		}
		used += w
		end += len(cluster)
	}
	return s[:end]
}

// nameWidth is how wide a name may stand in a table.
const nameWidth = 36

// shownNames says how each name is shown: visible, and at most nameWidth wide.
// Names that would look the same after cutting get a mark of their own in
// place of the middle, the same in every table.
func shownNames(names []string) map[string]string {
	shown := make(map[string]string, len(names))
	uses := map[string]int{}
	for _, n := range names {
		if _, done := shown[n]; done {
			continue
		}
		shown[n] = cutMiddle(visibleName(n), nameWidth, ellipsis)
		uses[shown[n]]++
	}
	taken := map[string]bool{}
	for _, n := range names {
		if s := shown[n]; uses[s] == 1 {
			taken[s] = true
		}
	}
	for _, n := range names {
		if uses[shown[n]] < 2 {
			continue
		}
		h := fnv.New32a()
		_, _ = h.Write([]byte(n))
		for mark := h.Sum32(); ; mark++ {
			s := cutMiddle(visibleName(n), nameWidth, fmt.Sprintf("%s%06x%s", ellipsis, mark&0xffffff, ellipsis))
			if !taken[s] {
				taken[s] = true
				shown[n] = s
				break
			}
		}
	}
	return shown
}

// lineWidth is where running text is broken.
const lineWidth = 100

// wrap breaks a text between words; first stands before the first line, and
// as many spaces before the others.
func wrap(first, text string) string { return wrapHanging(first, spaces(width(first)), text) }

// wrapHanging is wrap with an indent of its own.
func wrapHanging(first, indent, text string) string {
	var b strings.Builder
	line, lineLen := first, width(first)
	empty := true
	for word := range strings.SplitSeq(text, " ") {
		w := width(word)
		if !empty && lineLen+1+w > lineWidth {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line, lineLen, empty = indent, len(indent), true
		}
		if !empty {
			line += " "
			lineLen++
		}
		line += word
		lineLen += w
		empty = false
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
	return b.String()
}
