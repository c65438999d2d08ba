package build

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Builder builds one function of a program. Methods take operands of type any where a Go number or bool may stand for
// a constant; the other operand is then a Value. Every method that takes a mistaken argument returns zero Values
// (package comment, Errors).
type Builder struct {
	m        *module
	fn       *hlo.Func
	at       *block // where operations are written to
	made     site
	returned bool
	scopes   []string
	args     map[string]bool // names of arguments, of which a model's program may have very many
}

// module is what the functions of a program share.
type module struct {
	name   string
	funcs  []*Builder
	err    *Error
	scoped bool // Scope was used
}

// New returns a Builder for the main function of a new program with the given name.
func New(name string) *Builder {
	m := &module{name: name}
	return m.begin("main", true, caller())
}

// Func returns a Builder for a further function of the program, which Call calls. Its name must differ from those of
// the program's other functions; the main one is called main.
func (b *Builder) Func(name string) *Builder {
	for _, f := range b.m.funcs {
		if f.fn.Name == name {
			b.fail(fmt.Sprintf("there is a function %s", name), "choose another name")
		}
	}
	if name == "" {
		b.fail("a function has no name", "name it")
	}
	return b.m.begin(name, false, caller())
}

func (m *module) begin(name string, public bool, made site) *Builder {
	b := &Builder{m: m, made: made, args: map[string]bool{}, fn: &hlo.Func{Name: name, Public: public, Body: &hlo.Block{}, Pos: made.pos()}}
	b.at = &block{Block: b.fn.Body, b: b, scoped: true}
	m.funcs = append(m.funcs, b)
	return b
}

// Arg declares the function's next argument, with element type d and the given dimensions, and returns it. Names
// consist of letters, digits, ".", "_", "-" and "$", begin with a letter or "_", and occur once.
func (b *Builder) Arg(name string, d tensor.DType, dims ...int) Value {
	t := Tensor(d, dims...)
	switch {
	case !b.writable():
		return Value{}
	case b.at.outer != nil:
		b.fail("within a region", "declare arguments outside of regions")
	case !isName(name):
		b.fail(fmt.Sprintf("%q is no name of an argument", name), "use letters, digits and _, a letter first")
	default:
		if err := hlo.CheckType(t); err != nil {
			b.fail(err.Error(), "choose an element type of package tensor and dimensions from 0 on")
		}
	}
	if b.args[name] {
		b.fail(fmt.Sprintf("there is an argument %s", name), "choose another name")
	}
	if b.m.err != nil {
		return Value{}
	}
	v := &hlo.Value{Name: name, Type: t, Pos: caller().pos()}
	b.fn.Body.Params, b.args[name] = append(b.fn.Body.Params, v), true
	return Value{v: v, in: b.at}
}

// isName reports whether s can name an argument.
func isName(s string) bool {
	for i, c := range s {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789.$-", c)) {
			return false
		}
	}
	return s != ""
}

// Return ends the function with its results. It is called once for each Builder.
func (b *Builder) Return(results ...Value) {
	if !b.writable() {
		return
	}
	if b.at.outer != nil {
		b.fail("within a region", "return the region's values from its Go function")
	}
	vs := b.use(results)
	if b.m.err != nil {
		return
	}
	for _, v := range vs {
		b.fn.Results = append(b.fn.Results, v.Type)
	}
	b.at.Ops = append(b.at.Ops, &hlo.Op{Name: hlo.OpFuncReturn, Operands: vs, Attrs: hlo.Attrs{}, Pos: caller().pos()})
	b.at.closed, b.returned = true, true
}

// writable reports whether operations can be written, and keeps a mistake if
// the function has returned.
func (b *Builder) writable() bool {
	if b.m.err == nil && b.returned {
		b.fail(fmt.Sprintf("function %s has returned", b.fn.Name), "call Return last")
	}
	return b.m.err == nil
}

// Err returns the program's first mistake, or nil if there is none yet.
func (b *Builder) Err() error {
	if b.m.err == nil {
		return nil
	}
	return b.m.err
}

// Program returns the whole program, whichever of its Builders it is called on. Positions are Go files and lines. The
// error is an *Error: the first mistake, or a function that does not return.
//
// The program shares its functions with the Builder and with what earlier calls returned.
func (b *Builder) Program() (*hlo.Program, error) {
	for _, f := range b.m.funcs {
		if !f.returned {
			b.failAt(f.made, f.made.method, fmt.Sprintf("function %s does not return", f.fn.Name), "end it with Return")
		}
	}
	if b.m.err != nil {
		return nil, b.m.err
	}
	p := &hlo.Program{File: b.m.name, Name: b.m.name}
	for _, f := range b.m.funcs {
		f.renumber()
		p.Funcs = append(p.Funcs, f.fn)
	}
	p.Main = p.Funcs[0]
	var text bytes.Buffer
	err, remedy := p.Verify(), "package build should have refused this: please report it"
	if err == nil {
		err, remedy = p.Print(&text), "give the attribute as hlo.Opaque text"
	}
	var e *hlo.Error
	if errors.As(err, &e) {
		b.failAt(site{file: e.Pos.File, line: e.Pos.Line}, e.Op, e.Msg, remedy)
		return nil, b.m.err
	}
	p.Text = text.Bytes()
	return p, nil
}

// renumber gives the function's values their numbers, in the order of the text,
// and takes the names of locations away where nobody named a scope.
func (b *Builder) renumber() {
	next := 0
	give := func(vs []*hlo.Value) {
		for _, v := range vs {
			v.ID = next
			next++
		}
	}
	var visit func(block *hlo.Block)
	visit = func(block *hlo.Block) {
		give(block.Params)
		for _, o := range block.Ops {
			for _, r := range o.Regions {
				visit(r)
			}
			give(o.Results)
			if !b.m.scoped {
				o.Loc = ""
			}
		}
	}
	visit(b.fn.Body)
}
