package stdlib

import (
	"encoding/xml"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/codectest"
	"github.com/serbench/serbench/adapters/internal/adapttest"
)

type element struct {
	Name string
	N    int64
	Tags []string
	At   time.Time
}

func TestXMLKeepsTheContract(t *testing.T) {
	one := func(text string) *element {
		return &element{Name: text, N: math.MinInt64, Tags: []string{"<b>", "\u2028", ""}, At: time.Date(2011, 7, 8, 7, 34, 34, 123456789, time.UTC)}
	}
	adapttest.Contract(t, XML(), codectest.Kit{
		Unsupported: map[string]any{
			"a map":            &map[string]string{"a": "b"},
			"a map in a field": &struct{ M map[string]int }{M: map[string]int{"a": 1}},
		},
	}, serbench.NewPayload("element", one("value"), one(strings.Repeat("x", 70_000))))
}

func TestXMLAcceptsWhatMayFollowADocument(t *testing.T) {
	for name, tt := range map[string]struct {
		tail string
		ok   bool
	}{
		"white space":           {" \n", true},
		"a comment":             {"<!-- -->", true},
		"a second root":         {"<element></element>", false},
		"the start of an end":   {"</element>", false},
		"text":                  {" x", false},
		"a tag that is cut off": {"<a", false},
	} {
		err := XML().Unmarshal([]byte("<element><N>1</N></element>"+tt.tail), new(element))
		assert.Equal(t, tt.ok, err == nil, "%s: %v", name, err)
	}
}

func TestXMLGivesTheBytesOfMarshal(t *testing.T) {
	v := &element{Name: "a<b", Tags: []string{"x"}}
	want, err := xml.Marshal(v)
	require.NoError(t, err)
	got, err := XML().(serbench.Appender).Append([]byte("p"), v)
	require.NoError(t, err)
	assert.Equal(t, "p"+string(want), string(got))
}

func TestXMLSupportsDocumentsOnly(t *testing.T) {
	for name, v := range map[string]any{
		"a slice would be several documents":  &[]string{"a", "b"},
		"what an interface held is not known": new(any),
	} {
		assert.ErrorIs(t, XML().(serbench.Supporter).Supports(v), errors.ErrUnsupported, name)
	}
}

func TestXMLNamesTheMap(t *testing.T) {
	err := XML().(serbench.Supporter).Supports(&struct{ In []struct{ M map[string]int } }{})
	require.ErrorIs(t, err, errors.ErrUnsupported)
	assert.ErrorContains(t, err, "In[].M of type map[string]int")
}

func FuzzXML(f *testing.F) {
	f.Add([]byte("<element><N>1</N></element>"))
	f.Fuzz(func(_ *testing.T, data []byte) { _ = XML().Unmarshal(data, new(element)) })
}
