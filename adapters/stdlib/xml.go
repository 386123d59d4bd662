package stdlib

import (
	"bytes"
	"encoding"
	"encoding/xml"
	"errors"
	"io"
	"reflect"
	"runtime"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/adapters/internal/adapt"
)

// XML returns encoding/xml, named "xml". It cannot encode maps, takes the
// names of elements from xml tags or from Go, keeps []byte only where it is
// text, and skips a field that is an interface when it decodes. White space
// and comments after a message are accepted.
func XML() serbench.Codec {
	types := adapt.Binary([]string{"xml"}, (*xml.Marshaler)(nil), (*encoding.TextMarshaler)(nil))
	scalars := types.Bad
	types.Bad = func(t reflect.Type) bool { return t.Kind() == reflect.Map || scalars(t) }
	return adapt.New(adapt.Library{
		Name: "xml",
		Info: serbench.Info{Format: "xml", Library: "encoding/xml", Version: runtime.Version(),
			CallPath: "Marshal; append: NewEncoder and Encode per message; NewDecoder and Decode per message",
			Options:  map[string]string{"names": "of xml tags, or in Go", "interfaces": "are not decoded"}},
		Types: types,
		Refuse: func(t reflect.Type) string {
			if t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8 || t.Kind() == reflect.Interface {
				return "is no XML document at its top level; use a struct"
			}
			return ""
		},
		New: func(v *any) serbench.Bound {
			w := new(adapt.Writer)
			return serbench.Bound{
				Marshal: func() ([]byte, error) { return xml.Marshal(*v) },
				Append: func(dst []byte) ([]byte, error) {
					w.Start(dst)
					return w.Take(dst, xml.NewEncoder(w).Encode(*v))
				},
				Unmarshal: func(data []byte) error { return unmarshalXML(data, *v) },
			}
		},
	})
}

func unmarshalXML(data []byte, v any) error {
	r := bytes.NewReader(data)
	dec := xml.NewDecoder(r)
	if err := dec.Decode(v); err != nil {
		return err
	}
	for {
		switch tok, err := dec.RawToken(); tok := tok.(type) {
		case nil:
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		case xml.Comment, xml.ProcInst:
		case xml.CharData:
			if len(bytes.TrimSpace(tok)) > 0 {
				return adapt.AtEnd(len(tok))
			}
		default:
			return adapt.AtEnd(len(data) - int(dec.InputOffset()) + 1)
		}
	}
}
