package guard

import (
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

type plain struct {
	A int
	B []string
}

type hijacked struct{ A int }

func (*hijacked) MarshalJSON() ([]byte, error) { return []byte("1"), nil }
func (*hijacked) UnmarshalJSON([]byte) error   { return nil }

type level int

func (level) MarshalText() ([]byte, error) { return []byte("x"), nil }

type stamp struct{ T int }

func (stamp) GobEncode() ([]byte, error)     { return nil, nil }
func (stamp) MarshalBinary() ([]byte, error) { return nil, nil }

type embedsTime struct {
	time.Time
	Zone string
}

type tree struct {
	Left, Right *tree
	Level       map[level][]stamp
}

type withMsg struct{ A int }

func (withMsg) MarshalMsg(b []byte) ([]byte, error) { return b, nil }

type embedsMsg struct {
	withMsg
	Own string
}

func TestHijackers(t *testing.T) {
	for _, tt := range []struct {
		name   string
		t      reflect.Type
		format string
		want   []Finding
	}{
		{"a plain struct", reflect.TypeFor[plain](), "json", nil},
		{"time and big numbers are meant to encode themselves", reflect.TypeFor[struct {
			A time.Time
			B *big.Int
		}](), "json", nil},
		{"what easyjson generates by default", reflect.TypeFor[hijacked](), "json", []Finding{{"", reflect.TypeFor[hijacked](), "MarshalJSON", ""}}},
		{"a method that another format asks for", reflect.TypeFor[hijacked](), "msgpack", nil},
		{"a format that is not known may ask for any", reflect.TypeFor[hijacked](), "homemade", []Finding{{"", reflect.TypeFor[hijacked](), "MarshalJSON", ""}}},
		{"below pointers and slices, once per type", reflect.TypeFor[struct {
			In    []*hijacked
			Again hijacked
		}](), "json",
			[]Finding{{"In[]", reflect.TypeFor[hijacked](), "MarshalJSON", ""}}},
		{"keys and elements of maps in a recursive type", reflect.TypeFor[tree](), "cbor",
			[]Finding{{"Level[key]", reflect.TypeFor[level](), "MarshalText", ""}, {"Level[][]", reflect.TypeFor[stamp](), "MarshalBinary", ""}}},
		{"gob", reflect.TypeFor[stamp](), "gob", []Finding{{"", reflect.TypeFor[stamp](), "GobEncode", ""}}},
		{"the method of an embedded time takes the struct with it", reflect.TypeFor[embedsTime](), "json",
			[]Finding{{"", reflect.TypeFor[embedsTime](), "MarshalJSON", "Time"}}},
		{"an unexported field is not encoded", reflect.TypeFor[struct{ in hijacked }](), "json", nil},
		{"a map", reflect.TypeFor[map[string]any](), "json", nil},
	} {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, Hijackers(tt.t, tt.format)) })
	}
}

func TestPromoted(t *testing.T) {
	assert.Equal(t, []Finding{{"", reflect.TypeFor[embedsMsg](), "MarshalMsg", "withMsg"}}, Promoted(reflect.TypeFor[embedsMsg]()))
	assert.Empty(t, Promoted(reflect.TypeFor[withMsg]()))
	assert.Empty(t, Promoted(reflect.TypeFor[map[string]any]()))
	assert.Empty(t, Promoted(reflect.TypeFor[any]()))
}
