package exec

import (
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/hlo"
)

// Costs are the costs of operations for one party: one entry for each place that an operation has in the tree
// of calls, for all instances there together. Walks that take the same course make the same entries in the
// same order.
type Costs struct {
	Frames []*Frame  // the tree of calls: main first, callers before callees
	Ops    []*OpCost // in the order in which they first ran

	ids map[*hlo.Op]int
	at  map[place]*OpCost
	mu  sync.Mutex
	of  []*OpCost // by instance
}

// Frame is one place in the tree of calls: a function that an operation calls, or the regions of a loop, a
// branch and the like.
type Frame struct {
	ID    int    // in Costs.Frames
	Outer *Frame // nil: main
	Op    int    // ID of the operation that calls or contains the frame; -1: main
	Func  string // the called function's name, "" for regions

	inner map[*hlo.Op]*Frame
}

type place struct {
	frame *Frame
	op    *hlo.Op
}

// OpCost is an operation at its place, with its costs there.
type OpCost struct {
	ID    int // the operation's number in the program's text
	Op    *hlo.Op
	Frame *Frame
	Whole string // the function as which it and the operations before it are computed, "" if none
	where string // source position and name
	flow.Cost
}

// NewCosts returns empty costs for a program.
func NewCosts(p *hlo.Program) *Costs {
	c := &Costs{ids: map[*hlo.Op]int{}, at: map[place]*OpCost{}}
	for _, f := range p.Funcs {
		c.number(f.Body)
	}
	c.Frames = []*Frame{{Op: -1, Func: p.Main.Name}}
	return c
}

func (c *Costs) number(b *hlo.Block) {
	for _, o := range b.Ops {
		c.ids[o] = len(c.ids)
		for _, r := range o.Regions {
			c.number(r)
		}
	}
}

// ID returns an operation's number in the program's text.
func (c *Costs) ID(o *hlo.Op) int { return c.ids[o] }

// enter returns the frame of the function or regions that o runs. Operations that a protocol adds are not in
// the text and have no frame of their own.
func (c *Costs) enter(outer *Frame, o *hlo.Op) *Frame {
	id, ok := c.ids[o]
	if !ok {
		return outer
	}
	f := outer.inner[o]
	if f == nil {
		f = &Frame{ID: len(c.Frames), Outer: outer, Op: id}
		if o.Callee != nil {
			f.Func = o.Callee.Name
		}
		if outer.inner == nil {
			outer.inner = map[*hlo.Op]*Frame{}
		}
		outer.inner[o] = f
		c.Frames = append(c.Frames, f)
	}
	return f
}

// book adds an instance and returns its entry.
func (c *Costs) book(id uint32, f *Frame, o *hlo.Op) *OpCost {
	at := place{f, o}
	e := c.at[at]
	c.mu.Lock()
	defer c.mu.Unlock()
	if e == nil {
		e = &OpCost{ID: c.ids[o], Op: o, Frame: f, where: o.Pos.String() + ": " + o.Title()}
		c.at[at] = e
		c.Ops = append(c.Ops, e)
	}
	e.Calls.Add(1)
	for uint32(len(c.of)) <= id {
		c.of = append(c.of, nil)
	}
	c.of[id] = e
	return e
}

// Of returns the entry of an instance.
func (c *Costs) Of(id uint32) *OpCost {
	c.mu.Lock()
	defer c.mu.Unlock()
	if int(id) < len(c.of) {
		return c.of[id]
	}
	return nil
}

// Empty returns costs with the same entries, all zero.
func (c *Costs) Empty() *Costs {
	out := &Costs{Frames: c.Frames, ids: c.ids}
	for _, e := range c.Ops {
		out.Ops = append(out.Ops, &OpCost{ID: e.ID, Op: e.Op, Frame: e.Frame, Whole: e.Whole})
	}
	return out
}
