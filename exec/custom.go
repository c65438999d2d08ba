package exec

import (
	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/tensor"
)

// customs holds the custom calls that can have secret operands, by target.
var customs = hlo.Table[handler]{
	"Sharding":      barrier,
	"tacet.integer": nearInteger,
	"tacet.real":    realOfInteger,
	"tacet.outside": outside,
	"tacet.squares": weightedSquares,
}

func init() { table.Add(hlo.OpCustomCall, customCall) }

// hides reports whether an operation's result is secret even if only one party knows its operands.
func hides(o *hlo.Op) bool {
	if o.Name != hlo.OpCustomCall {
		return false
	}
	target := o.Attrs.Str("call_target_name")
	return target == revealTarget || target == hlo.RevealToTarget || target == unopenedTarget || target == hlo.NarrowTarget
}

func customCall(c *opRun, in []*value) ([]*value, error) {
	target := c.o.Attrs.Str("call_target_name")
	if f := customs[target]; f != nil {
		return f(c, in)
	}
	return nil, refuse(c.o, "to @"+target+" is not built for secret operands", "compute it from values that are public or that one party knows")
}

// nearInteger returns integers of the result's type that are less than n/2 off among n computing parties. Unlike a conversion it
// compares nothing.
func nearInteger(c *opRun, in []*value) ([]*value, error) {
	return one(c.Arith.NearInteger(c.op, c.share(in[0], c.Arith.Fraction), c.o.Results[0].Type.DType))
}

// realOfInteger returns integers that are as small as the program's author says as floats, divided by a power of two.
func realOfInteger(c *opRun, in []*value) ([]*value, error) {
	r, _ := hlo.RealOf(c.o)
	return one(c.Arith.RealOfInteger(c.op, c.share(in[0], 0), c.o.Results[0].Type.DType, r.Scale, r.Bits))
}

// outside returns whether integers are outside of the range that realOfInteger takes.
func outside(c *opRun, in []*value) ([]*value, error) {
	r, _ := hlo.RealOf(c.o)
	return one(c.Arith.Outside(c.op, c.share(in[0], 0), r.Bits, r.Below))
}

// weightedSquares returns xᵀ·diag(w)·x of integers.
func weightedSquares(c *opRun, in []*value) ([]*value, error) {
	owner, _ := mpc.Owner(in[0].owner)
	return one(c.Arith.WeightedSquares(c.op, owner, c.share(in[0], 0), c.share(in[1], 0)))
}

func init() {
	for _, kind := range "sd" {
		prefix := "lapack_" + string(kind)
		customs.Add(prefix+"potrf_ffi", potrf)
		customs.Add(prefix+"trsm_ffi", trsm)
	}
}

// zeros returns a public result of zeros: LAPACK's status for success.
func zeros(t tensor.Type) *value {
	return &value{typ: t, owner: Public, arr: tensor.NewArray(t)}
}

// potrf returns a Cholesky factor in place: the other triangle stays unchanged.
func potrf(c *opRun, in []*value) ([]*value, error) {
	lower := eval.BackendOption(c.o, "uplo") == 'L'
	l, err := c.cholesky(in[0], lower)
	if err != nil {
		return nil, err
	}
	out := c.triangles(l, in[0], lower)
	return []*value{out, zeros(c.o.Results[1].Type)}, nil
}

// triangles returns the lower (or upper) triangle of x, with the diagonal, and the rest of y.
func (c *opRun) triangles(x, y *value, lower bool) *value {
	if x.typ.DType.IsComplex() {
		re, im := c.parts(x)
		re2, im2 := c.parts(y)
		return paired(x.typ.DType, c.triangles(re, re2, lower), c.triangles(im, im2, lower))
	}
	s := x.typ.Shape
	rows, columns := s[len(s)-2], s[len(s)-1]
	index := make([]int32, s.Size())
	for i := range index {
		index[i] = int32(i)
		if row, column := i/columns%rows, i%columns; row != column && (row > column) != lower {
			index[i] += int32(len(index))
		}
	}
	return c.pickedFrom(index, s, x, y)
}

// trsm solves equations with a triangular matrix.
func trsm(c *opRun, in []*value) ([]*value, error) {
	x, err := c.solve(triangular{
		left: eval.BackendOption(c.o, "side") == 'L', lower: eval.BackendOption(c.o, "uplo") == 'L',
		unit: eval.BackendOption(c.o, "diag") == 'U', transpose: eval.BackendOption(c.o, "trans_x") != 'N', conjugate: eval.BackendOption(c.o, "trans_x") == 'C',
	}, in[0], in[1])
	return []*value{x}, err
}
