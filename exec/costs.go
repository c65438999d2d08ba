package exec

import (
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/hlo"
)

// Costs books what operations cost one party: one entry for each operation of
// the program, all its instances together.
type Costs struct {
	Ops []*OpCost // in the program's order

	byOp map[*hlo.Op]*OpCost
	mu   sync.Mutex
	of   []*OpCost // by instance
}

// OpCost is an operation and its costs.
type OpCost struct {
	ID int
	Op *hlo.Op
	flow.Cost
}

// NewCosts makes the books for a program.
func NewCosts(p *hlo.Program) *Costs {
	c := &Costs{byOp: map[*hlo.Op]*OpCost{}}
	for _, f := range p.Funcs {
		c.add(f.Body)
	}
	return c
}

func (c *Costs) add(b *hlo.Block) {
	for _, o := range b.Ops {
		e := &OpCost{ID: len(c.Ops), Op: o}
		c.Ops = append(c.Ops, e)
		c.byOp[o] = e
		for _, r := range o.Regions {
			c.add(r)
		}
	}
}

// book enters an instance and returns where it is booked.
func (c *Costs) book(id uint32, o *hlo.Op) *flow.Cost {
	e := c.byOp[o]
	e.Calls.Add(1)
	c.mu.Lock()
	for uint32(len(c.of)) <= id {
		c.of = append(c.of, nil)
	}
	c.of[id] = e
	c.mu.Unlock()
	return &e.Cost
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
