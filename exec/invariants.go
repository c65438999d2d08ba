package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// rearranged keeps views of values that one party knows and that are older than the outermost loop that runs, such as the transpose of a
// matrix of weights. So the owner shares a view once, and not in each iteration. It is emptied when that loop ends.
type rearranged map[*value][]rearrangement

type rearrangement struct {
	view tensor.View
	of   *value
}

// olderThanLoop marks the values that the outermost loop reads, and begins to keep views of them.
func (x *run) olderThanLoop(s *scope, o *hlo.Op, in []*value) {
	x.rearranged = rearranged{}
	for _, v := range in {
		v.constant = true
	}
	for _, v := range x.uses[o].captured {
		if c := s.find(v); c != nil {
			c.constant = true
		}
	}
}

// get returns the view of a value; nil if none is kept.
func (k rearranged) get(of *value, v tensor.View) *value {
	for _, r := range k[of] {
		if r.view.Same(v) {
			return r.of
		}
	}
	return nil
}

// put keeps a view of a value, unless the loop has made the value.
func (k rearranged) put(of *value, v tensor.View, out *value) {
	if k != nil && of.constant && v.Strided() {
		out.constant = true
		k[of] = append(k[of], rearrangement{v, out})
	}
}

// invariants keeps the results of loops' operations on public values whose operands are the same arrays in every iteration,
// such as the transpose of a public matrix. So such an operation is evaluated once, and what is made of its result, such as
// its encoding, is made once too. An operation whose operands differ between two evaluations is not kept from then on.
// Arrays do not change once they are values, so operands are compared by identity. The zero invariants is empty and ready
// for use.
type invariants struct {
	known  map[*hlo.Op]invariant
	varies map[*hlo.Op]bool
	bytes  int64 // of the results in known
}

// invariant is an operation's last evaluation.
type invariant struct{ args, results []*tensor.Array }

// invariantBytes is the limit of the results that are kept, in bytes.
const invariantBytes = 64 << 20

// get returns the results of an operation if its last evaluation had the same operands, else nil.
func (k *invariants) get(o *hlo.Op, args []*tensor.Array) []*tensor.Array {
	if last, ok := k.known[o]; ok && slices.Equal(last.args, args) {
		return last.results
	}
	return nil
}

// put records an evaluation.
func (k *invariants) put(o *hlo.Op, args, results []*tensor.Array) {
	if k.varies[o] {
		return
	}
	if k.known == nil {
		k.known, k.varies = map[*hlo.Op]invariant{}, map[*hlo.Op]bool{}
	}
	size := int64(0)
	for _, a := range results {
		size += arrayBytes(a)
	}
	last, again := k.known[o]
	if !again && k.bytes+size <= invariantBytes {
		k.known[o] = invariant{args: args, results: results}
		k.bytes += size
		return
	}
	k.varies[o] = true
	if again {
		for _, a := range last.results {
			k.bytes -= arrayBytes(a)
		}
		delete(k.known, o)
	}
}
