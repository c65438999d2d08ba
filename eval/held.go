package eval

import (
	"reflect"

	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// holder counts the memory of the values that a block's operations have returned, until the block ends.
type holder struct {
	*budget.Budget
	bytes int64
}

// hold reserves the memory of an operation's results. Results that share their elements with an operand, or with the program,
// take none.
func (h *holder) hold(op *hlo.Op, in, out []*tensor.Array) error {
	if h.Budget == nil || held(op) {
		return nil
	}
	for _, a := range out {
		if shares(a, in) {
			continue
		}
		n := budget.Bytes(a.Type)
		if err := h.Take(op, n); err != nil {
			return err
		}
		h.bytes += n
	}
	return nil
}

// free returns the memory.
func (h *holder) free() {
	h.Free(h.bytes)
	h.bytes = 0
}

// held reports whether the program holds an operation's results.
func held(op *hlo.Op) bool {
	c, ok := op.Constant()
	return ok && !c.Repeated
}

// shares reports whether an array has the elements of one of others.
func shares(a *tensor.Array, others []*tensor.Array) bool {
	for _, b := range others {
		if a == b || a.DType == b.DType && Elements(a) == Elements(b) {
			return true
		}
	}
	return false
}

// Elements returns a number that identifies the memory of an array's elements: two arrays that are in use have the
// same number exactly if they share their elements. Arrays without elements have a number too.
func Elements(a *tensor.Array) uintptr { return reflect.ValueOf(a.Data).Pointer() }
