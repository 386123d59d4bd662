package fidelity

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"reflect"
	"slices"
	"unsafe"
)

// hashVersion begins what is hashed. It changes with the tokens, which are
// described at token and in appendPlain.
const hashVersion = "serbench/fidelity/1"

// Hash returns 32 hexadecimal digits that depend on the content of the values
// and their order, and on nothing else: not on addresses, map order, process,
// Go version or architecture. Content is the kind of each value (so int64 5,
// int 5 and float64 5 differ), the names of struct fields as in paths, but not
// of types; nil and empty are different, NaN is one value, -0 is not 0; a time
// is its instant and its offset from UTC, without the name of the zone. A
// struct of which only unexported fields exist is its MarshalText if it has
// that (netip.Addr, big.Int), else its fields; otherwise unexported fields are
// left out, as in [Compare].
//
// Shared pointers, slices and maps hash as copies of them would. In cyclic
// values a reference to something that is still being hashed is the number of
// levels up to it, and one to another part of the cycle that was hashed before
// is that hash; two cyclic values built alike have one hash, others that
// Compare finds equal may have two.
func Hash(values ...any) string {
	h := newHasher()
	sum := h.sum(reflect.ValueOf(values))
	sum = sha256.Sum256(append([]byte(hashVersion), sum[:]...))
	return hex.EncodeToString(sum[:16])
}

type digest = [sha256.Size]byte

// A hasher gives each pointer, slice, map and struct in an interface (a node)
// a digest of its own, over its tokens and the digests of the nodes in it. It
// keeps its stack itself, so that depth is no limit.
type hasher struct {
	types typeCache
	met   map[ref]*frame // nodes that are being or have been hashed
	stack []*frame
	spare [][]byte
	// scratch is of entryPart.
	scratch frame
}

func newHasher() *hasher {
	return &hasher{types: typeCache{}, met: map[ref]*frame{}}
}

// ref identifies a pointer, slice or map.
type ref struct {
	p unsafe.Pointer
	t reflect.Type
	n int
}

// A frame is a node that is being hashed.
type frame struct {
	depth   int  // on the stack
	done    bool // hashed; only sum is set then
	sum     digest
	buf     []byte
	nodes   []child // to be hashed
	next    int
	entries []entryDigest // of a map
	values  []reflect.Value
}

type child struct {
	v  reflect.Value
	at int // where in buf its digest belongs; in a map the index of the entry
}

type entryDigest struct{ key, value digest }

func refOf(v reflect.Value) (r ref) {
	switch v.Kind() {
	case reflect.Slice:
		r = ref{v.UnsafePointer(), v.Type(), v.Len()}
	case reflect.Pointer, reflect.Map:
		r = ref{v.UnsafePointer(), v.Type(), 0}
	}
	return r
}

// sum returns the digest of one value.
func (h *hasher) sum(root reflect.Value) digest {
	h.push(root)
	for {
		f := h.stack[len(h.stack)-1]
		if f.next < len(f.nodes) {
			c := f.nodes[f.next]
			f.next++
			if d, ok := h.lookup(c.v); ok {
				h.fill(f, c, d)
			} else {
				h.push(c.v)
			}
			continue
		}
		if f.values != nil {
			h.mapValues(f)
			continue
		}
		d := h.finish(f)
		if len(h.stack) == 0 {
			return d
		}
		parent := h.stack[len(h.stack)-1]
		h.fill(parent, parent.nodes[parent.next-1], d)
	}
}

// lookup returns the digest of a node that is known or is being hashed.
func (h *hasher) lookup(v reflect.Value) (digest, bool) {
	r := refOf(v)
	if r.t == nil {
		return digest{}, false
	}
	f, ok := h.met[r]
	switch {
	case !ok:
		return digest{}, false
	case f.done:
		return f.sum, true
	}
	up := uint64(len(h.stack) - f.depth)
	return sha256.Sum256(binary.BigEndian.AppendUint64([]byte{byte(tokenCycle)}, up)), true
}

func (h *hasher) push(v reflect.Value) {
	f := &frame{depth: len(h.stack)}
	if n := len(h.spare); n > 0 {
		f.buf, h.spare = h.spare[n-1], h.spare[:n-1]
	}
	if r := refOf(v); r.t != nil {
		h.met[r] = f
	}
	h.stack = append(h.stack, f)
	h.content(f, v)
}

func (h *hasher) finish(f *frame) digest {
	if f.entries != nil {
		slices.SortFunc(f.entries, func(a, b entryDigest) int {
			if c := bytes.Compare(a.key[:], b.key[:]); c != 0 {
				return c
			}
			return bytes.Compare(a.value[:], b.value[:])
		})
		for _, e := range f.entries {
			f.buf = append(append(f.buf, e.key[:]...), e.value[:]...)
		}
	}
	d := sha256.Sum256(f.buf)
	if cap(f.buf) <= 1<<16 {
		h.spare = append(h.spare, f.buf[:0])
	}
	*f = frame{done: true, sum: d}
	h.stack = h.stack[:len(h.stack)-1]
	return d
}

// fill puts the digest of a child where it belongs.
func (h *hasher) fill(f *frame, c child, d digest) {
	switch {
	case f.entries == nil:
		copy(f.buf[c.at:], d[:])
	case f.values != nil:
		f.entries[c.at].key = d
	default:
		f.entries[c.at].value = d
	}
}

// content writes the tokens of a node.
func (h *hasher) content(f *frame, v reflect.Value) {
	switch {
	case !v.IsValid():
		f.buf = append(f.buf, byte(tokenNil))
	case v.Kind() == reflect.Pointer && !v.IsNil():
		f.buf = append(f.buf, byte(tokenPointer))
		h.inline(f, v.Elem())
	case v.Kind() == reflect.Slice && !v.IsNil():
		h.elements(f, v)
	case v.Kind() == reflect.Map && v.Len() > 0:
		h.mapKeys(f, v)
	default:
		h.inline(f, v)
	}
}

// mapKeys makes the keys the children of the node; the values follow once the
// keys are known, in their order, so that which part of a cycle is met first
// does not depend on the order of the map.
func (h *hasher) mapKeys(f *frame, m reflect.Value) {
	f.buf = appendLength(f.buf, tokenMap, m.Len())
	f.entries = make([]entryDigest, 0, m.Len())
	f.values = make([]reflect.Value, 0, m.Len())
	for it := m.MapRange(); it.Next(); {
		f.entries = append(f.entries, entryDigest{})
		f.values = append(f.values, it.Value())
		h.entryPart(f, len(f.entries)-1, it.Key())
	}
}

func (h *hasher) mapValues(f *frame) {
	type pairOf struct {
		key digest
		v   reflect.Value
	}
	ps := make([]pairOf, len(f.values))
	for i, v := range f.values {
		ps[i] = pairOf{f.entries[i].key, v}
	}
	slices.SortFunc(ps, func(a, b pairOf) int { return bytes.Compare(a.key[:], b.key[:]) })
	f.nodes, f.next, f.values = f.nodes[:0], 0, nil
	for i, p := range ps {
		f.entries[i].key = p.key
		h.entryPart(f, i, p.v)
	}
}

// entryPart hashes the key or value of an entry at once if it holds no nodes.
func (h *hasher) entryPart(f *frame, i int, v reflect.Value) {
	scratch := &h.scratch
	scratch.buf, scratch.nodes = scratch.buf[:0], scratch.nodes[:0]
	h.inline(scratch, v)
	if len(scratch.nodes) == 0 {
		h.fill(f, child{at: i}, sha256.Sum256(scratch.buf))
		return
	}
	// An interface that holds a node stands for it, a struct or array around
	// nodes becomes a node itself.
	f.nodes = append(f.nodes, child{unwrap(v), i})
}
