package exec

import (
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/tensor"
)

// oneHot holds open bits that say which of a few public numbers each element of an integer value is equal to,
// so that it need not be compared with public numbers.
type oneHot struct {
	numbers []uint64
	planes  []*fxp.Value // for every number, whether an element is equal to it
}

// oneHot returns the planes of the k×n one-hots of columns whose k numbers are the same in all columns; nil
// if they are not.
func (c *opRun) oneHot(won *fxp.Value, numbers *value) *oneHot {
	if numbers.array() == nil || numbers.owner != Public {
		return nil
	}
	k, n := numbers.typ.Shape[0], numbers.typ.Shape[1]
	h, words := &oneHot{}, numbers.array().Words()
	for i, w := range words {
		if w != words[i/n*n] {
			return nil
		}
	}
	for i := range k {
		h.numbers = append(h.numbers, words[i*n])
		v := tensor.View{Shape: tensor.Shape{n}, In: k * n, Offset: i * n, Strides: []int{1}}
		h.planes = append(h.planes, c.Arith.View(c.op, v, won))
	}
	return h
}

// view applies a view to the planes.
func (h *oneHot) view(c *opRun, v tensor.View) *oneHot {
	if h == nil || !v.Strided() { // a list may contain Fill
		return nil
	}
	out := &oneHot{numbers: h.numbers}
	for _, p := range h.planes {
		out.planes = append(out.planes, c.Arith.View(c.op, v, p))
	}
	return out
}

// equal returns, for each element, whether it is equal to the corresponding public number.
func (h *oneHot) equal(c *opRun, y *tensor.Array) *value {
	var out *fxp.Value
	for i, p := range h.planes {
		is := make([]bool, y.Len())
		for e, w := range y.Words() {
			is[e] = w == h.numbers[i]
		}
		term := c.Arith.MulPublic(c.op, p, &tensor.Array{Type: p.Type, Data: is})
		if out == nil {
			out = term
		} else {
			out = c.Arith.Add(c.op, out, term)
		}
	}
	return secret(out)
}
