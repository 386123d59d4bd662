package corpus

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type opener func(io.Reader, int64) *Items

func cut(open opener, r io.Reader) (values []string, at []int64, pairs int64, err error) {
	s := open(r, 0)
	for {
		raw, pos, err := s.Next()
		if errors.Is(err, io.EOF) {
			return values, at, pairs, nil
		}
		if err != nil {
			return values, at, pairs, err
		}
		values, at, pairs = append(values, string(raw)), append(at, pos.Offset), pairs+s.Pairs()
	}
}

func TestItemsAreFound(t *testing.T) {
	long := strings.Repeat("x", 70_000)
	for _, c := range []struct {
		name  string
		open  opener
		in    string
		want  []string
		at    []int64
		pairs int64
	}{
		{"MessagePack, one", MessagePack, "\x81\xa1a\x01", []string{"\x81\xa1a\x01"}, []int64{0}, 1},
		{"MessagePack, a sequence", MessagePack, "\x80\xc0\xa1a", []string{"\x80", "\xc0", "\xa1a"}, []int64{0, 1, 2}, 0},
		{"MessagePack, an array of maps", MessagePack, "\x92\x80\x81\x01\x81\x02\x03", []string{"\x80", "\x81\x01\x81\x02\x03"}, []int64{1, 2}, 2},
		{"MessagePack, a long array of maps", MessagePack, "\xdd\x00\x00\x00\x02\xde\x00\x00\xdf\x00\x00\x00\x00", []string{"\xde\x00\x00", "\xdf\x00\x00\x00\x00"}, []int64{5, 8}, 0},
		{"MessagePack, an array of numbers is one", MessagePack, "\x92\x01\x02", []string{"\x92\x01\x02"}, []int64{0}, 0},
		{"MessagePack, an empty array is one", MessagePack, "\x90", []string{"\x90"}, []int64{0}, 0},
		{"MessagePack, every kind", MessagePack, "\xdc\x00\x18\xc0\xc2\xc4\x01x\xc5\x00\x01x\xc6\x00\x00\x00\x01x\xc7\x01\x05x\xc8\x00\x00\x05\xc9\x00\x00\x00\x00\x05" +
			"\xca1234\xcb12345678\xcc1\xcd12\xce1234\xcf12345678\xd01\xd112\xd21234\xd312345678\xd4\x05x\xd812345678901234567\xd9\x01x\xda\x00\x01x\xff\x7f",
			[]string{"\xdc\x00\x18\xc0\xc2\xc4\x01x\xc5\x00\x01x\xc6\x00\x00\x00\x01x\xc7\x01\x05x\xc8\x00\x00\x05\xc9\x00\x00\x00\x00\x05" +
				"\xca1234\xcb12345678\xcc1\xcd12\xce1234\xcf12345678\xd01\xd112\xd21234\xd312345678\xd4\x05x\xd812345678901234567\xd9\x01x\xda\x00\x01x\xff\x7f"}, []int64{0}, 0},
		{"MessagePack, beyond the buffer", MessagePack, "\xdb\x00\x01\x11\x70" + long + "\x01", []string{"\xdb\x00\x01\x11\x70" + long, "\x01"}, []int64{0, 70_005}, 0},
		{"CBOR, a sequence", CBOR, "\xa0\xf6\x61a\x18\xff\xf9\x00\x00", []string{"\xa0", "\xf6", "\x61a", "\x18\xff", "\xf9\x00\x00"}, []int64{0, 1, 2, 4, 6}, 0},
		{"CBOR, an array of maps", CBOR, "\x82\xa0\xa1\x01\xa1\x02\x03", []string{"\xa0", "\xa1\x01\xa1\x02\x03"}, []int64{1, 2}, 2},
		{"CBOR, an array without a length", CBOR, "\x9f\xa0\xbf\x01\x02\xff\xff", []string{"\xa0", "\xbf\x01\x02\xff"}, []int64{1, 2}, 1},
		{"CBOR, told to be CBOR", CBOR, "\xd9\xd9\xf7\x81\xa0", []string{"\xa0"}, []int64{4}, 0},
		{"CBOR, a tagged item", CBOR, "\xd9\xd9\xf7\xc1\x01\x02", []string{"\xc1\x01", "\x02"}, []int64{3, 5}, 0},
		{"CBOR, strings in pieces", CBOR, "\x7f\x61a\x60\xff\x5f\x41a\xff", []string{"\x7f\x61a\x60\xff", "\x5f\x41a\xff"}, []int64{0, 5}, 0},
		{"CBOR, an array of numbers without a length is one", CBOR, "\x9f\x01\x9f\xff\xff", []string{"\x9f\x01\x9f\xff\xff"}, []int64{0}, 0},
		{"nothing", CBOR, "", nil, nil, 0},
	} {
		for how, r := range map[string]io.Reader{
			"whole": strings.NewReader(c.in), "byte by byte": iotest.OneByteReader(strings.NewReader(c.in)),
		} {
			values, at, pairs, err := cut(c.open, r)
			require.NoError(t, err, "%s, %s", c.name, how)
			assert.Equal(t, c.want, values, "%s, %s", c.name, how)
			assert.Equal(t, c.at, at, "%s, %s", c.name, how)
			assert.Equal(t, c.pairs, pairs, "%s, %s", c.name, how)
		}
	}
}

func TestErrorsInItemsSayWhereAndWhatWasExpected(t *testing.T) {
	for _, c := range []struct {
		name   string
		open   opener
		in     string
		offset int64
		want   string
	}{
		{"a cut string", MessagePack, "\x80\xa3ab", 4, "expected 1 more bytes of the string that began at byte 1, found the end of the input"},
		{"a string that claims 4 GiB", MessagePack, "\xdb\xff\xff\xff\xffab", 7, "expected 4294967293 more bytes of the string that began at byte 0, found the end"},
		{"a map that claims 2^32 pairs", MessagePack, "\xdf\xff\xff\xff\xff\xa1a\x01", 8, "expected the rest of the map of 4294967295 pairs that began at byte 0, found the end"},
		{"a cut length", MessagePack, "\xdd\x00", 2, "expected the rest of the array that began at byte 0, found the end"},
		{"a cut array of maps", MessagePack, "\x92\x80", 2, "expected an element of the array, found the end"},
		{"no value", MessagePack, "\x80\xc1", 1, "expected the first byte of a value, found byte 0xc1"},
		{"something behind the array", MessagePack, "\x91\x80\x00", 2, "expected the end of the input behind the array, found byte 0x00"},
		{"no item", CBOR, "\xa1\x1c", 1, "expected the first byte of an item, found byte 0x1c"},
		{"a length that is not given", CBOR, "\x1f", 0, "expected the first byte of an item, found byte 0x1f"},
		{"an array that claims 2^64 items", CBOR, "\x9b\xff\xff\xff\xff\xff\xff\xff\xff\x01", 0, "expected a possible length, found 18446744073709551615"},
		{"a map that claims 2^63 pairs", CBOR, "\xbb\x80\x00\x00\x00\x00\x00\x00\x00\x01", 0, "expected a possible length"},
		{"bytes that claim 2^64", CBOR, "\x5b\xff\xff\xff\xff\xff\xff\xff\xffab", 11, "expected 18446744073709551613 more bytes of the byte string that began at byte 0"},
		{"a break in an array that has a length", CBOR, "\x82\x01\xff", 2, "expected an item, not a break, found byte 0xff"},
		{"a break alone", CBOR, "\xff", 0, "expected an item, not a break, found byte 0xff"},
		{"a key without a value", CBOR, "\xbf\x01\xff", 2, "expected the value of a key, found byte 0xff"},
		{"a number in a string", CBOR, "\x7f\x01\xff", 1, "expected a piece of the text string, or its end, found integer"},
		{"bytes in a text", CBOR, "\x7f\x41a\xff", 1, "found byte string"},
		{"a long form of a short value", CBOR, "\xf8\x01", 0, "expected a simple value in its short form"},
		{"a map that does not end", CBOR, "\xbf\x01\x02", 3, "expected the end of the map that began at byte 0, found the end"},
		{"an array of maps that does not end", CBOR, "\x9f\xa0", 2, "expected an element of the array, found the end"},
		{"deep", MessagePack, strings.Repeat("\x91", 20_000), 10_000, "expected at most 10000 levels of nesting, found more"},
		{"deep tags", CBOR, strings.Repeat("\xc1", 20_000), 10_000, "expected at most 10000 levels"},
	} {
		for how, r := range map[string]io.Reader{
			"whole": strings.NewReader(c.in), "byte by byte": iotest.OneByteReader(strings.NewReader(c.in)),
		} {
			_, _, _, err := cut(c.open, r)
			e := (*Error)(nil)
			require.ErrorAs(t, err, &e, "%s, %s", c.name, how)
			assert.Equal(t, c.offset, e.Offset, "%s, %s", c.name, how)
			assert.Contains(t, e.Error(), c.want, "%s, %s", c.name, how)
		}
	}
}

func TestTheReadersErrorOfItemsIsPassedOn(t *testing.T) {
	broken := errors.New("disk on fire")
	for _, text := range []string{"", "\x92\x80", "\xa3", "\xdd", "\x80", "\x91\x80"} {
		_, _, _, err := cut(MessagePack, io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)))
		assert.ErrorIs(t, err, broken, "%q", text)
	}
}

func TestAMessageMayNotBeLongerThanTheBound(t *testing.T) {
	for name, in := range map[string]string{
		"a claim":   "\xdb\xff\xff\xff\xff",
		"a string":  "\xdb\x00\x01\x11\x70" + strings.Repeat("x", 70_000),
		"its parts": "\xdc\x27\x10" + strings.Repeat("\x01", 10_000),
	} {
		s := MessagePack(strings.NewReader(in), 1000)
		_, _, err := s.Next()
		assert.ErrorContains(t, err, "at most 1000 bytes", name)
		_, _, again := s.Next()
		assert.Equal(t, err, again, "over after an error")
	}
}

// FuzzItems: whatever the input, the messages are pieces of it in order, with
// nothing between them, and the size of the reads changes nothing.
func FuzzItems(f *testing.F) {
	for _, s := range []string{"\x92\x80\x81\x01\x02", "\x9f\xa0\xbf\x01\x02\xff\xff", "\xd9\xd9\xf7\x81\xa0", "\x7f\x61a\xff", "\xdd\xff\xff\xff\xff\x80", "\xc1\xc1"} {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, in string, isCBOR bool) {
		open := opener(MessagePack)
		if isCBOR {
			open = CBOR
		}
		values, at, pairs, err := cut(open, strings.NewReader(in))
		slow, _, _, err2 := cut(open, iotest.OneByteReader(strings.NewReader(in)))
		require.Equal(t, values, slow)
		require.Equal(t, err == nil, err2 == nil)
		end := int64(0)
		for i, v := range values {
			require.Equal(t, v, in[at[i]:at[i]+int64(len(v))])
			require.True(t, i == 0 || at[i] == end, "messages stand behind each other")
			end = at[i] + int64(len(v))
		}
		require.LessOrEqual(t, pairs, int64(len(in)))
		if e := (*Error)(nil); errors.As(err, &e) {
			require.Equal(t, err.Error(), err2.Error())
			require.LessOrEqual(t, e.Offset, int64(len(in)))
			require.NotEmpty(t, e.Expected)
		}
	})
}
