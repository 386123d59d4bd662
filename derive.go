package serbench

import "fmt"

// Flatten derives a payload in which nested arrays of numbers are laid flat,
// as geometries are when bulk matters more than shape: of an array of depth 3
// or more the outermost list stays and each element becomes one array of its
// numbers; an array of depth 2 becomes one array. The shape is lost, so it is
// another payload, named behind p with "-flattened", and the report tells
// which it was derived from. p holds any, map[string]any or []any.
func Flatten(p Payload) (Payload, error) { return derive(p, "flattened", flatten) }

// Pack derives a payload in which each array that holds nothing but float64
// is a []float64, which codecs can encode in bulk. It is named behind p with
// "-packed". p holds any, map[string]any or []any.
func Pack(p Payload) (Payload, error) { return derive(p, "packed", pack) }

func derive(p Payload, how string, change func(any) any) (Payload, error) {
	fail := func(err error) (Payload, error) {
		return Payload{}, &Error{Payload: p.name, Form: p.form, Err: fmt.Errorf("%s: %w", how, err)}
	}
	values, err := p.Values()
	if err != nil {
		return fail(err)
	}
	if p.typed == nil || len(values) == 0 {
		return fail(errNoValues)
	}
	name := p.name + "-" + how
	var out Payload
	switch values[0].(type) {
	case *any:
		out = derived(name, values, func(v *any) any { return change(*v) })
	case *map[string]any:
		out = derived(name, values, func(v *map[string]any) map[string]any { return change(*v).(map[string]any) })
	case *[]any:
		out = derived(name, values, func(v *[]any) any { return change(*v) })
	default:
		return fail(fmt.Errorf("values of %v are not generic: any, map[string]any or []any", p.typ))
	}
	out.form, out.source, out.tolerance = p.form, p.source, p.tolerance
	out.origin, out.derived = p.name, how
	return out, nil
}

func derived[T, U any](name string, values []any, change func(*T) U) Payload {
	out := make([]*U, len(values))
	for i, v := range values {
		out[i] = new(change(v.(*T)))
	}
	return NewPayload(name, out...)
}

// rebuild copies maps and lists, with each list that change takes replaced.
func rebuild(v any, change func([]any) (any, bool)) any {
	switch v := v.(type) {
	case map[string]any:
		if v == nil {
			return v
		}
		m := make(map[string]any, len(v))
		for k, e := range v {
			m[k] = rebuild(e, change)
		}
		return m
	case []any:
		if v == nil {
			return v
		}
		if x, ok := change(v); ok {
			return x
		}
		l := make([]any, len(v))
		for i, e := range v {
			l[i] = rebuild(e, change)
		}
		return l
	}
	return v
}

func flatten(v any) any {
	return rebuild(v, func(list []any) (any, bool) {
		depth, ok := numeric(list)
		switch {
		case !ok || depth < 2:
			return nil, false
		case depth == 2:
			return flat(nil, list), true
		}
		out := make([]any, len(list))
		for i, e := range list {
			out[i] = flat(make([]any, 0), e)
		}
		return out, true
	})
}

// numeric reports whether nothing but numbers lies in the lists within list,
// and how deep the lists go.
func numeric(list []any) (depth int, ok bool) {
	depth = 1
	for _, e := range list {
		switch e := e.(type) {
		case float64, int64, uint64:
		case []any:
			d, ok := numeric(e)
			if !ok {
				return 0, false
			}
			depth = max(depth, d+1)
		default:
			return 0, false
		}
	}
	return depth, len(list) > 0
}

func flat(out []any, v any) []any {
	if list, ok := v.([]any); ok {
		for _, e := range list {
			out = flat(out, e)
		}
		return out
	}
	return append(out, v)
}

func pack(v any) any {
	return rebuild(v, func(list []any) (any, bool) {
		out := make([]float64, len(list))
		for i, e := range list {
			f, ok := e.(float64)
			if !ok {
				return nil, false
			}
			out[i] = f
		}
		return out, len(list) > 0
	})
}
