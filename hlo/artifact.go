package hlo

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/hlo/bytecode"
	"github.com/tacet-mpc/tacet/tensor"
)

// artifact reads a StableHLO portable artifact: MLIR bytecode in VHLO, the versioned copy of
// StableHLO. It converts to the operations that StableHLO's text would contain, and the parser
// verifies them.
type artifact struct {
	p      *parser
	file   *bytecode.File
	number int // number of results so far, for their names
	params int
	seen   entries
	values []frame
	pos    Pos // of the operation being read

	scratch []namedAttr
	listed  int // number of attributes of all operations so far
}

// frame holds the values of one open region.
type frame struct {
	first  uint64 // number of the first value
	count  uint64 // number of values according to the region
	values []*Value
	outer  bool // whether values of the enclosing regions are visible
}

// readArtifact reads a program in bytecode.
func (p *parser) readArtifact(file string, data []byte) {
	a := &artifact{p: p, pos: Pos{File: file}}
	a.p.lexer.file = file
	f, err := bytecode.Open(data)
	if err != nil {
		a.stop("%v", err)
	}
	a.file = f
	a.seen = newEntries(f)
	top, err := f.IR()
	if err != nil {
		a.stop("%v", err)
	}
	defer func() {
		// A parser error inside an operation gets the operation's position.
		if r := recover(); r != nil {
			if b, ok := r.(bail); ok {
				panic(bail{locate(b.err, a.pos, a.p.op)})
			}
			panic(r)
		}
	}()
	if len(top.Ops) != 1 || top.Ops[0].Name != "builtin.module" {
		a.stop("a file holds one module")
	}
	a.module(top.Ops[0])
	a.pos = Pos{File: file}
	a.p.findMain()
}

// stop aborts reading with an error at the current operation.
func (a *artifact) stop(format string, args ...any) { failAt(a.pos, a.p.op, format, args...) }

// at returns an operation's position.
func (a *artifact) at(o *bytecode.Op) Pos {
	return Pos{File: a.p.lexer.file, Line: o.Number, Source: a.location(o.Loc, 0).source}
}

// module reads a module of functions.
func (a *artifact) module(o *bytecode.Op) {
	a.pos = a.at(o)
	attrs := a.opAttrs(o, []string{"sym_name?", "sym_visibility?"})
	a.p.prog.Name, _ = a.optional(attrs, "sym_name").(string)
	for _, inner := range a.only(o).Ops {
		a.pos, a.p.op = a.at(inner), ""
		switch inner.Name {
		case "vhlo.func_v1":
			a.function(inner)
		case "sdy.mesh":
		case "func.func":
			panic(bail{locate(advise("serialise it with jax.export, or print it as text", "the bytecode holds StableHLO itself, which changes from version to version, and not VHLO"), a.pos, "")})
		default:
			a.stop("a module holds functions only, not %s", shorten(inner.Name))
		}
	}
}

// only returns the single block of an operation's single region.
func (a *artifact) only(o *bytecode.Op) bytecode.Block {
	if len(o.Regions) != 1 {
		a.stop("%s has %d regions, but must have one", o.Name, len(o.Regions))
	}
	return a.block(o.Regions[0])
}

func (a *artifact) block(r bytecode.Region) bytecode.Block {
	if len(r.Blocks) != 1 {
		a.stop("a region of %d blocks is not supported", len(r.Blocks))
	}
	return r.Blocks[0]
}

// function reads a function.
func (a *artifact) function(o *bytecode.Op) {
	f := &Func{Public: true, Pos: a.pos}
	attrs := a.opAttrs(o, vhloAttrs["func_v1"])
	str := func(name string) string {
		s, _ := a.optional(attrs, name).(string)
		return s
	}
	if f.Name = str("sym_name"); f.Name == "" {
		a.stop("the function has no sym_name")
	}
	if v := str("sym_visibility"); v == "private" || v == "nested" {
		f.Public = false
	}
	sig, ok := a.optional(attrs, "function_type").(funcType)
	if !ok {
		a.stop("the function has no function_type")
	}
	f.Results = sig.results
	a.p.begin(f)
	a.number, a.params, a.values = 0, 0, nil
	block := a.only(o)
	f.Body = a.body(o.Regions[0], block, OpFuncReturn, true)
	if !sameTypes(types(f.Body.Params), sig.operands) {
		failAt(f.Pos, "", "function @%s has parameters %v, but its type says %v", f.Name, types(f.Body.Params), sig.operands)
	}
	a.p.end(f)
}

// optional returns an attribute's value, nil if it is not given.
func (a *artifact) optional(attrs []namedAttr, name string) any {
	for _, n := range attrs {
		if n.name == name {
			return a.attr(n.value)
		}
	}
	return nil
}

// body reads a region's block. end is the name of its terminator.
func (a *artifact) body(r bytecode.Region, block bytecode.Block, end string, isolated bool) *Block {
	if a.p.depth++; a.p.depth > maxNesting {
		a.stop("nested more than %d deep", maxNesting)
	}
	fr := frame{count: r.Values, outer: !isolated}
	if n := len(a.values); n > 0 && !isolated {
		fr.first = a.values[n-1].first + a.values[n-1].count
	}
	a.values = append(a.values, fr)
	b := &Block{}
	for _, arg := range block.Args {
		v := a.p.newValue("arg"+strconv.Itoa(a.params), a.valueType(arg.Type), a.pos)
		a.params++
		b.Params = append(b.Params, v)
		a.define(v)
	}
	pos, op := a.pos, a.p.op
	for i, o := range block.Ops {
		a.pos, a.p.op = a.at(o), ""
		last := i == len(block.Ops)-1
		if o.Name == "builtin.unrealized_conversion_cast" {
			a.cast(o)
			continue
		}
		read := a.operation(o, end)
		if read.Name == end && !last {
			a.stop("nothing may stand behind %s", end)
		}
		b.Ops = append(b.Ops, read)
	}
	if n := len(b.Ops); n == 0 || b.Ops[n-1].Name != end {
		a.stop("the block must end with a return")
	}
	a.pos, a.p.op = pos, op
	a.values = a.values[:len(a.values)-1]
	a.p.depth--
	return b
}

// define assigns a value the next number of the innermost region.
func (a *artifact) define(v *Value) {
	fr := &a.values[len(a.values)-1]
	if uint64(len(fr.values)) >= fr.count {
		a.stop("the region defines more values than the %d that it announces", fr.count)
	}
	fr.values = append(fr.values, v)
}

// value returns the value with a number.
func (a *artifact) value(number uint64) *Value {
	for i := len(a.values) - 1; i >= 0; i-- {
		fr := a.values[i]
		if number >= fr.first {
			if number-fr.first < uint64(len(fr.values)) {
				return fr.values[number-fr.first]
			}
			break
		}
		if !fr.outer {
			break
		}
	}
	a.stop("value %d is not defined", number)
	return nil
}

// cast reads a conversion between the types of VHLO and StableHLO, which surround operations of
// other dialects: the value does not change.
func (a *artifact) cast(o *bytecode.Op) {
	a.p.op = o.Name
	if len(o.Operands) != 1 || len(o.Results) != 1 {
		a.stop("casts %d values to %d", len(o.Operands), len(o.Results))
	}
	v := a.value(o.Operands[0])
	if t := a.valueType(o.Results[0]); !t.Equal(v.Type) {
		a.stop("casts %v to %v", v.Type, t)
	}
	a.define(v)
}

// operation reads one operation, verifies it, and defines its results.
func (a *artifact) operation(o *bytecode.Op, end string) *Op {
	a.p.op = o.Name
	name, listed := a.stableName(o.Name, end)
	a.p.op = name
	a.p.alive()
	d := a.p.newDraft()
	defer a.p.free()
	d.Name, d.Pos, d.Loc = name, a.pos, a.location(o.Loc, 0).name
	def, err := find(name)
	if err != nil {
		panic(bail{locate(err, a.pos, fmt.Sprintf("%s (%s)", o.Name, a.file.Producer))})
	}
	d.def = def
	for _, n := range o.Operands {
		d.Operands = append(d.Operands, a.value(n))
	}
	for _, t := range o.Results {
		d.types = append(d.types, a.valueType(t))
	}
	a.setAttrs(d, a.opAttrs(o, listed))
	for _, r := range o.Regions {
		d.Regions = append(d.Regions, a.body(r, a.block(r), OpReturn, o.Isolated))
	}
	if def.callee != "" {
		d.places = append(d.places, place{def.callee, a.pos})
	}
	a.p.finish(d)
	for i, v := range d.Results {
		v.Name = strconv.Itoa(a.number)
		if len(d.Results) > 1 {
			v.Name += "#" + strconv.Itoa(i)
		}
		a.define(v)
	}
	if len(d.Results) > 0 {
		a.number++
	}
	return d.Op
}

// stableName returns the StableHLO name of an operation, and the names of the attributes in its
// properties, in their order.
func (a *artifact) stableName(name, end string) (string, []string) {
	dialect, rest, _ := strings.Cut(name, ".")
	if dialect != "vhlo" {
		return name, otherAttrs(name)
	}
	base, version, found := cutVersion(rest)
	if !found {
		a.stop("the operation's name has no version")
	}
	listed, known := vhloAttrs[rest]
	if d := registry["stablehlo."+base]; !known && version == 2 && d != nil && d.attr("result_accuracy") != nil {
		listed, known = words("result_accuracy"), true
	}
	if !known && version != 1 {
		if _, first := vhloAttrs[base+"_v1"]; first || registry["stablehlo."+base] != nil {
			a.stop("version %d of the operation is not known (written by %s)", version, a.file.Producer)
		}
	}
	switch base {
	case "return":
		return end, nil
	case "call":
		return OpCall, listed
	}
	return "stablehlo." + base, listed
}

// cutVersion splits "add_v1" into "add" and 1.
func cutVersion(name string) (string, int, bool) {
	i := strings.LastIndex(name, "_v")
	if i < 0 {
		return name, 0, false
	}
	v, err := strconv.Atoi(name[i+2:])
	return name[:i], v, err == nil
}

// namedAttr is the name and index of an attribute.
type namedAttr struct {
	name  string
	value int
}

// opAttrs lists an operation's attributes: those of its properties, whose names the file does not
// contain, and those of its dictionary. The list is valid until the next call.
func (a *artifact) opAttrs(o *bytecode.Op, listed []string) []namedAttr {
	out := a.scratch[:0]
	if c := a.file.Properties(o); c != nil {
		for _, name := range listed {
			name, optional := strings.CutSuffix(name, "?")
			if !optional {
				out = append(out, namedAttr{name, c.Attr()})
			} else if i, given := c.OptionalAttr(); given {
				out = append(out, namedAttr{name, i})
			}
		}
		if c.Err() != nil || !c.Empty() {
			a.stop("%s has properties that do not fit it (written by %s)", o.Name, a.file.Producer)
		}
	}
	if o.Attrs >= 0 {
		out = append(out, a.dictionary(o.Attrs)...)
	}
	// Operations share dictionaries, so the file's size alone does not bound their total size.
	if a.listed += len(out); a.listed > 1000+8*len(a.p.prog.Text) {
		a.stop("the operations have too many attributes")
	}
	a.scratch = out
	return out
}

// valueType returns a value's type, which must be a tensor of static shape.
func (a *artifact) valueType(i int) tensor.Type {
	t := a.typ(i)
	if t.refusal != nil {
		panic(bail{locate(t.refusal, a.pos, a.p.op)})
	}
	if !t.tensor || t.index {
		a.stop("a tensor type should stand here, not %s", shorten(t.text))
	}
	return t.typ
}
