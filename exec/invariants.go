package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

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
