package exec

import (
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/hlo"
)

// Costs books what operations cost one party: one entry for each place that an
// operation has in the tree of calls, all instances there together. Walks that
// go alike make the same entries in the same order.
type Costs struct {
	Frames []*Frame  // the tree of calls, main first, callers before what they call
	Ops    []*OpCost // in the order in which they first ran

	ids map[*hlo.Op]int
	at  map[place]*OpCost
	mu  sync.Mutex
	of  []*OpCost // by instance
}

// Frame is one place in the tree of calls: a function that an operation calls,
// or the regions of a loop, a branch and the like.
type Frame struct {
	ID    int    // in Costs.Frames
	Outer *Frame // nil: main
	Op    int    // ID of the operation that calls or holds what runs; -1: main
	Func  string // the called function's name, "" for regions

	inner map[*hlo.Op]*Frame
}

type place struct {
	frame *Frame
	op    *hlo.Op
}

// OpCost is an operation at its place and what it costs there.
type OpCost struct {
	ID    int // the operation's number in the program's text
	Op    *hlo.Op
	Frame *Frame
	Whole string // the function that it and what leads to it are computed as, "" if none
	where string // source position and name
	flow.Cost
}

// NewCosts makes the books for a program.
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

// ID is an operation's number in the program's text.
func (c *Costs) ID(o *hlo.Op) int { return c.ids[o] }

// enter is the frame of what o calls or holds. Operations that a protocol
// makes up for itself are not in the text and have none of their own.
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

// book enters an instance and returns where it is booked.
func (c *Costs) book(id uint32, f *Frame, o *hlo.Op) *OpCost {
	at := place{f, o}
	e := c.at[at]
	c.mu.Lock()
	defer c.mu.Unlock()
	if e == nil {
		e = &OpCost{ID: c.ids[o], Op: o, Frame: f, where: o.Pos.String() + ": " + o.Name}
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

// Of is the entry of an instance.
func (c *Costs) Of(id uint32) *OpCost {
	c.mu.Lock()
	defer c.mu.Unlock()
	if int(id) < len(c.of) {
		return c.of[id]
	}
	return nil
}

// Blank are books with the same entries in which nothing is booked.
func (c *Costs) Blank() *Costs {
	out := &Costs{Frames: c.Frames, ids: c.ids}
	for _, e := range c.Ops {
		out.Ops = append(out.Ops, &OpCost{ID: e.ID, Op: e.Op, Frame: e.Frame, Whole: e.Whole})
	}
	return out
}
