package build

import (
	"maps"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Custom calls a target by its name, with results of the given types; attrs
// are further attributes of stablehlo.custom_call, nil for none. Package eval
// lists the targets that have a meaning.
func (b *Builder) Custom(target string, results []tensor.Type, attrs hlo.Attrs, operands ...Value) []Value {
	all := hlo.Attrs{"call_target_name": target}
	maps.Copy(all, attrs)
	return b.op(hlo.OpCustomCall, results, operands, all, nil)
}

// Reveal is x, known to all parties from here on. A job says how many tensors
// its program may reveal.
func (b *Builder) Reveal(x Value) Value {
	return b.Custom("tacet.reveal", nil, nil, x)[0]
}
