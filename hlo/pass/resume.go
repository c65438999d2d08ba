package pass

import (
	"context"
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
)

// loops returns the loops of main, without those inside other loops or branches.
func loops(p *hlo.Program) []*hlo.Op {
	var out []*hlo.Op
	for _, o := range p.Main.Body.Ops {
		if o.Name == hlo.OpWhile {
			out = append(out, o)
		}
	}
	return out
}

// Point is a point of a program from which an execution can resume. Loop is the number of a loop of main, counted
// from 0: all earlier loops are finished. If InLoop, the point is before an iteration other than the first; otherwise
// it is before the loop. If Loop is the number of loops, all loops are finished.
type Point struct {
	Loop   int
	InLoop bool
}

// Carried names a value that a loop of main carries from one iteration to the next: value number Index of loop number
// Loop, both counted from 0.
type Carried struct{ Loop, Index int }

// Resumed is what is left of a program from a Point on.
type Resumed struct {
	Program *hlo.Program // the rest of the program; its arguments are those of the original program and the values that Carried names
	// Carried are the additional arguments of main, after those of the original program: the
	// results of finished loops and the carried values of the loop at the program point, as far as
	// they are used.
	Carried []Carried
	// Loops are main's loops by their numbers in the original program; nil for finished ones.
	Loops []*hlo.Op
}

// Resume returns what is left of program p from the point at on. Values that a loop carries unchanged are taken from
// before the loop, and operations that only finished parts need are removed. p is not changed.
func Resume(p *hlo.Program, at Point) *Resumed {
	e := newEditor(context.Background(), Options{}, clone(p))
	e.analyse()
	out := &Resumed{Program: e.prog, Loops: loops(e.prog)}
	main := e.prog.Main.Body
	params := map[*hlo.Value]Carried{}
	for n, o := range out.Loops {
		if n > at.Loop || n == at.Loop && !at.InLoop {
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
	e.applyReplacements()
	dead.run(e)
	e.applyReplacements()
	e.analyse() // recompute uses after the removal
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

// unchanged reports whether every iteration of a loop returns the carried value with that index
// unchanged.
func unchanged(o *hlo.Op, index int) bool {
	body := o.Regions[1]
	v := body.Return().Operands[index]
	return v == body.Params[index] || v == o.Operands[index]
}
