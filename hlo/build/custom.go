package build

import (
	"maps"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Custom calls a custom_call target by its name and returns results of the given types. attrs are further attributes
// of stablehlo.custom_call, nil for none. Package eval lists the targets that Tacet runs.
func (b *Builder) Custom(target string, results []tensor.Type, attrs hlo.Attrs, operands ...Value) []Value {
	all := hlo.Attrs{"call_target_name": target}
	maps.Copy(all, attrs)
	return b.op(hlo.OpCustomCall, results, operands, all, nil)
}

// Reveal returns x, revealed to all computing parties at this point of the program. A job says how many tensors its
// program may reveal.
func (b *Builder) Reveal(x Value) Value {
	return b.Custom("tacet.reveal", nil, nil, x)[0]
}

// RevealTo returns x, revealed to the computing party of the given rank at this point of the program. That party computes
// in cleartext what depends on x, its own inputs and public values alone. A job says how many tensors its program may reveal.
func (b *Builder) RevealTo(x Value, rank int) Value {
	return b.Custom(hlo.RevealToTarget, nil, hlo.Attrs{"mhlo.attributes": map[string]any{"to": int64(rank)}}, x)[0]
}
