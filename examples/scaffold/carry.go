package main

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/packages"
)

// A carrier copies a type, and the types that it needs, out of their module.
// What codecs cannot see or no value can fill stays behind, each with a note.
type carrier struct {
	module  string                       // path of the module that types are copied from
	pkgs    map[string]*packages.Package // by path, with all that they import
	names   map[string]string            // of the copies, by types.TypeString
	taken   map[string]bool
	queue   []*types.Named
	imports map[string]bool   // of the copies
	require map[string]string // other modules' types: path, version
	notes   []string
	noted   map[string]bool
	enums   []enum
	msgp    directives
}

// enum is a copied type with constants: its values.
type enum struct {
	Name   string
	Values []string
}

func newCarrier(root *packages.Package) *carrier {
	c := &carrier{pkgs: map[string]*packages.Package{}, names: map[string]string{}, taken: map[string]bool{},
		imports: map[string]bool{}, require: map[string]string{}, noted: map[string]bool{}}
	if root.Module != nil {
		c.module = root.Module.Path
	}
	packages.Visit([]*packages.Package{root}, nil, func(p *packages.Package) { c.pkgs[p.PkgPath] = p })
	return c
}

func (c *carrier) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !c.noted[n] {
		c.noted[n] = true
		c.notes = append(c.notes, n)
	}
}

// local reports whether a package's types are copied.
func (c *carrier) local(p *types.Package) bool {
	known := c.pkgs[p.Path()]
	return known != nil && (known.Module != nil && known.Module.Path == c.module || known.Module == nil && c.module == "")
}

// carry copies named and all that it needs, and returns the declarations.
func (c *carrier) carry(named *types.Named) (decls []string, err error) {
	if named.TypeParams().Len() > 0 && named.TypeArgs().Len() == 0 {
		return nil, fmt.Errorf("%s is generic: declare a type of one instance and name that", named.Obj().Name())
	}
	if why := c.refuses(named, nil); why != "" {
		return nil, fmt.Errorf("%s cannot be carried: %s", named.Obj().Name(), why)
	}
	c.nameOf(named)
	for len(c.queue) > 0 {
		n := c.queue[0]
		c.queue = c.queue[1:]
		name := c.nameOf(n)
		c.msgp.begin(name)
		decls = append(decls, "type "+name+" "+c.expr(n.Underlying(), name))
		c.methods(n, name)
		if values := c.constants(n); len(values) > 1 {
			c.enums = append(c.enums, enum{Name: name, Values: values})
		}
	}
	c.msgp.settle(c)
	return decls, nil
}

// nameOf gives a local type its name in the copy: exported, and with the
// package's name before it where two would be the same.
func (c *carrier) nameOf(n *types.Named) string {
	key := types.TypeString(n, nil)
	if name := c.names[key]; name != "" {
		return name
	}
	name := exported(n.Obj().Name())
	for i := range n.TypeArgs().Len() {
		name += exported(strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return -1
		}, types.TypeString(n.TypeArgs().At(i), func(*types.Package) string { return "" })))
	}
	if c.taken[name] {
		name = exported(n.Obj().Pkg().Name()) + name
	}
	for base, i := name, 2; c.taken[name]; i++ {
		name = base + strconv.Itoa(i)
	}
	c.taken[name], c.names[key] = true, name
	c.queue = append(c.queue, n)
	return name
}

func exported(name string) string {
	r, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[size:]
}

// refuses says why a type cannot be carried; empty if it can.
func (c *carrier) refuses(t types.Type, on []types.Type) string {
	if slices.ContainsFunc(on, func(o types.Type) bool { return types.Identical(o, t) }) {
		return "" // it contains itself
	}
	on = append(on, t)
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer || t.Kind() == types.Uintptr {
			return "an " + t.Name() + " means nothing elsewhere"
		}
	case *types.Chan:
		return "a channel has no content"
	case *types.Signature:
		return "a func has no content"
	case *types.Interface:
		if t.NumMethods() > 0 || !t.IsMethodSet() {
			return "an interface with methods: nothing says what to put into it"
		}
	case *types.Pointer:
		return c.refuses(t.Elem(), on)
	case *types.Slice:
		return c.refuses(t.Elem(), on)
	case *types.Array:
		return c.refuses(t.Elem(), on)
	case *types.Map:
		if why := c.refuses(t.Key(), on); why != "" {
			return why
		}
		return c.refuses(t.Elem(), on)
	case *types.Struct:
		if t.NumFields() > 0 && !slices.ContainsFunc(fields(t), func(f *types.Var) bool { return c.drops(f, on) == "" }) {
			return "none of its fields can be carried"
		}
	case *types.Named:
		return c.refusesNamed(t, on)
	default:
		return fmt.Sprintf("%v is not supported", t)
	}
	return ""
}

func (c *carrier) refusesNamed(t *types.Named, on []types.Type) string {
	obj := t.Obj()
	switch {
	case obj.Pkg() == nil: // error, comparable
		return "an interface with methods: nothing says what to put into it"
	case strings.HasPrefix(obj.Name(), "_Ctype_") || strings.HasPrefix(obj.Name(), "_C"):
		return "a type of cgo"
	case c.local(obj.Pkg()):
		return c.refuses(t.Underlying(), on)
	case types.IsInterface(t):
		return c.refuses(t.Underlying(), on)
	case !obj.Exported():
		return "the type " + obj.Pkg().Path() + "." + obj.Name() + " is not exported"
	case t.TypeArgs().Len() > 0:
		return "a generic type of another module"
	}
	if len(encoders(t)) > 0 {
		return ""
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return c.refuses(t.Underlying(), on)
	}
	seen := false
	for i, f := range fields(s) {
		if !f.Exported() {
			continue
		}
		seen = true
		if why := c.refuses(f.Type(), on); why != "" && reflect.StructTag(s.Tag(i)).Get("json") != "-" {
			return obj.Pkg().Name() + "." + obj.Name() + " belongs to another module and cannot be cut: its field " + f.Name() + " is " + why
		}
	}
	if !seen {
		return obj.Pkg().Name() + "." + obj.Name() + " has no field that a codec can see"
	}
	return ""
}

const unexported = "unexported, no codec sees it"

// drops says why a field stays behind; empty if it is carried.
func (c *carrier) drops(f *types.Var, on []types.Type) string {
	if !f.Exported() {
		t := f.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if _, isStruct := t.Underlying().(*types.Struct); !f.Embedded() || !isStruct {
			return unexported
		}
	}
	return c.refuses(f.Type(), on)
}

func fields(s *types.Struct) (out []*types.Var) {
	for i := range s.NumFields() {
		out = append(out, s.Field(i))
	}
	return out
}

// expr writes a type that is carried. path names the place for notes.
func (c *carrier) expr(t types.Type, path string) string {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		if types.IsInterface(t.Elem()) {
			c.note("%s: the * of its *any, for which easyjson generates what does not compile", path)
			return "any"
		}
		return "*" + c.expr(t.Elem(), path)
	case *types.Slice:
		return "[]" + c.expr(t.Elem(), path)
	case *types.Array:
		return "[" + strconv.FormatInt(t.Len(), 10) + "]" + c.expr(t.Elem(), path)
	case *types.Map:
		if !types.Identical(t.Key(), types.Typ[types.String]) {
			c.msgp.block("it has a map whose keys are no strings")
		}
		return "map[" + c.expr(t.Key(), path) + "]" + c.expr(t.Elem(), path)
	case *types.Interface:
		return "any"
	case *types.Struct:
		return c.structure(t, path)
	case *types.Named:
		if c.local(t.Obj().Pkg()) {
			name := c.nameOf(t)
			c.msgp.refers(name)
			return name
		}
		p := t.Obj().Pkg()
		c.msgp.foreign(t)
		c.imports[p.Path()] = true
		if known := c.pkgs[p.Path()]; known != nil && known.Module != nil {
			c.require[known.Module.Path] = known.Module.Version
		}
		return p.Name() + "." + t.Obj().Name()
	default:
		return t.String()
	}
}

func (c *carrier) structure(t *types.Struct, path string) string {
	var b strings.Builder
	b.WriteString("struct {\n")
	var unseen []string
	for i, f := range fields(t) {
		at := path + "." + f.Name()
		switch why := c.drops(f, nil); why {
		case "":
		case unexported:
			unseen = append(unseen, "."+f.Name())
			continue
		default:
			c.note("%s: %s", at, why)
			continue
		}
		if !f.Embedded() {
			b.WriteString(f.Name() + " ")
		}
		b.WriteString(c.expr(f.Type(), at))
		if tag := t.Tag(i); tag != "" {
			if strconv.CanBackquote(tag) {
				b.WriteString(" `" + tag + "`")
			} else {
				b.WriteString(" " + strconv.Quote(tag))
			}
		}
		b.WriteByte('\n')
	}
	if len(unseen) > 0 {
		c.note("%s%s: %s", path, strings.Join(unseen, ", "), unexported)
	}
	b.WriteString("}")
	return b.String()
}

// encoders are the methods by which codecs treat a type in its own way.
func encoders(n *types.Named) (names []string) {
	set := types.NewMethodSet(types.NewPointer(n))
	for i := range set.Len() {
		switch name := set.At(i).Obj().Name(); name {
		case "MarshalJSON", "UnmarshalJSON", "MarshalJSONTo", "UnmarshalJSONFrom", "MarshalText", "UnmarshalText", "MarshalBinary", "UnmarshalBinary",
			"GobEncode", "GobDecode", "MarshalBSON", "UnmarshalBSON", "MarshalBSONValue", "UnmarshalBSONValue", "MarshalCBOR", "UnmarshalCBOR",
			"EncodeMsgpack", "DecodeMsgpack", "MarshalXML", "UnmarshalXML":
			names = append(names, name)
		}
	}
	return names
}

// methods notes what a copy does not do any more.
func (c *carrier) methods(n *types.Named, name string) {
	if m := encoders(n); len(m) > 0 {
		c.note("%s: its %s stayed behind: the copy is encoded by its fields", name, strings.Join(m, ", "))
	}
}

// constants are the values of a type's constants, as Go text, in the order of
// their declaration.
func (c *carrier) constants(n *types.Named) (values []string) {
	basic, ok := n.Underlying().(*types.Basic)
	if !ok || n.TypeArgs().Len() > 0 {
		return nil
	}
	scope := n.Obj().Pkg().Scope()
	var found []*types.Const
	for _, name := range scope.Names() {
		if k, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(k.Type(), n) {
			found = append(found, k)
		}
	}
	slices.SortFunc(found, func(a, b *types.Const) int { return int(a.Pos() - b.Pos()) })
	for _, k := range found {
		v := k.Val().ExactString()
		if basic.Info()&types.IsFloat != 0 {
			f, _ := constant.Float64Val(k.Val())
			v = strconv.FormatFloat(f, 'g', -1, 64)
		}
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

// find returns the named type of a package.
func find(p *packages.Package, name string) (*types.Named, error) {
	if !token.IsIdentifier(name) {
		return nil, fmt.Errorf("-type %q is no name of a type", name)
	}
	obj := p.Types.Scope().Lookup(name)
	if obj == nil {
		var known []string
		for _, n := range p.Types.Scope().Names() {
			if _, ok := p.Types.Scope().Lookup(n).(*types.TypeName); ok {
				known = append(known, n)
			}
		}
		return nil, fmt.Errorf("package %s has no type %s; it has %s", p.PkgPath, name, strings.Join(known, ", "))
	}
	if _, ok := obj.(*types.TypeName); !ok {
		return nil, fmt.Errorf("%s of package %s is not a type", name, p.PkgPath)
	}
	named, ok := types.Unalias(obj.Type()).(*types.Named)
	if !ok {
		return nil, fmt.Errorf("%s of package %s is an alias of a type without a name", name, p.PkgPath)
	}
	return named, nil
}
