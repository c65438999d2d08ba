package eval

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// reduce combines the elements along dimensions by the body. Bodies of one operation (add, maximum,
// …) are native loops over rows, which add and multiply floats in float64 and round once. Any other
// body, which StableHLO requires to be associative, combines neighbours pair by pair. The initial
// value is the first operand.
func reduce(c *call) ([]*tensor.Array, error) {
	n, dims := len(c.args)/2, c.op.Attrs.Ints("dimensions")
	if l := reducerLoop(c.op.Regions[0]); l != none && n == 1 {
		rows, length, shape := rowsAlong(c.args[0], dims)
		if out := foldRows(l, rows, c.args[1], length, shape.Size()); out != nil {
			return one(out.Reshape(shape)), nil
		}
	}
	rows := make([]*tensor.Array, n)
	for i, x := range c.args[:n] {
		rows[i] = algo.Rows(arrays{}, x, dims)
	}
	values, err := algo.ReduceRows(c.region(0), rows, c.args[n:])
	if err != nil {
		return nil, err
	}
	for i, v := range values {
		values[i] = v.Reshape(c.result(i).Shape)
	}
	return values, nil
}

// rowsAlong transposes x so that the elements along dims form rows of the given length, one row for
// each element of shape, which is x's shape without dims.
func rowsAlong(x *tensor.Array, dims []int) (rows *tensor.Array, length int, shape tensor.Shape) {
	kept := algo.Others(len(x.Shape), dims)
	gone := algo.Others(len(x.Shape), kept)
	for _, d := range kept {
		shape = append(shape, x.Shape[d])
	}
	rows = apply(tensor.Transposed(x.Shape, append(kept, gone...)), x)
	return rows.Reshape(tensor.Shape{rows.Len()}), algo.Size(x.Shape, gone), shape
}

// reducerLoop returns the loop of a body that is one associative operation on its two parameters.
func reducerLoop(b *hlo.Block) loop {
	if !algo.Associative(b) {
		return none
	}
	return binaries[algo.Reducer(b)].native
}

// foldRows folds each of count rows of the given length into the initial value. It returns nil for
// element types without a native loop.
func foldRows(l loop, x, init *tensor.Array, length, count int) *tensor.Array {
	s := tensor.Shape{count}
	switch d := x.DType; {
	case d.IsFloat():
		out := foldNumbers(l, x.Floats(), init.Floats()[0], length, count)
		if out == nil {
			return nil
		}
		return tensor.FromFloats(d, s, out)
	case d.IsSigned():
		var out []int64
		in, first := signed(x.Words()), int64(init.Words()[0])
		if out = foldNumbers(l, in, first, length, count); out == nil {
			out = foldBits(l, in, first, length, count)
		}
		words := make([]uint64, count)
		for i, v := range out {
			words[i] = uint64(v)
		}
		return tensor.FromWords(d, s, words)
	case d.IsInt(), d == tensor.Bool:
		if d == tensor.Bool { // on single bits sum and maximum are or, product and minimum are and
			switch l {
			case addLoop, maxLoop:
				l = orLoop
			case mulLoop, minLoop:
				l = andLoop
			}
		}
		in, first := x.Words(), init.Words()[0]
		out := foldNumbers(l, in, first, length, count)
		if out == nil {
			out = foldBits(l, in, first, length, count)
		}
		return tensor.FromWords(d, s, out)
	}
	return nil
}

func foldNumbers[T int64 | uint64 | float64](l loop, x []T, init T, length, count int) []T {
	out := make([]T, count)
	for i := range out {
		acc := init
		row := x[i*length : (i+1)*length]
		switch l {
		case addLoop:
			for _, v := range row {
				acc += v
			}
		case mulLoop:
			for _, v := range row {
				acc *= v
			}
		case maxLoop:
			for _, v := range row {
				acc = max(acc, v)
			}
		case minLoop:
			for _, v := range row {
				acc = min(acc, v)
			}
		default:
			return nil
		}
		out[i] = acc
	}
	return out
}

func foldBits[T int64 | uint64](l loop, x []T, init T, length, count int) []T {
	out := make([]T, count)
	for i := range out {
		acc := init
		for _, v := range x[i*length : (i+1)*length] {
			switch l {
			case andLoop:
				acc &= v
			case orLoop:
				acc |= v
			case xorLoop:
				acc ^= v
			}
		}
		out[i] = acc
	}
	return out
}
