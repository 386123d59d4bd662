package fidelity

import (
	"cmp"
	"reflect"
	"slices"
)

// maps compares two maps of one type.
func (w *walker) maps(a, b reflect.Value) {
	if isNil(a) != isNil(b) && a.Len() == 0 && b.Len() == 0 {
		w.lengths(a, b)
		return
	}
	if a.Len() == 0 && b.Len() == 0 || !w.enter(a, b) {
		return
	}
	if w.until != all && a.Len() != b.Len() {
		w.wantsLoss()
		return
	}
	if a.Type() == reflect.TypeFor[map[string]any]() && a.CanInterface() && b.CanInterface() {
		x, y := a.Interface().(map[string]any), b.Interface().(map[string]any)
		if w.quick() {
			w.quickEntries(x, y)
			return
		}
		if w.treeEntries(x, y) {
			return
		}
	}
	if w.quick() && isPlainKey(a.Type().Key().Kind()) {
		w.lookups(a, b)
		return
	}
	w.entries(a, b)
}

// mapsAcross compares two maps of different types, found in interfaces.
func (w *walker) mapsAcross(a, b reflect.Value) {
	w.reportTypesOnly(ContainerType, a, b)
	if a.Len() == 0 && b.Len() == 0 {
		w.lengths(a, b)
		return
	}
	if !w.down(a, b) {
		return
	}
	defer w.up()
	if w.enter(a, b) {
		w.entries(a, b)
	}
}

func isPlainKey(k reflect.Kind) bool {
	return k == reflect.String || k == reflect.Bool || k >= reflect.Int && k <= reflect.Uintptr
}

// lookups compares maps in the first pass, in any order.
func (w *walker) lookups(a, b reflect.Value) {
	if a.Len() != b.Len() {
		w.stop = true
		return
	}
	for it := a.MapRange(); it.Next(); {
		v := b.MapIndex(it.Key())
		if !v.IsValid() {
			w.stop = true
			return
		}
		w.walk(it.Value(), v)
		if w.stop {
			return
		}
	}
}

// An entry of a map with its key as text, by which maps are joined.
type entry struct {
	id       string
	key, val reflect.Value
}

// entries compares two maps by joining their sorted entries.
func (w *walker) entries(a, b reflect.Value) {
	x, y := sortedEntries(a), sortedEntries(b)
	var missing, extra []entry
	keyTypes := false
	for len(x) > 0 && len(y) > 0 {
		switch c := cmp.Compare(x[0].id, y[0].id); {
		case c < 0:
			missing = append(missing, x[0])
			x = x[1:]
		case c > 0:
			extra = append(extra, y[0])
			y = y[1:]
		default:
			if !keyTypes && !w.opts.NumericKinds && otherNumber(x[0].key, y[0].key) {
				keyTypes = true
				w.reportTypes(KeyType, unwrap(x[0].key), unwrap(y[0].key))
			}
			w.entry(x[0], y[0])
			x, y = x[1:], y[1:]
		}
		if w.stop {
			return
		}
	}
	w.unmatched(append(missing, x...), append(extra, y...))
}

func (w *walker) entry(a, b entry) {
	w.push(step{key: a.key})
	w.element(a.val, b.val)
	w.pop()
}

// unmatched reports the entries that are in one map only. Those whose keys
// were changed in a known way are joined.
func (w *walker) unmatched(missing, extra []entry) {
	if len(missing) > 0 && len(extra) > 0 {
		missing, extra = w.changedKeys(missing, extra)
	}
	for _, e := range missing {
		w.push(step{key: e.key})
		if w.wantsLoss() {
			w.add(MissingKey, describe(e.val), "absent")
		}
		w.pop()
	}
	for _, e := range extra {
		w.push(step{key: e.key})
		if w.wantsLoss() {
			w.add(ExtraKey, "absent", describe(e.val))
		}
		w.pop()
	}
}

// changedKeys joins keys that became their text and string keys with invalid
// UTF-8 that was replaced, and returns the rest.
func (w *walker) changedKeys(missing, extra []entry) (m, x []entry) {
	byText := map[string]int{} // index+1 in extra
	for i, e := range extra {
		if k := unwrap(e.key); k.IsValid() && k.Kind() == reflect.String {
			byText[repair(k.String())] = i + 1
		}
	}
	used := make([]bool, len(extra))
	asStrings := false
	for _, e := range missing {
		k := unwrap(e.key)
		text, ok := keyAsText(k)
		i := byText[text] - 1
		if !ok || i < 0 || used[i] {
			m = append(m, e)
			continue
		}
		used[i] = true
		if k.Kind() == reflect.String {
			w.push(step{key: e.key})
			want, got := describeStrings(k.String(), unwrap(extra[i].key).String())
			w.report(StringInvalidUTF8, want, got)
			w.pop()
		} else if !asStrings {
			asStrings = true
			w.reportTypes(KeyAsString, k, unwrap(extra[i].key))
		}
		w.entry(e, extra[i])
	}
	for i, e := range extra {
		if !used[i] {
			x = append(x, e)
		}
	}
	return m, x
}

// sortedEntries returns the entries of a map by key; those of equal keys (NaN,
// pointers to equal values, equal numbers of different types) by the type of
// the key and the content of the value.
func sortedEntries(m reflect.Value) []entry {
	es := make([]entry, 0, m.Len())
	for it := m.MapRange(); it.Next(); {
		es = append(es, entry{keyID(it.Key()), it.Key(), it.Value()})
	}
	slices.SortFunc(es, func(a, b entry) int { return cmp.Compare(a.id, b.id) })
	for i := 0; i < len(es); {
		j := i + 1
		for j < len(es) && es[j].id == es[i].id {
			j++
		}
		if j > i+1 {
			sortByContent(es[i:j])
		}
		i = j
	}
	return es
}

func sortByContent(es []entry) {
	type ranked struct {
		entry
		kind reflect.Kind
		sum  digest
	}
	rs := make([]ranked, len(es))
	for i, e := range es {
		rs[i] = ranked{e, unwrap(e.key).Kind(), newHasher().sum(e.val)}
	}
	slices.SortFunc(rs, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), slices.Compare(a.sum[:], b.sum[:]))
	})
	for i, r := range rs {
		es[i] = r.entry
	}
}
