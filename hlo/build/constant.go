package build

import (
	"fmt"
	"math"
	"math/big"
	"reflect"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Const returns a constant of element type d and the given dimensions whose elements are all equal to a Go number or
// bool. The number must have a value of type d: integers take no fractions, and nothing overflows.
func (b *Builder) Const(d tensor.DType, number any, dims ...int) Value {
	if !b.writable() {
		return Value{}
	}
	t := Tensor(d, dims...)
	if err := hlo.CheckType(t); err != nil {
		b.fail(err.Error(), "choose an element type of package tensor and dimensions from 0 on")
		return Value{}
	}
	return b.spread(b.number(d, number), nil, t.Shape)
}

// Array returns a constant with the elements of a, which must not be changed afterwards. They become part of the
// program, which all parties see.
func (b *Builder) Array(a *tensor.Array) Value {
	if a == nil {
		b.fail("the array is nil", "pass an array")
		return Value{}
	}
	return b.one(hlo.OpConstant, hlo.Attrs{"value": a})
}

// number is a scalar constant.
func (b *Builder) number(d tensor.DType, x any) Value {
	a, err := scalarOf(d, x)
	if err != nil {
		b.fail(err.Error(), "use a number of the operands' element type, or Convert")
		return Value{}
	}
	return b.one(hlo.OpConstant, hlo.Attrs{"value": a})
}

// scalarOf makes a scalar array of a Go number or bool.
func scalarOf(d tensor.DType, x any) (*tensor.Array, error) {
	a := tensor.NewArray(Tensor(d))
	v := reflect.ValueOf(x)
	misfit := fmt.Errorf("%v is no value of type %v", x, d)
	switch {
	case d == tensor.Bool:
		if v.Kind() != reflect.Bool {
			return nil, misfit
		}
		a.Data.([]bool)[0] = v.Bool()
		return a, nil
	case v.CanComplex():
		if !d.IsComplex() {
			return nil, misfit
		}
		return complexOf(a, v.Complex()), nil
	case v.CanInt() || v.CanUint():
		return a, integerOf(a, v, misfit)
	case !v.CanFloat():
		return nil, misfit
	case d.IsComplex():
		return complexOf(a, complex(v.Float(), 0)), nil
	case d.IsFloat():
		return floatOf(d, v.Float(), misfit)
	}
	if x := v.Float(); x == math.Trunc(x) && !math.IsInf(x, 0) {
		i, _ := big.NewFloat(x).Int(nil)
		return a, setInteger(a, i, misfit)
	}
	return nil, misfit
}

func complexOf(a *tensor.Array, z complex128) *tensor.Array {
	switch d := a.Data.(type) {
	case []complex64:
		d[0] = complex64(z)
	case []complex128:
		d[0] = z
	}
	return a
}

// integerOf sets a's only element to a Go integer.
func integerOf(a *tensor.Array, v reflect.Value, misfit error) error {
	i := new(big.Int)
	if v.CanInt() {
		i.SetInt64(v.Int())
	} else {
		i.SetUint64(v.Uint())
	}
	if a.DType.IsInt() {
		return setInteger(a, i, misfit)
	}
	x, _ := new(big.Float).SetInt(i).Float64()
	if a.DType.IsComplex() {
		complexOf(a, complex(x, 0))
		return nil
	}
	f, err := floatOf(a.DType, x, misfit)
	if err == nil {
		*a = *f
	}
	return err
}

// setInteger sets the only element of an array of integers.
func setInteger(a *tensor.Array, i *big.Int, misfit error) error {
	least, most := new(big.Int), new(big.Int)
	bits := uint(a.DType.Bits())
	if a.DType.IsSigned() {
		bits--
		least.Neg(least.Lsh(big.NewInt(1), bits))
	}
	most.Lsh(big.NewInt(1), bits)
	if i.Cmp(least) < 0 || i.Cmp(most) >= 0 {
		return misfit
	}
	word := new(big.Int).And(i, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	*a = *tensor.FromWords(a.DType, tensor.Shape{}, []uint64{word})
	return nil
}

// floatOf is the float of type d next to x; an error if a finite x overflows.
func floatOf(d tensor.DType, x float64, misfit error) (*tensor.Array, error) {
	a := tensor.FromFloats(d, tensor.Shape{}, []float64{x})
	if math.IsInf(a.Floats()[0], 0) && !math.IsInf(x, 0) {
		return nil, misfit
	}
	return a, nil
}
