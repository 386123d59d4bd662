package main

import (
	"go/types"
	"slices"
)

// directives tell msgp's generator what to make of the types that it does not
// know: those that are another word for a basic type are converted; a type
// with others in it gets no methods, since they would not compile.
type directives struct {
	lines   []string
	at      string              // the declaration being written
	refs    map[string][]string // declarations and the ones they refer to
	blocked map[string]string   // declarations without methods, and why
	order   []string
}

func (d *directives) begin(name string) {
	if d.refs == nil {
		d.refs, d.blocked = map[string][]string{}, map[string]string{}
	}
	d.at = name
	d.order = append(d.order, name)
}

func (d *directives) refers(name string) { d.refs[d.at] = append(d.refs[d.at], name) }

func (d *directives) block(why string) { d.blocked[d.at] = why }

// foreign is called for each type of another module or the standard library.
func (d *directives) foreign(t *types.Named) {
	name := t.Obj().Pkg().Name() + "." + t.Obj().Name()
	if slices.Contains([]string{"time.Time", "time.Duration", "json.Number"}, name) {
		return
	}
	as := ""
	switch u := t.Underlying().(type) {
	case *types.Basic:
		as = u.Name()
	case *types.Slice:
		if types.Identical(u.Elem(), types.Typ[types.Byte]) {
			as = "[]byte"
		}
	}
	if as == "" {
		d.block("it has a " + name + ", which msgp does not know")
		return
	}
	if line := "shim " + name + " as:" + as + " using:" + as + "/" + name; !slices.Contains(d.lines, line) {
		d.lines = append(d.lines, line)
	}
}

// settle blocks what refers to blocked types, and notes all of them.
func (d *directives) settle(c *carrier) {
	for again := true; again; {
		again = false
		for _, name := range d.order {
			if d.blocked[name] != "" {
				continue
			}
			for _, ref := range d.refs[name] {
				if d.blocked[ref] != "" {
					d.blocked[name], again = "it has a "+ref, true
					break
				}
			}
		}
	}
	for _, name := range d.order {
		if why := d.blocked[name]; why != "" {
			d.lines = append(d.lines, "ignore "+name)
			c.note("%s: methods for msgp: %s", name, why)
		}
	}
}
