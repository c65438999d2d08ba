package build

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// While carries values, init at first, through iterations and returns the last ones. As long as cond returns true, a
// scalar bool, body returns the next values, of the same types.
func (b *Builder) While(init []Value, cond func(s []Value) Value, body func(s []Value) []Value) []Value {
	var again Region
	if cond != nil {
		again = func(s []Value) []Value { return []Value{cond(s)} }
	}
	return b.op(hlo.OpWhile, nil, init, nil, []Region{again, body})[:len(init)]
}

// For carries the values init through n iterations and returns the last ones. body gets the iteration's number, a
// scalar i32 counted from 0, and the current values, and returns the next ones, of the same types.
func (b *Builder) For(n int, init []Value, body func(i Value, s []Value) []Value) []Value {
	if body == nil {
		b.fail("the Go function of a region is nil", "pass the function that builds the region")
		return make([]Value, len(init))
	}
	start := append([]Value{b.Const(tensor.I32, 0)}, init...)
	return b.While(start, func(s []Value) Value { return b.Less(s[0], n) }, func(s []Value) []Value {
		next := body(s[0], s[1:])
		return append([]Value{b.Add(s[0], 1)}, next...)
	})[1:]
}

// If returns what then builds if p, a scalar bool, is true, and what other builds if it is false. Both return values
// of the same types.
func (b *Builder) If(p Value, then, other func() []Value) []Value {
	return b.branches(hlo.OpIf, p, then, other)
}

// Case returns what the branch with the number i, a scalar i32, builds; the last one if there is no branch of that
// number. All branches return values of the same types.
func (b *Builder) Case(i Value, branches ...func() []Value) []Value {
	return b.branches(hlo.OpCase, i, branches...)
}

// branches builds If and Case. After a mistake there are as many results as
// the first branch returns.
func (b *Builder) branches(name string, chooser Value, branches ...func() []Value) []Value {
	regions := make([]Region, len(branches))
	n := -1 // results of the first branch
	for i, body := range branches {
		if body == nil {
			continue
		}
		regions[i] = func([]Value) []Value {
			out := body()
			if n < 0 {
				n = len(out)
			}
			return out
		}
	}
	out := b.op(name, nil, []Value{chooser}, nil, regions)
	if b.m.err == nil {
		return out
	}
	if n < 0 && len(branches) > 0 && branches[0] != nil {
		n = len(branches[0]())
	}
	return make([]Value, max(n, 0))
}

// Call calls the function that f built, which must have returned (Return), and returns its results.
func (b *Builder) Call(f *Builder, args ...Value) []Value {
	switch {
	case f == nil:
		b.fail("the function is nil", "pass what Func returned")
		return nil
	case f.m != b.m:
		b.fail("the function "+f.fn.Name+" belongs to another program", "begin it with Func of the same program")
	}
	out := b.op(hlo.OpCall, nil, args, map[string]any{"callee": f.fn.Name}, nil)
	if b.m.err != nil {
		return make([]Value, len(f.fn.Results))
	}
	return out
}
