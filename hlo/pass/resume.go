package pass

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
)

// loops are main's, those within others and within branches left out.
func loops(p *hlo.Program) []*hlo.Op {
	var out []*hlo.Op
	for _, o := range p.Main.Body.Ops {
		if o.Name == "stablehlo.while" {
			out = append(out, o)
		}
	}
	return out
}

// Place is where a program can be taken up: before one of main's loops (or after
// all, where Loop is their number), when those before it are done, or within it,
// before a turn.
type Place struct {
	Loop   int
	Within bool
}

// Carried is a value that a loop of main carries: the Index-th of the Loop-th.
type Carried struct{ Loop, Index int }

// Resumed is a program from a place on.
type Resumed struct {
	Program *hlo.Program
	// Carried are what main takes after the arguments of the whole program: what
	// loops that are done have given, and what the one that the place is within
	// carries then, as far as anything needs it.
	Carried []Carried
	// Loops are main's by their numbers in the whole program; nil where they are
	// done.
	Loops []*hlo.Op
}

// Resume makes the program that goes on at a place. What loops do not change they
// take, there too, from what came before them, and what nothing but the parts
// that are done needed is left out.
func Resume(p *hlo.Program, at Place) *Resumed {
	e := &editor{prog: clone(p)}
	e.study()
	out := &Resumed{Program: e.prog, Loops: loops(e.prog)}
	main := e.prog.Main.Body
	params := map[*hlo.Value]Carried{}
	for n, o := range out.Loops {
		if n > at.Loop || n == at.Loop && !at.Within {
			break
		}
		for i, v := range o.Operands {
			now := v
			if !unchanged(o, i) {
				now = &hlo.Value{Name: fmt.Sprintf("loop%d_%d", n, i), Type: v.Type, Pos: o.Pos}
				main.Params = append(main.Params, now)
				params[now] = Carried{n, i}
			}
			if n < at.Loop {
				e.replace(o.Results[i], now)
			} else {
				o.Operands[i] = now
			}
		}
		if n < at.Loop {
			out.Loops[n] = nil
			main.Ops = slices.DeleteFunc(main.Ops, func(p *hlo.Op) bool { return p == o })
		}
	}
	e.settle()
	dead.run(e)
	e.settle()
	e.study() // of what is left, for what it reads
	main.Params = slices.DeleteFunc(main.Params, func(v *hlo.Value) bool {
		_, carried := params[v]
		return carried && e.uses[v] == 0
	})
	for _, v := range main.Params {
		if c, ok := params[v]; ok {
			out.Carried = append(out.Carried, c)
		}
	}
	renumber(e.prog)
	return out
}

// unchanged reports that all turns of a loop give its index-th value as they got
// it.
func unchanged(o *hlo.Op, index int) bool {
	body := o.Regions[1]
	v := body.Return().Operands[index]
	return v == body.Params[index] || v == o.Operands[index]
}
