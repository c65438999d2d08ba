package pattern

import "github.com/tacet-mpc/tacet/hlo"

// Logits returns the values whose softmax is taken later, through sums, products and views. Elements of a logit that
// are far below others of their row give 0, whatever their exact value.
func (ps *Patterns) Logits() map[*hlo.Value]bool {
	defs := map[*hlo.Value]*hlo.Op{}
	var todo []*hlo.Value
	for _, b := range ps.blocks {
		for _, o := range b.Ops {
			for _, r := range o.Results {
				defs[r] = o
			}
		}
	}
	for _, m := range ps.All {
		if m.Kind == Softmax || m.Kind == LogSoftmax || m.Kind == LogSumExp {
			todo = append(todo, m.X())
		}
	}
	logits := map[*hlo.Value]bool{}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if logits[v] || !v.Type.DType.IsFloat() {
			continue
		}
		logits[v] = true
		switch o := defs[v]; {
		case o == nil:
		case o.Name == hlo.OpDivide:
			todo = append(todo, o.Operands[0])
		case o.Name == hlo.OpAdd, o.Name == hlo.OpSubtract, o.Name == hlo.OpMultiply, o.Name == hlo.OpConvert, o.Is(hlo.Structured):
			todo = append(todo, o.Operands...)
		}
	}
	return logits
}
