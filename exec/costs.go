package exec

import (
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/hlo"
)

// Costs holds what a program's operations cost one party. It has one entry for each place that an operation has in
// the tree of calls; an entry adds up all instances of the operation at that place. Two walks that take the same
// branches make the same entries in the same order.
type Costs struct {
	Frames []*Frame  // the tree of calls: main first, callers before callees
	Ops    []*OpCost // in the order in which they first ran

	ids map[*hlo.Op]int
	at  map[place]*OpCost
	mu  sync.Mutex
	of  []*OpCost // by instance
}

// Frame is one place in the tree of calls: the body of main, of a function that an operation calls, or the regions of
// a loop, a branch or another operation.
type Frame struct {
	ID    int    // the frame's index in Costs.Frames
	Outer *Frame // the frame that contains this one; nil for main
	Op    int    // the number (Costs.ID) of the operation that calls the function or has the regions; −1 for main
	Func  string // the name of the function; "" for regions

	inner map[*hlo.Op]*Frame
}

type place struct {
	frame *Frame
	op    *hlo.Op
}

// OpCost is the cost to one party of an operation at one place in the tree of calls, for all its instances there.
type OpCost struct {
	ID    int     // the operation's number in the program's text (Costs.ID)
	Op    *hlo.Op // the operation
	Frame *Frame  // the place
	Whole string  // the pattern (pattern.Kind) that this operation ends, if it was computed by a fused kernel; otherwise ""
	where string  // source position and name
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

// ID returns the number of operation o in the text of the program, counted from 0.
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
		if o.Folded != "" {
			e.where += " with the factor of " + o.Folded
		}
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

// Of returns the entry that an operation instance counts into; nil if there was no instance of this number. id is
// counted from the walk's first instance, not from Config.First.
func (c *Costs) Of(id uint32) *OpCost {
	c.mu.Lock()
	defer c.mu.Unlock()
	if int(id) < len(c.of) {
		return c.of[id]
	}
	return nil
}

// Empty returns costs with the same frames and entries as c, whose counters are zero.
func (c *Costs) Empty() *Costs {
	out := &Costs{Frames: c.Frames, ids: c.ids}
	for _, e := range c.Ops {
		out.Ops = append(out.Ops, &OpCost{ID: e.ID, Op: e.Op, Frame: e.Frame, Whole: e.Whole})
	}
	return out
}
