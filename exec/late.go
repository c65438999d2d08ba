package exec

import (
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/tensor"
)

// Late values are known to one party, but only once the graph runs: what @tacet.reveal_to reveals to it, and what it computes of that
// and of values that it knew before. The walk does not wait for them: value.late is the future of the array, nil at parties that do not
// learn it, and an operation on late values is a step of the graph. All parties' futures have the same logical clock, so that rounds
// are planned exactly. Everything that more than one party takes part in treats a late value as a secret: sooner makes it one, as a
// sharing in which the owner's share is the value and all others' are zero.
//
// A walk that runs the graph does not evaluate what one party knew before (Config.Evaluates); the dry run before it leaves in Early what
// operations on late values read.

// Early holds the arrays that one party's dry run has evaluated and that operations on late values read when the graph runs. It belongs
// to one execution: the dry run fills it, and the walk that follows empties it. The zero Early is empty and ready for use.
type Early struct {
	mu   sync.Mutex
	read map[uint32][]*tensor.Array // by instance: operands, then captured values; nil for those that are not early
}

// put keeps what an instance reads.
func (e *Early) put(id uint32, arrays []*tensor.Array) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.read == nil {
		e.read = map[uint32][]*tensor.Array{}
	}
	e.read[id] = arrays
}

// take returns what an instance reads, once.
func (e *Early) take(id uint32) []*tensor.Array {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	out := e.read[id]
	delete(e.read, id)
	return out
}

// learns reports whether this party computes what the party of the given rank learns while the graph runs.
func (x *run) learns(rank int) bool { return x.Learns != nil && x.Learns(rank) }

// readBy returns the values that an operation reads: its operands, then those that its regions refer to.
func (x *run) readBy(s *scope, o *hlo.Op, in []*value) []*value {
	out := append([]*value{}, in...)
	for _, v := range x.uses[o].captured {
		out = append(out, s.find(v))
	}
	return out
}

// anyLate reports whether one of the values is late.
func anyLate(vs []*value) bool {
	for _, v := range vs {
		if v != nil && v.late != nil {
			return true
		}
	}
	return false
}

// discloseTo reveals its operands to one party.
func discloseTo(c *opRun, in []*value) ([]*value, error) {
	rank, _ := hlo.RevealedTo(c.o)
	if rank >= c.Online {
		return nil, refuse(c.o, "reveals to a party that takes no part in the online phase", "reveal to a computing party, or return the value as a result")
	}
	if err := c.countReveal(len(in)); err != nil {
		return nil, err
	}
	out := make([]*value, len(in))
	for i, v := range in {
		x := c.Arith.Rescale(c.op, c.share(v, c.Arith.Fraction))
		words, t := c.Arith.P.RevealTo(c.op, x.S, rank), v.typ
		learns := c.learns(rank) && !c.Graph.DryRun()
		out[i] = &value{typ: t, owner: rank, late: flow.Do(c.op, budget.Bytes(t), func() *tensor.Array {
			if !learns {
				return nil
			}
			return fxp.Decode(words.Get(), t, x.Scale)
		}, words)}
	}
	return out, nil
}

// clearLate evaluates in cleartext, when the graph runs, an operation that reads late values, all of whose other values are public or
// known to their owner. It sets the late values of out.
func (x *run) clearLate(s *scope, o *hlo.Op, op *flow.Op, booked *OpCost, owner int, in, out []*value) error {
	if _, err := x.evaluate(s, nil, o, owner, nil); err != nil {
		return err // is not supported
	}
	rank, _ := mpc.Owner(owner)
	id, reads := op.ID-x.First, x.readBy(s, o, in)
	var deps []flow.Dep
	arrays := make([]*tensor.Array, len(reads))
	learns := x.learns(rank)
	for i, v := range reads {
		switch {
		case v == nil:
		case v.late != nil:
			deps = append(deps, v.late)
		case learns:
			arrays[i] = v.array()
		}
	}
	if learns && x.Graph.DryRun() {
		early := make([]*tensor.Array, len(reads))
		for i, v := range reads {
			if v != nil && v.late == nil && v.owner != Public {
				early[i] = arrays[i]
			}
		}
		x.Early.put(id, early)
	} else if learns {
		for i, a := range x.Early.take(id) {
			if arrays[i] == nil {
				arrays[i] = a
			}
		}
	}
	at := map[*hlo.Value]int{}
	for i, v := range x.uses[o].captured {
		at[v] = len(in) + i
	}
	bytes := int64(0)
	for _, r := range o.Results {
		bytes = budget.Add(bytes, budget.Bytes(r.Type))
	}
	own, learns := x.own, learns && !x.Graph.DryRun()
	all := flow.Try(op, bytes, func() ([]*tensor.Array, error) {
		if !learns {
			return make([]*tensor.Array, len(out)), nil
		}
		read := func(i int) *tensor.Array {
			if v := reads[i]; v != nil && v.late != nil {
				return v.late.Get()
			}
			return arrays[i]
		}
		args := make([]*tensor.Array, len(in))
		for i := range args {
			args[i] = read(i)
		}
		env := eval.NewEnv(func(v *hlo.Value) *tensor.Array {
			if i, ok := at[v]; ok {
				return read(i)
			}
			return nil
		})
		var res []*tensor.Array
		start := time.Now()
		err := flow.Guard(func() (err error) {
			res, err = env.Op(own, o, args)
			return err
		})
		booked.Cleartext.Add(int64(time.Since(start)))
		if err != nil {
			return nil, &LocalError{rank, err}
		}
		return res, nil
	}, deps...)
	for i := range out {
		out[i].late = flow.Pick(op, func() *tensor.Array { return all.Get()[i] }, all)
	}
	return nil
}

// sooner returns the value as a secret if it is late, and otherwise as it is.
func (c *opRun) sooner(v *value) *value {
	if v == nil || v.late == nil {
		return v
	}
	if v.soon == nil {
		rank, _ := mpc.Owner(v.owner)
		v.soon = secret(c.Arith.InputLate(c.op, rank, v.typ, v.late))
		if v.within != (fxp.Range{}) {
			c.Arith.Within(v.soon.sec, v.within)
		}
	}
	return v.soon
}

// soonerAll is sooner of all values. It returns in itself if none is late.
func (c *opRun) soonerAll(in []*value) []*value {
	if !anyLate(in) {
		return in
	}
	out := make([]*value, len(in))
	for i, v := range in {
		out[i] = c.sooner(v)
	}
	return out
}
