package codeccheck

// bound has the fields of serbench.Bound.
type bound = struct {
	Marshal   func() ([]byte, error)
	Append    func(dst []byte) ([]byte, error)
	Unmarshal func(data []byte) error
}

// Bound returns c with each call made through what bind returns for the
// value, with the methods of c where that lacks a func.
func Bound[B ~bound](c Codec, bind func(v any) (B, error)) Codec {
	return boundCodec{c, func(v any) (bound, error) {
		b, err := bind(v)
		return bound(b), err
	}}
}

type boundCodec struct {
	Codec
	bind func(v any) (bound, error)
}

func (c boundCodec) Marshal(v any) ([]byte, error) {
	b, err := c.bind(v)
	if err != nil {
		return nil, err
	}
	if b.Marshal == nil {
		return c.Codec.Marshal(v)
	}
	if _, err = b.Marshal(); err != nil { // the second call has the state of the first
		return nil, err
	}
	return b.Marshal()
}

func (c boundCodec) Append(dst []byte, v any) ([]byte, error) {
	b, err := c.bind(v)
	if err != nil {
		return dst, err
	}
	if b.Append == nil {
		return c.Codec.Append(dst, v)
	}
	if _, err = b.Append(nil); err != nil {
		return dst, err
	}
	return b.Append(dst)
}

func (c boundCodec) Unmarshal(data []byte, v any) error {
	b, err := c.bind(v)
	if err != nil {
		return err
	}
	if b.Unmarshal == nil {
		return c.Codec.Unmarshal(data, v)
	}
	return b.Unmarshal(data)
}
