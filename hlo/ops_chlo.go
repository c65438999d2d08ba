package hlo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// chloOps are operations of the chlo dialect, which JAX prints for functions that
// StableHLO lacks.
func chloOps() (ops []opDef) {
	for _, name := range []string{
		"acos", "acosh", "asin", "asinh", "atan", "atanh", "bessel_i1e", "cosh", "digamma", "erf", "erf_inv", "erfc", "lgamma", "sinh", "tan",
	} {
		ops = append(ops, chloElementwise(name, 1, classField))
	}
	ops = append(ops,
		chloElementwise("square", 1, classNumber),
		chloElementwise("conj", 1, classNumber),
		chloElementwise("next_after", 2, classFloat),
		chloElementwise("polygamma", 2, classFloat),
		chloElementwise("zeta", 2, classFloat),
		chloElementwise("mulhi", 2, classInt),
	)
	for _, name := range []string{"is_inf", "is_pos_inf", "is_neg_inf"} {
		ops = append(ops, opDef{name: "chlo." + name, operands: exactly(1), results: exactly(1), form: form(args(1), attributes, arrow), check: checkPredicate})
	}
	ops = append(ops,
		opDef{name: "chlo.constant", results: exactly(1), check: checkConstant,
			attrs: []attrDef{required("value", isArray)}, form: form(constantForm)},
		opDef{name: "chlo.top_k", operands: exactly(1), results: exactly(2), check: checkTopK,
			attrs: []attrDef{required("k", isInt)},
			form:  form(word("("), args(1), word(", k ="), intOf("k"), word(")"), attributes, arrow)},
	)
	return ops
}

// chloElementwise is like elementwise, in chlo's form.
func chloElementwise(name string, n int, c class) opDef {
	d := elementwise("chlo."+name, n, c)
	d.form = form(args(n), attributes, arrow)
	return d
}

func checkTopK(o *Op) error {
	s, k := o.shape(0).Clone(), o.Attrs.Int("k", 0)
	if len(s) == 0 || k < 0 || k > s[len(s)-1] {
		return fmt.Errorf("there are no %d values along the last dimension of %v", k, o.in(0))
	}
	s[len(s)-1] = k
	return first(o.wants(0, classBool|classReal), o.gives(tensor.Type{DType: o.in(0).DType, Shape: s}, tensor.Type{DType: tensor.I32, Shape: s}))
}

// broadcastOps are chlo's operations that broadcast their operands. They are
// made from the plain ones, which must be registered.
func broadcastOps() (ops []opDef) {
	for _, name := range []string{
		"add", "subtract", "multiply", "divide", "remainder", "power", "maximum", "minimum", "and", "or", "xor", "atan2",
		"shift_left", "shift_right_arithmetic", "shift_right_logical", "next_after", "polygamma", "zeta", "complex", "compare",
	} {
		ops = append(ops, broadcasting(name))
	}
	return ops
}

// broadcasting is chlo.broadcast_x: StableHLO's or chlo's operation x on
// operands that are broadcast to one shape first. broadcast_dimensions says
// where the dimensions of the operand of lower rank go; by default they are
// the last ones.
func broadcasting(name string) opDef {
	plain := registry["stablehlo."+name]
	if plain == nil {
		plain = registry["chlo."+name]
	}
	d := opDef{name: "chlo.broadcast_" + name, operands: exactly(2), results: exactly(1), form: form(args(2), attributes, signature)}
	d.attrs = append(slices.Clone(plain.attrs), attrDef{name: "broadcast_dimensions", is: isInts, fill: lastDims})
	d.check = func(o *Op) error {
		shape, err := broadcastShape(o.shape(0), o.shape(1), o.Attrs.Ints("broadcast_dimensions"))
		if err != nil {
			return err
		}
		// The plain operation's rules hold for operands of the common shape.
		wide := *o
		wide.Name = strings.Replace(o.Name, "broadcast_", "", 1)
		wide.Operands = make([]*Value, 2)
		for i, v := range o.Operands {
			wide.Operands[i] = &Value{Type: tensor.Type{DType: v.Type.DType, Shape: shape}}
		}
		return plain.check(&wide)
	}
	return d
}

// lastDims are the last dimensions of the operand of higher rank, as many as
// the other has.
func lastDims(o *Op) any {
	low, high := rank(o), len(o.shape(1))
	if low > high {
		low, high = high, low
	}
	dims := make([]int64, low)
	for i := range dims {
		dims[i] = int64(high - low + i)
	}
	return dims
}

// broadcastShape is the shape that both a and b can be broadcast to, the one
// of lower rank along dims.
func broadcastShape(a, b tensor.Shape, dims []int) (tensor.Shape, error) {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(dims) != len(a) || !slices.IsSorted(dims) {
		return nil, fmt.Errorf("broadcast_dimensions %v does not go with shapes %v and %v", dims, []int(a), []int(b))
	}
	if err := dimList("broadcast_dimensions", dims, len(b)); err != nil {
		return nil, err
	}
	out := b.Clone()
	for i, d := range dims {
		switch {
		case out[d] == 1:
			out[d] = a[i]
		case a[i] != 1 && a[i] != out[d]:
			return nil, fmt.Errorf("shapes %v and %v do not go together", []int(a), []int(b))
		}
	}
	return out, nil
}
