package build_test

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// abuser calls methods with whatever their types allow.
type abuser struct {
	*rapid.T
	b    *build.Builder
	pool []value
}

var (
	valueType  = reflect.TypeFor[value]()
	anyType    = reflect.TypeFor[any]()
	operations = hlo.Operations()
)

// number is small, now and then extreme.
func (a *abuser) number() int {
	return rapid.OneOf(
		rapid.IntRange(-2, 5),
		rapid.IntRange(-2, 5),
		rapid.SampledFrom([]int{math.MinInt64, math.MaxInt64, 1 << 40}),
	).Draw(
		a.T,
		"number",
	)
}

// of makes a value of a Go type.
func (a *abuser) of(t reflect.Type, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	if depth > 4 || rapid.IntRange(0, 15).Draw(a.T, "zero") == 0 {
		return v
	}
	switch {
	case t == valueType:
		v.Set(reflect.ValueOf(rapid.SampledFrom(a.pool).Draw(a.T, "value")))
		return v
	case t == reflect.TypeFor[hlo.Attrs]():
		return v // nil: a map of random names helps little
	case t == reflect.TypeFor[*build.Builder]():
		v.Set(reflect.ValueOf(a.b))
		return v
	case t == anyType:
		v.Set(
			reflect.ValueOf(
				rapid.SampledFrom(
					[]any{1, -1.5, true, "x", 2i, uint64(math.MaxUint64), math.NaN(), math.Inf(1), int8(3), a.pool[0], elements[1], (*tensor.Array)(nil)},
				).Draw(
					a.T,
					"any",
				),
			),
		)
		return v
	}
	switch t.Kind() {
	case reflect.Int:
		v.SetInt(int64(a.number()))
	case reflect.Uint8:
		v.SetUint(uint64(rapid.IntRange(0, 17).Draw(a.T, "dtype")))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(a.T, "bool"))
	case reflect.String:
		v.SetString(rapid.SampledFrom(append([]string{"x", "tacet.reveal", "main", "a b"}, operations...)).Draw(a.T, "string"))
	case reflect.Slice:
		for range rapid.IntRange(0, 4).Draw(a.T, "length") {
			v = reflect.Append(v, a.of(t.Elem(), depth+1))
		}
	case reflect.Array:
		for i := range v.Len() {
			v.Index(i).Set(a.of(t.Elem(), depth+1))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			v.Field(i).Set(a.of(t.Field(i).Type, depth+1))
		}
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(a.of(t.Elem(), depth+1))
	case reflect.Func:
		v.Set(reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
			for _, arg := range args {
				a.keep(arg)
			}
			a.call(depth + 1)
			var out []reflect.Value
			for i := range t.NumOut() {
				out = append(out, a.of(t.Out(i), depth+1))
			}
			return out
		}))
	}
	return v
}

// keep puts Values into the pool.
func (a *abuser) keep(v reflect.Value) {
	switch x := v.Interface().(type) {
	case value:
		a.pool = append(a.pool, x)
	case []value:
		a.pool = append(a.pool, x...)
	}
}

// call calls a method.
func (a *abuser) call(depth int) {
	b := reflect.ValueOf(a.b)
	m := b.Type().Method(rapid.IntRange(0, b.NumMethod()-1).Draw(a.T, "method"))
	if m.Name == "Program" || depth > 4 {
		return
	}
	args := []reflect.Value{b}
	for i := 1; i < m.Type.NumIn(); i++ {
		args = append(args, a.of(m.Type.In(i), depth))
	}
	call := m.Func.Call
	if m.Type.IsVariadic() {
		call = m.Func.CallSlice
	}
	for _, out := range call(args) {
		a.keep(out)
	}
}

// Whatever methods are called with, they do not panic: there is an *Error, or a
// program that Parse reads.
func TestNoPanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		other := build.New("other").Arg("x", tensor.F32, 2, 3)
		for range 20 { // most calls are mistakes: each begins anew
			b := build.New("abused")
			given := arguments(b)
			a := &abuser{t, b, []value{given.x, given.x, given.y, given.i, given.p, given.m, given.k, {}, other}}
			for range 3 {
				if b.Err() == nil {
					a.call(0)
				}
			}
			a.call(0) // perhaps after a mistake
			if b.Err() == nil {
				b.Return(a.pool[0])
			}
			p, err := b.Program()
			var e *build.Error
			switch {
			case err == nil:
				prints(t, p)
			case !errors.As(err, &e) || e.Line == 0 || e.Op == "" || e.Msg == "" || e.Hint == "":
				t.Fatalf("got %#v", err)
			}
		}
	})
}

// Go numbers become constants of the same value, in all types that have it.
func TestConstants(t *testing.T) {
	for _, c := range []struct {
		d      tensor.DType
		number any
		want   any
	}{
		{tensor.Bool, true, []bool{true}},
		{tensor.I8, -128, []int8{-128}}, {tensor.I16, int8(-3), []int16{-3}}, {tensor.I32, 2.0, []int32{2}},
		{tensor.I64, int64(math.MinInt64), []int64{math.MinInt64}}, {tensor.U64, uint64(math.MaxUint64), []uint64{math.MaxUint64}},
		{tensor.U8, 255., []uint8{255}}, {tensor.U64, -0.0, []uint64{0}},
		{tensor.F32, 3, []float32{3}}, {tensor.F32, 0.1, []float32{0.1}}, {tensor.F64, float32(0.5), []float64{0.5}},
		{tensor.F64, uint64(1) << 63, []float64{1 << 63}},
		{tensor.F32, math.Inf(-1), []float32{float32(math.Inf(-1))}}, {tensor.F16, 1, []uint16{0x3c00}}, {tensor.BF16, -1.0, []uint16{0xbf80}},
		{tensor.C64, 1 + 2i, []complex64{1 + 2i}}, {tensor.C128, 2, []complex128{2}}, {tensor.C128, 0.5, []complex128{0.5}},
		{tensor.C64, complex64(1i), []complex64{1i}},
		{tensor.Bool, 1, nil}, {tensor.I32, true, nil}, {tensor.I64, uint64(1) << 63, nil}, {tensor.I64, 1 << 62 * 2., nil},
		{tensor.U32, -1, nil}, {tensor.I32, math.NaN(), nil}, {tensor.I32, math.Inf(1), nil},
		{tensor.F32, 1e39, nil}, {tensor.F32, 1i, nil}, {tensor.F32, nil, nil}, {tensor.F32, "1", nil}, {tensor.F32, []int{1}, nil},
		{tensor.Invalid, 1, nil}, {99, 1, nil},
	} {
		b := build.New("constants")
		b.Return(b.Const(c.d, c.number))
		p, err := b.Program()
		if err != nil {
			if c.want != nil {
				t.Errorf("%v as %v: %v", c.number, c.d, err)
			}
			continue
		}
		if got := p.Main.Body.Ops[0].Attrs["value"].(*tensor.Array).Data; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v as %v: got %v, want %v", c.number, c.d, got, c.want)
		}
	}
}
