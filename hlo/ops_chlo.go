package hlo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// Names of the operations of the chlo dialect that are neither broadcasting nor a second name of an operation of StableHLO, except OpChloTan and OpChloConstant.
const (
	OpAcos         = "chlo.acos"
	OpAcosh        = "chlo.acosh"
	OpAsin         = "chlo.asin"
	OpAsinh        = "chlo.asinh"
	OpAtan         = "chlo.atan"
	OpAtanh        = "chlo.atanh"
	OpBesselI1e    = "chlo.bessel_i1e"
	OpConj         = "chlo.conj"
	OpChloConstant = "chlo.constant"
	OpCosh         = "chlo.cosh"
	OpDigamma      = "chlo.digamma"
	OpErf          = "chlo.erf"
	OpErfInv       = "chlo.erf_inv"
	OpErfc         = "chlo.erfc"
	OpIsInf        = "chlo.is_inf"
	OpIsNegInf     = "chlo.is_neg_inf"
	OpIsPosInf     = "chlo.is_pos_inf"
	OpLgamma       = "chlo.lgamma"
	OpMulhi        = "chlo.mulhi"
	OpNextAfter    = "chlo.next_after"
	OpPolygamma    = "chlo.polygamma"
	OpSinh         = "chlo.sinh"
	OpSquare       = "chlo.square"
	OpChloTan      = "chlo.tan"
	OpTopK         = "chlo.top_k"
	OpZeta         = "chlo.zeta"
)

// chloOps are operations of the chlo dialect, which JAX prints for functions that StableHLO lacks.
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
		opDef{name: OpChloConstant, results: exactly(1), check: checkConstant,
			attrs: []attrDef{required("value", isArray)}, form: form(constantForm)},
		opDef{name: OpTopK, operands: exactly(1), results: exactly(2), check: checkTopK,
			attrs: []attrDef{required("k", isInt)},
			form:  form(word("("), args(1), word(", k ="), intOf("k"), word(")"), attributes, arrow)},
	)
	return ops
}

// chloElementwise returns an elementwise operation with chlo's pretty form.
func chloElementwise(name string, n int, c class) opDef {
	d := elementwise("chlo."+name, n, c)
	d.form = form(args(n), attributes, arrow)
	return d
}

func checkTopK(o *Op) error {
	s, k := o.shape(0).Clone(), o.Attrs.Int("k", 0)
	if len(s) == 0 || k < 0 || k > s[len(s)-1] {
		return fmt.Errorf("k is %d, which exceeds the last dimension of %v", k, o.in(0))
	}
	s[len(s)-1] = k
	return first(o.wants(0, classBool|classReal), o.gives(tensor.Type{DType: o.in(0).DType, Shape: s}, tensor.Type{DType: tensor.I32, Shape: s}))
}

// broadcastOps are chlo's operations that broadcast their operands. They are derived from the plain
// operations, which must be registered before.
func broadcastOps() (ops []opDef) {
	for _, name := range []string{
		"add", "subtract", "multiply", "divide", "remainder", "power", "maximum", "minimum", "and", "or", "xor", "atan2",
		"shift_left", "shift_right_arithmetic", "shift_right_logical", "next_after", "polygamma", "zeta", "complex", "compare",
	} {
		ops = append(ops, broadcasting(name))
	}
	return ops
}

// broadcasting returns chlo.broadcast_x: operation x of StableHLO or chlo on operands that are
// first broadcast to one shape. broadcast_dimensions are the result dimensions of the operand of
// lower rank; the default is the last ones.
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
		// The rules of the plain operation apply to operands of the common shape.
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

// lastDims returns the last dimensions of the operand of higher rank, as many as the other operand
// has.
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

// broadcastShape returns the common shape of a and b after broadcasting, where the operand of lower
// rank is placed along dims.
func broadcastShape(a, b tensor.Shape, dims []int) (tensor.Shape, error) {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(dims) != len(a) || !slices.IsSorted(dims) {
		return nil, fmt.Errorf("broadcast_dimensions %v is incompatible with shapes %v and %v", dims, []int(a), []int(b))
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
			return nil, fmt.Errorf("shapes %v and %v are incompatible", []int(a), []int(b))
		}
	}
	return out, nil
}
