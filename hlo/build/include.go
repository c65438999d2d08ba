package build

import (
	"bytes"
	"fmt"

	"github.com/tacet-mpc/tacet/hlo"
)

// Include adds the functions of another program, such as an imported model, to this one, calls its main function with
// args, and returns the results. The main function gets the given name, and the others names that begin with it and a
// point. The program is copied: it may be included again, by another name.
func (b *Builder) Include(name string, p *hlo.Program, args ...Value) []Value {
	switch {
	case !b.writable():
		return nil
	case p == nil || p.Main == nil:
		b.fail("the program is nil", "pass a program of package hlo")
		return nil
	}
	failed := make([]Value, len(p.Main.Results))
	p, err := copied(p)
	if err != nil {
		b.fail(fmt.Sprintf("the program cannot be copied: %v", err), "pass a program that hlo.Parse or Program returned")
		return failed
	}
	for _, f := range p.Funcs {
		for _, g := range b.m.funcs {
			if included(name, f, p) == g.fn.Name || name == "" {
				b.fail(fmt.Sprintf("the name %q is taken or empty", included(name, f, p)), "choose another name")
				return failed
			}
		}
	}
	var main *Builder
	for _, f := range p.Funcs {
		f.Name = included(name, f, p)
		g := &Builder{m: b.m, fn: f, made: caller(), returned: true}
		g.at = &block{Block: f.Body, b: g, scoped: true, closed: true}
		b.m.funcs = append(b.m.funcs, g)
		if f == p.Main {
			main, f.Public = g, false
		}
	}
	for _, f := range p.Funcs {
		rename(f.Body)
	}
	return b.Call(main, args...)
}

// copied returns a copy of a program. A program that is not whole, such as one with a function without a body, is an error.
func copied(p *hlo.Program) (q *hlo.Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			q, err = nil, fmt.Errorf("it is not whole: %v", r)
		}
	}()
	var text bytes.Buffer
	if err := p.Print(&text); err != nil {
		return nil, err
	}
	return hlo.Parse(p.File, text.Bytes())
}

// included is the name of function f of program p within the program that includes p by a name.
func included(name string, f *hlo.Func, p *hlo.Program) string {
	if f == p.Main {
		return name
	}
	return name + "." + f.Name
}

// rename gives calls the new names of the functions that they call.
func rename(b *hlo.Block) {
	for _, o := range b.Ops {
		switch {
		case o.Callee == nil:
		case o.Name == hlo.OpComposite:
			o.Attrs["decomposition"] = o.Callee.Name
		default:
			o.Attrs["callee"] = o.Callee.Name
		}
		for _, r := range o.Regions {
			rename(r)
		}
	}
}
